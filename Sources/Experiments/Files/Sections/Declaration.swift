import ScenarioModel
import TextFormats
import TriggerModel

/// An experiment as its file declares it, with unresolved names and unread settings.
struct ExperimentDeclaration {
  var title: String
  var question: String
  var population: Word
  var seed: UInt64?
  var days: Int?
  var followUp: TimeSpan?
  /// The sections of the base: differences from the population's own.
  var base: [Node.Entry]
  var variants: [VariantDeclaration]
  /// Settings by path, with their values.
  var grid: [GridAxis]
  var gridPosition: SourcePosition?
  var metrics: [Word]
  var precision: [PrecisionDeclaration]
  var budget: BudgetDeclaration?
  var gates: [GateDeclaration]
  var sensitivity: SensitivityDeclaration?
  var position: SourcePosition
}

struct VariantDeclaration {
  var name: String
  var position: SourcePosition
  var sections: [Node.Entry]
}

struct GridAxis {
  /// The path of the setting, such as `policy.minimumInterval`.
  var path: Word
  var values: [Node]
  var position: SourcePosition
}

/// The maximum half width of a difference's interval.
struct PrecisionDeclaration {
  var metric: Word
  var amount: Located<Amount>
}

struct BudgetDeclaration {
  var least: Int64?
  var most: Int64
  var position: SourcePosition
}

struct GateDeclaration {
  var metric: Word
  /// The name of a variant, or `base`.
  var subject: Word
  var isChange: Bool
  var target: Located<BoundDeclaration>
  var kill: Located<BoundDeclaration>?
}

/// The bound of a target or of a kill criterion.
struct BoundDeclaration {
  var bound: Bound
  /// Whether `pp` or `%` follows the number.
  var hasUnit: Bool

  var amount: Amount { Amount(millionths: bound.millionths, hasUnit: hasUnit) }
}

struct SensitivityDeclaration {
  /// Whether the file says `sensitivity: none`.
  var isOff = false
  var variant: Word?
  var metric: Word?
  var people: Int?
  var draws: Int?
}

/// A number with or without a unit. For a share, the unit distinguishes 0.5 percentage points from 50.
struct Amount {
  var millionths: Int64
  /// Whether `pp` or `%` follows the number.
  var hasUnit: Bool

  /// Parses a number, or returns `nil` if the text is not a number.
  static func parse(_ text: String) -> Amount? {
    let number = text.hasPrefix("+") ? String(text.dropFirst()) : text
    let inPercent = number.hasSuffix("pp") ? String(number.dropLast(2)) + "%" : number
    return Decimal.millionths(inPercent).map { Amount(millionths: $0, hasUnit: hasUnit(text)) }
  }

  static func hasUnit(_ text: String) -> Bool { text.hasSuffix("pp") || text.hasSuffix("%") }

  /// The number without its unit.
  var text: String { Decimal.text(millionths, decimals: 6) }

  /// Returns what is wrong with the unit for a metric, or `nil` if it is right. Zero needs no unit.
  ///
  /// - Parameter isDifference: Whether the number is a difference, which for shares is in percentage points.
  func unitProblem(_ metric: PeopleMetric, isDifference: Bool) -> String? {
    if millionths == 0 || hasUnit == metric.kind.isShare { return nil }
    return metric.kind.isShare
      ? "\(metric.name) is a share, and \(text) has no unit"
      : "\(metric.name) is not a share, so it has no unit"
  }
}

/// Reserved words of experiment files.
enum ExperimentWords {
  /// The value of the key `kind`.
  static let kind = "experiment"
  /// The name of the policy that variants are compared with.
  static let base = "base"
}
