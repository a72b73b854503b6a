import DeviceSimulation
import Reporting
import ScenarioModel
import Scenarios
import Simulation
import TestBench
import Testing
import TextFormats
import TriggerModel

@Suite struct FormatReferenceTests {
  private static let schema = ScenarioSchema.json
  private static let text = Reference.topics.map(\.text).joined(separator: "\n\n")

  // MARK: Keys

  /// Every key that a schema knows, with what it says of it.
  private static func keys(in schema: JSONValue) -> Set<String> {
    switch schema {
    case .object(let members):
      return members.reduce(into: []) { keys, member in
        if member.key == "properties", case .object(let properties) = member.value {
          for property in properties {
            if case .string(let doc)? = property.value["description"] {
              keys.insert("\(property.key)\t\(doc)")
            }
            keys.formUnion(Self.keys(in: property.value))
          }
        } else {
          keys.formUnion(Self.keys(in: member.value))
        }
      }
    case .array(let items): return items.reduce(into: []) { $0.formUnion(keys(in: $1)) }
    default: return []
    }
  }

  @Test(arguments: [false, true]) func `every key of the schemas is in the reference, and what it is`(
    ofReport: Bool
  ) {
    let keys = Self.keys(in: ofReport ? ReportSchema.json : Self.schema)
    #expect(keys.count > (ofReport ? 40 : 250))
    let lines = Set(Self.text.split(separator: "\n").map { $0.drop { $0 == " " } })
    for key in keys {
      let parts = key.split(separator: "\t")
      let isThere = ["\(parts[0]): \(parts[1])", "\(parts[0]) (required): \(parts[1])"].contains {
        lines.contains(Substring($0))
      }
      #expect(isThere, "\(key)")
    }
  }

  @Test func `no line ends in blanks, and sentences are listed one by one`() throws {
    #expect(Self.text.split(separator: "\n").allSatisfy { $0.last != " " })
    for (name, forms) in Reference.forms {
      let lines = try #require(Reference.topic(name)).text.split(separator: "\n")
      #expect(forms.examples.allSatisfy { lines.contains("  - \($0)") }, "\(name)")
    }
  }

  /// The words of a closed list, wherever the schema has one.
  private static func words(in schema: JSONValue) -> Set<String> {
    switch schema {
    case .object(let members):
      return members.reduce(into: []) { words, member in
        if member.key == "enum", case .array(let items) = member.value {
          for case .string(let word) in items { words.insert(word) }
        }
        words.formUnion(Self.words(in: member.value))
      }
    case .array(let items): return items.reduce(into: []) { $0.formUnion(words(in: $1)) }
    default: return []
    }
  }

  @Test func `every closed word is in the reference`() {
    let words = Self.words(in: Self.schema).union(Self.words(in: ReportSchema.json))
    #expect(words.count > 150)
    let known = Set(Self.text.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }.map(String.init))
    for word in words where word.contains(where: \.isLetter) {
      let parts = word.split(separator: " ").map(String.init)
      #expect(parts.allSatisfy(known.contains), "\(word)")
    }
  }

  @Test func `every optional key with a usual value says so`() throws {
    // A key that may be missing says what happens then, or what follows from leaving it out is nothing.
    let policy = try #require(Reference.topic("policy")).text
    for key in [
      "quietHours", "dailyCap", "criticalDailyCap", "typeDailyCap", "minimumInterval", "counterLag",
    ] {
      let line = policy.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(key + ":") }
      #expect(line?.contains("if missing") == true, "\(key)")
    }
  }

  @Test func `a misspelt topic leads to the nearest`() {
    #expect(Reference.topic("Policy")?.name == "policy")
    #expect(Reference.topic("polcy") == nil)
    #expect(Reference.hint(for: "polcy") == "did you mean 'policy'?")
    #expect(Set(Reference.topics.map(\.name)).count == Reference.topics.count)
    let contents = Reference.contents
    #expect(Reference.topics.allSatisfy { contents.contains("  \($0.name) ") })
  }

  /// What says when a scheduled notification comes, by the ids of facts/platform.md: N1 to N8, and alarms.
  @Test func `the rules of schedules are rules, and those of alarms are among them`() {
    let keys = Set(PlatformRules.all.map(\.key))
    #expect(Reference.scheduleRules.allSatisfy(keys.contains))
    let ids = Set(["N1", "N2", "N3", "N6", "N7", "N16", "N17", "A2", "A3", "A4"])
    for rule in PlatformRules.all where ids.contains(rule.id) {
      #expect(Reference.scheduleRules.contains(rule.key), "\(rule.id) \(rule.key)")
    }
    let text = Reference.topic("schedules")?.text ?? ""
    for profile in PlatformProfile.all { #expect(text.contains("\n\(profile.name): ")) }
  }

  // MARK: Examples

  @Test(arguments: [ReferenceStory.main, ReferenceStory.withPack])
  func `the stories run, and what they expect comes true`(story: String) throws {
    let report = try Scenario(text: story, file: "reference.yaml").run()
    #expect(report.passed, "\(report.failures)")
  }

  /// What the text of a population's example says of its people comes true, and they can be played.
  @Test func `the population of the reference can be drawn, and its facts are spread as it says`() throws {
    let text = ReferenceStory.population
    #expect(Reference.topic("population")?.text.contains("\n  facts:\n    signedIn: false\n") == true)
    guard
      case .population(let population, let warnings) = PopulationFile.read(Array(text.utf8), file: "p.yaml")
    else {
      Issue.record("the example is no population")
      return
    }
    #expect(warnings.isEmpty)
    let sampler = PersonSampler(population)
    var person = SampledPerson()
    var counts: [String: Int] = [:]
    for number in 0..<1_000 as Range<UInt64> {
      sampler.sample(number, into: &person)
      for drawn in person.facts {
        let fact = population.scenario.facts[drawn.fact.index]
        let bits = drawn.value.bits
        switch fact.kind {
        case .truth: counts["\(fact.name) \(bits == 1)", default: 0] += 1
        case .name: counts["\(fact.name) \(fact.names[Int(bits)])", default: 0] += 1
        case .number:
          #expect((0...20_000).contains(bits) && bits % 1_000 == 0)
          if (2_000...8_000).contains(bits) { counts["visits", default: 0] += 1 }
        case .instant, .date: Issue.record("\(fact.name)")
        }
      }
    }
    for (name, share) in [
      "signedIn true": 300, "signedIn false": 700, "plan free": 700, "plan trial": 100, "plan paid": 200,
      "visits": 740,
    ] {
      #expect(abs(counts[name, default: 0] - share) < 60, "\(name) \(counts)")
    }
    sampler.sample(4, into: &person)
    _ = try Program(population.scenario(of: person))
  }

  @Test func `what a fact of a population may be is said for each kind, in words`() throws {
    let lines = try #require(Reference.topic("population")).text.split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    for start in ["by name: of a fact that is true or false", "or by name: of a fact that is a number"] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
    }
    #expect(!Self.text.contains("by name: by name") && !Self.text.contains("by name: none"))
  }

  @Test func `every key of a scenario has its example`() {
    for key in Reference.keys { #expect(ReferenceStory.section(key.name) != nil, "\(key.name)") }
  }

  /// The main story with the lines of one section replaced.
  private static func story(_ key: String, _ lines: [String]) throws -> Scenario {
    let section = try #require(ReferenceStory.section(key))
    let text = ReferenceStory.main.replacing(section, with: ([key + ":"] + lines).joined(separator: "\n"))
    return try Scenario(text: text, file: "reference.yaml")
  }

  private static func list(_ sentences: [String]) -> [String] {
    sentences.map { "  - " + JSONValue.string($0).text }
  }

  @Test func `the entries of the time line run, all of them in one story`() throws {
    _ = try Self.story("timeline", Self.list(ReferenceSentences.timeline)).run()
  }

  @Test func `expectations and gates are held against a run`() throws {
    let report = try Self.story("expect", Self.list(ReferenceSentences.expectations)).run()
    #expect(report.expectationCount == ReferenceSentences.expectations.count)
    _ = try Self.story("gates", Self.list(ReferenceSentences.gates.filter { $0 != "tapThrough >= 25 %" }))
      .run()
  }

  @Test func `every trigger and every condition runs`() throws {
    let section = try #require(ReferenceStory.section("reminders")).split(separator: "\n").dropFirst().map(
      String.init)
    let triggers = ReferenceSentences.triggers.enumerated().map { number, trigger in
      "  t\(number): {when: \(JSONValue.string(trigger).text), notify: Now}"
    }
    let conditions = ReferenceSentences.conditions.enumerated().map { number, condition in
      "  c\(number): {when: unlock, if: \(JSONValue.string(condition).text), notify: Now}"
    }
    _ = try Self.story("reminders", section + triggers + conditions).run()
  }

  @Test func `every example of a reminder's sentence runs, and every part has one`() throws {
    let section = try #require(ReferenceStory.section("reminders")).split(separator: "\n").dropFirst().map(
      String.init)
    let sentences = ReminderSentences.examples.enumerated().map { number, sentence in
      "  s\(number): \(JSONValue.string(sentence).text)"
    }
    _ = try Self.story("reminders", section + sentences).run()
    let examples = ReminderSentences.examples.joined(separator: " ")
    func isSlot(_ word: String) -> Bool { word == "…" || word.allSatisfy { $0.isUppercase || $0 == "-" } }
    for way in ReminderSentences.parts.flatMap(\.ways) where !way.hasPrefix("any other") {
      // Its fixed words, up to the first slot.
      let all: [String] = way.replacing("\"", with: "").split(separator: " ").map(String.init)
      let words = all.drop { ["when", "I", "FACT"].contains($0) }.prefix { !isSlot($0) }
      #expect(!words.isEmpty && examples.contains(words.joined(separator: " ")), "\(way)")
    }
  }

  // MARK: Completeness

  /// Takes each way to say something out of a grammar in turn: some example must need it.
  @Test(arguments: Reference.forms.keys.sorted()) func `each form of a sentence has an example`(topic: String)
    throws
  {
    let forms = try #require(Reference.forms[topic])
    let sentence = try #require(Self.schema["$defs"]?[forms.definition]?["anyOf"])
    let pattern = SentencePattern(try #require(SentencePattern.find(in: sentence)))
    for example in forms.examples { #expect(pattern.matches(example), "\(example)") }
    #expect(pattern.branches.count >= 6)
    for branch in pattern.branches {
      let rest = SentencePattern(pattern.without(branch))
      #expect(
        forms.examples.contains { example in
          !rest.matches(example) || pattern.words(of: branch).map(example.hasSuffix) == true
        },
        "no example for \(pattern.text(of: branch)) behind \(pattern.before(branch).suffix(60))")
    }
  }
}
