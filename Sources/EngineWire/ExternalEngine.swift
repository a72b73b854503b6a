import Journal
import NotificationGateway
import ReminderEngine
import ReminderMatching
import TriggerEngine
package import TriggerModel

/// An engine in another process, as one more ``TriggerModel/EngineUnderTest``.
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
