import ScenarioModel
import TextFormats
import TriggerModel

/// An experiment as its file says it: names are not resolved yet, and settings not read.
struct ExperimentDeclaration {
  var title: String
  var question = ""
  var population: Word
  var seed: UInt64?
  var days: Int?
  var followUp: TimeSpan?
  /// Sections of the base: what its author says over what the population does.
  var base: [Node.Entry] = []
  var variants: [VariantDeclaration] = []
  /// Settings by path, with the values that they take in turn.
  var grid: [GridAxis] = []
  var gridPosition: SourcePosition?
  var metrics: [Word] = []
  var precision: [PrecisionDeclaration] = []
  var budget: BudgetDeclaration?
  var gates: [GateDeclaration] = []
  var sensitivity: SensitivityDeclaration?
  var position: SourcePosition
}

struct VariantDeclaration {
  var name: String
  var position: SourcePosition
  var sections: [Node.Entry]
}

struct GridAxis {
  /// `policy.minimumInterval`
  var path: Word
  var values: [Node]
  var position: SourcePosition
}

/// How far a difference may be off.
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

/// A target, or where an idea is given up.
struct BoundDeclaration {
  var bound: Bound
  /// `pp` or `%` follows the number.
  var hasUnit: Bool

  var amount: Amount { Amount(millionths: bound.millionths, hasUnit: hasUnit) }
}

struct SensitivityDeclaration {
  /// `sensitivity: none`
  var isOff = false
  var variant: Word?
  var metric: Word?
  var people: Int?
  var draws: Int?
}
