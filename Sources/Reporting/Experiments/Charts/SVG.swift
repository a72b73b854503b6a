import TextFormats

/// Shapes of one drawing, as text. Lengths are rounded to tenths.
struct SVG {
  private var shapes: [String] = []
  let width: Double
  let height: Double

  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  static func number(_ value: Double) -> String {
    let tenths = Int64((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return sign + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }

  mutating func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ style: String) {
    shapes.append(
      "<line class=\"\(style)\" x1=\"\(Self.number(x))\" y1=\"\(Self.number(y))\" x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"/>"
    )
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
    shapes.append(
      "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>"
    )
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String, title: String? = nil) {
    let inner = title.map { "<title>\(Markup.escape($0))</title>" } ?? ""
    shapes.append(
      "<circle class=\"\(style)\" cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\">\(inner)</circle>"
    )
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(
    _ x: Double, _ y: Double, _ text: String, _ anchor: Anchor = .start, _ style: String = "label"
  ) {
    shapes.append(
      "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\">\(Markup.escape(text))</text>"
    )
  }

  /// A horizontal axis with its texts below it: the first begins where its mark is, the last ends there.
  mutating func axis(
    from left: Double, to right: Double, at height: Double, _ marks: [(place: Double, text: String?)]
  ) {
    line(left, height, right, height, "axis")
    for (index, mark) in marks.enumerated() {
      guard let text = mark.text else { continue }
      line(mark.place, height, mark.place, height + 5, "axis")
      self.text(
        mark.place, height + 20, text, index == 0 ? .start : index == marks.count - 1 ? .end : .middle)
    }
  }

  /// - Parameter id: unique on the page.
  func element(id: String, title: String, description: String) -> String {
    let size = "0 0 \(Self.number(width)) \(Self.number(height))"
    return
      "<svg viewBox=\"\(size)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\"><title id=\"\(id)-title\">"
      + "\(Markup.escape(title))</title><desc id=\"\(id)-desc\">\(Markup.escape(description))</desc>"
      + shapes.joined() + "</svg>"
  }
}

/// Maps a range of numbers to a range of places.
struct Scale {
  private let from: ClosedRange<Double>
  private let to: (Double, Double)

  /// A range of one number lies in the middle.
  init(_ from: ClosedRange<Double>, to low: Double, _ high: Double) {
    self.from = from
    to = (low, high)
  }

  func callAsFunction(_ value: Double) -> Double {
    let width = from.upperBound - from.lowerBound
    let share = width > 0 ? (value - from.lowerBound) / width : 0.5
    return to.0 + share * (to.1 - to.0)
  }
}
