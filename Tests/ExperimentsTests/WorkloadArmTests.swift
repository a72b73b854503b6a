import Experiments
import NotificationGateway
import PersonModel
import Reporting
import Testing
import TextFormats
import TriggerModel

/// Tests the implementation of POPCAP-1 that experiments and the benchmark share.
@Suite struct WorkloadArmTests {
  private static func random() throws -> PopulationRun {
    try PopulationRun(
      minimumInterval: .random(in: 0...30_000), dailyCap: .random(in: 0...5), seed: .random(in: 0...99),
      days: .random(in: 1...9))
  }

  @Test func `outcomes add up to the workload's counters`() throws {
    for _ in 0..<4 {
      let run = try Self.random()
      let first = UInt64.random(in: 0...1_000_000)
      var (arm, counts, outcome) = (run.arm, PopulationCounts(), PersonOutcome(types: 7))
      arm.count(first..<first + 12, into: &counts)
      var totals = Totals(types: 7)
      for person in first..<first + 12 {
        arm.run(person, into: &outcome)
        totals.add(outcome)
        #expect(outcome.requested == Int64(outcome.decisions.count))
        #expect(outcome.shown == Int64(outcome.decisions.count { $0.fate.isShown }))
        #expect(outcome.decisions.map(\.key) == outcome.decisions.map(\.key).sorted())
      }
      #expect(counts["fired"] == totals.byType.map { UInt64($0.shown) })
      #expect(counts["taps"] == totals.byType.map { UInt64($0.tapped) })
      #expect(counts["optouts"] == [UInt64(totals.optedOut)])
      #expect(counts["candidates"] == [UInt64(totals.requested)])
      #expect(counts["fired_hour"] == totals.byHour.map { UInt64($0.shown) })
      #expect(counts["tap_hour"] == totals.byHour.map { UInt64($0.tapped) })
      let reasons: [Reason] = [
        .permission, .quietHours, .lifetimeCap, .typeDailyCap, .dailyCap, .minimumInterval, .criticalDailyCap,
      ]
      #expect(counts["sup"] == reasons.map { UInt64(totals.denied($0)) })
      for reason in reasons { #expect(totals.nearness(reason).reduce(0, +) == totals.denied(reason)) }
    }
  }

  /// The workload's counters contain a histogram of latencies, with powers of two in seconds as bounds.
  @Test(arguments: 2...12) func `a tap counts within the follow-up`(exponent: Int) throws {
    let run = try PopulationRun(
      .popcap1, policy: PopulationRun.policy, seed: 3, days: 5, followUp: .seconds(1 << Int64(exponent)))
    var (arm, counts, outcome) = (run.arm, PopulationCounts(), PersonOutcome(types: 7))
    arm.count(0..<200, into: &counts)
    var tapped: Int64 = 0
    for person: UInt64 in 0..<200 {
      arm.run(person, into: &outcome)
      tapped += outcome.tapped
    }
    let latencies = try #require(counts["lat_hist"])
    #expect(UInt64(tapped) == latencies[..<exponent].reduce(0, +))
  }

  @Test func `a person's outcome does not depend on the people simulated before`() throws {
    let run = try PopulationRun(seed: 4, days: 6)
    var (among, outcome) = (run.arm, PersonOutcome(types: 7))
    for person in UInt64(0)..<60 {
      among.run(person, into: &outcome)
      var (alone, own) = (run.arm, PersonOutcome(types: 7))
      alone.run(person, into: &own)
      #expect(own == outcome)
    }
  }

  @Test func `nearness is the remaining part of the minimum interval`() throws {
    let run = try PopulationRun(minimumInterval: 7_200, seed: 4, days: 12)
    var (arm, outcome) = (run.arm, PersonOutcome(types: 7))
    var total: [Int64] = Array(repeating: 0, count: PersonOutcome.Nearness.count)
    for person in UInt64(0)..<20 {
      arm.run(person, into: &outcome)
      let first = Int(Reason.minimumInterval.rawValue) * PersonOutcome.Nearness.count
      for bin in total.indices { total[bin] += outcome.nearness[first + bin] }
    }
    // No margin is longer than the minimum interval.
    #expect(total[4...].reduce(0, +) == 0)
    #expect(total[..<4].allSatisfy { $0 > 0 })
  }

  @Test func `an arm with default assumptions equals the base`() throws {
    let population = WorkloadPopulation.popcap1
    let lines = population.assumptions.map { assumption in
      "    \(assumption.name): \(Double(assumption.standard) / 10_000) %"
    }
    let text = """
      kind: experiment
      version: 1
      title: The same
      population: popcap-1
      variants:
        same:
          person:
      \(lines.map { "      " + $0.drop { $0 == " " } }.joined(separator: "\n"))
      """
    guard case .unusable(let diagnostics) = ExperimentFile.read(Array(text.utf8), file: "a.yaml") else {
      Issue.record("it is not the base")
      return
    }
    #expect(diagnostics.map(\.message) == ["'same' is the same as 'base'"])
  }
}
