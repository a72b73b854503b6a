import Reporting
import TestSupport
import Testing
import TextFormats

@testable import Experiments

/// Tests the resolved configuration of an experiment, in its reports and parts.
@Suite struct ConfigurationTests {
  private static func plan(_ lines: String, seed: UInt64? = nil) throws -> ExperimentPlan {
    let text = """
      kind: experiment
      version: 1
      title: A shorter pause
      population: popcap-1
      days: 2
      people: 200
      sensitivity: none
      \(lines)
      """
    var additions = ExperimentFile.Additions()
    additions.seed = seed
    return try ExperimentFile.read(Array(text.utf8), file: "a.yaml", additions).get()
  }

  private static let three = "variants: {three: {policy: {minimumInterval: 3 h}}}"

  private func value(_ name: String, _ plan: ExperimentPlan) -> String? {
    plan.configuration.lines.first { $0.name == name }?.value
  }

  @Test func `the configuration contains the resolved policy and person settings`() throws {
    let plan = try Self.plan("policy: {dailyCap: 5}\nperson: {tiring: 0.2}\n" + Self.three)
    #expect(value("population", plan) == "popcap-1")
    #expect(value("seed", plan) == "1" && value("days", plan) == "2")
    #expect(value("policy.dailyCap", plan) == "5")
    // These values are defaults of the policy and of the model.
    #expect(value("policy.minimumInterval", plan) == "4 h")
    #expect(value("person.permission", plan) != nil && value("person.tiring", plan) != nil)
    #expect(value("variant three", plan) == "policy.minimumInterval: 3 h")
    let names = plan.configuration.lines.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `every report contains the configuration and its hash`() throws {
    let plan = try Self.plan(Self.three)
    let report = ExperimentReport(
      ExperimentRunner(plan, PeopleWorkers(jobs: 2)).run(), command: "x", tool: "y")
    let hash = plan.identity.hexadecimal
    #expect(hash.count == 16)
    let texts =
      ExperimentDocuments(report).all.map(\.text) + [ExperimentText(report).text]
    for text in texts {
      #expect(text.contains(hash) && text.contains("policy.minimumInterval") && text.contains("4 h"))
    }
  }

  /// Two experiments have the same hash if and only if all their settings are equal.
  @Test func `experiments with different hashes differ in a named setting`() throws {
    var random = SplitMix64(seed: 3)
    let choices = [
      ["policy: {dailyCap: 3}", "policy: {dailyCap: 4}"],
      ["person: {tiring: 0.125}", "person: {tiring: 0.2}"],
      [Self.three, "variants: {three: {policy: {minimumInterval: 2 h}}}"],
      ["metrics: tapThrough", "metrics: [tapThrough, reach]"], ["followUp: 24 h", "followUp: 2 h"],
    ]
    for _ in 0..<40 {
      let plans = try (0..<2).map { _ in
        try Self.plan(
          choices.map { random.one(of: $0) }.joined(separator: "\n"), seed: UInt64(random.below(2)))
      }
      let differences = plans[0].configuration.differences(from: plans[1].configuration)
      #expect((plans[0].identity == plans[1].identity) == differences.isEmpty, "\(differences)")
    }
  }

  @Test func `merging names the settings that differ`() throws {
    let plan = try Self.plan(Self.three)
    let other = try Self.plan("person: {tiring: 0.2}\n" + Self.three, seed: 2)
    let part = ExperimentPart(
      experiment: other.identity, configuration: other.configuration, tool: "1", people: 0..<10,
      sums: other.sums(0..<10))
    let read = try PartDocument.read(Array(PartDocument.text(part).utf8), file: "b.json", of: plan)
    #expect(read.configuration == other.configuration)
    do {
      _ = try ExperimentPart.merge([("b.json", read)], expecting: nil, of: plan, tool: "1")
      Issue.record("parts of different experiments are merged")
    } catch {
      #expect(
        error.words.message.hasPrefix(
          "b.json belongs to another experiment: seed is 2 instead of 1, person.tiring is "))
    }
  }
}
