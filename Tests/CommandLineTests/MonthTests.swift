import Foundation
import TestSupport
import Testing

/// Tests a month of a real phone with a dozen reminders and the caps.
@Suite(.timeLimit(.minutes(10))) struct MonthTests {
  /// The scenario takes place in March 2017, in the zone of the recorded clock.
  private static let scenario = """
    kind: scenario
    version: 1
    title: A month of a real phone
    start: 2017-02-28T00:00
    zone: Europe/Helsinki
    end: 2017-04-02T00:00
    facts: {readiness.score: 62}
    reminders:
      water: {when: unlock, if: after 18:00, repeat: daily, notify: {title: Water the plants, bucket: user}}
      inbox: {when: unlock, if: [between 09:00 and 17:00, weekdays], repeat: daily, notify: Clear your inbox}
      weekend: {when: unlock, if: weekend, repeat: weekly, notify: Plan the weekend}
      welcome: {when: unlock, notify: Welcome}
      tips: {when: unlock, if: not charging, repeat: always, notify: A tip}
      backup: {when: charging starts, repeat: daily, notify: {title: Back up, bucket: user}}
      update: {when: charging starts, if: between 20:00 and 06:00, repeat: daily, notify: {title: Update, bucket: critical}}
      morning: {when: charging stops, if: before 10:00, repeat: daily, notify: Good morning}
      score: {when: [unlock, charging starts], if: readiness.score >= 60, repeat: weekly, notify: A good week}
      standup: {when: every weekday 09:00, notify: {title: Stand-up, bucket: user}}
      rent: {when: monthly on 31 at 10:00 from 2017-01-31, notify: {title: Pay the rent, bucket: user}}
      walk: {when: every day 17:00 ahead 3, notify: {title: Take a walk, bucket: user}}
    timeline:
      - aware: {battery: AwareBattery_1month.csv, screen: AwareScreen_1month.csv}
    expect:
      - rent fires once at 10:00 on 2017-02-28
      - rent fires once at 10:00 on 2017-03-31
      - standup fires = 24

    """

  private struct Report: Decodable {
    struct Scenario: Decodable {
      struct Events: Decodable {
        var truth: [String: Int]
      }
      struct Import: Decodable {
        struct Finding: Decodable, Equatable {
          var kind: String
          var count: Int
        }
        struct Derivation: Decodable, Equatable {
          var event: String
          var rule: String
          var counts: [String: Int]
        }
        var file: String
        var read: Int
        var findings: [Finding]
        var derivations: [Derivation]
      }
      struct Reminder: Decodable {
        struct Account: Decodable {
          struct Step: Decodable {
            var step: String
            var count: Int
          }
          var matches: Int
          var early: Int
          var funnel: [Step]
        }
        var id: String
        var account: Account

        func count(_ step: String) -> Int? { account.funnel.first { $0.step == step }?.count }
      }
      var events: Events
      var imports: [Import]
      var reminders: [Reminder]
    }
    var scenarios: [Scenario]
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `a month of a real phone has the same counts as independent programs`() async throws {
    let folder = try Folder()
    for file in ["AwareBattery_1month.csv", "AwareScreen_1month.csv"] {
      try folder.write(try Shared.data("traces/phone/\(file)"), to: file)
    }
    try folder.write(Self.scenario, to: "month.yaml")
    let outcome = try await folder.run("run", "month.yaml", "--json")
    #expect(outcome.code == 0, "\(outcome.output.prefix(0))\(outcome.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    let scenario = try #require(report.scenarios.first)

    #expect(scenario.imports.map(\.file) == ["AwareBattery_1month.csv", "AwareScreen_1month.csv"])
    #expect(scenario.imports.map(\.read) == [8_398, 5_278])
    #expect(
      scenario.imports.map(\.findings) == [
        [.init(kind: "stepBack", count: 1)], [.init(kind: "stepBack", count: 1)],
      ])
    #expect(
      scenario.imports.flatMap(\.derivations) == [
        .init(event: "charging started", rule: "adaptor", counts: ["adaptor": 69, "status": 84]),
        .init(event: "unlock", rule: "lockedSince", counts: ["everyRow": 920, "lockedSince": 835]),
      ])
    #expect(scenario.events.truth["unlock"] == 835)
    #expect(scenario.events.truth["chargingStarted"] == 69)

    #expect(scenario.reminders.count == 12)
    for reminder in scenario.reminders {
      // Under the profile ideal, the app observes every event. It therefore requests all due reminders,
      // except those after the end.
      let early = reminder.account.early
      #expect(reminder.count("due") == reminder.count("requested").map { $0 - early }, "\(reminder.id)")
      #expect((reminder.count("requested") ?? 0) > 0, "\(reminder.id)")
    }
  }
}
