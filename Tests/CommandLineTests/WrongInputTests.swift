import Foundation
import TestSupport
import Testing

/// Tests the messages and exit codes for invalid input.
@Suite(.timeLimit(.minutes(10))) struct WrongInputTests {
  private struct Case {
    var name: String
    var arguments: [String]
    var files: [String: Data] = [:]
    var input = ""
  }

  private static let files: [Case] = [
    Case(name: "a folder without scenarios", arguments: ["run", "empty"], files: ["empty/README": Data()]),
    Case(name: "no folder of scenarios", arguments: ["run"]),
    Case(name: "a file that is not there", arguments: ["run", "missing.yaml"]),
    Case(
      name: "a filter that matches nothing", arguments: ["run", "--filter", "bread"],
      files: ["scenarios/milk.yaml": Data(Samples.small.utf8)]),
    Case(
      name: "nothing but files of other kinds", arguments: ["run", "."],
      files: ["other.yaml": Data(Samples.otherKind.utf8)]),
    Case(
      name: "an empty file", arguments: ["check", "empty.yaml"], files: ["empty.yaml": Data()]),
    Case(
      name: "a file that is not UTF-8", arguments: ["check", "latin1.yaml"],
      files: ["latin1.yaml": Data(Samples.small.utf8) + [0xE4, 0x0A]]),
    Case(
      name: "unknown names and keys", arguments: ["check", "names.yaml"],
      files: [
        "names.yaml": Data(
          Samples.small.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlim")
            .replacing("repeat:", with: "repaet:").replacing("tap milk", with: "tap mlik").utf8)
      ]),
    Case(
      name: "a recording that is not there", arguments: ["check", "recording.yaml"],
      files: [
        "recording.yaml": Data(
          Samples.small.replacing("  - 08:10 unlock\n", with: "  - {gpx: way.gpx, at: 08:10}\n").utf8)
      ]),
    Case(
      name: "a recording that is broken", arguments: ["run", "recording.yaml"],
      files: [
        "recording.yaml": Data(
          Samples.small.replacing("  - 08:10 unlock\n", with: "  - {gpx: way.gpx, at: 08:10}\n").utf8),
        "way.gpx": Data("<gpx version=\"1.1\">\n<trk>\n<trkseg>\n".utf8),
      ]),
    Case(
      name: "an expectation about a day that is no part of the run", arguments: ["check", "late.yaml"],
      files: [
        "late.yaml": Data(
          Samples.small.replacing("milk is denied by quietHours on day 2", with: "milk never on day 9").utf8)
      ]),
    Case(
      name: "reminders that are not there",
      arguments: ["oracle", "match", "--mode", "once", "--reminders", "missing.ndjson"]),
    Case(
      name: "explaining another kind",
      arguments: ["explain", "other.yaml", "milk", "--at", "2026-03-02 08:10"],
      files: ["other.yaml": Data(Samples.otherKind.utf8)]),
    Case(
      name: "explaining an unknown reminder",
      arguments: ["explain", "small.yaml", "mlik", "--at", "2026-03-02 08:10"],
      files: ["small.yaml": Data(Samples.small.utf8)]),
    Case(
      name: "explaining a time outside the scenario",
      arguments: ["explain", "small.yaml", "milk", "--at", "2026-03-09 08:10"],
      files: ["small.yaml": Data(Samples.small.utf8)]),
    Case(
      name: "reports where they cannot be written",
      arguments: ["run", "small.yaml", "--reports", "small.yaml/out"],
      files: ["small.yaml": Data(Samples.small.utf8)]),
  ]

  /// Returns an experiment with the shipped population, or with a modified one.
  private static func experiment(
    _ name: String, _ lines: String, _ arguments: [String] = [],
    people change: (String) -> String = { $0 }
  ) -> Case {
    let text = """
      kind: experiment
      version: 1
      title: Wrong
      population: people.yaml
      sensitivity: none
      \(lines)

      """
    let people = Repository.root.appendingPathComponent("scenarios/populations/fitme-iphones.yaml")
    let shipped = String(decoding: (try? Data(contentsOf: people)) ?? Data(), as: UTF8.self)
    return Case(
      name: name, arguments: ["experiment", "wrong.yaml"] + arguments,
      files: ["wrong.yaml": Data(text.utf8), "people.yaml": Data(change(shipped).utf8)])
  }

  private static let variant = "variants: {paid: {policy: {dailyCap: 6}}}\n"

  private static let experiments: [Case] = [
    experiment("a metric that does not exist", variant + "metrics: [tapTrough]"),
    experiment("a precision of a metric that does not exist", variant + "precision: {optOut: 1 pp}"),
    experiment("a type that nobody sends", variant + "metrics: [tapThrough of trainingDays]"),
    experiment("a grid of one point", "grid: {policy.dailyCap: [4]}"),
    experiment("a grid of a setting that does not exist", "grid: {policy.dailyCup: [4, 5]}"),
    experiment("a grid of something else", "grid: {dailyCap: [4, 5]}"),
    experiment("an impossible precision", variant + "precision: {tapThrough: 0 pp}"),
    experiment("a precision that is none", variant + "precision: {tapThrough: 70 pp}"),
    experiment("a variant equal to the base", "variants: {same: {policy: {minimumInterval: 240 min}}}"),
    experiment("two variants that are the same", variant + "  \n", ["--set", "policy.dailyCap=6"]),
    experiment("a variant that is empty", "variants: {none: {}}"),
    experiment("no variant", "metrics: [tapThrough]"),
    experiment("a share beyond 100 %", "variants: {all: {habits: {facts: {account.signedIn: 140 %}}}}"),
    experiment(
      "shares in a variant that do not add up",
      "variants: {other: {habits: {routines: {plan: {perWeek: {2: 45 %}}}}}}"),
    experiment(
      "shares of the people that do not add up", variant, people: { $0.replacing("2: 35 %", with: "2: 34 %") }
    ),
    experiment("a reminder that is taken away", "variants: {less: {reminders: {trainingDay: none}}}"),
    experiment("a rule that the platform does not have", "variants: {other: {knobs: {nonsense: 3}}}"),
    experiment(
      "a gate of a variant that is not there",
      variant + "gates: [{metric: optOuts, change: payed, target: '< 0'}]"),
    experiment(
      "a kill criterion on the side of the target",
      variant + "gates: [{metric: optOuts, change: paid, target: '< 0 pp', kill: '< 1 pp'}]"),
    experiment("a setting that is no setting", "", ["--set", "minimumInterval=3h"]),
    experiment("a value that is none", "", ["--set", "policy.dailyCap=5,policy.minimumInterval=3 parsecs"]),
    experiment(
      "people that are not there", variant,
      people: { $0.replacing("kind: population", with: "kind: scenario") }),
    Case(
      name: "people in place of an experiment", arguments: ["experiment", "people.yaml"],
      files: ["people.yaml": Data("kind: population\nversion: 1\n".utf8)]),
  ]

  private static let usage: [Case] = [
    Case(name: "an unknown command", arguments: ["rnu"]),
    Case(name: "a word that is far from all commands", arguments: ["xyzzy", "milk.yaml"]),
    Case(
      name: "trials of intervals as JSON", arguments: ["experiment", "a.yaml", "--trials", "2", "--json"]),
    Case(name: "an unknown option", arguments: ["run", "--job", "2"]),
    Case(name: "no workers", arguments: ["run", "--jobs", "0"]),
    Case(name: "a seed that is no number", arguments: ["run", "--seed", "lucky"]),
    Case(name: "a journal without a file", arguments: ["run", "--journal", "-"]),
    Case(
      name: "a journal of several at a time", arguments: ["run", "--journal", "run.ndjson", "--jobs", "8"]),
    Case(name: "annotations with JSON", arguments: ["run", "--json", "--format", "github"]),
    Case(
      name: "a time that is none", arguments: ["explain", "small.yaml", "milk", "--at", "noon"],
      files: ["small.yaml": Data(Samples.small.utf8)]),
    Case(name: "an unknown profile", arguments: ["rules", "--profile", "iso"]),
  ]

  private static let oracles: [Case] = [
    Case(
      name: "a line that is not JSON", arguments: ["oracle", "recurrence"],
      input: """
        {"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"daily","count":1}
        {"start":

        """),
    Case(
      name: "a zone that does not exist", arguments: ["oracle", "recurrence"],
      input: """

        {"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlim","frequency":"daily","count":1}
        """),
    Case(name: "a vector without steps", arguments: ["oracle", "caps"], input: "{\"id\":\"v1\"}\n"),
    Case(
      name: "a fix without a region", arguments: ["oracle", "geofence"], input: "{\"lat\":1,\"lon\":2}\n"),
  ]

  @Test func `invalid files end with 1`() async throws {
    try await check(Self.files, code: 1, golden: "wrong-files.txt")
  }

  @Test func `invalid experiments end with 1`() async throws {
    try await check(Self.experiments, code: 1, golden: "wrong-experiments.txt")
  }

  /// A run reports such expectations as failed. `check` does not run the scenario, so it must reject them.
  @Test func `check rejects an expectation that cannot be met`() async throws {
    let folder = try Folder()
    let lines = [
      "a is not requested because conditionFailed", "a is not requested because expired",
      "a is denied by quietHours",
      "a is deferred by dailyCap", "a is denied by minimumInterval", "a is lost to regionLimit",
      "a is lost to linkLost", "a is denied by criticalDailyCap", "c is denied by dailyCap",
      "a fires once at 08:00 +05:00",
    ]
    let possible = [
      "b is not requested because conditionFailed", "b is not requested because expired",
      "c is denied by criticalDailyCap", "a fires at 08:00 +00:00", "b is lost to regionLimit",
      "a is lost to expiredAtRelease",
      "a is denied by quietHours 0 times", "a is not requested because staleData",
    ]
    let head = """
      kind: scenario
      version: 1
      title: What nothing can meet
      start: 2026-03-02T07:00
      zone: UTC
      for: 1 day
      places: {shop: {at: [52.5, 13.4], radius: 150 m}}
      reminders:
        a: {when: unlock, notify: A}
        c: {when: unlock, notify: {title: C, bucket: critical}}
        b: {when: enter shop, if: [charging], expires: 2026-03-02T20:00, notify: B}
      policy: {quietHours: none, dailyCap: none, minimumInterval: 0 s}
      timeline: [08:00 unlock]
      expect:

      """
    let empty = "a fires at least 0 times"
    let text = head + (lines + possible + [empty]).map { "  - \($0)\n" }.joined()
    try folder.write(text, to: "story.yaml")
    let outcome = try await folder.run("check", "story.yaml")
    #expect(outcome.code == 1 && outcome.output.contains("0 of 1 scenarios can be run"), "\(outcome)")
    let errors = outcome.errors.split(separator: "\n").filter { $0.contains(": error: ") }
    #expect(errors.count == lines.count + 1, "\(outcome.errors)")
    for (number, line) in lines.enumerated() {
      let place = "story.yaml:\(15 + number):5: error: nothing can meet '\(line)': "
      #expect(errors.contains { $0.hasPrefix(place) }, "\(line): \(outcome.errors)")
    }
    #expect(errors.contains { $0.contains("'\(empty)' always holds") }, "\(outcome.errors)")
    #expect(try await folder.run("run", "story.yaml").code == 2)
  }

  @Test func `wrong usage ends with 64`() async throws {
    try await check(Self.usage, code: 64, golden: "wrong-usage.txt")
  }

  @Test func `an invalid line of an oracle ends with 1 and its number`() async throws {
    try await check(Self.oracles, code: 1, golden: "wrong-lines.txt")
  }

  private func check(_ cases: [Case], code: Int32, golden: String) async throws {
    var text = ""
    for wrong in cases {
      let folder = try Folder()
      for (name, data) in wrong.files { try folder.write(data, to: name) }
      let outcome = try await Tool.run(wrong.arguments, in: folder.root, input: wrong.input)
      #expect(outcome.code == code, "\(wrong.name): \(outcome)")
      text += "# \(wrong.name)\n$ triggerbench \(wrong.arguments.joined(separator: " "))\n"
      text += outcome.errors + "exit code \(outcome.code)\n\n"
    }
    try Golden.expect(text, matches: golden)
  }
}
