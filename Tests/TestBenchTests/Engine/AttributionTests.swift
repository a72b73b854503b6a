import DeviceSimulation
import PlatformRuns
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TextFormats
import TriggerEngine
import TriggerModel

@testable import Journal
@testable import Statistics
@testable import TestBench

/// Tests that losses are attributed to the phone or to the engine under test.
@Suite("Attribution of losses")
struct AttributionTests {
  private static let unlocks = """
    for: 1 day
    profile: ideal
    reminders: {a: {when: unlock, repeat: always, if: after 09:00, notify: {title: A, bucket: user}}}
    timeline: [08:00 lock, 08:30 unlock, 09:00 lock, 09:30 unlock, 09:45 lock]
    expect: [a fires once between 09:30 and 09:31, a is not requested because notRequested 0 times]
    """

  private static func run(_ fault: StubEngine.Fault) throws -> ScenarioResult {
    let program = try PlatformRun.program(unlocks)
    var journal = NoJournal()
    return try ScenarioRun(program, stopwatch: { 0 }).run(into: &journal) { _ in
      StubEngine(fault: fault)
    }.result
  }

  @Test func `the losses of a silent engine are attributed to it`() throws {
    let result = try Self.run(.silent)
    let account = result.accounts.total
    #expect(result.accounts.contradictions.isEmpty)
    #expect(account.dueRequests == 1 && account.notObserved.isEmpty)
    #expect(account.notRequested == ["notRequested": 1])
    let sentence =
      "due: the engine observed the unlock, all conditions held, and it requested nothing: "
      + "notRequested at 2026-03-02 09:30"
    #expect(result.expectations.first?.reasons == [sentence])
    #expect(result.expectations.last?.got.hasPrefix("1 such ending") == true)
    let steps = result.chronology.entries.map(\.cause)
    #expect(steps == [.missed(.notRequested)])
  }

  @Test func `an engine without a fault causes no losses`() throws {
    let account = try Self.run(.none).accounts.total
    #expect(account.exposed == 1 && account.unmade == 0 && account.unfounded == 0)
  }

  @Test func `a late request is attributed to the engine but is not a loss of the run`() throws {
    let result = try Self.run(.late)
    #expect(result.accounts.contradictions.isEmpty)
    #expect(result.accounts.total.unmade == 0 && result.accounts.total.unfounded == 0)
    let reasons = result.expectations.first?.reasons ?? []
    #expect(
      reasons.contains { $0.contains("requested late by the engine, and fired at 2026-03-02 09:45") },
      "\(reasons)")
    #expect(result.expectations.last?.passed == false)
  }

  @Test func `a duplicate request is superfluous and attributed to the engine`() throws {
    let account = try Self.run(.twice).accounts.total
    #expect(account.requests == 2 && account.dueRequests == 1)
    #expect(account.unfounded == 1 && account.unfoundedBecause == ["uncalledFor": 1])
  }

  @Test func `a request for another time counts as a loss and as a superfluous request`() throws {
    let account = try Self.run(.otherTime).accounts.total
    #expect(account.notRequested == ["notRequested": 1])
    #expect(account.unfounded == 1 && account.unfoundedBecause == ["uncalledFor": 1])
  }

  @Test func `an explanation of a silent engine suggests neither a scheduler change nor an edit`() throws {
    let text = Self.unlocks.replacing("expect:", with: "policy: {minimumInterval: 4 h}\nexpect:")
      .replacing("bucket: user", with: "bucket: standard")
    let program = try PlatformRun.program(text)
    let at = program.scenario.start + .minutes(150)
    let answer = try #require(
      try Explainer(program).explain(ReminderID(0), at: at) { (_, _) throws(EngineFailure) in
        StubEngine(fault: .silent)
      })
    #expect(answer.decision.outcome == .admit && answer.blockers.isEmpty)
    #expect(answer.happened.contains { $0.contains("notRequested") }, "\(answer.happened)")
    #expect(answer.smallestChange == "no change to the file helps: the engine under test must request it")
  }

  /// Tests the party to which each reason is attributed, by stage.
  @Test func `every reason is attributed to a party`() {
    let table: [(Reason.Stage, Culprit, [Reason])] = [
      (.match, .engine, [.notRequested]),
      (
        .match, .phone,
        [.conditionFailed, .snoozed, .expired, .alreadyFired, .notEntitled, .staleData, .lowConfidence]
      ),
      (.scheduler, .app, [.notRegistered]),
      (.scheduler, .person, [.userDisabled, .userDailyCap, .permission]),
      (
        .scheduler, .scheduler,
        [
          .lifetimeCap, .lapseCap, .quietHours, .typeDailyCap, .typeWeeklyCap, .typeMonthlyCap,
          .typeRollingCap,
          .dailyCap, .weeklyCap, .monthlyCap, .rollingCap, .criticalDailyCap, .minimumInterval,
        ]
      ),
      (.platform, .platform, [.addFailed, .pendingLimit, .regionLimit, .clearedByReboot, .clearedByUpdate]),
      (.platform, .person, [.clearedByForceStop, .exactAlarmsRevoked, .permissionRevoked]),
      (.platform, .app, [.cancelled, .superseded]),
      (.platform, .scheduler, [.preempted, .staleAtRelease, .expiredAtRelease]),
      (.presentation, .platform, [.notPresented]),
      (.routing, .app, [.linkUnresolved, .linkLost, .linkUnconsumed]),
    ]
    for (stage, culprit, reasons) in table {
      for reason in reasons { #expect(reason.stage == stage && reason.culprit == culprit, "\(reason)") }
    }
    #expect(Set(table.flatMap(\.2)) == Set(Reason.allCases))
  }
}

/// An engine with the behaviour of the built-in one is never at fault. A silent engine always is.
@Suite("Attribution in random worlds")
struct RandomAttributionTests {
  private static let count = Trial.isWhole ? 2_000 : 40

  @Test(arguments: ["ideal", "ios", "android"])
  func `nothing is attributed to an engine with the built-in behaviour`(profile: String) throws {
    var due = 0
    try AnyScenario.each(Self.count, profile: profile) { seed, program in
      let account = account(of: program, isSilent: false)
      due += account.dueRequests
      #expect(account.notRequested["notRequested"] == nil, "\(profile), seed \(seed)")
      #expect(account.unfoundedBecause["uncalledFor"] == nil, "\(profile), seed \(seed)")
    }
    #expect(due > Self.count)
  }

  /// In both engines, the scheduler counts the withheld requests, so both engines agree on all other
  /// reminders.
  @Test(arguments: ["ideal", "ios", "android"])
  func `an engine that withholds one reminder's requests is at fault for no other`(profile: String) throws {
    let withheld = ReminderID(0)
    var blamed = 0
    try AnyScenario.each(Self.count, profile: profile) { seed, program in
      var findings = Findings()
      var world = World(program: program) { _ -> any EngineUnderTest in
        SameEngine(engine: program.makeEngine(), withheld: withheld)
      }
      world.run(into: &findings)
      if findings.reminders.contains(withheld) { blamed += 1 }
      #expect(findings.reminders.isSubset(of: [withheld]), "\(profile), seed \(seed)")
    }
    // In the other worlds, the reminder was never due, the phone did not report the trigger, or the store was
    // lost.
    #expect(blamed * 8 > Self.count)
  }

  /// The exceptions are unreadable facts and locked stores.
  @Test func `nearly all losses of a silent engine on an ideal phone are attributed to it`() throws {
    var (due, attributed) = (0, 0)
    try AnyScenario.each(
      Self.count, profile: "ideal", where: { !Array($0.events).contains { $0.event.isStoreFault } }
    ) { seed, program in
      let account = account(of: program, isSilent: true)
      due += account.dueRequests
      attributed += account.notRequested["notRequested"] ?? 0
      #expect(account.requests == 0 && account.unmade == account.dueRequests, "seed \(seed)")
    }
    #expect(due > Self.count)
    #expect(attributed * 10 >= due * 9, "\(attributed) of \(due)")
  }

  private func account(of program: Program, isSilent: Bool) -> ReminderAccount {
    var accounts = RunAccounts(program)
    var world = World(program: program) { _ -> any EngineUnderTest in
      isSilent ? StubEngine(fault: .silent) : SameEngine(engine: program.makeEngine())
    }
    world.run(into: &accounts)
    accounts.close()
    return accounts.total
  }
}

extension PhoneEvent {
  fileprivate var isStoreFault: Bool { if case .storeFault = self { true } else { false } }
}

/// The reminders for which the reference finds a difference.
private struct Findings: JournalSink {
  var reminders: Set<ReminderID> = []

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .notRequested(let request, _, _), .uncalledFor(let request, _, _):
      reminders.insert(request.reminder)
    default: break
    }
  }
}

/// The built-in engine, wrapped in another type so that the bench compares it with a reference.
private struct SameEngine: EngineUnderTest {
  var engine: BuiltInEngine
  /// The reminder whose requests the engine withholds, or `nil` to withhold none.
  var withheld: ReminderID?

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine.launch(launch, into: &effects)
    withhold(&effects)
  }
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
    withhold(&effects)
  }
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    engine.process(event, into: &effects)
    withhold(&effects)
  }
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let hasMore = engine.settle(at: moment, into: &effects)
    withhold(&effects)
    return hasMore
  }
  func storedState() -> [UInt8] { engine.storedState() }

  private func withhold(_ effects: inout [EngineEffect]) {
    if withheld == nil { return }
    effects.removeAll { effect in
      switch effect {
      case .request(let request), .decided(let request, _), .dropped(let request, _), .add(let request):
        request.id.reminder == withheld
      case .remove(let request, _): request.reminder == withheld
      case .withdraw(let reminder, _): reminder == withheld
      default: false
      }
    }
  }
}

/// An engine that requests the first reminder at each unlock after 09:00, with a fault.
private struct StubEngine: EngineUnderTest {
  enum Fault {
    case none, silent, twice
    /// The engine makes the request at the next lock. The phone also reports each percentage of the battery,
    /// and the first of these events comes earlier.
    case late
    /// The engine requests a delivery ten minutes later.
    case otherTime
  }

  let fault: Fault
  private var number: UInt32 = 0
  private var waiting: [NotificationRequest] = []
  private var owes = false

  init(fault: Fault) { self.fault = fault }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {}
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {}

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let isTrigger = event.kind == .unlock && event.moment.wall >= Self.nine
    var count = isTrigger ? 1 : 0
    switch fault {
    case .none, .otherTime: break
    case .silent: count = 0
    case .twice: count *= 2
    case .late:
      count = owes && event.kind == .lock ? 1 : 0
      owes = isTrigger || owes && count == 0
    }
    for _ in 0..<count {
      let wall = event.moment.wall + (fault == .otherTime ? .minutes(10) : .zero)
      let request = NotificationRequest(
        id: RequestID(reminder: ReminderID(0), occurrence: number), type: TypeID(0), bucket: .user,
        scheduledFor: wall, deliverAt: wall)
      number += 1
      waiting.append(request)
      effects.append(.request(request))
    }
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    guard !waiting.isEmpty else { return false }
    let request = waiting.removeFirst()
    effects += [.decided(request, .admitted), .add(request)]
    return !waiting.isEmpty
  }

  func storedState() -> [UInt8] { [] }

  /// 09:00 in Berlin on the first day.
  private static let nine = Instant(millisecondsSince1970: 1_772_438_400_000)
}
