package import Journal
import NotificationGateway
import ReminderEngine
import ReminderMatching
package import TriggerEngine
package import TriggerModel

/// An engine in another process.
///
/// If the engine has only one capability, the built-in engine provides the other half.
///
/// All copies share one process, so a copy cannot continue independently as copies of other engines can. When
/// the simulated app restarts, the engine's process restarts too.
package struct ExternalEngine: EngineUnderTest {
  private let link: EngineLink
  private let builtIn: BuiltInEngine
  private let hasCounters: Bool
  /// The external half joined with the built-in half. `nil` if the process has not started, or if the engine
  /// has both capabilities.
  private var halves: (any EngineUnderTest)?

  /// - Parameters:
  ///   - command: The command that ``launch(_:into:)`` uses to start the engine.
  ///   - program: The declarations for the engine.
  package init(_ command: EngineCommand, program: EngineProgram) {
    link = EngineLink(command, program)
    builtIn = program.builtIn
    hasCounters = program.hasCounters
  }

  package mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    let isFirst = link.greeting == nil
    link.start()
    let names = builtIn.reminders.program.storeNames
    switch link.greeting?.onlyCapability {
    case nil:
      halves = nil
      link.ask(at: launch.moment, into: &effects) { $0.launch(launch) }
    case .match?:
      var joined = JoinedHalves(ExternalMatching(link: link), builtIn.gateway, names: names)
      var launch = launch
      // The stored state of the built-in half contains the scenario's counters, so pass them to it.
      if isFirst, hasCounters, launch.store == .empty { launch.store = .bytes(joined.storedState()) }
      joined.launch(launch, into: &effects)
      halves = joined
    case .caps?:
      var joined = JoinedHalves(builtIn.reminders, ExternalDeciding(link: link), names: names)
      joined.launch(launch, into: &effects)
      halves = joined
    }
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    if halves?.open(store, into: &effects) != nil { return }
    let moment = link.lastMoment
    link.ask(at: moment, into: &effects) { $0.open(store, at: moment) }
  }

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    if halves?.process(event, into: &effects) != nil { return }
    link.answerAdds(refused: event.kind == .addFailed ? event.request : nil)
    link.ask(at: event.moment, into: &effects) { $0.observed(event) }
  }

  package mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    if let hasMore = halves?.settle(at: moment, into: &effects) { return hasMore }
    guard link.isUnsettled else { return false }
    link.answerAdds(refused: nil)
    link.ask(at: moment, into: &effects) { $0.settle(at: moment) }
    return link.hasMore
  }

  package func storedState() -> [UInt8] { halves?.storedState() ?? link.stored }

  package var failure: EngineFailure? { link.failure }

  /// The engine's greeting, or `nil` if it has not arrived yet.
  package var greeting: EngineGreeting? { link.greeting }

  /// The time spent waiting for answers in nanoseconds, measured with the command's stopwatch.
  package var nanosecondsOfWaiting: UInt64 { link.nanosecondsOfWaiting }

  /// The number of answered questions, including launches.
  package var questions: Int { link.questions }

  /// Ends the engine's process. Without this call, the process ends when the last copy of the engine is
  /// released.
  package func end() { link.end() }
}

/// The declarations of a scenario that an engine receives before its first event.
package struct EngineProgram: Sendable {
  package var names: WireNames
  /// The `program` message as a line of bytes.
  package var line: [UInt8]
  /// The message for later processes, or `nil` if it is the same. Later processes receive their own stored
  /// state instead of the scenario's.
  package var laterLine: [UInt8]?
  /// The built-in engine in its initial state. It provides the half that the external engine lacks.
  package var builtIn: BuiltInEngine
  /// Whether the scenario has initial counters.
  package var hasCounters: Bool

  package init(
    names: WireNames, line: [UInt8], laterLine: [UInt8]? = nil, builtIn: BuiltInEngine, hasCounters: Bool
  ) {
    self.names = names
    self.line = line
    self.laterLine = laterLine
    self.builtIn = builtIn
    self.hasCounters = hasCounters
  }

  /// The names of the reminders, in the order of their identifiers.
  var reminderNames: [String] { builtIn.reminders.program.storeNames.reminders }
}

/// The command that starts an engine in another process, and its time limits.
package struct EngineCommand: Sendable {
  /// The command line, split into words as in a shell.
  package var command: String
  package var environment: [String: String]
  /// The time limit for the first answers of a process. They may include the time to load an interpreter.
  package var startLimit = Duration.seconds(20)
  /// The time limit for every other answer.
  package var answerLimit = Duration.seconds(10)
  /// The time limit for a process to end.
  package var grace = Duration.seconds(2)
  /// The time to wait for output after `end`. An engine must write nothing during this time.
  package var farewell = Duration.milliseconds(100)
  /// Returns nanoseconds on a monotonic clock.
  package var stopwatch: @Sendable () -> UInt64
  /// Receives each line of the engine's standard error.
  package var log: (@Sendable (String) -> Void)?
  /// Starts the process and returns the channel to it.
  package var connect: @Sendable (EngineCommand) throws(EngineProcessError) -> any LineChannel = Self.process

  package init(
    _ command: String, environment: [String: String], stopwatch: @escaping @Sendable () -> UInt64
  ) {
    self.command = command
    self.environment = environment
    self.stopwatch = stopwatch
  }

  private static func process(_ command: EngineCommand) throws(EngineProcessError) -> any LineChannel {
    try LineProcess(
      command: command.command, environment: command.environment, stopwatch: command.stopwatch,
      receive: command.log)
  }
}
