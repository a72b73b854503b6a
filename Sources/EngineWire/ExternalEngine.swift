import ReminderMatching
package import EngineProcess
package import Journal
import NotificationGateway
import ReminderEngine
package import TriggerEngine
package import TriggerModel

/// An engine in another process, as one more ``EngineUnderTest``.
///
/// One that does a half of the work, by its own account, is joined with the built-in engine's other half.
///
/// A copy speaks to the same process: unlike other engines it cannot be branched. Whenever a process of the
/// simulated app starts, the engine's process is started anew.
package struct ExternalEngine: EngineUnderTest {
  private let link: EngineLink
  private let builtIn: BuiltInEngine
  private let hasCounters: Bool
  private var work = Work.all

  /// What the engine does. Which it is, it says when its process has been started.
  private enum Work {
    case all
    case matching(JoinedHalves<ExternalMatching, NotificationGateway>)
    case deciding(JoinedHalves<ReminderEngine, ExternalDeciding>)
  }

  /// - Parameters:
  ///   - command: How the engine is started; nothing is started before ``launch(_:into:)``.
  ///   - program: What it is told of the scenario.
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
      work = .all
      link.ask(at: launch.moment, into: &effects) { $0.launch(launch) }
    case .match?:
      var halves = JoinedHalves(ExternalMatching(link: link), builtIn.gateway, names: names)
      var launch = launch
      // The counters that a scenario begins with are in the store of an engine that was asked before.
      if isFirst, hasCounters, launch.store == .empty { launch.store = .bytes(halves.storedState()) }
      halves.launch(launch, into: &effects)
      work = .matching(halves)
    case .caps?:
      var halves = JoinedHalves(builtIn.reminders, ExternalDeciding(link: link), names: names)
      halves.launch(launch, into: &effects)
      work = .deciding(halves)
    }
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    switch take() {
    case .all:
      let moment = link.lastMoment
      link.ask(at: moment, into: &effects) { $0.open(store, at: moment) }
    case .matching(var halves):
      halves.open(store, into: &effects)
      work = .matching(halves)
    case .deciding(var halves):
      halves.open(store, into: &effects)
      work = .deciding(halves)
    }
  }

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    switch take() {
    case .all:
      link.answerAdds(refused: event.kind == .addFailed ? event.request : nil)
      link.ask(at: event.moment, into: &effects) { $0.observed(event) }
    case .matching(var halves):
      halves.process(event, into: &effects)
      work = .matching(halves)
    case .deciding(var halves):
      halves.process(event, into: &effects)
      work = .deciding(halves)
    }
  }

  package mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let hasMore: Bool
    switch take() {
    case .all:
      guard link.isUnsettled else { return false }
      link.answerAdds(refused: nil)
      link.ask(at: moment, into: &effects) { $0.settle(at: moment) }
      return link.hasMore
    case .matching(var halves):
      hasMore = halves.settle(at: moment, into: &effects)
      work = .matching(halves)
    case .deciding(var halves):
      hasMore = halves.settle(at: moment, into: &effects)
      work = .deciding(halves)
    }
    return hasMore
  }

  /// Takes the halves out, so that they are not copied when they change.
  private mutating func take() -> Work {
    let taken = work
    work = .all
    return taken
  }

  package func storedState() -> [UInt8] {
    switch work {
    case .all: link.stored
    case .matching(let halves): halves.storedState()
    case .deciding(let halves): halves.storedState()
    }
  }

  package var failure: EngineFailure? { link.failure }

  /// Who answers; nil before it has said so.
  package var greeting: EngineGreeting? { link.greeting }

  /// Nanoseconds that were spent waiting for answers, by the command's stopwatch.
  package var nanosecondsOfWaiting: UInt64 { link.nanosecondsOfWaiting }

  /// How often it was asked and has answered, launches included.
  package var questions: Int { link.questions }

  /// Lets the engine's process end. Without it, it is ended when the last copy of the engine is gone.
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
  /// How long one listens to it after it was told that this is the end: it has nothing to say then.
  package var farewell = Duration.milliseconds(100)
  /// Nanoseconds on a clock that never goes back.
  package var stopwatch: @Sendable () -> UInt64
  /// Takes each line that the engine logs on its standard error.
  package var log: (@Sendable (String) -> Void)?
  /// Starts it.
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

/// What an engine is told of a scenario before its first event.
package struct EngineProgram: Sendable {
  package var names: WireNames
  /// The message `program`, as bytes of a line.
  package var line: [UInt8]
  /// The same once the engine has had something stored: what it finds in its store then is what it stored, or nothing
  /// where that was lost. Nil: there is nothing that only the first process finds.
  package var laterLine: [UInt8]?
  /// Before its first event: what an engine does not do itself.
  package var builtIn: BuiltInEngine
  /// Whether the scenario begins with counters.
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

  /// By identifier.
  var reminderNames: [String] { builtIn.reminders.program.storeNames.reminders }
}
