package import Journal
package import TriggerModel

/// An engine in another process, as one more ``EngineUnderTest``.
///
/// A copy speaks to the same process: unlike other engines it cannot be branched. Whenever a process of the
/// simulated app starts, the engine's process is started anew.
package struct ExternalEngine: EngineUnderTest {
  private let link: EngineLink

  /// - Parameters:
  ///   - command: How the engine is started; nothing is started before ``launch(_:into:)``.
  ///   - program: What it is told of the scenario.
  package init(_ command: EngineCommand, program: EngineProgram) {
    link = EngineLink(command, program)
  }

  package mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    link.start()
    link.ask(at: launch.moment, into: &effects) { writer in
      writer.launch(launch)
    }
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    let moment = link.lastMoment
    link.ask(at: moment, into: &effects) { writer in writer.open(store, at: moment) }
  }

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    link.answerAdds(refused: event.kind == .addFailed ? event.request : nil)
    link.ask(at: event.moment, into: &effects) { writer in writer.observed(event) }
  }

  package mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    guard link.isUnsettled else { return false }
    link.answerAdds(refused: nil)
    link.ask(at: moment, into: &effects) { writer in writer.settle(at: moment) }
    return link.hasMore
  }

  package func storedState() -> [UInt8] { link.stored }

  package var failure: EngineFailure? { link.failure }

  /// Who answers; nil before it has said so.
  package var greeting: EngineGreeting? { link.greeting }

  /// Nanoseconds that were spent waiting for answers, by the command's stopwatch.
  package var nanosecondsOfWaiting: UInt64 { link.nanosecondsOfWaiting }

  /// Lets the engine's process end. Without it, it ends when the last copy of the engine is gone.
  package func end() { link.end() }
}

/// How an engine in another process is started, and how long it may take.
package struct EngineCommand: Sendable {
  /// Split into words as a shell does.
  package var command: String
  package var environment: [String: String]
  /// For the first answers of a process: an interpreter has to be loaded.
  package var startLimit = Duration.seconds(20)
  /// For every other answer.
  package var answerLimit = Duration.seconds(10)
  /// For its end.
  package var grace = Duration.seconds(2)
  /// Nanoseconds on a clock that never goes back.
  package var stopwatch: @Sendable () -> UInt64
  /// Takes each line that the engine logs on its standard error.
  package var log: (@Sendable (String) -> Void)?

  package init(
    _ command: String, environment: [String: String], stopwatch: @escaping @Sendable () -> UInt64
  ) {
    self.command = command
    self.environment = environment
    self.stopwatch = stopwatch
  }
}

/// What an engine is told of a scenario before its first event.
package struct EngineProgram: Sendable {
  package var names: WireNames
  /// The message `program`, as bytes of a line.
  package var line: [UInt8]

  package init(names: WireNames, line: [UInt8]) {
    self.names = names
    self.line = line
  }
}
