import Reporting
import Synchronization
import Testing
import TextFormats

@testable import Experiments

/// Tests workers, evaluations, budgets and interruptions.
@Suite struct RunnerTests {
  private static let plan = ExperimentPlan.toy(
    [ToyArm(shownShare: 300), ToyArm(shownShare: 350), ToyArm(shownShare: 300, lift: 20)])

  @Test func `partial sums add up to the whole`() {
    let whole = Self.plan.sums(0..<701)
    #expect(whole.people == 701)
    for jobs in [2, 3, 8] { #expect(Self.plan.sums(0..<701, jobs: jobs) == whole) }
    let ends: [UInt64] = [0, 1, 70, 150, 151, 400, 640, 701]
    var merged = ExperimentSums(arms: 3, metrics: 3, types: 2)
    for part in zip(ends, ends.dropFirst()).shuffled() {
      merged += Self.plan.sums(part.0..<part.1, jobs: 2)
    }
    #expect(merged == whole)
  }

  @Test func `reports are the same for any number of jobs`() {
    let texts = [1, 2, 5].map { jobs in
      let result = ExperimentRunner(Self.plan, PeopleWorkers(jobs: jobs)).run()
      let report = ExperimentReport(result, command: "x", tool: "y")
      return ExperimentDocuments(report).all.map(\.text)
    }
    #expect(texts[1] == texts[0])
    #expect(texts[2] == texts[0])
  }

  @Test func `a run stops when the interval is narrow enough`() throws {
    let plan = ExperimentPlan.toy(
      [ToyArm(shownShare: 300), ToyArm(shownShare: 350)], precision: 0.01, most: 1_000_000)
    let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
    #expect(result.ending == .precise)
    #expect(result.looks.first == 200)
    #expect(result.looks.count > 1)
    #expect(try #require(result.change(0, arm: 1).interval).halfWidth <= 0.01)
    // The experiment simulates fewer than twice the people that it needs.
    let enough = try #require(result.change(0, arm: 1).peopleNeeded(forHalfWidth: 0.01, taken: result.people))
    #expect(result.people < 2 * enough)
  }

  @Test func `a run with too small a budget estimates the number of people needed`() throws {
    let plan = ExperimentPlan.toy(
      [ToyArm(shownShare: 300), ToyArm(shownShare: 350)], precision: 0.001, most: 500)
    let result = ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run()
    #expect(result.ending == .spent)
    #expect(result.people == 500)
    let needed = try #require(result.imprecise.first?.needed)
    #expect(needed > 5_000)
    let warning = try #require(ExperimentReport(result, command: "x", tool: "y").warning)
    #expect(warning.hasPrefix("NOT PRECISE ENOUGH: 500 people are spent; about "))
  }

  @Test(arguments: [1, 2]) func `an interrupted run is valid for the people so far`(_ jobs: Int) {
    let asked = Atomic<Int>(0)
    let workers = PeopleWorkers(jobs: jobs, isCancelled: { asked.add(1, ordering: .relaxed).newValue > 6 })
    let result = ExperimentRunner(Self.plan, workers).run()
    #expect(result.ending == .interrupted)
    #expect(result.people > 0)
    #expect(result.people < 2_000)
    #expect(result.sums == Self.plan.sums(0..<UInt64(result.people)))
    let report = ExperimentReport(result, command: "x", tool: "y")
    #expect(report.warning?.hasPrefix("PARTIAL: stopped after") == true)
    #expect(ExperimentMarkdown(report).text.contains("PARTIAL"))
    #expect(ExperimentJSON(report).document["isPartial"] == true)
  }

  @Test func `rows are written in the order of people`() {
    let text = Mutex("")
    var runner = ExperimentRunner(Self.plan, PeopleWorkers(jobs: 3))
    runner.rows = PersonTable(Self.plan).rows { more in text.withLock { $0 += more } }
    let result = runner.run()
    let rows = text.withLock { $0 }.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows.count == 3 * 2_000)
    #expect(rows.map { String($0[0]) } == (0..<2_000).flatMap { [String](repeating: "\($0)", count: 3) })
    let shown = rows.filter { $0[1] == "base" }.reduce(0) { $0 + (Int64($1[3]) ?? 0) }
    #expect(shown == result.sums.totals[0].shown)
  }

  /// A small coverage study with the stopping rule. `.ci/trials/coverage` runs a large study.
  @Test func `intervals contain the true value in about 95 % of trials`() throws {
    let arms = [ToyArm(shownShare: 300), ToyArm(shownShare: 400)]
    let truth = ExperimentPlan.toy(arms, metrics: [.tapThrough]).sums(0..<60_000, jobs: 2)
    let difference = try #require(
      PairEstimate(truth.ratios[0][0], truth.ratios[1][0], truth.pairs[0][0], of: .tapThrough).difference)
    let plan = ExperimentPlan.toy(arms, metrics: [.tapThrough], precision: 0.02, most: 100_000)
    var hits = 0
    for trial in 0..<200 {
      var runner = ExperimentRunner(plan, PeopleWorkers(jobs: 1))
      runner.firstPerson = 1_000_000 + UInt64(trial) * 10_000
      let interval = try #require(runner.run().change(0, arm: 1).interval)
      if interval.lower <= difference, difference <= interval.upper { hits += 1 }
    }
    // Keyed random numbers give the same count on every machine.
    #expect((182...198).contains(hits), "\(hits) of 200")
  }
}
