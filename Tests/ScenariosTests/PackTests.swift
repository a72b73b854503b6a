import Foundation
import NotificationGateway
import ReminderMatching
import ScenarioSamples
import Testing
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios
@testable import TextFormats

/// Tests scenarios that include packs, and packs without a scenario.
@Suite struct PackTests {
  private static let pack = """
    kind: pack
    version: 1
    title: A shop's app
    facts:
      signedIn: false
      visits: {kind: number, initial: 3}
    places:
      shop: {at: [52.52, 13.405], radius: 150 m}
    reminders:
      milk: {when: enter shop, if: [signedIn is true], notify: {title: Buy milk, link: "app://list"}}
      bread: {when: unlock, notify: {title: Buy bread, link: "app://other/bread"}}
    edits:
      bread:
        later: {when: charging starts, notify: Buy bread later}
    consumers:
      lists: {patterns: list, types: [milk]}
      others: "other/{x}"
    policy: {dailyCap: 2, lifetimeCap: {milk: 5, bread: 7}}
    """

  private static let story = """
    kind: scenario
    version: 1
    title: A sample
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    timeline: [08:10 unlock]
    expect: [fires >= 0]

    """

  /// Parses a scenario with additional lines, which may include the given packs.
  private func read(
    _ lines: String, packs: [String: String] = ["a.yaml": PackTests.pack]
  ) -> ScenarioFile.Outcome {
    ScenarioFile.read(
      Array((Self.story + lines).utf8), file: "s.yaml", fileExists: { _ in false },
      packFile: { name throws(Diagnostic) in
        packs[name].map { PackBytes(name: "folder/" + name, bytes: Array($0.utf8)) }
      })
  }

  private func good(
    _ lines: String, packs: [String: String] = ["a.yaml": PackTests.pack]
  ) throws -> (scenario: Scenario, warnings: [String]) {
    let outcome = read(lines, packs: packs)
    return (try outcome.get(), outcome.warnings)
  }

  // MARK: Included packs

  @Test func `including a pack has the same meaning as writing its declarations in the scenario`() throws {
    let declarations = Self.pack.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3)
    let (included, _) = try good("include: a.yaml")
    let (written, _) = try good(declarations.joined(separator: "\n"))
    #expect(included.reminders.map(\.declaration) == written.reminders.map(\.declaration))
    #expect(included.edits.map(\.declaration) == written.edits.map(\.declaration))
    #expect(included.facts.map(\.name) == written.facts.map(\.name))
    #expect(included.facts.map(\.initial) == written.facts.map(\.initial))
    #expect(included.places.map(\.name) == written.places.map(\.name))
    #expect(included.policy == written.policy)
    #expect(included.links?.consumers.map(\.consumer) == written.links?.consumers.map(\.consumer))
    #expect(included.packs == ["a.yaml"] && written.packs.isEmpty)
    #expect(included.title == "A sample")
  }

  @Test func `a scenario can change a part of a pack, and the rest is kept`() throws {
    let (scenario, warnings) = try good(
      """
      include: a.yaml
      facts: {visits: {initial: 4}, more: true}
      reminders:
        milk: {when: unlock, notify: {title: Milk}}
        eggs: {when: unlock, notify: {title: Eggs, link: "app://list"}}
      policy: {dailyCap: 1}
      """)
    #expect(warnings.isEmpty)
    let reminders = scenario.reminders.map(\.declaration)
    #expect(reminders.map(\.id) == ["milk", "bread", "eggs"])
    #expect(reminders[0].triggers == [.unlock] && reminders[0].conditions.count == 1)
    #expect(reminders[0].notification.copy.map(\.title) == ["Milk"])
    #expect(reminders[0].notification.link == "app://list")
    #expect(scenario.facts.map(\.name) == ["signedIn", "visits", "more"])
    #expect(scenario.facts[1].initial == .number(thousandths: 4_000))
    #expect(scenario.policy.dailyCap == 1 && scenario.policy.lifetimeCap == ["milk": 5, "bread": 7])
  }

  @Test func `the later of two packs takes precedence`() throws {
    let other = """
      kind: pack
      version: 1
      title: Another
      facts: {signedIn: true}
      reminders: {bread: {notify: {title: Rolls}}, milk: none}
      consumers: {lists: none}
      """
    let packs = ["a.yaml": Self.pack, "b.yaml": other]
    let (scenario, _) = try good("include: [a.yaml, b.yaml]", packs: packs)
    #expect(scenario.facts[0].initial == .truth(true))
    #expect(scenario.reminders.map(\.declaration.id) == ["bread"])
    #expect(scenario.reminders[0].declaration.notification.copy.map(\.title) == ["Rolls"])
    #expect(scenario.reminders[0].declaration.triggers == [.unlock])
    #expect(scenario.packs == ["a.yaml", "b.yaml"])
  }

  @Test func `'none' removes a name and everything that the pack declares about it`() throws {
    let goals = """

      gates:
        - tapThrough of bread >= 25 %, kill < 5 % after 30 days
        - {metric: tapThrough, of: bread, target: ">= 25 %", name: second}
        - tapThrough of milk >= 25 %, kill < 5 % after 30 days
      """
    let (scenario, warnings) = try good(
      "include: a.yaml\nreminders: {bread: none}", packs: ["a.yaml": Self.pack + goals])
    #expect(warnings.isEmpty, "\(warnings)")
    #expect(scenario.gates.map(\.name) == ["tapThrough of milk"])
    #expect(scenario.reminders.map(\.declaration.id) == ["milk"])
    #expect(scenario.edits.isEmpty)
    #expect(scenario.policy.lifetimeCap == ["milk": 5])
    // If no pack declares the name, 'none' is an ordinary value.
    #expect(
      read("reminders: {bread: none}").problems.contains {
        $0.hasPrefix("s.yaml:8:20: error: 'none' does not begin a sentence")
      })
  }

  @Test func `removing a reminder removes everything that a pack declares about its type`() throws {
    let pack = Self.pack.replacing("{title: Buy bread,", with: "{title: Buy bread, type: baked,")
      .replacing("types: [milk]", with: "types: baked").replacing("bread: 7", with: "baked: 7")
      .replacing("policy: {", with: "policy: {keptThroughReinstall: baked, ")
    let more = """

      surfaces: {counter: {unlockedBy: signedIn is true, remindedBy: baked}}
      preferences: {off: baked}
      gates: [tapThrough of baked >= 25 %]
      """
    let (whole, _) = try good("include: a.yaml", packs: ["a.yaml": pack + more])
    #expect(whole.policy.keptThroughReinstall == ["baked"] && whole.preferences.count == 1)
    #expect(whole.app.surfaces.map(\.remindedBy) == [["baked"]] && whole.gates.count == 1)
    let (scenario, warnings) = try good(
      "include: a.yaml\nreminders: {bread: none}", packs: ["a.yaml": pack + more])
    #expect(warnings.isEmpty, "\(warnings)")
    #expect(scenario.policy.dailyCap == 2 && scenario.policy.keptThroughReinstall.isEmpty)
    #expect(scenario.policy.lifetimeCap == ["milk": 5] && scenario.preferences.isEmpty)
    #expect(scenario.app.surfaces.map(\.name) == ["counter"], "it is there, and nothing reminds of it")
    #expect(scenario.app.surfaces.map(\.remindedBy) == [[]] && scenario.gates.isEmpty)
    #expect(scenario.links?.consumers.map(\.consumer.types) == [[], nil])
  }

  @Test func `a gate replaces a pack's gate of the same name, and 'none' removes all of them`() throws {
    let goals = """

      gates:
        - tapThrough of bread >= 25 %, kill < 5 % after 30 days
        - {metric: tapThrough, of: milk, target: ">= 25 %", name: second}
      """
    let packs = ["a.yaml": Self.pack + goals]
    let (scenario, _) = try good(
      """
      include: a.yaml
      gates:
        - tapThrough of bread >= 1 %
        - {metric: acknowledgement, of: milk, target: ">= 2 %", name: second}
        - tapThrough of milk >= 3 %
      """, packs: packs)
    #expect(
      scenario.gates.map { "\($0.name): \($0.words) \($0.bounds)" } == [
        "tapThrough of bread: tapThrough of bread >= 1 %", "second: acknowledgement of milk >= 2 %",
        "tapThrough of milk: tapThrough of milk >= 3 %",
      ])
    #expect(try good("include: a.yaml\ngates: none", packs: packs).scenario.gates.isEmpty)
    // Two gates of the same file must not have the same name.
    #expect(
      read("include: a.yaml\ngates: [optIn >= 1 %, optIn >= 2 %]", packs: packs).problems.contains {
        $0.hasPrefix("s.yaml:9:23: error: the gate 'optIn' is declared twice")
      })
    #expect(
      read("gates: none\nreminders: {a: {when: unlock, notify: A}}").problems == [
        "s.yaml:8:8: error: expected a list, not a text"
      ], "there is nothing to take away")
  }

  @Test func `removing a name that no pack declares is reported with the nearest name`() {
    let milestones = "\nmilestones: {first: {when: unlock}}"
    let cases = [
      (
        "reminders: {bred: none}",
        "s.yaml:9:13: error: no pack declares 'bred' here, so 'none' removes nothing; did you mean 'bread'?"
      ),
      (
        "milestones: {frist: none}",
        "s.yaml:9:14: error: no pack declares 'frist' here, so 'none' removes nothing; did you mean 'first'?"
      ),
      (
        "policy: {lifetimeCap: {bred: none}}",
        "s.yaml:9:24: error: no pack declares 'bred' here, so 'none' removes nothing; did you mean 'bread'?"
      ),
    ]
    for (line, problem) in cases {
      let problems = read("include: a.yaml\n" + line, packs: ["a.yaml": Self.pack + milestones]).problems
      #expect(problems == [problem], "\(line)")
    }
  }

  @Test func `a fact that is declared differently than a pack uses it is reported at its declaration`() {
    let gates = "\ngates: [conversion of milk to signedIn within 7 days >= 1 %]"
    let problems = read("include: a.yaml\nfacts: {signedIn: 3}", packs: ["a.yaml": Self.pack + gates])
      .problems
    let here =
      "s.yaml:9:9: error: this makes 'signedIn' a fact of the kind number, but folder/a.yaml uses it as another kind;"
    #expect(problems.count { $0.hasPrefix(here) } == 2, "\(problems)")
    #expect(problems.contains { $0.hasPrefix("folder/a.yaml:10:45: error: 'true' is not a number") })
    #expect(problems.count == 4, "\(problems)")
  }

  @Test func `a built-in pack is valid with and without a scenario`() throws {
    for name in BuiltInPacks.names {
      let bytes = try #require(BuiltInPacks.bytes(of: name))
      let alone = PackFile.read(bytes, file: name)
      #expect(alone.problems == [] && alone.warnings == [], "\(name)")
      // The pack `context` declares no reminders, but a scenario requires one.
      let own = name == "context" ? "\nreminders: {milk: {when: unlock, notify: Buy milk}}" : ""
      let (scenario, warnings) = try good("include: \(name)" + own)
      #expect(warnings.isEmpty && scenario.packs == [name])
    }
    #expect(BuiltInPacks.names == BuiltInPacks.names.sorted())
    #expect(BuiltInPacks.bytes(of: "nothing") == nil)
    let (fitme, _) = try good("include: fitme")
    #expect(
      fitme.reminders.map(\.declaration.id) == [
        "healthKitConnect", "accountRegistration", "nutritionGap", "trainingDay", "restDay", "engagement",
        "readinessHigh", "readinessLow",
      ])
  }

  // MARK: Messages

  /// Each case consists of additional lines for the scenario, the pack, and the expected message.
  @Test func `files that cannot be included are reported with the reason`() {
    func problems(_ lines: String, _ pack: String = Self.pack) -> [String] {
      read(lines, packs: ["a.yaml": pack]).problems
    }
    let head = "kind: pack\nversion: 1\ntitle: t\n"
    let cases: [(lines: String, pack: String, problem: String)] = [
      (
        "include: fitmee", "",
        "s.yaml:8:10: error: unknown pack 'fitmee'; did you mean 'fitme'? name a file with its extension, such as fitmee.yaml"
      ),
      (
        "include: b.yaml", "",
        "s.yaml:8:10: error: the pack 'b.yaml' does not exist; names are relative to the scenario's folder"
      ),
      (
        "include: 3", "",
        "s.yaml:8:10: error: unknown pack '3'; known: contacts, context, fitme, plants; name a file with its extension, such as 3.yaml"
      ),
      (
        "include: {a: b}", "", "s.yaml:8:10: error: expected a text, not a mapping"
      ),
      (
        "include: a.yaml", head + "include: fitme\n",
        "folder/a.yaml:4:1: error: 'include' does not belong in a pack; packs cannot include packs; list both under the scenario's 'include'"
      ),
      (
        "include: a.yaml", head + "timeline: [08:00 unlock]\n",
        "folder/a.yaml:4:1: error: 'timeline' does not belong in a pack; it belongs in the scenario that includes the pack"
      ),
      (
        "include: a.yaml", "kind: scenario\nversion: 1\ntitle: t\n",
        "folder/a.yaml:1:7: error: this is a scenario, and only packs can be included; a pack begins with 'kind: pack'"
      ),
      (
        "include: a.yaml", "kind: pack\nversion: 2\n",
        "folder/a.yaml:1:1: error: the key 'title' is missing; it is the app in one line"
      ),
      (
        "include: a.yaml", "- a\n",
        "folder/a.yaml:1:1: error: a pack must be a mapping, not a list; begin with 'kind: pack'"
      ),
      ("include: a.yaml", head + "facts: {\n", "folder/a.yaml:4:8: error: not valid YAML"),
      ("include: a.yaml", "", "folder/a.yaml:1:1: error: the file is empty; a pack begins with 'kind: pack'"),
      (
        "include: a.yaml", head + "reminders: {milk: {when: unlok, notify: Milk}}\n",
        "folder/a.yaml:4:26: error: 'unlok' is not a trigger; did you mean 'unlock'?"
      ),
      (
        "include: a.yaml", head + "remindres: {}\n",
        "folder/a.yaml:4:1: error: unknown key 'remindres'; did you mean 'reminders'?"
      ),
      ("include: a.yaml", head, "s.yaml:1:1: error: the key 'reminders' is missing"),
    ]
    for (lines, pack, problem) in cases {
      #expect(problems(lines, pack).contains { $0.hasPrefix(problem) }, "\(problems(lines, pack))")
    }
  }

  @Test func `a scenario can include twenty packs`() {
    let empty = "kind: pack\nversion: 1\ntitle: t\n"
    func problems(_ count: Int) -> [String] {
      let names = (0..<count).map { "\($0).yaml" }
      let packs = Dictionary(uniqueKeysWithValues: names.map { ($0, empty) })
      return read(
        "include: [\(names.joined(separator: ", "))]\nreminders: {a: {when: unlock, notify: A}}", packs: packs
      ).problems
    }
    #expect(problems(20) == [])
    #expect(
      problems(21).map { $0.drop { $0 != "e" } } == [
        "error: more than 20 packs; combine some of them in one file"
      ])
  }

  @Test func `an invalid change of a pack is reported at the scenario's line`() throws {
    let outcome = read("include: a.yaml\nreminders:\n  milk: {when: enter shp}\n")
    guard case .unusable(let diagnostics) = outcome else {
      Issue.record("accepted")
      return
    }
    #expect(
      diagnostics.map { $0.rendered() } == [
        """
        s.yaml:10:22: error: unknown place 'shp'; did you mean 'shop'?
            milk: {when: enter shp}
                               ^

        """
      ])
  }

  @Test func `warnings about a pack are reported at the pack's line`() throws {
    let (scenario, warnings) = try good(
      "include: a.yaml",
      packs: ["a.yaml": Self.pack.replacing("app://list", with: "app://lists")])
    #expect(
      warnings.contains {
        $0.hasPrefix("folder/a.yaml:10:3: warning: 'milk' links to app://lists, which no consumer handles")
      })
    #expect(scenario.reminders[0].position == SourcePosition(line: 10, column: 3, file: 1))
  }

  @Test func `a repeated pack and a text that replaces a mapping are reported`() throws {
    let twice = try good("include: [a.yaml, a.yaml]").warnings
    #expect(
      twice.contains("s.yaml:8:19: warning: 'a.yaml' is included already; remove one of them"), "\(twice)")
    let (other, kept) = try good("include: a.yaml\nfacts: {visits: 9}")
    #expect(kept.isEmpty && other.facts[1].initial == .number(thousandths: 9_000), "a first value alone")
    let (scenario, lost) = try good("include: a.yaml\nfacts: {visits: number}")
    #expect(
      lost.contains(
        "s.yaml:9:17: warning: 'visits' replaces what the pack declares and drops its keys: kind, initial; give only the keys that differ, 'visits: {…}'"
      ), "\(lost)")
    #expect(scenario.facts[1].initial == .missing)
  }

  // MARK: Packs without a scenario

  @Test func `a pack without a scenario must declare the names that it uses`() {
    func problems(_ text: String) -> [String] { PackFile.read(Array(text.utf8), file: "p.yaml").problems }
    #expect(problems(Self.pack) == [])
    #expect(problems("kind: pack\nversion: 1\ntitle: Facts alone\nfacts: {a: 1}\n") == [])
    #expect(
      problems(Self.pack.replacing("if: [signedIn", with: "if: [signdIn")).contains {
        $0.hasPrefix("p.yaml:10:33: error: ") && $0.contains("signedIn")
      })
    #expect(
      problems(Self.pack + "\nexpect: [milk fires]").contains {
        $0.hasPrefix("p.yaml:19:1: error: 'expect' does not belong in a pack")
      })
    #expect(problems("kind: pack\nversion: 1\n").first?.contains("the key 'title' is missing") == true)
  }

  @Test func `a pack is not accepted as a scenario`() {
    guard
      case .otherKind(PackFile.kind) = ScenarioFile.read(
        Array(Self.pack.utf8), file: "p.yaml", fileExists: { _ in false })
    else {
      Issue.record("taken for a scenario")
      return
    }
  }

  // MARK: Schemas

  @Test func `the schema of packs has all sections except those of the story`() throws {
    guard case .object(let properties)? = ScenarioSchema.pack["properties"],
      case .object(let whole)? = ScenarioSchema.json["properties"]
    else {
      Issue.record("no properties")
      return
    }
    let story = Set(PackHeader.storyKeys)
    #expect(Set(properties.map(\.key)) == Set(whole.map(\.key)).subtracting(story))
    #expect(ScenarioSchema.pack["required"] == ["kind", "version", "title"])
    #expect(ScenarioSchema.pack["$defs"]?["timelineEntry"] == nil)
    #expect(ScenarioSchema.pack["$defs"]?["reminder"] != nil)
  }

  @Test func `the schema allows a partial reminder in a scenario that includes a pack`() {
    // The schema lists the sentence first and the mapping last. Only the mapping requires keys.
    func mapping(_ name: String) -> JSONValue? {
      guard case .array(let ways)? = ScenarioSchema.json["$defs"]?[name]?["anyOf"] else { return nil }
      return ways.last
    }
    let part = mapping("reminder.part")
    #expect(part?["required"] == nil && part?["properties"]?["when"] != nil)
    #expect(mapping("reminder")?["required"] == ["when", "notify"])
    #expect(ScenarioSchema.json["then"]?["properties"]?["reminders"] != nil)
    #expect(ScenarioSchema.json["else"]?["required"] == ["reminders"])
    guard case .array(let ways)? = ScenarioSchema.json["then"]?["properties"]?["gates"]?["anyOf"] else {
      Issue.record("no second way")
      return
    }
    #expect(ways.last == ["const": "none"] && ScenarioSchema.pack["properties"]?["gates"]?["anyOf"] == nil)
  }
}
