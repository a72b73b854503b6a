import ScenarioModel
import TextFormats
import TriggerModel

/// A number as its author wrote it: of a share nobody can tell 0.5 percentage points from fifty without the unit.
struct Amount {
  var millionths: Int64
  /// `pp` or `%` follows the number.
  var hasUnit: Bool

  init(millionths: Int64, hasUnit: Bool) {
    (self.millionths, self.hasUnit) = (millionths, hasUnit)
  }

  /// Nil of a text that is no number.
  init?(_ text: String) {
    let number = text.hasPrefix("+") ? String(text.dropFirst()) : text
    let inPercent = number.hasSuffix("pp") ? String(number.dropLast(2)) + "%" : number
    guard let millionths = Decimal.millionths(inPercent) else { return nil }
    self.init(millionths: millionths, hasUnit: Self.hasUnit(text))
  }

  static func hasUnit(_ text: String) -> Bool { text.hasSuffix("pp") || text.hasSuffix("%") }

  /// The number alone.
  var text: String { Decimal.text(millionths, decimals: 6) }

  /// What is wrong with the unit of a number of this metric, or with its lack; nothing is nothing in any unit.
  ///
  /// - Parameter isDifference: Of two shares, which is counted in percentage points.
  func unitProblem(_ metric: PeopleMetric, isDifference: Bool) -> String? {
    if millionths == 0 || hasUnit == metric.kind.isShare { return nil }
    return metric.kind.isShare
      ? "\(metric.name) is a share: \(text) could be \(isDifference ? "percentage points" : "per cent")"
        + " or a hundred times as much"
      : "\(metric.name) is no share: it is not counted in per cent"
  }
}
