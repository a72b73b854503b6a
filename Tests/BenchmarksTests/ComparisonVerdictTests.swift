import Testing

@testable import Benchmarks

@Suite struct ComparisonVerdictTests {
  private func look(
    _ estimate: Double, _ width: Double = 0.005, p: Double = 0.001, floor: Double = 0.005, blocks: Int = 12
  ) -> Look {
    Look(
      change: RatioInterval(estimate: estimate, low: estimate - width, high: estimate + width, pValue: p),
      itself: RatioInterval(estimate: 0, low: -floor, high: floor, pValue: 1), blocks: blocks)
  }

  private func verdict(_ first: Look, _ second: Look? = nil) -> Verdict {
    Judgement.of([first], second: second.map { [0: $0] } ?? [:], precision: 0.01)[0].verdict
  }

  @Test func `a change is reported only after two measurements`() {
    #expect(verdict(look(0.03), look(0.028)) == .regression)
    #expect(verdict(look(-0.03), look(-0.028)) == .improvement)
    #expect(verdict(look(0.03)) == .inconclusive)
    #expect(verdict(look(0.03), look(0.001, p: 0.6)) == .inconclusive)
    #expect(verdict(look(0.03), look(-0.03)) == .inconclusive)
    #expect(verdict(look(0.03), look(0.03, blocks: 3)) == .inconclusive)
  }

  @Test func `a difference below the precision is no change`() {
    #expect(verdict(look(0.009)) == .noChange)
    #expect(verdict(look(0.001, p: 0.5)) == .noChange)
  }

  @Test func `a difference below the noise floor is inconclusive`() {
    let judgement = Judgement.of([look(0.02, floor: 0.03)], second: [:], precision: 0.01)[0]
    #expect(judgement.verdict == .inconclusive)
    #expect(judgement.reason.contains("noise floor"))
  }

  @Test func `a wide interval or too few blocks are inconclusive`() {
    #expect(verdict(look(0.001, 0.02, p: 0.5)) == .inconclusive)
    #expect(verdict(look(0, 0, p: 1, blocks: 11)) == .inconclusive)
  }

  @Test func `more rows require stronger evidence`() {
    let looks = (0..<20).map { look(0.02, p: $0 == 0 ? 0.01 : 0.5) }
    #expect(Judgement.candidates(looks, precision: 0.01).allSatisfy { !$0 })
    #expect(Judgement.candidates([looks[0]], precision: 0.01) == [true])
  }
}

@Suite struct SequentialComparisonTests {
  /// Compares two builds under noise between runs, bursts and drift. B takes `1 + slowdown` times as long as
  /// A.
  private func compare(
    slowdown: Double, seed: UInt64, deviation: Double = 0.01
  ) throws -> (rows: [SequentialComparison.Row], runs: Int) {
    var noise = NoiseSource(seed: seed)
    var runs = 0
    var plan = SequentialComparison()
    plan.seed = seed
    plan.budget = .seconds(400)
    let rows = try plan.run(elapsed: { .seconds(runs) }) { arm in
      runs += 1
      return [1_000, 10_000].map { size in
        var time = 100 * (1 + noise.normal(deviation: deviation)) * (1 + 0.0005 * Double(runs))
        if noise.generator.below(20) == 0 { time *= 1.5 }
        if arm == .b { time *= 1 + slowdown }
        return ArmRow(key: RowKey(mode: "daily", size: size), nanoseconds: time)
      }
    }
    return (rows, runs)
  }

  @Test func `equal builds are never reported as changed`() throws {
    var alarms = 0
    for trial in 0..<40 {
      let rows = try compare(slowdown: 0, seed: UInt64(trial)).rows
      if rows.contains(where: { [.regression, .improvement].contains($0.judgement.verdict) }) { alarms += 1 }
    }
    #expect(alarms <= 1, "\(alarms) of 40")
  }

  @Test func `a slow-down of 3 % is detected`() throws {
    var found = 0
    for trial in 0..<40 {
      let rows = try compare(slowdown: 0.03, seed: UInt64(trial)).rows
      if rows.contains(where: { $0.judgement.verdict == .regression }) { found += 1 }
      #expect(!rows.contains { $0.judgement.verdict == .improvement })
    }
    #expect(found >= 34, "\(found) of 40")
  }

  @Test func `a quiet machine needs few runs, and a noisy one stays within the budget`() throws {
    let (quiet, fewRuns) = try compare(slowdown: 0, seed: 1, deviation: 0.0001)
    #expect(quiet.allSatisfy { $0.judgement.verdict == .noChange })
    #expect(fewRuns <= 4 * 20)
    let (loud, manyRuns) = try compare(slowdown: 0, seed: 1, deviation: 0.2)
    #expect(loud.allSatisfy { $0.judgement.verdict == .inconclusive })
    #expect(manyRuns <= 208, "half of the budget, the warm-up and the last block")
  }

  @Test func `different results or rows are not compared`() throws {
    var plan = SequentialComparison()
    plan.budget = .seconds(1)
    let rows = try plan.run(elapsed: { .seconds(2) }) { arm in
      [ArmRow(key: RowKey(mode: "m", size: 1), nanoseconds: 1, digest: arm == .a ? "x" : "y")]
    }
    #expect(rows[0].judgement == Judgement(.inconclusive, "the results differ"))
    #expect(throws: BenchError.self) {
      try plan.run(elapsed: { .seconds(2) }) { arm in
        [ArmRow(key: RowKey(mode: "m", size: arm == .a ? 1 : 2), nanoseconds: 1)]
      }
    }
  }
}
