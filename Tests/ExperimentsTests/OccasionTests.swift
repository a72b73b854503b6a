import Foundation
import NotificationGateway
import ScenarioModel
import Scenarios
import Testing

@testable import Experiments

/// Tests which requests and days of a person an experiment counts.
@Suite struct OccasionTests {
  private struct Unreadable: Error {}

  /// Returns a population with two reminders a day for ten days.
  private static func population(
    ahead: Int, start: String = "2026-03-02T00:00", permission: Int = 100, _ rest: String = ""
  ) throws -> Population {
    let text = """
      kind: population
      version: 1
      title: Occasions
      start: \(start)
      zone: Europe/Berlin
      for: 10 days
      profile: ios
      seed: 1
      person: {model: tap-v1, organicOpens: 0, permissionIOS: \(permission) %}
      reminders:
        a: {when: every day 10:00 ahead \(ahead), notify: {title: a, priority: 1}}
        b: {when: every day 16:00 ahead \(ahead), notify: {title: b, priority: 2}}
      policy: {minimumInterval: none, quietHours: none}
      habits: {wake: 07:00, sleep: 23:00, unlocksPerHour: {median: 3, sigma: 0.5}}
      \(rest)
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    guard case .population(let population, _) = PopulationFile.load(file.path) else { throw Unreadable() }
    return population
  }

  private static func outcome(_ population: Population, person: UInt64 = 0) throws -> PersonOutcome {
    var arm = try PopulationArm(population)
    var outcome = PersonOutcome(types: population.scenario.types.count)
    arm.run(person, into: &outcome)
    return outcome
  }

  private static let tablet =
    "devices: {tablet: {profile: ios}}\n"
    + "timeline: [on tablet 06:00 unlock, on tablet 06:01 open, on tablet 06:02 leave]"

  @Test func `a denied permission applies to all devices`() throws {
    let outcome = try Self.outcome(Self.population(ahead: 10, permission: 0, Self.tablet))
    #expect(outcome.requested == 20)
    #expect(outcome.shown == 0)
    #expect(outcome.optedOut == 0)
  }

  @Test func `a request shown on two devices counts once`() throws {
    let outcome = try Self.outcome(Self.population(ahead: 10, Self.tablet))
    #expect(outcome.requested == 20)
    #expect(outcome.shown > 20)
    #expect(outcome.reached == 20)
    let fireRate = PeopleMetric(.fireRate).counts(outcome)
    #expect(fireRate == (20, 20))
    #expect(outcome.byType.reduce(0) { $0 + $1.reached } == 20)
  }

  @Test func `a denied request that is due after the last day does not count`() throws {
    var population = try Self.population(ahead: 20)
    population.change { $0.policy.dailyCap = 1 }
    let outcome = try Self.outcome(population)
    #expect(outcome.requested == 20)
    #expect(outcome.reached == 10)
    #expect(outcome.denied.reduce(0, +) == 10)
  }

  @Test func `a request keeps its key during a journey`() throws {
    let journey =
      "timeline: [every day 06:00 open, every day 06:01 leave, day 3 12:00 travel to America/New_York, "
      + "day 5 12:00 travel to Europe/Berlin]"
    // The first population plans its requests before the journey, the second during it.
    let (early, late) = (
      try Self.outcome(Self.population(ahead: 10, journey)),
      try Self.outcome(Self.population(ahead: 2, journey))
    )
    #expect(early.decisions.map(\.key) == late.decisions.map(\.key))
    // The journey back skips one due time of `b`, so iOS never shows that occurrence.
    #expect(early.requested == 19)
  }

  @Test(arguments: ["2026-03-02T00:00", "2026-03-02T07:00", "2026-03-25T07:00", "2026-10-20T23:30"])
  func `ten days are ten person-days regardless of the start`(start: String) throws {
    let population = try Self.population(ahead: 2, start: start)
    #expect(try Self.outcome(population).personDays == 10)
    #expect(try FilePopulation(population, name: "p").defaultDays == 10)
  }
}
