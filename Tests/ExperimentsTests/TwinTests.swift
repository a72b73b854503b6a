import Foundation
import NotificationGateway
import ScenarioModel
import Scenarios
import Testing
import TriggerModel

@testable import Experiments

/// A policy that is known to have done the same to a person as another one stands for it.
@Suite struct TwinTests {
  private static func population(_ name: String) throws -> Population {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("scenarios/populations/\(name).yaml").path
    guard case .population(let population, _) = PopulationFile.load(path) else { throw Unreadable() }
    return population
  }

  private struct Unreadable: Error {}

  /// Each cap by itself is the oracle. The first half of the caps is in falling order, in which none can stand for the
  /// next.
  @Test(arguments: ["fitme-iphones", "as-recorded"])
  func `what is not played again is what would have been`(name: String) throws {
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
      arms.append(try PopulationArm(population, kinship: .init(people: 1, policy: 2), followUp: .hours(24)))
      alone.append(try PopulationArm(population, followUp: .hours(24)))
    }
    let types = population.scenario.types.count
    var outcomes = caps.map { _ in PersonOutcome(types: types) }
    var own = PersonOutcome(types: types)
    var (twins, differing) = (0, 0)
    for person: UInt64 in 0..<16 {
      for arm in arms.indices {
        if let twin = arms[arm].twin(of: person, among: arms[..<arm]) {
          outcomes[arm] = outcomes[twin]
          twins += 1
        } else {
          arms[arm].run(person, into: &outcomes[arm])
        }
        alone[arm].run(person, into: &own)
        #expect(outcomes[arm] == own, "person \(person), cap \(caps[arm] ?? 0)")
      }
      if outcomes[3] != outcomes[9] { differing += 1 }
    }
    #expect(twins > 16 && differing > 0, "\(twins) twins, \(differing) differ")
  }

  @Test func `a policy that differs otherwise has no twin, and other people are drawn anew`() throws {
    let population = try Self.population("fitme-iphones")
    func arm(_ kinship: PopulationArm.Kinship) throws -> PopulationArm {
      try PopulationArm(population, kinship: kinship)
    }
    var outcome = PersonOutcome(types: population.scenario.types.count)
    var first = try arm(.init(people: 1, policy: 1))
    var other = try arm(.init(people: 1, policy: 2))
    var foreign = try arm(.init(people: 2, policy: 1))
    var same = try arm(.init(people: 1, policy: 1))
    first.run(4, into: &outcome)
    #expect(other.twin(of: 4, among: [first]) == nil)
    #expect(foreign.twin(of: 4, among: [first]) == nil)
    #expect(same.twin(of: 4, among: [first]) == 0)
    #expect(same.twin(of: 5, among: [first]) == nil)
    var again = PersonOutcome(types: population.scenario.types.count)
    other.run(4, into: &again)
    #expect(again == outcome)
  }
}
