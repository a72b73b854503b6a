import Foundation
import PlatformRuns
import ScenarioModel
import Simulation
import Testing
import TriggerEngine
import TriggerModel

@testable import TestBench

/// Tests matches that are held until they are decided, using only public behaviour.
@Suite struct HeldMatchTests {
  private static let story = """
    for: 1 day
    profile: ideal
    reminders:
      a: {when: unlock, notify: {title: A}}
      b: {when: unlock, repeat: daily, notify: {title: B}}
      c: {when: [unlock, open], notify: {title: C, bucket: user}}
    policy: {quietHours: none, dailyCap: 1}
    timeline: [08:00 unlock]
    expect: [requests >= 0]
    """

  /// A process may end at any instant, so the stored state must not depend on how matches are counted.
  @Test func `the state stored while matches are held equals that after immediate requests`() throws {
    let program = try PlatformRun(Self.story).program
    var (asking, holding) = (program.makeEngine(), program.makeEngine())
    holding.countsInBulk = true
    let zone = ZoneID(0)
    let moment = Moment(
      wall: program.scenario.start + .hours(1), uptime: Uptime(boot: 1, span: .hours(1)), zone: zone)
    let launch = ProcessLaunch(store: .empty, permission: .authorized, moment: moment)
    var (asked, held): ([EngineEffect], [EngineEffect]) = ([], [])
    asking.launch(launch, into: &asked)
    holding.launch(launch, into: &held)
    asking.process(ObservedEvent(.unlock, at: moment), into: &asked)
    holding.process(ObservedEvent(.unlock, at: moment), into: &held)
    #expect(asked.count > held.count)
    #expect(held.contains(.persist))
    #expect(asking.storedState() == holding.storedState())
    // Another trigger of the same reminders reveals their state at that instant.
    asking.process(ObservedEvent(.unlock, at: moment), into: &asked)
    holding.process(ObservedEvent(.unlock, at: moment), into: &held)
    #expect(asking.storedState() == holding.storedState())
  }

  @Test func `equal denials are counted instead of reported individually`() throws {
    let program = try PlatformRun(Self.story).program
    var engine = program.makeEngine()
    engine.countsInBulk = true
    var moment = Moment(
      wall: program.scenario.start + .hours(1), uptime: Uptime(boot: 1, span: .hours(1)), zone: ZoneID(0))
    var effects: [EngineEffect] = []
    engine.launch(ProcessLaunch(store: .empty, permission: .denied, moment: moment), into: &effects)
    effects.removeAll()
    var counted: [CountedReminders] = []
    for _ in 0..<3 {
      moment.wall = moment.wall + .minutes(5)
      moment.uptime.span = moment.uptime.span + .minutes(5)
      engine.process(ObservedEvent(.unlock, at: moment), into: &effects)
      while engine.settle(at: moment, into: &effects) {}
      engine.takeCounted(into: &counted)
    }
    let decided = effects.filter { if case .decided = $0 { true } else { false } }
    #expect(decided.count == 3, "the one with two triggers asks each time")
    #expect(counted.map(\.bits.nonzeroBitCount).reduce(0, +) == 6)
    #expect(
      counted.allSatisfy { $0.fate == .denied(.permission, ReasonSet(.permission)) }, "\(counted)")
  }

  /// Counted requests also consume numbers, so the next request has the same number as without counting.
  @Test func `counting does not affect the number and the state of the next request`() throws {
    let program = try PlatformRun(Self.story).program
    var moment = Moment(
      wall: program.scenario.start + .hours(1), uptime: Uptime(boot: 1, span: .hours(1)), zone: ZoneID(0))
    var (asking, counting) = (program.makeEngine(), program.makeEngine())
    counting.countsInBulk = true
    let launch = ProcessLaunch(store: .empty, permission: .denied, moment: moment)
    var (asked, counted): ([EngineEffect], [EngineEffect]) = ([], [])
    asking.launch(launch, into: &asked)
    counting.launch(launch, into: &counted)
    func process(_ kind: ObservedEvent.Kind, value: Int64 = 0) {
      moment.wall = moment.wall + .minutes(1)
      moment.uptime.span = moment.uptime.span + .minutes(1)
      let event = ObservedEvent(kind, value: value, at: moment)
      asking.process(event, into: &asked)
      while asking.settle(at: moment, into: &asked) {}
      counting.process(event, into: &counted)
      while counting.settle(at: moment, into: &counted) {}
    }
    for turn in 0..<300 {
      process(.unlock)
      if turn % 50 == 0 { #expect(asking.storedState() == counting.storedState(), "after \(turn)") }
    }
    asked.removeAll()
    counted.removeAll()
    let allowed = NotificationPermission.authorized
    process(.permissionChanged, value: Int64(allowed.rawValue))
    process(.unlock)
    let added = asked.filter { if case .add = $0 { true } else { false } }
    #expect(added.contains { if case .add(let request) = $0 { request.id.occurrence == 300 } else { false } })
    #expect(added == counted.filter { if case .add = $0 { true } else { false } })
    #expect(asking.storedState() == counting.storedState())
  }
}
