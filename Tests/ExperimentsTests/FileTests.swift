import Foundation
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Experiments

/// Tests experiment files, and the messages for invalid files.
@Suite struct FileTests {
  private static func text(_ lines: String) -> String {
    """
    kind: experiment
    version: 1
    title: A test
    population: popcap-1
    \(lines)
    """
  }

  private static func plan(_ lines: String, _ additions: ExperimentFile.Additions = .init()) throws
    -> ExperimentPlan
  {
    try ExperimentFile.read(Array(text(lines).utf8), file: "a.yaml", additions).get()
  }

  private static func problems(_ lines: String, _ additions: ExperimentFile.Additions = .init()) -> [String] {
    switch ExperimentFile.read(Array(text(lines).utf8), file: "a.yaml", additions) {
    case .plan: []
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    }
  }

  private static let variant = "variants: {three: {policy: {minimumInterval: 3 h}}}"

  @Test func `a minimal file gets all defaults`() throws {
    let plan = try Self.plan(Self.variant)
    #expect(plan.arms.map(\.name) == ["base", "three"])
    #expect(plan.arms[1].settings == ["policy.minimumInterval: 3 h"])
    #expect(
      plan.metrics.map(\.name) == ["tapThrough", "firesPerDay", "tapsPerDay", "fireRate", "optOuts", "reach"])
    #expect(plan.watch == ObservationPeriod(days: 30, followUp: .hours(24)))
    #expect(plan.budget == ExperimentPlan.Budget(least: 1_000, most: 10_000))
    #expect(plan.sensitivity?.assumptions.count == 6)
  }

  @Test func `the follow-up is parsed and is part of the identity`() throws {
    let (short, standard) = (
      try Self.plan("days: 3\nfollowUp: 90 min\n" + Self.variant), try Self.plan(Self.variant)
    )
    #expect(short.watch == ObservationPeriod(days: 3, followUp: .minutes(90)))
    // Parts with different follow-ups cannot be merged.
    #expect(try Self.plan("followUp: 24 h\n" + Self.variant).identity == standard.identity)
    #expect(try Self.plan("followUp: 23 h\n" + Self.variant).identity != standard.identity)
    for text in ["0 h", "59 s", "31 days"] {
      #expect(
        Self.problems("followUp: \(text)\n" + Self.variant).map {
          $0.contains("'\(text)' is out of range; use 1 min to 30 days")
        } == [true])
    }
  }

  @Test func `a grid has every combination except the base`() throws {
    let plan = try Self.plan(
      """
      grid:
        policy.minimumInterval: [3 h, 4 h]
        policy.dailyCap: [2, 3, none]
      metrics: firesPerDay
      """)
    #expect(
      plan.arms.map(\.name) == [
        "base", "minimumInterval 3 h, dailyCap 2", "minimumInterval 3 h, dailyCap 3",
        "minimumInterval 3 h, dailyCap none", "minimumInterval 4 h, dailyCap 2",
        "minimumInterval 4 h, dailyCap none",
      ])
    #expect(plan.metrics.map(\.name) == ["firesPerDay", "tapsPerDay", "tapThrough", "optOuts"])
  }

  @Test func `settings from the command line are additional variants`() throws {
    var additions = ExperimentFile.Additions()
    additions.settings = ["policy.minimumInterval=3h", "policy.dailyCap=2,policy.quietHours=22:00-08:00"]
    let plan = try Self.plan("", additions)
    #expect(
      plan.arms.map(\.name) == ["base", "minimumInterval 3h", "dailyCap 2, quietHours 22:00-08:00"])
    // A value is YAML, so it may contain commas.
    additions.settings = ["policy.lifetimeCap={type0: 2, type1: 9},policy.dailyCap=2"]
    #expect(
      try Self.plan("", additions).arms[1].settings == [
        "policy.lifetimeCap: {type0: 2, type1: 9}", "policy.dailyCap: 2",
      ])
  }

  @Test(arguments: [
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nmetrics: [tapTrough]",
      "a.yaml:6:11: error: there is no metric 'tapTrough'; did you mean 'tapThrough'?"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nmetrics: [optOuts of type1]",
      "a.yaml:6:11: error: 'optOuts' does not exist for a single type; leave out 'of type1'"
    ),
    (
      "grid: {policy.dailyCap: [4]}",
      "a.yaml:5:7: error: the grid has only one point; add a second value to a setting"
    ),
    (
      "grid: {policy.dailyCap: [3, 3]}",
      "a.yaml:5:7: error: there is nothing to compare the base with; add 'variants' or a 'grid', or use --set policy.minimumInterval=3h"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nprecision: {tapThrough: 0 pp}",
      "a.yaml:6:25: error: a half width must be greater than 0; write for example 0.1 pp"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nprecision: {tapThrough: 50 pp}",
      "a.yaml:6:25: error: every interval of a share is narrower than that; write for example 0.1 pp"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nprecision: {tapThrough: 0.1}",
      "a.yaml:6:25: error: tapThrough is a share, and 0.1 has no unit; add the unit, such as 0.1 pp"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nprecision: {tapsPerDay: 0.1 pp}",
      "a.yaml:6:25: error: tapsPerDay is not a share, so it has no unit; write for example 0.01"
    ),
    (
      "variants:\n  a: {policy: {minimumInterval: 240 min}}",
      "a.yaml:6:3: error: 'a' is the same as 'base'; change a setting of it, or remove it"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}, b: {policy: {dailyCap: 2}}}",
      "a.yaml:5:40: error: 'b' is the same as 'a'; change a setting of it, or remove it"
    ),
    (
      "variants: {base: {policy: {dailyCap: 2}}}",
      "a.yaml:5:12: error: 'base' is the policy that variants are compared with; choose another name"
    ),
    (
      "variants: {a: {policy: {dailyCup: 2}}}",
      "a.yaml:5:25: error: unknown key 'dailyCup'; did you mean 'dailyCap'?"
    ),
    (
      "variants: {a: {policy: {quietAction: defer}}}",
      "a.yaml:5:38: error: quiet hours cannot defer requests of popcap-1, which decides them immediately; set quietAction to drop"
    ),
    (
      "variants: {a: {person: {permission: 120 %}}}",
      "a.yaml:5:37: error: '120 %' is not a share from 0 % to 100 %"
    ),
    (
      "variants: {a: {policy: {lifetimeCap: {type9: 2}}}}",
      "a.yaml:5:39: error: unknown notification type 'type9'; did you mean 'type0'?"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: tapThrough, of: b, target: '>= 25 %'}]",
      "a.yaml:6:34: error: there is no variant 'b'; did you mean 'a'?"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: optOuts, change: a, target: '<= 0.5'}]",
      "a.yaml:6:46: error: optOuts is a share, and 0.5 has no unit; add the unit: '<= 0.5 pp'"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: optOuts, change: a, target: '<= 0.5 %'}]",
      "a.yaml:6:46: error: a difference of 0.5 % can mean percentage points or a part of the base's figure; write '<= 0.5 pp'"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\nprecision: {tapThrough: 0.1 %}",
      "a.yaml:6:25: error: a difference of 0.1 % can mean percentage points or a part of the base's figure; write 0.1 pp"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: optOuts, change: a, target: '<= 0 pp', kill: '> 3'}]",
      "a.yaml:6:63: error: optOuts is a share, and 3 has no unit; add the unit: '> 3 pp'"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: tapThrough of type0, of: a, target: '>= 25'}]",
      "a.yaml:6:54: error: tapThrough of type0 is a share, and 25 has no unit; add the unit: '>= 25 %'"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\ngates: [{metric: tapsPerDay, change: a, target: '> 5 %'}]",
      "a.yaml:6:49: error: tapsPerDay is not a share, so it has no unit; leave out the unit"
    ),
    (
      "variants: {a: {policy: {dailyCap: 2}}}\npeople: {least: 900, most: 800}",
      "a.yaml:6:17: error: 'least' is greater than 'most'; use 800 or less"
    ),
  ]) func `an invalid file is reported with position and hint`(_ lines: String, _ problem: String) {
    #expect(Self.problems(lines) == [problem])
  }

  @Test func `the schema accepts the version as a number and as a string`() throws {
    let version = try #require(ExperimentFile.schema["properties"]?["version"]?["enum"])
    #expect(version == [1, "1"])
  }

  /// Each value is one step from an invalid value in the tests above.
  @Test func `extreme valid values are accepted`() throws {
    let plan = try Self.plan(
      """
      question: Do more people tap?
      variants: {a: {policy: {dailyCap: 2, quietHours: none, quietAction: defer}}}
      metrics: [firesPerDay]
      precision: {tapThrough: 49.9 pp, tapsPerDay: 0.01}
      people: {least: 800, most: 800}
      gates: [{metric: optOuts, of: a, target: '<= 1 %'}, {metric: optOuts, change: a, target: '<= 0', kill: '> 1pp'}, {metric: tapThrough, of: a, target: '>= 0.25'}]
      sensitivity: {metric: reach}
      """)
    #expect(plan.question == "Do more people tap?")
    #expect(plan.budget == ExperimentPlan.Budget(least: 800, most: 800))
    // The plan adds the metrics that gates, precisions and the sensitivity analysis refer to.
    #expect(plan.metrics.map(\.name) == ["firesPerDay", "optOuts", "tapThrough", "tapsPerDay", "reach"])
    #expect(plan.precision.map(\.halfWidth) == [0.499, 0.01])
    #expect(plan.precision.map(\.metric) == [2, 3])
  }

  @Test func `an invalid setting and an unknown population are reported`() {
    var additions = ExperimentFile.Additions()
    additions.settings = ["policy.minimumInterval=3 parsecs"]
    #expect(
      Self.problems("", additions) == [
        "--set policy.minimumInterval=3 parsecs:2:20: error: '3 parsecs' is not a duration such as 4 h, 90 min or 1 h 30 min, at most 36525 days; the units are ms, s, min, h, d and week"
      ])
    additions.settings = ["minimumInterval=3h"]
    #expect(
      Self.problems("", additions) == [
        "--set:1:1: error: 'minimumInterval=3h' is not a setting with a value; write for example policy.minimumInterval=3h"
      ])
    let other = Self.text(Self.variant).replacing("popcap-1", with: "popcap")
    guard case .unusable(let diagnostics) = ExperimentFile.read(Array(other.utf8), file: "a.yaml") else {
      Issue.record("there is no such population")
      return
    }
    #expect(
      diagnostics.map(\.summary) == [
        "a.yaml:4:13: error: there is no population 'popcap'; did you mean 'popcap-1'?"
      ])
  }

  @Test func `the shipped experiments are valid`() throws {
    let folder = Repository.scenarios.appendingPathComponent("experiments")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let files = names.filter { $0.hasSuffix(".yaml") }
    #expect(files.count >= 2)
    for file in files {
      let path = folder.appendingPathComponent(file).path
      guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("popcap-1") else {
        continue
      }
      guard case .plan(_, let warnings) = ExperimentFile.load(path, from: PopulationCatalogue()) else {
        Issue.record("\(file) cannot be used")
        continue
      }
      #expect(warnings.isEmpty)
      #expect(names.contains(file.replacing(".yaml", with: ".md")), "\(file) has no page")
    }
  }

  @Test func `the schema contains the keys of an experiment`() {
    let properties = ExperimentFile.schema["properties"]
    for key in ["population", "variants", "grid", "policy", "precision", "people", "gates", "sensitivity"] {
      #expect(properties?[key] != nil, "\(key)")
    }
    #expect(properties?["policy"]?["properties"]?["minimumInterval"] != nil)
  }
}
