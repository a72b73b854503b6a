public import TriggerModel

/// What the bench tests: something that is told what a phone tells an app, and says what it wants done.
///
/// The built-in engine and an engine in another process take part on equal terms. An engine is a
/// value: a copy goes on exactly as the original would.
public protocol EngineUnderTest: Sendable {
  /// Takes one observed event; appends what is to be done.
  ///
  /// Effects are carried out in order, and none of them answers at once: what comes of them arrives as
  /// later events.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Called when every event of an instant has been processed: the requests of this instant are decided
  /// now, together, so that the order of lines in a file changes nothing.
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect])
}
