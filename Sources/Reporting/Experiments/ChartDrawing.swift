import TextFormats

/// Draws charts 480 units wide, so that their text is legible on a phone.
enum ChartDrawing {
  static let width = 480.0

  /// - Parameter id: An identifier that is unique on the page.
  static func svg(_ chart: Chart, id: String) -> String {
    switch chart {
    case .forest(let chart): forest(chart, id)
    case .hours(let chart): hours(chart, id)
    case .scatter(let chart): scatter(chart, id)
    case .tornado(let chart): tornado(chart, id)
    }
  }

  private static func forest(_ chart: Chart.Forest, _ id: String) -> String {
    func height(_ row: Chart.Forest.Row) -> Double { row.detail == nil ? 46 : 64 }
    let rows = chart.groups.flatMap(\.rows)
    var svg = SVG(width: width, height: rows.map(height).reduce(66, +) + Double(chart.groups.count) * 34)
    let middle = width / 2
    var top = 6.0
    for group in chart.groups {
      let most = max(group.reach, .leastNormalMagnitude)
      let scale = Scale(-most...most, to: 16, width - 16)
      for row in group.rows {
        let place = top + height(row) - 16
        svg.text(4, top + 14, short(row.label))
        svg.text(width - 4, top + 14, row.text, .end, "label strong")
        if let detail = row.detail { svg.text(4, top + 33, short(detail)) }
        // The line starts below the text of the row.
        svg.line(middle, place - 10, middle, place + 14, "axis")
        let isClear = row.lower > 0 || row.upper < 0
        svg.line(scale(row.lower), place, scale(row.upper), place, isClear ? "clear" : "unclear")
        svg.circle(scale(row.value), place, 5, isClear ? "dot clear" : "dot unclear")
        top += height(row)
      }
      svg.axis(
        from: 16, to: width - 16, at: top + 2,
        [(16, group.ends.first), (middle, "0"), (width - 16, group.ends.last)])
      top += 34
    }
    for (style, text) in [
      ("clear", "interval without 0: a difference"), ("unclear", "interval with 0: maybe no difference"),
    ] {
      top += 24
      svg.line(8, top - 5, 38, top - 5, style)
      svg.circle(23, top - 5, 5, "dot \(style)")
      svg.text(48, top, text)
    }
    return svg.element(
      id: id, title: chart.title,
      description:
        "A line for each figure, from the lower to the upper end of its interval, with a dot at the "
        + "difference. The line in the middle marks no difference. Each metric has its own scale. "
        + rows.map { "\([$0.label, $0.detail].compactMap(\.self).joined(separator: ", ")): \($0.text)" }
        .joined(separator: "; ") + ".")
  }

  /// Shortens a label to leave space for the figure on a phone. The table shows the whole label.
  private static func short(_ label: String) -> String { label.cut(to: 36) }

  private static func hours(_ chart: Chart.Hours, _ id: String) -> String {
    var svg = SVG(width: width, height: 320)
    let most = max(1, (chart.up.counts + chart.down.counts).max() ?? 1)
    let (left, middle, reach) = (68.0, 128.0, 92.0)
    let step = (width - left - 6) / 24
    svg.text(4, 18, "notifications", .start, "label strong")
    for (place, count) in [(middle - reach, most), (middle, 0), (middle + reach, most)] {
      svg.line(left - 5, place, count == 0 ? width - 6 : left, place, "axis")
      svg.text(left - 9, place + 5, Numbers.count(count), .end)
    }
    svg.line(left, middle - reach, left, middle + reach, "axis")
    for hour in 0..<24 {
      let x = left + Double(hour) * step
      let (up, down) = (
        Double(chart.up.counts[hour]) / Double(most) * reach,
        Double(chart.down.counts[hour]) / Double(most) * reach
      )
      if up > 0 { svg.rectangle(x + 1, middle - up, step - 2, up, "up") }
      if down > 0 { svg.rectangle(x + 1, middle, step - 2, down, "down") }
      if hour % 3 == 0 { svg.text(x + step / 2, 240, "\(hour)", .middle) }
    }
    svg.text(width - 6, 262, "hour of the local day →", .end, "label strong")
    for (index, side) in [chart.up, chart.down].enumerated() {
      let bottom = 286 + Double(index) * 24
      svg.rectangle(8, bottom - 12, 14, 14, index == 0 ? "up" : "down")
      svg.text(30, bottom, "\(side.name): \(side.meaning)")
    }
    let peak: ([Int64]) -> Int = { counts in counts.indices.max { counts[$0] < counts[$1] } ?? 0 }
    return svg.element(
      id: id, title: chart.title,
      description:
        "Bars by hour: \(chart.up.name) upwards, \(chart.down.name) downwards. The highest bars are at "
        + "\(peak(chart.up.counts)) o'clock (\(chart.up.name)) and \(peak(chart.down.counts)) o'clock (\(chart.down.name))."
    )
  }

  private static func scatter(_ chart: Chart.Scatter, _ id: String) -> String {
    var svg = SVG(width: width, height: 470)
    let (left, right, top, bottom) = (78.0, width - 20, 34.0, 320.0)
    let (xs, ys) = (chart.points.map(\.x), chart.points.map(\.y))
    let across = Scale((xs.min() ?? 0)...(xs.max() ?? 1), to: left + 10, right - 10)
    let upwards = Scale((ys.min() ?? 0)...(ys.max() ?? 1), to: bottom - 12, top + 12)
    svg.text(4, 18, "↑ \(chart.yTitle)", .start, "label strong")
    svg.line(left, top, left, bottom, "axis")
    for (value, text) in zip([ys.min(), ys.max()], chart.yTexts) {
      let place = upwards(value ?? 0)
      svg.line(left - 5, place, left, place, "axis")
      svg.text(left - 9, place + 5, text, .end)
    }
    svg.axis(
      from: left, to: right, at: bottom,
      zip([xs.min(), xs.max()], chart.xTexts).map { (across($0 ?? 0), $1) })
    svg.text(right, 362, "\(chart.xTitle) →", .end, "label strong")
    var labels = PointLabels()
    for point in chart.points {
      let radius = 4 + 5 * point.size
      let (x, y) = (across(point.x), upwards(point.y))
      svg.circle(x, y, radius, point.isOnFront ? "dot clear" : "dot beaten", title: point.label)
      if point.isBase { svg.circle(x, y, radius + 4, "ring", title: "the base") }
      if point.isOnFront {
        let place = labels.place(x, y, radius)
        svg.text(place.x, place.y, "\(point.number)", .middle, "label small")
      }
    }
    for (index, (style, text)) in [
      ("key clear", "not beaten by another policy; number in the table"),
      ("key beaten", "beaten by another policy"),
      ("ring", "the base"),
    ].enumerated() {
      let line = 388 + Double(index) * 24
      svg.circle(15, line - 5, 6, style)
      svg.text(30, line, text)
    }
    svg.text(30, 460, chart.sizeTitle)
    return svg.element(
      id: id, title: chart.title,
      description:
        "A dot for each policy. Policies that no other policy beats are filled, and numbered as in the table. The "
        + "base has a ring. \(chart.sizeTitle).")
  }

  private static func tornado(_ chart: Chart.Tornado, _ id: String) -> String {
    let rowHeight = 50.0
    var svg = SVG(width: width, height: Double(chart.rows.count) * rowHeight + 130)
    let scale = Scale(chart.range, to: 20, width - 20)
    svg.text(4, 16, "unchanged: \(chart.standardText)", .start, "label strong")
    for (index, row) in chart.rows.enumerated() {
      let top = Double(index) * rowHeight + 30
      svg.text(4, top + 14, "\(row.label): \(row.lowText) to \(row.highText)")
      let (low, high) = (scale(row.low), scale(row.high))
      // The lines start below the text of the row.
      svg.line(scale(0), top + 20, scale(0), top + 40, "zero")
      svg.line(scale(chart.standard), top + 20, scale(chart.standard), top + 40, "axis")
      svg.rectangle(min(low, high), top + 22, max(1, (high - low).magnitude), 14, "bar")
      svg.circle(low, top + 29, 4, "end low", title: row.lowText)
      svg.circle(high, top + 29, 4, "end high", title: row.highText)
    }
    let axis = Double(chart.rows.count) * rowHeight + 34
    svg.axis(
      from: 20, to: width - 20, at: axis,
      zip([chart.range.lowerBound, chart.range.upperBound], chart.ends).map { (scale($0), $1) })
    svg.text(width / 2, axis + 40, "\(chart.xTitle) →", .middle, "label strong")
    let bottom = svg.height - 10
    svg.circle(10, bottom - 28, 4, "end low")
    svg.text(20, bottom - 24, "with the lowest value")
    svg.circle(226, bottom - 28, 4, "end high")
    svg.text(236, bottom - 24, "with the highest value")
    svg.line(10, bottom - 12, 10, bottom + 4, "zero")
    svg.text(20, bottom, "no difference")
    svg.line(226, bottom - 12, 226, bottom + 4, "axis")
    svg.text(236, bottom, "unchanged assumptions")
    return svg.element(
      id: id, title: chart.title,
      description:
        "A bar for each assumption, from the difference at its lowest value (open dot) to that at its highest "
        + "value (filled dot). The dashed line marks no difference, the solid line the unchanged assumptions."
    )
  }
}

/// Places numbers next to dots so that they do not overlap.
private struct PointLabels {
  private var taken: [(x: Double, y: Double)] = []

  /// Returns the first free place above, below, to the right or to the left of the dot, in this order. If all are
  /// taken, returns the place above.
  mutating func place(_ x: Double, _ y: Double, _ radius: Double) -> (x: Double, y: Double) {
    let places = [
      (x: x, y: y - radius - 4), (x: x, y: y + radius + 12), (x: x + radius + 10, y: y + 4),
      (x: x - radius - 10, y: y + 4),
    ]
    // Each label is assumed to have the size of two digits.
    let free = places.first { place in
      taken.allSatisfy { ($0.x - place.x).magnitude >= 20 || ($0.y - place.y).magnitude >= 15 }
    }
    let place = free ?? places[0]
    taken.append(place)
    return place
  }
}

/// The shapes of a drawing as SVG markup. Lengths are rounded to tenths.
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

  /// Returns the opening part of a shape's tag, without the closing bracket.
  private static func tag(_ name: String, _ style: String, _ lengths: KeyValuePairs<String, Double>) -> String
  {
    "<\(name) class=\"\(style)\"" + lengths.map { " \($0)=\"\(number($1))\"" }.joined()
  }

  mutating func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ style: String) {
    shapes.append(Self.tag("line", style, ["x1": x, "y1": y, "x2": x2, "y2": y2]) + "/>")
  }

  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String) {
    shapes.append(Self.tag("rect", style, ["x": x, "y": y, "width": width, "height": height]) + "/>")
  }

  mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String, title: String? = nil) {
    let inner = title.map { "<title>\(Markup.escape($0))</title>" } ?? ""
    shapes.append(Self.tag("circle", style, ["cx": x, "cy": y, "r": radius]) + ">\(inner)</circle>")
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(
    _ x: Double, _ y: Double, _ text: String, _ anchor: Anchor = .start, _ style: String = "label"
  ) {
    shapes.append(
      Self.tag("text", style, ["x": x, "y": y])
        + " text-anchor=\"\(anchor.rawValue)\">\(Markup.escape(text))</text>")
  }

  /// Draws a horizontal axis with text below it. The first text begins at its mark, and the last text ends at
  /// its mark.
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

  /// - Parameter id: An identifier that is unique on the page.
  func element(id: String, title: String, description: String) -> String {
    let size = "0 0 \(Self.number(width)) \(Self.number(height))"
    return
      "<svg viewBox=\"\(size)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\"><title id=\"\(id)-title\">"
      + "\(Markup.escape(title))</title><desc id=\"\(id)-desc\">\(Markup.escape(description))</desc>"
      + shapes.joined() + "</svg>"
  }
}

/// Maps a range of numbers to a range of coordinates.
struct Scale {
  private let from: ClosedRange<Double>
  private let to: (Double, Double)

  /// Creates a scale. A range of a single number is mapped to the middle.
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
