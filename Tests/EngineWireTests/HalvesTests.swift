import EngineWire
import Foundation
import Journal
import PlatformRuns
import ScenarioModel
import Simulation
import Synchronization
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests an external half of an engine that is joined with the other half of the built-in engine.
@Suite("Halves")
struct HalvesTests {
  @Test(
    arguments: try shipped(), [EngineGreeting.Capability.match, .caps])
  func `an external half produces the same records as the built-in one`(
    _ file: String, _ half: EngineGreeting.Capability
  ) throws {
    let program = try PlatformRun(shipped: file).program
    var journal = JournalLines(program.wireNames)
    _ = try EngineChoice.builtIn.run(program, [], { 0 }, into: &journal)
    let other = try PlayedEngine(claims: [half]).journal(of: program)
    let isSame = other == journal.bytes
    #expect(isSame)
  }

  private static func shipped() throws -> [String] {
    let folder = Repository.scenarios.path
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
      .sorted()
  }

  /// A story with a locked, a torn and a lost store, initial counters, and deferred requests.
  private static func hard() throws -> Program {
    try PlatformRun(
      """
      for: 4 days
      profile: ios
      facts: {score: 1}
      places:
        park: {at: [48.2072, 16.3799], radius: 300 m}
      stored: {ft.reminder.dailyCount.2026-03-02: 1}
      reminders:
        tip: {when: [unlock, enter park], repeat: always, notify: {title: Tip}}
        late: {when: fact score changes, if: [score >= 2], repeat: always, notify: {title: Late, bucket: user}}
        plan: {when: every day 09:00 ahead 3, repeat: daily, notify: {title: Plan, bucket: user}}
      policy: {dailyCap: 2, quietHours: 22:00-07:00}
      timeline:
        - 07:10 plug in
        - 08:00 unlock
        - 09:10 unlock
        - 22:20 open
        - 22:30 set score = 2
        - 22:40 set score = 3
        - 23:00 set score = 1
        - 2026-03-03 08:00 open
        - 2026-03-03 09:00 reboot
        - 2026-03-03 09:20 enter park
        - 2026-03-03 09:40 set score = 2
        - 2026-03-03 09:50 unlock
        - 2026-03-03 10:00 store torn
        - 2026-03-03 10:10 terminate
        - 2026-03-03 10:20 open
        - 2026-03-03 12:00 store lost
        - 2026-03-03 12:10 terminate
        - 2026-03-03 12:20 open
        - 2026-03-04 12:00 turn off tip
        - 2026-03-04 23:00 set score = 5
        - 2026-03-05 06:00 unlock
      expect:
        - tip fires >= 0
      """
    ).program
  }

  @Test(
    arguments: [
      EngineGreeting.Capability.match, .caps,
    ])
  func `an external half handles locked, torn and lost stores like the built-in one`(
    _ half: EngineGreeting.Capability
  ) throws {
    let program = try Self.hard()
    var journal = JournalLines(program.wireNames)
    _ = try EngineChoice.builtIn.run(program, [], { 0 }, into: &journal)
    let text = String(decoding: journal.bytes, as: UTF8.self)
    for word in ["storeUnusable", "staleAtRelease", #""store":"locked""#, #""reason":"staleData""#] {
      let isThere = text.contains(word)
      #expect(isThere, "\(word)")
    }
    let other = try PlayedEngine(claims: [half]).journal(of: program)
    let lines = zip(
      other.split(separator: UInt8(ascii: "\n")), journal.bytes.split(separator: UInt8(ascii: "\n")))
    let first = lines.first { $0 != $1 }
    #expect(first == nil)
    #expect(other.count == journal.bytes.count)
  }

  @Test(
    arguments: [[.match], [.caps], [.match, .caps]] as [Set<EngineGreeting.Capability>])
  func `initial counters are in the store until it is lost`(_ claims: Set<EngineGreeting.Capability>) throws {
    let program = try PlatformRun(
      """
      for: 4 days
      policy: {lifetimeCap: {a: 3}, minimumInterval: none}
      reminders: {a: {when: unlock, repeat: always, notify: A}}
      stored: {ft.reminder.a.sentCount: 2}
      timeline:
        - 09:00 terminate
        - 10:00 unlock
        - day 2 10:00 unlock
        - day 3 09:00 terminate
        - day 3 09:00 store lost
        - day 3 10:00 unlock
        - day 4 10:00 unlock
      expect: [a fires 3 times]
      """
    ).program
    func decisions(_ journal: [UInt8]) -> [Substring] {
      String(decoding: journal, as: UTF8.self).split(separator: "\n").filter {
        $0.contains(#""event":"decided""#)
      }
    }
    var journal = JournalLines(program.wireNames)
    _ = try EngineChoice.builtIn.run(program, [], { 0 }, into: &journal)
    let expected = decisions(journal.bytes)
    #expect(expected.count == 4)
    #expect(try decisions(PlayedEngine(claims: claims).journal(of: program)) == expected)
  }

  @Test(
    arguments: [EngineGreeting.Capability.match, .caps])
  func `counters from before a restart apply once the store is readable`(_ half: EngineGreeting.Capability)
    throws
  {
    let program = try PlatformRun(
      """
      for: 1 day
      profile: ios
      places: {park: {at: [48.2072, 16.3799], radius: 300 m}}
      reminders:
        tip: {when: open, repeat: always, notify: {title: Tip}}
        near: {when: enter park, repeat: always, notify: {title: Near, bucket: user}}
      timeline: [08:00 open, 08:30 lock, 09:00 reboot, 09:20 enter park, 09:50 unlock, 10:00 open]
      expect: [tip is denied by typeDailyCap once at 10:00]
      """
    ).program
    var journal = JournalLines(program.wireNames)
    _ = try EngineChoice.builtIn.run(program, [], { 0 }, into: &journal)
    let text = String(decoding: journal.bytes, as: UTF8.self)
    let isTold = text.contains(#""event":"storeAvailable""#) && text.contains(#""reason":"typeDailyCap""#)
    #expect(isTold)
    let isSame = try PlayedEngine(claims: [half]).journal(of: program) == journal.bytes
    #expect(isSame)
  }

  @Test(
    arguments: [[.match], [.caps], [.match, .caps]] as [Set<EngineGreeting.Capability>])
  func `each process of an engine has its own capabilities`(_ first: Set<EngineGreeting.Capability>) throws {
    let program = try PlatformRun(
      """
      for: 1 day
      reminders: {tip: {when: unlock, repeat: always, notify: {title: Tip, bucket: user}}}
      timeline: [08:00 unlock, 08:05 store lost, 08:10 terminate, 08:20 open, 08:30 lock, 08:40 unlock]
      expect: [tip fires at least 2 times]
      """
    ).program
    var journal = JournalLines(program.wireNames)
    _ = try EngineChoice.builtIn.run(program, [], { 0 }, into: &journal)
    for second in [[.match], [.caps], [.match, .caps]] as [Set<EngineGreeting.Capability>] {
      let engine = PlayedEngine(claimsOfProcesses: [first, second])
      // Neither half can read the stored state of the other.
      let isSame = try engine.journal(of: program) == journal.bytes
      #expect(isSame, "\(second)")
      let said = engine.state.withLock { state in
        state.transcript.exchanges.filter { $0.process == 1 }.flatMap(\.answer).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      #expect(said.contains { $0.contains(#""event":"decided""#) } == second.contains(.caps), "\(second)")
      #expect(said.contains { $0.contains(#""event":"request""#) } == second.contains(.match), "\(second)")
    }
  }

  @Test(
    arguments: [[.match], [.caps], [.match, .caps]] as [Set<EngineGreeting.Capability>])
  func `a relaunched engine has the capabilities of its new process`(_ first: Set<EngineGreeting.Capability>)
    throws
  {
    let program = try PlatformRun(
      """
      reminders: {tip: {when: unlock, repeat: always, notify: {title: Tip, bucket: user}}}
      timeline: [08:00 unlock]
      expect: [tip fires once]
      """
    ).program
    let moment = Moment(
      wall: program.scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: program.scenario.zone)
    for second in [[.match], [.caps], [.match, .caps]] as [Set<EngineGreeting.Capability>] {
      let engine = PlayedEngine(claimsOfProcesses: [first, second])
      var external = ExternalEngine(engine.command, program: try EngineProgram(program))
      var effects: [EngineEffect] = []
      for _ in 0..<2 {
        effects = []
        external.launch(
          ProcessLaunch(store: .empty, permission: .authorized, moment: moment), into: &effects)
        external.process(ObservedEvent(.unlock, at: moment), into: &effects)
        while external.settle(at: moment, into: &effects) {}
      }
      #expect(external.failure == nil)
      let decided = effects.count { if case .decided = $0 { true } else { false } }
      #expect(decided == 1, "\(second): \(effects)")
      let said = engine.state.withLock { state in
        state.transcript.exchanges.filter { $0.process == 1 }.flatMap(\.answer).map {
          String(decoding: $0, as: UTF8.self)
        }
      }
      #expect(said.contains { $0.contains(#""event":"decided""#) } == second.contains(.caps), "\(second)")
    }
  }
}
