import ScenarioModel
import TextFormats
import TriggerModel

/// An experiment as declared in its file. Names are unresolved and settings are unparsed.
struct ExperimentDeclaration {
  var title: String
  var question: String
  /// The position of the question, or `nil` if there is none.
  var questionPosition: SourcePosition?
  /// The metric that answers the question, or `nil` for the first one.
  var primary: Word?
  var population: Word
  var seed: UInt64?
  var days: Int?
  var followUp: TimeSpan?
  /// The sections of the base, which override the population's own.
  var base: [Node.Entry]
  var variants: [VariantDeclaration]
  /// The settings to vary, each with its values.
  var grid: [GridAxis]
  var gridPosition: SourcePosition?
  var metrics: [Word]
  var precision: [PrecisionDeclaration]
  var budget: BudgetDeclaration?
  var gates: [GateDeclaration]
  /// Whether verdicts and directions account for the number of comparisons.
  var isFamilywise: Bool
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
  /// Whether the number has the unit `pp` or `%`.
  var hasUnit: Bool
  var isPercentage = false

  var amount: Amount { Amount(millionths: bound.millionths, hasUnit: hasUnit, isPercentage: isPercentage) }
}

struct SensitivityDeclaration {
  /// Whether the file says `sensitivity: none`.
  var isOff = false
  var variant: Word?
  var metric: Word?
  var people: Int?
  var draws: Int?
}

/// A number with or without a unit. For a share, the unit distinguishes 0.5 percentage points from the fraction 0.5.
struct Amount {
  var millionths: Int64
  /// Whether the number has the unit `pp` or `%`.
  var hasUnit: Bool
  /// Whether the unit is `%`.
  var isPercentage = false

  /// Parses a number, or returns `nil` if the text is not a number.
  static func parse(_ text: String) -> Amount? {
    let number = text.hasPrefix("+") ? String(text.dropFirst()) : text
    let inPercent = number.hasSuffix("pp") ? String(number.dropLast(2)) + "%" : number
    return Decimal.millionths(inPercent).map {
      Amount(millionths: $0, hasUnit: hasUnit(text), isPercentage: text.hasSuffix("%"))
    }
  }

  static func hasUnit(_ text: String) -> Bool { text.hasSuffix("pp") || text.hasSuffix("%") }

  /// The number without its unit.
  var text: String { Decimal.text(isPercentage ? millionths * 100 : millionths, decimals: 6) }

  /// Returns the problem with the unit for a metric, or `nil` if the unit is right. Zero needs no unit.
  ///
  /// - Parameter isDifference: Whether the number is a difference. A difference between shares is in percentage
  ///   points.
  func unitProblem(_ metric: PeopleMetric, isDifference: Bool) -> String? {
    if isDifference, isPercentage, metric.kind.isShare, millionths != 0 {
      return "a difference of \(text) % can mean percentage points or a part of the base's figure"
    }
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
  /// The name of the policy to which variants are compared.
  static let base = "base"
}
