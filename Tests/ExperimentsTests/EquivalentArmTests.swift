import Foundation
import NotificationGateway
import ScenarioModel
import Scenarios
import TestSupport
import Testing
import TriggerModel

@testable import Experiments

/// Tests arms that reuse the outcome of an equivalent arm for a person.
@Suite struct EquivalentArmTests {
  private static func population(_ name: String) throws -> Population {
    let path = Repository.scenarios.appendingPathComponent("populations/\(name).yaml").path
    guard case .population(let population, _) = PopulationFile.load(path) else { throw Unreadable() }
    return population
  }

  private struct Unreadable: Error {}

  /// Compares reused outcomes with arms that simulate every person. The first four caps decrease, so that none of
  /// these arms is equivalent to an earlier one.
  @Test(arguments: ["fitme-iphones", "as-recorded"])
  func `a reused outcome equals the simulated outcome of the person`(name: String) throws {
    let population = try Self.population(name)
    let caps: [Int?] = [6, 4, 2, 1, 2, 3, 3, 5, 8, nil]
    var arms: [any PolicyArm] = []
    var alone: [PopulationArm] = []
    for cap in caps {
      var population = population
      population.change { scenario in
        scenario.policy.dailyCap = cap
        scenario.policy.minimumInterval = .minutes(30)
      }
      arms.append(
        try PopulationArm(population, fingerprint: .init(people: 1, policy: 2), followUp: .hours(24)))
      alone.append(try PopulationArm(population, followUp: .hours(24)))
    }
    let types = population.scenario.types.count
    var outcomes = caps.map { _ in PersonOutcome(types: types) }
    var own = PersonOutcome(types: types)
    var (reused, differing) = (0, 0)
    for person: UInt64 in 0..<16 {
      for arm in arms.indices {
        if let equivalent = arms[arm].equivalentArm(for: person, among: arms[..<arm]) {
          outcomes[arm] = outcomes[equivalent]
          reused += 1
        } else {
          arms[arm].run(person, into: &outcomes[arm])
        }
        alone[arm].run(person, into: &own)
        #expect(outcomes[arm] == own, "person \(person), cap \(caps[arm] ?? 0)")
      }
      if outcomes[3] != outcomes[9] { differing += 1 }
    }
    #expect(reused > 16 && differing > 0, "\(reused) reused, \(differing) differ")
  }

  @Test func `arms with different policies or people are not equivalent`() throws {
    let population = try Self.population("fitme-iphones")
    func arm(_ fingerprint: PopulationArm.Fingerprint) throws -> PopulationArm {
      try PopulationArm(population, fingerprint: fingerprint)
    }
    var outcome = PersonOutcome(types: population.scenario.types.count)
    var first = try arm(.init(people: 1, policy: 1))
    var other = try arm(.init(people: 1, policy: 2))
    var foreign = try arm(.init(people: 2, policy: 1))
    var same = try arm(.init(people: 1, policy: 1))
    first.run(4, into: &outcome)
    #expect(other.equivalentArm(for: 4, among: [first]) == nil)
    #expect(foreign.equivalentArm(for: 4, among: [first]) == nil)
    #expect(same.equivalentArm(for: 4, among: [first]) == 0)
    #expect(same.equivalentArm(for: 5, among: [first]) == nil)
    var again = PersonOutcome(types: population.scenario.types.count)
    other.run(4, into: &again)
    #expect(again == outcome)
  }
}
