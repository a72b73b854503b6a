import Reporting
import ScenarioModel
import TestSupport
import Testing
import TextFormats

@testable import Experiments

/// Tests the sentence that answers the question of an experiment.
@Suite struct AnswerTests {
  private static func report(_ plan: ExperimentPlan) -> ExperimentReport {
    ExperimentReport(
      ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run(), command: "triggerbench experiment a.yaml",
      tool: "test")
  }

  /// Returns an experiment with one to three variants, which change exposures and taps by random amounts.
  private static func plan(_ trial: Int) -> ExperimentPlan {
    var random = SplitMix64(seed: UInt64(trial))
    var arms = [ToyArm(shownShare: 300, lift: 50)]
    for _ in 0..<(trial % 3 + 1) {
      arms.append(
        ToyArm(shownShare: 250 + UInt64(random.below(100)), lift: 20 + UInt64(random.below(60))))
    }
    var plan = ExperimentPlan.toy(
      arms, metrics: [.tapThrough, .firesPerDay, .optOuts], most: 200 + Int64(random.below(3_000)))
    plan.primary = random.below(3)
    return plan
  }

  @Test(arguments: 0..<40) func `the answer agrees with the interval`(_ trial: Int) throws {
    let report = Self.report(Self.plan(trial))
    let (plan, answer) = (report.result.plan, report.answer)
    let name = plan.metrics[plan.primary].name
    let directions = (1..<plan.arms.count).map { arm -> String in
      guard let interval = report.result.jointChange(plan.primary, arm: arm).interval else {
        return "undecided"
      }
      return interval.lower > 0 ? "raises" : interval.upper < 0 ? "lowers" : "undecided"
    }
    if directions.count == 1 {
      let begin =
        directions[0] == "undecided"
        ? "It is undecided whether variant 1 raises or lowers \(name)" : "variant 1 \(directions[0]) \(name)"
      #expect(answer.hasPrefix(begin), "\(answer)")
    } else {
      #expect(answer.hasPrefix("Of \(directions.count) variants, "))
      for verb in ["raise", "lower"] {
        let count = directions.count { $0 == verb + "s" }
        let words = "\(count == 0 ? "none" : "\(count)") \(verb)\(count > 1 ? "" : "s") \(name)"
        #expect(answer.contains(words), "\(answer)")
      }
      let open = directions.count { $0 == "undecided" }
      #expect(answer.contains("and \(open) \(open == 1 ? "is" : "are") undecided"), "\(answer)")
    }
    #expect(!answer.contains("no effect") && !answer.contains("no difference"))
    #expect(answer.contains("95 %") || directions.allSatisfy { $0 == "undecided" })
    #expect(answer.contains("the evidence is declared") || answer.contains("the evidence is assumed"))
  }

  @Test func `equal counts are reported as undecided and not as no effect`() {
    var plan = ExperimentPlan.toy([ToyArm(shownShare: 300), ToyArm(shownShare: 300)])
    plan.primary = 2
    #expect(
      Self.report(plan).answer.hasPrefix(
        "It is undecided whether variant 1 raises or lowers optOuts: it goes"))
  }

  @Test func `the answer names targets and guardrails with their verdicts`() {
    var plan = ExperimentPlan.toy([ToyArm(shownShare: 300), ToyArm(shownShare: 900)])
    func gate(_ metric: Int, _ subject: PeopleGate.Subject, _ bound: Bound) -> PeopleGate {
      PeopleGate(metric: metric, subject: subject, target: bound, kill: nil, benchmarks: [])
    }
    plan.primary = 1
    plan.gates = [
      gate(1, .change(arm: 1), Bound(side: .above, millionths: 0)),
      gate(0, .figure(arm: 0), Bound(side: .atLeast, millionths: 10_000)),
      gate(2, .change(arm: 1), Bound(side: .atMost, millionths: 30_000)),
    ]
    let answer = Self.report(plan).answer
    #expect(answer.hasPrefix("variant 1 raises firesPerDay by "), "\(answer)")
    #expect(answer.contains("; targets: change of firesPerDay of variant 1 > 0.0000 is met"), "\(answer)")
    #expect(answer.contains("; guardrails: tapThrough of base >= 1.00 % is met, "), "\(answer)")
    #expect(answer.contains("change of optOuts of variant 1 <= +3.00 pp is "), "\(answer)")
  }

  @Test func `the answer states that intervals do not cover the choice of recordings`() {
    var plan = Self.plan(0)
    #expect(!Self.report(plan).answer.contains("recorded"))
    plan.origins = ["'mine': screen.csv; 40 whole days"]
    let report = Self.report(plan)
    #expect(report.answer.hasSuffix("; the intervals do not cover the choice of the recorded phones."))
    #expect(
      ExperimentMarkdown(report).text.contains(
        "The people share the recorded phone, and the intervals treat them as independent"))
  }

  @Test func `every rendering begins with the answer`() {
    let report = Self.report(Self.plan(0))
    let answer = report.answer
    #expect(ExperimentText(report).text.hasPrefix("A toy\n\(answer)\n"))
    #expect(ExperimentMarkdown(report).text.hasPrefix("# A toy\n\n**\(Markup.markdown(answer))**\n"))
    let body = ExperimentHTML(report).text.split(separator: "</h1>", maxSplits: 1).last ?? ""
    #expect(
      body.drop { $0 == "\n" }.hasPrefix("<p class=\"answer\"><strong>\(Markup.escape(answer))</strong>"))
    #expect(ExperimentJSON(report).document["answer"] == JSONValue.string(answer))
  }

  private static func read(_ lines: String) -> (plan: ExperimentPlan?, warnings: [String]) {
    let text = """
      kind: experiment
      version: 1
      title: A shorter pause
      population: popcap-1
      variants: {three: {policy: {minimumInterval: 3 h}}}
      metrics: [tapThrough, tapsPerDay]
      \(lines)
      """
    guard case .plan(let plan, let warnings) = ExperimentFile.read(Array(text.utf8), file: "a.yaml") else {
      return (nil, [])
    }
    return (plan, warnings.map(\.summary))
  }

  @Test func `the file determines the primary metric`() throws {
    let (plan, warnings) = Self.read("question: Do more people return?\nprimary: tapsPerDay")
    #expect(plan?.primary == 1 && plan?.sensitivity?.metric == 1 && warnings == [])
    // A metric that is not in the list is added to it.
    let added = try #require(Self.read("primary: reach").plan)
    #expect(added.metrics[added.primary].name == "reach")
    #expect(Self.read("primary: reaches").plan == nil)
  }

  @Test func `a question without a primary metric is answered by the first metric, with a warning`() {
    let (plan, warnings) = Self.read("question: Do more people return?")
    #expect(plan?.primary == 0)
    #expect(
      warnings == [
        "a.yaml:7:11: warning: the file does not name the metric that answers the question; tapThrough is used, "
          + "which is the first; add 'primary: tapThrough'"
      ])
    #expect(Self.read("").warnings == [])
  }
}
