import Foundation
import Testing

@testable import Benchmarks

@Suite struct RegressionGateTests {
  private func baseline(
    looks: Int = 1_000, allocations: Int = 0, digest: String? = "ab", mode: String = "daily"
  ) -> CountBaseline {
    CountBaseline(suites: [
      "matching": [
        CountBaseline.Row(
          mode: mode, size: 10, digest: digest, counts: ["looks": looks, "allocations": allocations])
      ]
    ])
  }

  private func verdict(_ now: CountBaseline) -> Verdict { RegressionGate(now, against: baseline()).verdict }

  @Test func `a change of more than 2 % is reported`() {
    #expect(verdict(baseline()) == .noChange)
    #expect(verdict(baseline(looks: 1_020)) == .noChange)
    #expect(verdict(baseline(looks: 1_021)) == .regression)
    #expect(verdict(baseline(looks: 981)) == .noChange)
    #expect(verdict(baseline(looks: 979)) == .improvement)
  }

  @Test func `a first allocation is a regression`() {
    #expect(verdict(baseline(allocations: 1)) == .regression)
  }

  @Test func `a comparison of different work is inconclusive`() {
    #expect(verdict(baseline(digest: "cd")) == .inconclusive)
    #expect(verdict(baseline(mode: "once")) == .inconclusive)
    #expect(verdict(CountBaseline(suites: [:])) == .inconclusive)
    let gate = RegressionGate(baseline(looks: 2_000, digest: "cd"), against: baseline())
    #expect(gate.verdict == .regression, "a regression is more severe than a row that cannot be compared")
    let text = gate.text(toUpdate: "bench gate --baseline mine.json --update")
    #expect(text.contains("looks 1000 -> 2000 (+100 %)"))
    // The text must not suggest recording a regression as the new baseline.
    #expect(!text.contains("mine.json"))
    let better = RegressionGate(baseline(looks: 900), against: baseline())
    #expect(
      better.text(toUpdate: "bench gate --baseline mine.json --update")
        .hasSuffix("to make these counts the new baseline, run: bench gate --baseline mine.json --update\n"))
  }

  @Test func `a baseline is unchanged after it was written and read`() throws {
    let data = try baseline().json()
    #expect(try CountBaseline(json: data) == baseline())
    #expect(try baseline().json() == data)
  }

  /// The gate relies on equal counts in all runs of a build, although only the first run of a process makes
  /// one-time allocations.
  @Test func `counts are equal in all runs`() throws {
    let counts = try (0..<3).map { _ in
      try [BenchSuite.matching, .caps, .readers].map { suite in
        var options = suite.fixedWorkload
        options.rounds = 1
        return try suite.run(options)
      }
    }.map { CountBaseline($0) }
    #expect(counts[1] == counts[2])
    #expect(counts[0].suites["matching"]?.count == 2)
  }
}
