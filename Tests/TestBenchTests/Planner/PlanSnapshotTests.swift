import Journal
import PlatformRuns
import RandomScenarios
import ReminderEngine
import ScenarioModel
import Synchronization
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench
@testable import TriggerEngine

/// Tests that the pending requests equal the desired requests, both incrementally and computed from scratch.
@Suite struct PlanSnapshotTests {
  @Test(
    "the desired set, computed from scratch after every event, equals the pending requests; 2,000 worlds when TRIGGERBENCH_ALL is set",
    arguments: ["ideal", "ios", "android"])
  func fromScratch(profile: String) throws {
    let formats = FormatCache()
    let findings = CheckedEngine.Findings()
    for seed in 1...UInt64(Trial.isWhole ? 670 : 20) {
      guard let program = try AnyScenario.program(seed: seed, profile: profile, formats) else { continue }
      var world = World(program: program, engine: CheckedEngine(program.makeEngine(), findings))
      var sink = NoJournal()
      world.run(into: &sink)
      let problems = findings.takeProblems()
      if !problems.isEmpty {
        Issue.record("\(profile), seed \(seed): \(problems.prefix(3).joined(separator: "; "))")
      }
    }
    let (pending, absent) = findings.counts
    #expect(pending > 100 && absent > 100)
  }

  @Test("a plan lists the pending requests, and the reason for each missing one")
  func reasons() throws {
    let scenario = try AnyScenario.read(
      """
      for: 3 days
      profile: ideal
      knobs: {pendingCapacity: 3}
      facts: {busy: false}
      reminders:
        early: {when: every day 08:00 ahead 2, notify: {title: e, bucket: user}}
        late: {when: every day 20:00 ahead 2, notify: {title: l, bucket: user}}
        busy: {when: every day 12:00 ahead 1, if: busy is true, notify: {title: b, bucket: user}}
      policy: {quietHours: none}
      timeline: [07:10 open]
      expect: [requests >= 0]

      """, "plan", FormatCache())
    let program = try Program(scenario)
    let plan = try #require(Explainer(program).plan(at: program.scenario.start + .minutes(30)))
    #expect(
      plan.rows.map { "\($0.local) \($0.reminder) \($0.state)" } == [
        "2026-05-04 08:00 early pending", "2026-05-04 12:00 busy conditionFailed",
        "2026-05-04 20:00 late pending", "2026-05-05 08:00 early pending",
        "2026-05-05 20:00 late pendingLimit",
      ])
  }
}

/// A built-in engine that computes its plans from scratch after every call, and compares them with the actual
/// plans.
private struct CheckedEngine: EngineUnderTest {
  final class Findings: Sendable {
    private let state = Mutex((problems: [String](), pending: 0, absent: 0))

    var counts: (pending: Int, absent: Int) { state.withLock { ($0.pending, $0.absent) } }

    func takeProblems() -> [String] {
      state.withLock { state in
        defer { state.problems = [] }
        return state.problems
      }
    }

    fileprivate func note(_ entry: PlanSnapshot.Entry, after kind: ObservedEvent.Kind?, at moment: Moment) {
      state.withLock {
        switch entry.status {
        case .pending: $0.pending += 1
        case .absent, .lost: $0.absent += 1
        case .wanted, .unwanted:
          $0.problems.append("\(kind.map { "\($0)" } ?? "settling") at \(moment.wall): \(entry)")
        }
      }
    }
  }

  private var engine: BuiltInEngine
  private let findings: Findings

  init(_ engine: BuiltInEngine, _ findings: Findings) {
    self.engine = engine
    self.findings = findings
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine.launch(launch, into: &effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    engine.process(event, into: &effects)
    check(after: event.kind, at: event.moment)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    defer { check(after: nil, at: moment) }
    return engine.settle(at: moment, into: &effects)
  }

  func storedState() -> [UInt8] { engine.storedState() }

  static var persistsEveryChange: Bool { true }

  private func check(after kind: ObservedEvent.Kind?, at moment: Moment) {
    // While the store is locked, the engine plans nothing, because it cannot read its contents.
    if engine.storedState().isEmpty { return }
    let reminders = engine.reminders
    for entry in reminders.planSnapshot(at: moment).entries {
      // Skip a schedule that is not reconciled yet, because a later event will reconcile it. Other sources
      // are reconciled when their requests are made.
      if entry.source == .occurrence, !reminders.isReconciled(entry.reminder, at: moment) { continue }
      if case .repetition = entry.source, entry.status == .wanted { continue }
      findings.note(entry, after: kind, at: moment)
    }
  }
}
