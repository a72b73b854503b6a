import TestSupport
import Testing
import TriggerModel

@Suite struct ReferenceTests {
  @Test("the brute-force scheduler and the gateway decide 20,000 random scripts alike")
  func agreement() throws {
    let zones = ReferenceZones()
    var outcomes: [Decision.Outcome: Int] = [:]
    for seed in 0..<20_000 as Range<UInt64> {
      let script = try CapScript.random(seed)
      let expected = try ReferenceScheduler.play(script, zones)
      let decided = try script.played()
      #expect(decided == expected, "script \(seed)")
      for outcome in decided { outcomes[outcome.decision, default: 0] += 1 }
    }
    // The scripts reach every kind of decision often.
    for outcome in Decision.Outcome.allCases { #expect(outcomes[outcome, default: 0] > 1_000, "\(outcome)") }
  }

  @Test(
    "the brute-force scheduler agrees with the shared vectors",
    .enabled(if: Shared.isAvailable, Shared.skipReason))
  func referenceAgreesWithVectors() throws {
    let vectors = try SharedVector.all()
    #expect(vectors.count == 67)
    let zones = ReferenceZones()
    for vector in vectors {
      let script = try vector.script()
      let reference = try ReferenceScheduler.play(script, zones)
      vector.check(reference, "vector \(vector.id)")
      #expect(try script.played() == reference, "vector \(vector.id)")
    }
  }
}
