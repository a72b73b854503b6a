import Experiments

/// Numbers as people read them.
enum Numbers {
  /// With so many decimals, rounded to the nearest.
  static func fixed(_ value: Double, _ decimals: Int, signed: Bool = false) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let number = Int64(scaled)
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = number < 0 ? "-" : signed && number > 0 ? "+" : ""
    if decimals == 0 { return sign + grouped(padded) }
    return sign + grouped(String(padded.dropLast(decimals))) + "." + padded.suffix(decimals)
  }

  /// 1,234,567
  static func count(_ number: Int64) -> String {
    (number < 0 ? "-" : "") + grouped(String(number.magnitude))
  }

  private static func grouped(_ digits: String) -> String {
    if digits.count <= 4 { return digits }
    var groups: [Substring] = []
    var rest = digits[...]
    while !rest.isEmpty {
      groups.append(rest.suffix(3))
      rest = rest.dropLast(3)
    }
    return groups.reversed().joined(separator: ",")
  }

  /// Of a part and a whole: "12.3 %".
  static func share(_ part: Int64, of whole: Int64, _ decimals: Int = 1) -> String {
    whole == 0 ? "none" : fixed(100 * Double(part) / Double(whole), decimals) + " %"
  }
}

extension PeopleMetric {
  /// A figure with its unit: "19.45 %", "1.861 a day".
  func text(_ value: Double) -> String {
    kind.isShare ? Numbers.fixed(100 * value, 2) + " %" : Numbers.fixed(value, 4)
  }

  /// A difference with its unit: "-0.44 pp".
  func difference(_ value: Double) -> String {
    kind.isShare ? Numbers.fixed(100 * value, 2, signed: true) + " pp" : Numbers.fixed(value, 4, signed: true)
  }

  func text(_ interval: Interval) -> String {
    kind.isShare
      ? "\(Numbers.fixed(100 * interval.lower, 2)) to \(Numbers.fixed(100 * interval.upper, 2)) %"
      : "\(Numbers.fixed(interval.lower, 4)) to \(Numbers.fixed(interval.upper, 4))"
  }

  func difference(_ interval: Interval) -> String {
    let (scale, decimals, unit) = kind.isShare ? (100.0, 2, " pp") : (1.0, 4, "")
    return Numbers.fixed(scale * interval.lower, decimals, signed: true) + " to "
      + Numbers.fixed(scale * interval.upper, decimals, signed: true) + unit
  }

  /// A bound in the metric's own unit: ">= 25 %", "<= +0.3 pp".
  func bound(_ side: String, _ value: Double, isDifference: Bool) -> String {
    let number = isDifference ? difference(value) : text(value)
    return "\(side) \(number)"
  }
}
