import Scenarios
import TestSupport
import Testing
import TextFormats

@testable import Experiments

/// Tests that the sensitivity analysis varies the assumptions around the values in the experiment's files.
@Suite struct SensitivityTests {
  private static func plan(_ text: String) throws -> ExperimentPlan {
    let catalogue = PopulationCatalogue(inFile: {
      (_: String) throws(Diagnostic) -> (any ExperimentPopulation)? in
      guard
        case .population(let population, _) = PopulationFile.read(
          Array(Self.population.utf8), file: "people.yaml")
      else { return nil }
      return try FilePopulation(population, name: "people.yaml")
    })
    return try ExperimentFile.read(Array(text.utf8), file: "a.yaml", from: catalogue).get()
  }

  /// A population with at most two unlocks a day, and with more taps in the morning than in the evening.
  private static let population = """
    kind: population
    version: 1
    title: Two unlocks a day
    start: 2026-03-02T00:00
    zone: UTC
    for: 7 days
    profile: ideal
    seed: 1
    phone: {notifications: authorized}
    reminders:
      a: {when: unlock, if: after 06:00, repeat: always, notify: {title: A, type: alpha}}
    person:
      model: tap-v1
      kinds: {alpha: context}
      contextRate: 0.5
      eagernessSpread: 0
      hourAmplitude: -1.0
      fatigue: 0
      optOutHazard: 0
    habits:
      wake: {median: 05:00}
      sleep: {median: 23:30}
      unlocksPerHour: {median: 0}
      routines:
        m: {do: [unlock, lock], at: {median: 08:00}, chance: 60 %}
        e: {do: [unlock, lock], at: {median: 20:00}, chance: 60 %}
    """

  private static let evening = """
    kind: experiment
    version: 1
    title: Mornings or evenings
    population: people.yaml
    policy: {quietHours: 18:00-07:00, minimumInterval: none, dailyCap: none}
    variants:
      evening: {policy: {quietHours: 00:00-18:00}}
    metrics: [tapThrough, tapsPerDay]
    people: 200
    """

  private static func workload(_ lines: String) -> String {
    """
    kind: experiment
    version: 1
    title: A shorter pause
    population: popcap-1
    days: 3
    variants: {three: {policy: {minimumInterval: 3 h}}}
    metrics: [tapThrough, tapsPerDay]
    people: 200
    \(lines)
    """
  }

  /// Returns the outcomes of 20 people under each arm.
  private static func outcomes(_ arms: [any PolicyArm], types: Int) -> [[PersonOutcome]] {
    arms.map { arm in
      (UInt64(0)..<20).map { person in
        var (prototype, outcome) = (arm, PersonOutcome(types: types))
        prototype.run(person, into: &outcome)
        return outcome
      }
    }
  }

  @Test func `unchanged assumptions are those of the population`() throws {
    let plan = try Self.plan(Self.evening)
    let sensitivity = try #require(plan.sensitivity)
    let values = sensitivity.assumptions.map(\.value)
    let arms = try #require(sensitivity.arms(values))
    let own = plan.arms.map(\.prototype)
    #expect(Self.outcomes(arms, types: 1) == Self.outcomes(own, types: 1))
    let peak = try #require(sensitivity.assumptions.first { $0.name == "hourAmplitude" })
    #expect(peak.value == -1_000_000 && peak.isDeclared && peak.range.contains(peak.value))
  }

  /// Assumptions of the experiment and of a variant have precedence over the model's defaults.
  @Test(arguments: 0..<12) func `unchanged assumptions are those of the experiment`(_ trial: Int) throws {
    var random = SplitMix64(seed: UInt64(trial))
    let names = WorkloadTraits.assumptions.filter { _ in random.chance(50) }
    let lines = names.map { assumption in
      let range = assumption.range
      let value = range.lowerBound + Int64(random.below(Int(range.upperBound - range.lowerBound)))
      return "\(assumption.name): \(Decimal.text(value, decimals: 6))"
    }
    let plan = try Self.plan(Self.workload("person: {\(lines.joined(separator: ", "))}"))
    let sensitivity = try #require(plan.sensitivity)
    #expect(sensitivity.assumptions.filter(\.isDeclared).map(\.name) == names.map(\.name))
    let arms = try #require(sensitivity.arms(sensitivity.assumptions.map(\.value)))
    let (count, own) = (plan.types.count, plan.arms.map(\.prototype))
    #expect(Self.outcomes(arms, types: count) == Self.outcomes(own, types: count), "\(lines)")
  }

  @Test func `an assumption that the variant changes is compared and not varied`() throws {
    let text = Self.workload("person: {tiring: 0.2}")
      .replacing("{minimumInterval: 3 h}", with: "{minimumInterval: 3 h}, person: {permission: 0.8}")
    let plan = try Self.plan(text)
    let sensitivity = try #require(plan.sensitivity)
    #expect(sensitivity.compared == ["permission"])
    #expect(!sensitivity.assumptions.contains { $0.name == "permission" })
    let arms = try #require(sensitivity.arms(sensitivity.assumptions.map(\.value)))
    let (count, own) = (plan.types.count, plan.arms.map(\.prototype))
    #expect(Self.outcomes(arms, types: count) == Self.outcomes(own, types: count))
  }

  @Test(arguments: ["", "person: {eveningFactor: 0.5}", "person: {eveningFactor: 0.9, tiring: 0}"])
  func `the unchanged difference is the experiment's, and each flip changes its sign`(_ person: String) throws
  {
    let result = ExperimentRunner(
      try Self.plan(Self.workload("sensitivity: {people: 300, draws: 0}\n" + person)), PeopleWorkers(jobs: 2)
    ).run()
    let found = try #require(result.sensitivity)
    #expect(found.standard == result.change(0, arm: 1))
    let own = try #require(found.standard.difference)
    for effect in found.effects {
      let range = effect.assumption.range
      let ends = [(effect.low, range.lowerBound), (effect.high, range.upperBound)]
      let flipped = try ends.filter { try #require($0.0.value) * own <= 0 }
      #expect(effect.flips.count == flipped.count, "\(effect.assumption.name)")
      for flip in effect.flips {
        #expect(range.contains(flip.value) && flip.interval.contains(flip.value))
        #expect(range.contains(flip.interval.lowerBound) && range.contains(flip.interval.upperBound))
      }
      for (estimate, value) in ends where value == effect.assumption.value {
        #expect(estimate.value == own && estimate.interval == found.standard.interval)
      }
    }
  }

  @Test func `a value outside the model's range extends the range`() throws {
    let sensitivity = try #require(
      try Self.plan(Self.workload("person: {eveningFactor: 0.5}")).sensitivity)
    let factor = try #require(sensitivity.assumptions.first { $0.name == "eveningFactor" })
    #expect(factor.range == 500_000...1_500_000)
    #expect(factor.value == 500_000 && factor.standard == 1_250_000)
  }

  /// With the same people, the estimate at a value equals the result of an experiment with this value in its file.
  @Test func `an estimate at another value equals the result of an experiment with that value`() throws {
    let lines = "sensitivity: {people: 200, draws: 0}\n"
    let result = ExperimentRunner(
      try Self.plan(Self.workload(lines + "person: {tiring: 0.2}")), PeopleWorkers(jobs: 2)
    ).run()
    let found = try #require(result.sensitivity)
    let cases: [(String, String, KeyPath<SensitivityResult.Effect, SensitivityResult.Estimate>)] = [
      ("permission", "permission: 0.43", \.low), ("eveningFactor", "eveningFactor: 1.5", \.high),
      ("baseRates", "baseRates: 0.56", \.low),
    ]
    for (name, text, end) in cases {
      let effect = try #require(found.effects.first { $0.assumption.name == name })
      let other = ExperimentRunner(
        try Self.plan(Self.workload("sensitivity: none\nperson: {tiring: 0.2, \(text)}")),
        PeopleWorkers(jobs: 2)
      ).run().change(0, arm: 1)
      let estimate = effect[keyPath: end]
      let (value, expected) = (try #require(estimate.value), try #require(other.difference))
      #expect((value - expected).magnitude < 1e-12)
      let (own, direct) = (try #require(estimate.interval), try #require(other.interval))
      // The widths differ slightly, because the experiment's degrees of freedom count only people with a
      // notification.
      #expect((own.halfWidth / direct.halfWidth - 1).magnitude < 0.02, "\(name)")
    }
  }
}
