package import ScenarioModel
package import TextFormats

/// How one expectation came out.
package struct ExpectationResult: Hashable, Sendable {
  package var text: String
  package var position: SourcePosition
  package var passed: Bool
  /// What the run shows, in words.
  package var got: String
  /// The fire or ending that came closest, if there is one.
  package var nearest: String?
  /// What happened to the reminder instead, in order.
  package var reasons: [String]
  /// What could be claimed instead of what failed; nil where its author has to say.
  package var instead: Expectation.Claim?
}
