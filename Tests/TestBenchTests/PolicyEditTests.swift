import NotificationGateway
import PlatformRuns
import ReminderEngine
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import TestBench

/// The changes of a policy of which an explanation tries each.
@Suite struct PolicyEditTests {
  /// A policy that stands in the way wherever one can.
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

  /// - Parameter span: How long after the start of the story.
  static func candidates(_ story: String, after span: TimeSpan = .zero) throws -> EditCandidates {
    let program = try PlatformRun(story).program
    var engine = program.makeReminderEngine(explainsMisses: false)
    let start = program.scenario.start + span
    let moment = Moment(wall: start, uptime: Uptime(boot: 0, span: span), zone: program.scenario.zone)
    let explanation = engine.explain(ReminderID(0), at: moment)
    return try EditCandidates(program, #require(explanation), at: start, moment, knowing: [:], untold: [])
  }

  /// One that writes what holds already would be tried for nothing.
  @Test func eachMakesThePolicyAnotherOne() throws {
    let candidates = try Self.candidates(Self.story)
    let policies = try candidates.policyEdits.map { edit in
      try #require(candidates.program(with: [edit]), "\(edit.words)").scenario.policy
    }
    for (edit, policy) in zip(candidates.policyEdits, policies) {
      #expect(policy != candidates.scenario.policy, "\(edit.words)")
    }
    #expect(policies.count > 15 && Set(policies).count == policies.count)
  }

  /// Each check of the scheduler has one that takes it away, or lets one more through.
  @Test func eachCapCanBeRaisedAndEachRuleLifted() throws {
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
      #expect(policies.contains { $0[cap]["a"] == count + 1 }, "\(cap)")
      #expect(policies.contains { $0[cap]["a"] ?? 0 > 10_000 }, "\(cap)")
    }
  }
}
