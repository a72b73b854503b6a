import Experiments
import ScenarioModel

/// Formats numbers as text.
enum Numbers {
  /// Returns a number with a fixed number of decimals. By default, it is rounded to the nearest value.
  static func fixed(
    _ value: Double, _ decimals: Int, signed: Bool = false,
    _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> String {
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (value * scale).rounded(rule)
    guard scaled.magnitude < 1e15 else { return "\(value)" }
    let number = Int64(scaled)
    let digits = String(number.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = number < 0 ? "-" : signed && number > 0 ? "+" : ""
    if decimals == 0 { return sign + grouped(padded) }
    return sign + grouped(String(padded.dropLast(decimals))) + "." + padded.suffix(decimals)
  }

  /// Returns a count with separators, such as "1,234,567".
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

  /// Returns a part of a whole as a percentage, such as "12.3 %", or "none" if the whole is 0.
  static func share(_ part: Int64, of whole: Int64, _ decimals: Int = 1) -> String {
    whole == 0 ? "none" : fixed(100 * Double(part) / Double(whole), decimals) + " %"
  }
}

extension PeopleMetric {
  /// Returns a figure, with a unit if it is a share: "19.45 %" or "1.8610".
  func text(_ value: Double) -> String {
    kind.isShare ? Numbers.fixed(100 * value, 2) + " %" : Numbers.fixed(value, 4)
  }

  /// Returns a signed difference. The difference between shares is in percentage points, such as "-0.44 pp".
  func difference(_ value: Double) -> String {
    kind.isShare ? Numbers.fixed(100 * value, 2, signed: true) + " pp" : Numbers.fixed(value, 4, signed: true)
  }

  /// Returns the half width of an interval, such as "0.100 pp".
  func width(_ value: Double) -> String {
    kind.isShare ? Numbers.fixed(100 * value, 3) + " pp" : Numbers.fixed(value, 4)
  }

  /// Returns an interval. Its ends are rounded outwards, so that the text never excludes a value of the
  /// interval.
  func text(_ interval: Interval) -> String { text(interval, signed: false, unit: " %") }

  func difference(_ interval: Interval) -> String { text(interval, signed: true, unit: " pp") }

  private func text(_ interval: Interval, signed: Bool, unit: String) -> String {
    let (scale, decimals) = kind.isShare ? (100.0, 2) : (1.0, 4)
    return Numbers.fixed(scale * interval.lower, decimals, signed: signed, .down) + " to "
      + Numbers.fixed(scale * interval.upper, decimals, signed: signed, .up) + (kind.isShare ? unit : "")
  }

  /// Returns a bound in the metric's unit, such as ">= 25.00 %" or "<= +0.30 pp".
  func bound(_ bound: Bound, isDifference: Bool) -> String {
    let value = Double(bound.millionths) / 1_000_000
    return "\(bound.side.rawValue) \(isDifference ? difference(value) : text(value))"
  }
}
