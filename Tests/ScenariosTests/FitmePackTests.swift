import NotificationGateway
import ReminderMatching
import ScenarioSamples
import Testing
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios
@testable import TextFormats

/// Tests the reminders in the pack `fitme` against the requirements of the FitMe app.
@Suite struct FitmePackTests {
  private func scenario() throws -> Scenario {
    let story = """
      kind: scenario
      version: 1
      title: The pack alone
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      include: fitme
      timeline: [08:10 unlock]
      expect: [fires >= 0]

      """
    let outcome = ScenarioFile.read(
      Array(story.utf8), file: "s.yaml", fileExists: { _ in false },
      packFile: { _ throws(Diagnostic) in nil })
    #expect(outcome.warnings == [])
    return try outcome.get()
  }

  private static let smart = [
    "healthKitConnect", "accountRegistration", "nutritionGap", "trainingDay", "restDay", "engagement",
  ]

  @Test func `the pack has six smart reminders in order of priority, and alerts for high and low readiness`()
    throws
  {
    let reminders = try scenario().reminders.map(\.declaration)
    #expect(reminders.map(\.id) == Self.smart + ["readinessHigh", "readinessLow"])
    let priorities = reminders.prefix(6).map(\.notification.priority)
    #expect(priorities == priorities.sorted() && Set(priorities).count == 6)
  }

  @Test func `each reminder has titles, and a link that a consumer handles`() throws {
    let scenario = try scenario()
    let registry = try #require(scenario.links).registry
    for reminder in scenario.reminders.map(\.declaration) {
      #expect(!reminder.notification.copy.isEmpty)
      #expect(reminder.notification.copy.allSatisfy { !$0.title.isEmpty }, "\(reminder.id)")
      #expect(reminder.notification.link.hasPrefix("fitme://"), "\(reminder.id)")
      #expect(registry.resolve(reminder.notification.link) != nil, "\(reminder.id)")
    }
  }

  @Test func `the app's router knows the links of the pack`() throws {
    let registry = try #require(try scenario().links).registry
    let known = [
      "nav/training": "tabs", "nav/home/whatever": "tabs", "action/log-meal": "actions", "auth": "account",
      "auth/reset-password/2?token=x": "account", "settings/health": "settings",
    ]
    for (path, consumer) in known {
      let found = try #require(registry.resolve("fitme://" + path), "\(path)")
      #expect(registry.consumers[Int(found.consumer)].id == consumer, "\(path)")
    }
    for link in [
      "fitme://nav", "fitme://nav/unknown", "fitme://unknown/foo", "fitme:///nav/home", "fitme://action",
      "https://fitme.example/nav/home",
    ] {
      #expect(registry.resolve(link) == nil, "\(link)")
    }
  }

  @Test func `the daily, weekly, lifetime and lapse caps are those of the requirements`()
    throws
  {
    let policy = try scenario().policy
    #expect(policy.typeDailyCap == 1 && policy.typeDailyCaps.isEmpty)
    #expect(policy.dailyCap == 3 && policy.criticalDailyCap == 1 && policy.minimumInterval == .hours(4))
    #expect(policy.lifetimeCap == ["healthKitConnect": 3, "accountRegistration": 3])
    #expect(policy.lapseCap == ["engagement": 3])
    #expect(policy.typeWeeklyCaps == ["nutritionGap": 5])
    #expect(Set(policy.keptThroughReinstall) == ["healthKitConnect", "accountRegistration"])
  }
}
