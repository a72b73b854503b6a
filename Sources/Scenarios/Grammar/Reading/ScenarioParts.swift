/// What of a scenario a document holds beside its declarations.
package struct ScenarioParts: OptionSet, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// What happens: the time line, and the recordings that it names.
  package static let timeline = ScenarioParts(rawValue: 1)
  /// What must come true.
  package static let expectations = ScenarioParts(rawValue: 2)
  /// What a scenario's file says.
  package static let all: ScenarioParts = [.timeline, .expectations]
}
