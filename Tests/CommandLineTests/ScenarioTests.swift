import Foundation
import TestSupport
import Testing

/// Tests the shipped scenarios, and the commands that help users to write scenarios.
@Suite(.timeLimit(.minutes(10))) struct ScenarioTests {
  @Test func `init writes a scenario that passes, and the schema that its first line names`() async throws {
    let folder = try Folder()
    let first = try await folder.run("init", "mine/milk.yaml")
    #expect(first.code == 0)
    #expect(first.output == "wrote mine/milk.yaml; next: triggerbench run mine/milk.yaml\n")
    let name = try #require(try folder.read("mine/milk.yaml").firstMatch(of: /^# .*\$schema=(\S+)\n/)).1
    #expect(try await folder.run("schema").output == folder.read("mine/\(name)"))
    #expect(try await folder.run("run", "mine").code == 0)
    // A second scenario keeps the schema.
    try folder.write("{}", to: "mine/\(name)")
    #expect(try await folder.run("init", "mine/second.yaml").code == 0)
    #expect(try folder.read("mine/\(name)") == "{}")
  }

  @Test func `the tool without arguments prints five commands that exist`() async throws {
    let folder = try Folder()
    let outcome = try await folder.run()
    #expect(outcome.code == 0 && outcome.errors == "")
    let commands = outcome.output.matches(of: /\n  triggerbench ([a-z]+)/).map { String($0.1) }
    #expect(commands == ["init", "run", "explain", "rules", "experiment"])
    for command in commands { #expect(try await folder.run(command, "--help").code == 0, "\(command)") }
  }

  @Test func `a run without a usable file ends with 'nothing was run'`() async throws {
    let folder = try Folder()
    try folder.write("kind: scenario\n: :", to: "broken.yaml")
    for path in ["broken.yaml", "missing.yaml", "scenarios"] {
      let outcome = try await folder.run("run", path)
      #expect(outcome.code == 1)
      let last = outcome.output.split(separator: "\n").last ?? ""
      #expect(last.hasPrefix("nothing was run"), "\(path): \(outcome)")
    }
    try folder.write(Data(Samples.small.utf8), to: "small.yaml")
    let outcome = try await folder.run("run", "broken.yaml", "small.yaml")
    #expect(outcome.code == 1 && !outcome.output.contains("nothing was run"))
  }

  @Test func `init does not overwrite a file`() async throws {
    let folder = try Folder()
    try folder.write("mine", to: "milk.yaml")
    let outcome = try await folder.run("init", "milk.yaml")
    #expect(outcome.code == 1)
    #expect(outcome.errors == "triggerbench: milk.yaml exists already; name another file\n")
    #expect(try folder.read("milk.yaml") == "mine")
  }

  @Test func `check accepts all shipped files`() async throws {
    let outcome = try await Tool.run(["check"], in: Repository.root)
    let count = try Repository.scenarioFiles().count
    let experiments = try Repository.files(in: "scenarios/experiments").count
    let populations = try Repository.files(in: "scenarios/populations").count
    let packs = try Repository.files(in: "scenarios", ofKind: "pack").count
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        \(count) of \(count) scenarios can be run
        \(packs) of \(packs) packs can be included
        \(populations) of \(populations) populations can be drawn from
        \(experiments) of \(experiments) experiments can be run

        """)
    // Scenarios with an intentional mistake declare the warnings that it causes.
    #expect(outcome.errors.isEmpty)
  }

  @Test func `each shipped scenario has a descriptive title, several expectations and no warning`()
    async throws
  {
    let outcome = try await Tool.run(
      ["run", "--json", "--reports", try Folder().root.path], in: Repository.root)
    #expect(outcome.code == 0)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    for scenario in try #require(report["scenarios"] as? [[String: Any]]) {
      let file = try #require(scenario["file"] as? String)
      #expect((scenario["title"] as? String ?? "").split(separator: " ").count >= 3, "\(file)")
      #expect((scenario["expectations"] as? [Any] ?? []).count >= 2, "\(file)")
      // Scenarios with an intentional mistake declare the warnings that it causes.
      #expect((scenario["warnings"] as? [Any] ?? []).isEmpty, "\(file)")
    }
  }

  @Test func `expand prints the time line as events in chronological order`() async throws {
    let outcome = try await Tool.run(["expand", "scenarios/unlock-after-six.yaml"], in: Repository.root)
    #expect(outcome.code == 0)
    let lines = try outcome.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.first?["form"] as? String == "triggerbench.scenario", "what it declares comes first")
    let events = lines.dropFirst()
    #expect(events.count == 12)
    #expect(events.first?["t"] as? String == "2026-06-01T11:05:00Z", "New York is four hours behind")
    #expect(events.first?["wall"] as? String == "2026-06-01T07:05:00-04:00")
    #expect(events.first?["track"] as? String == "happened")
    #expect(events.first?["event"] as? String == "unlock")
    let times = events.compactMap { $0["t"] as? String }
    #expect(times == times.sorted())
  }

  @Test func `expand prints every event by name, with values as written`() async throws {
    let folder = try Folder()
    try folder.write(
      Samples.small.replacing(
        "  - 08:10 unlock\n", with: "  - 08:10 unlock\n  - 08:20 prompt denied\n  - 08:30 focus on\n"),
      to: "small.yaml")
    let outcome = try await folder.run("expand", "small.yaml")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains(#""zone":"Europe/Berlin","value":"denied","line":"#))
    #expect(outcome.output.contains(#""event":"focus","t":"#))
    #expect(!outcome.output.contains("TriggerModel"))
  }

  @Test func `explain shows facts as declared`() async throws {
    let folder = try Folder()
    try folder.write(
      Samples.small.replacing(
        "reminders:\n",
        with: "facts:\n  plan: {names: [free, plus], initial: plus}\n  done: {kind: number}\nreminders:\n"
      )
      .replacing("if: after 16:00", with: "if: [plan is free, done >= 1.5, age(done) > 90 min]"),
      to: "small.yaml")
    let outcome = try await folder.run("explain", "small.yaml", "milk", "--at", "2026-03-02 17:40")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("FAILS  plan = free  (plan is plus)"))
    #expect(outcome.output.contains("FAILS  done >= 1.5  (done is not known)"))
    #expect(outcome.output.contains("age(done) > 1 h 30 min"))
  }

  @Test func `explain prints the failed condition, and when all conditions hold`() async throws {
    let early = try await Tool.run(
      ["explain", "scenarios/unlock-after-six.yaml", "water", "--at", "2026-06-01 12:30"],
      in: Repository.root)
    #expect(early.code == 0)
    try Golden.expect(early.output, matches: "explain-too-early.txt")
    let document = try await Tool.run(
      ["explain", "scenarios/unlock-after-six.yaml", "water", "--at", "2026-06-01T12:30", "--json"],
      in: Repository.root)
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
    #expect(answer["allHoldAt"] as? String == "2026-06-01 18:00")
    let change = "reminders: {water: {if: after 12:30}}"
    #expect(answer["smallestChange"] as? String == "write " + change)
    #expect(answer["edits"] as? [[String: String]] == [["do": "write", "text": change]])
  }

  @Test func `explain distinguishes a missing trigger, a failed condition and a cap`() async throws {
    let charger = try await Tool.run(
      ["explain", "scenarios/milk.yaml", "milk", "--at", "2026-03-02 17:40"], in: Repository.root)
    try Golden.expect(charger.output, matches: "explain-not-charging.txt")
    let nothing = try await Tool.run(
      ["explain", "scenarios/unlock-after-six.yaml", "water", "--at", "2026-06-03 20:00"],
      in: Repository.root)
    try Golden.expect(nothing.output, matches: "explain-no-trigger.txt")
    let denied = try await Tool.run(
      ["explain", "scenarios/bedside-charging.yaml", "tips", "--at", "2026-09-14 23:05"], in: Repository.root)
    try Golden.expect(denied.output, matches: "explain-quiet-hours.txt")
  }

  @Test func `a plan lists the pending requests, and why the others are not pending`() async throws {
    let folder = try Folder()
    try folder.write(
      """
      kind: scenario
      version: 1
      title: Plans
      start: 2026-05-04T08:00
      zone: Europe/Berlin
      for: 3 days
      profile: ideal
      knobs: {pendingCapacity: 4}
      facts: {busy: false}
      policy: {quietHours: none}
      reminders:
        early: {when: every day 08:30 ahead 2, notify: {title: Early, bucket: user}}
        busy: {when: every day 12:00 ahead 1, if: busy is true, notify: {title: Busy, bucket: user}}
        late: {when: every day 20:00 ahead 3, notify: {title: Late, bucket: user}}
      timeline: [08:10 open, 08:20 snooze early for 1 h]
      expect: [requests >= 0]

      """, to: "plan.yaml")
    let plan = try await folder.run("explain", "plan.yaml", "--plan", "--at", "day 1 08:40")
    #expect(plan.code == 0)
    try Golden.expect(plan.output, matches: "explain-plan.txt")
    let json = try await folder.run("explain", "plan.yaml", "--plan", "--at", "day 1 08:40", "--json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let rows = try #require(document["plan"] as? [[String: Any]])
    #expect(
      rows.map { $0["state"] as? String } == [
        "pending", "conditionFailed", "pending", "pending", "pending", "snoozed", "pendingLimit",
      ])
    #expect(rows.allSatisfy { $0["desired"] as? Bool == $0["known"] as? Bool })
    let named = try await folder.run("explain", "plan.yaml", "early", "--plan")
    #expect(named.code == 64 && named.errors.contains("--plan is about all reminders: name none"))
  }

  @Test func `the schema contains the keys of the shipped scenarios`() async throws {
    let outcome = try await Tool.run(["schema"], in: Repository.root)
    #expect(outcome.code == 0)
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect((schema["$schema"] as? String)?.hasPrefix("https://json-schema.org/") == true)
    let known = try #require(schema["properties"] as? [String: Any] ?? properties(ofRootIn: schema))
    for file in try Repository.scenarioFiles() {
      let text = String(
        decoding: try Data(contentsOf: Repository.root.appendingPathComponent(file)), as: UTF8.self)
      for line in text.split(separator: "\n") where line.first?.isLetter == true {
        let key = String(line.prefix { $0 != ":" })
        #expect(known[key] != nil, "\(file): \(key)")
      }
    }
  }

  private func properties(ofRootIn schema: [String: Any]) -> [String: Any]? {
    guard let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last,
      let definitions = schema["$defs"] as? [String: [String: Any]]
    else { return nil }
    return definitions[String(name)]?["properties"] as? [String: Any]
  }
}
