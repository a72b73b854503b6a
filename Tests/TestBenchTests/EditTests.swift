import NotificationGateway
import PlatformRuns
import ReminderEngine
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import TestBench

/// Tests the policy changes that an explanation tries.
@Suite struct PolicyEditTests {
  /// A policy under which every check can deny a request.
  private static let story = """
    for: 1 day
    policy:
      quietHours: 22:00-07:00
      quietAction: {standard: drop, critical: drop, user: defer}
      dailyCap: 2
      typeDailyCap: 1
      criticalDailyCap: 1
      typeDailyCaps: {a: 1}
      typeWeeklyCaps: {a: 3}
      typeMonthlyCaps: {a: 9}
      typeRollingCaps: {a: 4 in 10 days}
      weeklyCap: 20
      monthlyCap: 30
      rollingCap: 25 in 14 days
      lifetimeCap: {a: 4}
      lapseCap: {a: 5}
      minimumInterval: 4 h
      minimumIntervalScope: all
      counterLag: 1 h
      lifetimeSurvivesReinstall: true
    reminders: {a: {when: unlock, notify: A}}
    timeline: [08:00 unlock]
    expect: [fires >= 0]
    """

  /// - Parameter span: The time since the start of the run.
  static func candidates(_ story: String, after span: TimeSpan = .zero) throws -> EditCandidates {
    let program = try PlatformRun(story).program
    var engine = program.makeReminderEngine(explainsMisses: false)
    let start = program.scenario.start + span
    let moment = Moment(wall: start, uptime: Uptime(boot: 0, span: span), zone: program.scenario.zone)
    let explanation = engine.explain(ReminderID(0), at: moment)
    return try EditCandidates(program, #require(explanation), at: start, moment, knowing: [:], missed: [])
  }

  /// A change to the current value has no effect, so it must not be tried.
  @Test func `every tried change differs from the policy`() throws {
    let candidates = try Self.candidates(Self.story)
    let policies = try candidates.policyEdits.map { edit in
      try #require(candidates.program(with: [edit]), "\(edit.words)").scenario.policy
    }
    for (edit, policy) in zip(candidates.policyEdits, policies) {
      #expect(policy != candidates.scenario.policy, "\(edit.words)")
    }
    #expect(policies.count > 15 && Set(policies).count == policies.count)
  }

  /// For every check of the scheduler, the candidates must include a change that removes the check or raises
  /// its limit by one.
  @Test func `every cap can be raised and every rule can be lifted`() throws {
    let candidates = try Self.candidates(Self.story)
    let policies = candidates.policyEdits.compactMap { candidates.program(with: [$0])?.scenario.policy }
    let was = candidates.scenario.policy
    #expect(policies.contains { $0.quietHours == nil })
    #expect(policies.contains { $0.criticalBypassesQuietHours })
    #expect(policies.contains { $0.minimumInterval == .zero })
    #expect(policies.contains { $0.minimumIntervalScope == .standard })
    #expect(policies.contains { $0.counterLag == .zero })
    #expect(policies.contains { !$0.criticalPreempts })
    #expect(policies.contains { $0.checkOrder.isEmpty })
    for cap in [\CapPolicy.dailyCap, \.typeDailyCap, \.criticalDailyCap] {
      #expect(policies.contains { $0[keyPath: cap] == nil })
      #expect(policies.contains { $0[keyPath: cap] == (was[keyPath: cap] ?? 0) + 1 })
    }
    for cap in TypeCap.allCases {
      let count = try #require(was[cap]["a"], "\(cap)")
      let more = CapLimit(count.count + 1, in: count.days)
      #expect(policies.contains { $0[cap]["a"] == more }, "\(cap)")
      #expect(policies.contains { $0[cap]["a"]?.count ?? 0 > 10_000 }, "\(cap)")
    }
    for cap in TypeCap.ofBuckets {
      let limit = try #require(was[ofBucket: cap], "\(cap)")
      let more = CapLimit(limit.count + 1, in: limit.days)
      #expect(policies.contains { $0[ofBucket: cap] == more }, "\(cap)")
      #expect(policies.contains { $0[ofBucket: cap]?.count ?? 0 > 10_000 }, "\(cap)")
    }
  }
}

/// Tests the time-line entries that an explanation tries.
@Suite struct EntryEditTests {
  /// A scenario whose phone and app allow every entry of the grammar.
  private static let story = """
    for: 3 days
    profile: android
    facts:
      visits: 0
      steps: {kind: number, initial: 20, source: health}
      mood: [low, high]
    places:
      home: {at: [52.50, 13.39], radius: 100 m}
    apps: [maps]
    reminders:
      a:
        when: [unlock, enter home, charging starts, open app maps, fact visits changes]
        if: [charging, inside home, visits > 2, mood is high]
        notify: A
    edits:
      a: {shorter: {when: unlock, notify: B}}
    timeline: [08:00 unlock]
    expect: [fires >= 0]
    """

  /// An entry that the grammar rejects has no effect, so it must not be tried.
  @Test func `every tried entry can be parsed`() throws {
    let candidates = try PolicyEditTests.candidates(Self.story, after: .hours(30))
    let edits =
      candidates.phoneEntries + candidates.settingEntries + candidates.lastResorts
      + candidates.conditionEntries + candidates.triggerEntries
      + candidates.preparedTriggerEntries.flatMap(\.self) + candidates.sufficient(any: true).flatMap(\.self)
    let entries = edits.filter { if case .add = $0 { true } else { false } }.distinct
    #expect(entries.count > 60)
    for entry in entries where candidates.program(with: [entry]) == nil { Issue.record("\(entry.words)") }
  }
}
