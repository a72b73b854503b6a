import CivilTime
import DeviceSimulation
import Foundation
import ScenarioModel
import Simulation
import TestBench
import Testing
import TextFormats
import TriggerModel

@testable import Reporting
@testable import Scenarios

@Suite struct FormatReferenceTests {
  private static let schema = ScenarioSchema.json
  private static let text = Reference.topics.map(\.text).joined(separator: "\n\n")

  // MARK: Keys

  /// Returns the keys of a schema with their descriptions.
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

  @Test(arguments: [false, true]) func `the reference contains every key of the schemas with its description`(
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

  @Test func `no line ends in spaces, and each example is on its own line`() throws {
    #expect(Self.text.split(separator: "\n").allSatisfy { $0.last != " " })
    for (name, forms) in Reference.forms {
      let lines = try #require(Reference.topic(name)).text.split(separator: "\n")
      #expect(forms.examples.allSatisfy { lines.contains("  - \($0)") }, "\(name)")
    }
  }

  /// Returns the words of all closed lists within a schema.
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

  @Test func `the reference contains every word of the closed lists`() {
    let words = Self.words(in: Self.schema).union(Self.words(in: ReportSchema.json))
    #expect(words.count > 150)
    let known = Set(Self.text.split { !($0.isLetter || $0.isNumber || "._-".contains($0)) }.map(String.init))
    for word in words where word.contains(where: \.isLetter) {
      let parts = word.split(separator: " ").map(String.init)
      #expect(parts.allSatisfy(known.contains), "\(word)")
    }
  }

  @Test func `the optional keys of a policy state their defaults`() throws {
    let policy = try #require(Reference.topic("policy")).text
    for key in [
      "quietHours", "dailyCap", "criticalDailyCap", "typeDailyCap", "minimumInterval", "counterLag",
    ] {
      let line = policy.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(key + ":") }
      #expect(line?.contains("if missing") == true, "\(key)")
    }
  }

  @Test func `the message about a misspelled topic suggests the nearest one`() {
    #expect(Reference.topic("Policy")?.name == "policy")
    #expect(Reference.topic("polcy") == nil)
    #expect(Reference.hint(for: "polcy") == "did you mean 'policy'?")
    #expect(Set(Reference.topics.map(\.name)).count == Reference.topics.count)
    let contents = Reference.contents
    #expect(Reference.topics.allSatisfy { contents.contains("  \($0.name) ") })
  }

  /// In facts/platform.md, the ids of schedule rules start with N, and those of alarm rules with A.
  @Test func `the topic of schedules lists the rules for schedules and alarms`() {
    let keys = Set(PlatformRules.all.map(\.key))
    #expect(Reference.scheduleRules.allSatisfy(keys.contains))
    let ids = Set(["N1", "N2", "N3", "N6", "N7", "N16", "N17", "A2", "A3", "A4"])
    for rule in PlatformRules.all where ids.contains(rule.id) {
      #expect(Reference.scheduleRules.contains(rule.key), "\(rule.id) \(rule.key)")
    }
    let text = Reference.topic("schedules")?.text ?? ""
    for profile in PlatformProfile.all { #expect(text.contains("\n\(profile.name): ")) }
  }

  // MARK: Single keys

  @Test func `each key of a scenario is listed once, with its meaning`() throws {
    let names = Reference.scenarioKeys.map(\.key.name)
    #expect(names.count > 450)
    #expect(names.distinct.count == names.count)
    for (key, _) in Reference.scenarioKeys { #expect(!key.meaning.isEmpty, "\(key.name)") }
    // Within a mapping, each key has one line.
    let keys = Reference.keys.map(\.name) + ["triggers", "conditions"]
    for topic in Reference.topics where keys.contains(topic.name) {
      var seen: [[String]] = []
      var path: [String] = []
      for line in topic.text.split(separator: "\n") {
        let text = line.drop { $0 == " " }
        let key = text.prefix { $0 != ":" }.split(separator: " ").first.map(String.init) ?? ""
        let depth = (line.count - text.count) / 2
        guard key.allSatisfy(\.isLetter), text.dropFirst(key.count).first == ":", depth > 0 else { continue }
        path = path.prefix(depth - 1) + Array(repeating: "", count: max(0, depth - 1 - path.count)) + [key]
        if key != "example" { seen.append(path) }
      }
      #expect(seen.distinct.count == seen.count, "\(topic.name)")
    }
  }

  @Test func `a key is found by its name and by its path, with meaning, default, values and example`() throws
  {
    for (key, _) in Reference.scenarioKeys {
      let name = try #require(key.path.last)
      let text = try #require(Reference.text(for: name))
      #expect(text.contains(key.meaning), "\(key.name)")
      #expect(Reference.text(for: key.name)?.contains(key.meaning) == true, "\(key.name)")
    }
    #expect(
      Reference.text(for: "policy.minimumInterval") == """
        policy.minimumInterval
          meaning  Elapsed time between deliveries, in both directions, or none
          default  4 h
          value    a duration such as 4 h, 90 min or 1 h 30 min, at most 36525 days, or none
          example  policy: {minimumInterval: 4 h}
        """)
    #expect(Reference.text(for: "repeat")?.contains("calendar week") == true)
    #expect(Reference.text(for: "minimumIntervall") == nil)
    #expect(Reference.hint(for: "minimumIntervall") == "did you mean 'minimumInterval'?")
  }

  @Test func `the example of each key loads, and runs unless it names a recording`() throws {
    var runs = 0
    for (key, example) in Reference.scenarioKeys {
      guard let example else {
        Issue.record("no example: \(key.name)")
        continue
      }
      let isOfPack =
        Self.value(ReferenceStory.withPack)[key.path[0]] != nil
        && Self.value(ReferenceStory.main)[key.path[0]] == nil
      let story = Self.value(isOfPack ? ReferenceStory.withPack : ReferenceStory.main)
      // The example of a whole section is the section itself.
      let text = key.path.count == 1 ? story.shortest() : story.laid(under: example).shortest()
      let outcome = ScenarioFile.read(Array(text.utf8), file: "reference.yaml", fileExists: { _ in true })
      guard case .scenario(let scenario, _) = outcome else {
        if case .unusable(let diagnostics) = outcome {
          Issue.record("\(key.name): \(example.shortest(isOutermost: true)): \(diagnostics.map(\.summary))")
        }
        continue
      }
      if ["gpx", "ndjson", "aware"].contains(where: { example["timeline"]?.elements.first?[$0] != nil }) {
        continue
      }
      _ = try scenario.run()
      runs += 1
    }
    #expect(runs > 440)
  }

  private static func value(_ text: String) -> JSONValue {
    guard let root = try? YAMLDocument(SourceText(file: "reference.yaml", text: text)).root else { return "" }
    return JSONValue(root)
  }

  // MARK: Examples

  @Test(arguments: [ReferenceStory.main, ReferenceStory.withPack])
  func `the example scenarios pass`(story: String) throws {
    let report = try Scenario(text: story, file: "reference.yaml").run()
    #expect(report.passed, "\(report.failures)")
  }

  @Test func `the facts of the example population are distributed as its comments state`() throws {
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

  @Test func `the topic of populations states the distributions of each kind of fact`() throws {
    let lines = try #require(Reference.topic("population")).text.split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    for start in ["by name: of a fact that is true or false", "or by name: of a fact that is a number"] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
    }
    #expect(!Self.text.contains("by name: by name") && !Self.text.contains("by name: none"))
  }

  @Test func `every key of a scenario has an example`() {
    for key in Reference.keys { #expect(ReferenceStory.section(key.name) != nil, "\(key.name)") }
  }

  /// Returns the main example scenario with one section replaced by other lines.
  private static func story(_ key: String, _ lines: [String]) throws -> Scenario {
    let section = try #require(ReferenceStory.section(key))
    let text = ReferenceStory.main.replacing(section, with: ([key + ":"] + lines).joined(separator: "\n"))
    return try Scenario(text: text, file: "reference.yaml")
  }

  private static func list(_ sentences: [String]) -> [String] {
    sentences.map { "  - " + JSONValue.string($0).text }
  }

  @Test func `all example entries of the time line run in one scenario`() throws {
    _ = try Self.story("timeline", Self.list(ReferenceSentences.timeline)).run()
  }

  @Test func `all example expectations and gates are evaluated`() throws {
    let report = try Self.story("expect", Self.list(ReferenceSentences.expectations)).run()
    #expect(report.expectationCount == ReferenceSentences.expectations.count)
    _ = try Self.story("gates", Self.list(ReferenceSentences.gates.filter { $0 != "tapThrough >= 25 %" }))
      .run()
  }

  @Test func `all example triggers and conditions run`() throws {
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

  @Test func `the examples of reminder sentences run and cover every part`() throws {
    let section = try #require(ReferenceStory.section("reminders")).split(separator: "\n").dropFirst().map(
      String.init)
    let sentences = ReminderSentences.examples.enumerated().map { number, sentence in
      "  s\(number): \(JSONValue.string(sentence).text)"
    }
    _ = try Self.story("reminders", section + sentences).run()
    let examples = ReminderSentences.examples.joined(separator: " ")
    func isSlot(_ word: String) -> Bool { word == "…" || word.allSatisfy { $0.isUppercase || $0 == "-" } }
    for way in ReminderSentences.parts.flatMap(\.ways) where !way.hasPrefix("any other") {
      // The fixed words of a form that precede its first slot.
      let all: [String] = way.replacing("\"", with: "").split(separator: " ").map(String.init)
      let words = all.drop { ["when", "I", "FACT"].contains($0) }.prefix { !isSlot($0) }
      #expect(!words.isEmpty && examples.contains(words.joined(separator: " ")), "\(way)")
    }
  }

  // MARK: Completeness

  /// Removes each form from a grammar, one at a time. At least one example must then fail to parse.
  @Test(arguments: Reference.forms.keys.sorted()) func `every form of a sentence has an example`(
    topic: String
  )
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

extension JSONValue {
  /// Returns the value with another one merged into it. Mappings are merged, and lists of sentences are joined.
  fileprivate func laid(under other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = other else { return other }
    return .object(
      own.map { member in
        guard let new = other[member.key] else { return member }
        guard ["timeline", "expect", "gates"].contains(member.key), case .array(let items) = member.value,
          case .array(let more) = new
        else { return .init(member.key, member.value.laid(under: new)) }
        return .init(member.key, .array(items + more))
      } + others.filter { self[$0.key] == nil })
  }
}

@Suite struct SchemaKeysTests {
  private static let definitions: JSONValue = [
    "window": ["description": "A window", "properties": ["from": ["description": "its begin"]]],
    "fact": ["description": "A fact", "properties": ["unit": ["description": "what it counts"]]],
  ]

  private static func reference(_ name: String) -> JSONValue { .string(SchemaBook.path + name) }

  private static func lines(_ properties: JSONValue, required: JSONValue = [], of topic: String? = nil)
    -> [String]
  {
    var keys = SchemaKeys(definitions)
    keys.add(["properties": properties, "required": required], of: topic)
    return keys.lines
  }

  @Test func `a key is listed with its meaning, its values and the keys below it`() {
    let lines = Self.lines(
      [
        "at": [
          "description": "when",
          "anyOf": [
            ["description": "a time of day"], ["description": "nothing", "enum": ["none", "never"]],
            ["description": "A moment", "properties": ["day": ["type": "boolean"]]],
          ],
        ],
        "places": ["description": "where", "items": ["description": "a place"]],
      ], required: ["at"])
    #expect(
      lines == [
        "  at (required): when", "      a time of day, or none | never", "    day", "        true | false",
        "  places: where", "      a list of: a place",
      ])
  }

  @Test func `a definition is expanded at its use unless it is another topic`() {
    let properties: JSONValue = [
      "quiet": ["description": "when it is quiet", "$ref": Self.reference("window")],
      "score": ["description": "how much", "$ref": Self.reference("fact")],
    ]
    let own = ["  quiet: when it is quiet", "    from: its begin"]
    let other = ["  score: how much", "      see the topic facts"]
    #expect(Self.lines(properties) == own + other)
    #expect(Self.lines(properties, of: "facts") == own + other + ["    unit: what it counts"])
  }
}

/// The regular expression of a grammar, which can be split into its alternatives and optional parts.
struct SentencePattern {
  private let text: [Character]
  private let expression: NSRegularExpression?

  init(_ text: String) {
    self.text = Array(text)
    expression = try? NSRegularExpression(pattern: text)
  }

  /// Returns the pattern of a schema's sentences, or `nil` if it has none.
  static func find(in forms: JSONValue) -> String? {
    guard case .array(let items) = forms, let first = items.first else { return nil }
    let patterns = patterns(in: first)
    return patterns.isEmpty ? nil : patterns.joined(separator: "|")
  }

  private static func patterns(in schema: JSONValue) -> [String] {
    if case .string(let pattern)? = schema["pattern"] { return [pattern] }
    if case .array(let items)? = schema["anyOf"] { return items.flatMap(patterns) }
    return []
  }

  func matches(_ sentence: String) -> Bool {
    expression?.firstMatch(in: sentence, range: NSRange(sentence.startIndex..., in: sentence)) != nil
  }

  /// The patterns of single values, which are not split further.
  private static let atoms = [
    Atom<[Int]>.timesOfDay.pattern, Atom<TimeSpan>.duration.pattern, Atom<CivilDate>.date.pattern,
    Atom<Int32>.timeOfDay.pattern, Atom<Int>.minuteOfDay.pattern, Atom<WeekdaySet>.days.pattern,
    Atom<Int64>.ratio.pattern, Atom<ReminderID>.reminderID.pattern, Atom<String>.newName.pattern,
    Atom<Double>.distance.pattern,
    // These are the patterns of offsets, steps, levels and a position.
    #"\d+(?:\.\d+)?[a-z]+"#, #"\d+(?:\.\d+)? *[a-z]+"#, #"\d+(?:\.\d)? *%"#,
    #"\[ *-?\d+(?:\.\d+)? *, *-?\d+(?:\.\d+)? *\]"#,
  ].map(Array.init)

  /// The ranges of alternatives and optional parts. Values and lists of fixed words are not split.
  var branches: [Range<Int>] {
    var branches: [Range<Int>] = []
    var open: [(start: Int, bars: [Int])] = []
    var index = 0
    while index < text.count {
      if let atom = Self.atoms.filter({ text[index...].starts(with: $0) }).max(by: { $0.count < $1.count }) {
        index += atom.count
        continue
      }
      switch text[index] {
      case "\\": index += 1
      case "[":
        while index < text.count, text[index] != "]" { index += text[index] == "\\" ? 2 : 1 }
      case "(": open.append((index, []))
      case "|": if !open.isEmpty { open[open.count - 1].bars.append(index) }
      case ")":
        let group = open.removeLast()
        branches += self.branches(from: group.start, bars: group.bars, to: index)
      default: break
      }
      index += 1
    }
    return branches
  }

  private func branches(from start: Int, bars: [Int], to end: Int) -> [Range<Int>] {
    let first = text[start...].starts(with: "(?:") ? start + 3 : start + 1
    let isOptional = end + 1 < text.count && "?*".contains(text[end + 1])
    let ends = bars + [end]
    let alternatives = zip([first] + bars.map { $0 + 1 }, ends).map { $0..<$1 }
    // The reference lists all fixed words, so the examples need not contain each one.
    let words = ClosedWords(String(text[first..<end]))
    if bars.isEmpty { return isOptional ? [first..<end] : [] }
    return words.rest.isEmpty ? [] : alternatives
  }

  func without(_ branch: Range<Int>) -> String {
    String(text[..<branch.lowerBound]) + "(?!)" + String(text[branch.upperBound...])
  }

  /// Returns a branch that consists of one fixed word, or `nil` otherwise. A name may match the same word.
  func words(of branch: Range<Int>) -> String? {
    let closed = ClosedWords(text(of: branch))
    return closed.rest.isEmpty && closed.words.count == 1 ? closed.words[0] : nil
  }

  func text(of branch: Range<Int>) -> String { String(text[branch]) }

  func before(_ branch: Range<Int>) -> String { String(text[..<branch.lowerBound]) }
}
