import DeviceSimulation
import Experiments
import ScenarioModel
import Scenarios
package import TextFormats
import TriggerModel

/// The reference of all files that people write and read: made from the formats that read them, so it knows the same
/// keys, words and sentences.
package enum Reference {
  /// A part of the reference.
  package struct Topic {
    package let name: String
    /// In a line.
    package let summary: String
    let body: () -> [String]

    package var text: String { (["\(name): \(summary)", ""] + body()).joined(separator: "\n") }
  }

  /// All topics: the keys of a scenario in their order, then its sentences, and the rest.
  package static var topics: [Topic] { sections + sentences + general + otherFiles }

  package static func topic(_ name: String) -> Topic? {
    topics.first { $0.name.lowercased() == name.lowercased() }
  }

  /// What to say of a topic that there is not.
  package static func hint(for name: String) -> String {
    NearestNames.hint(for: name, among: topics.map(\.name)) ?? "'triggerbench reference' lists the topics"
  }

  /// The topics in a line each.
  package static var contents: String {
    let width = topics.map(\.name.count).max() ?? 0
    let rows = topics.map {
      "  \($0.name + String(repeating: " ", count: width - $0.name.count))  \($0.summary)"
    }
    return (["Topics, each shown by 'triggerbench reference TOPIC':", ""] + rows).joined(separator: "\n")
  }

  // MARK: The scenario

  private static let schema = ScenarioSchema.json
  private static var definitions: JSONValue { schema["$defs"] ?? .object([]) }

  /// The keys at the root of a scenario, each with its schema.
  package static let keys: [(name: String, schema: JSONValue)] = {
    let own = schema["else"]?["properties"]
    return members(schema["properties"]).map { member in
      (member.key, own?[member.key] ?? member.value)
    }
  }()

  private static var sections: [Topic] {
    keys.map { key in
      Topic(name: key.name, summary: description(key.schema)) {
        var keys = SchemaKeys(definitions)
        keys.add(
          ["type": "object", "properties": .object([.init(key.name, key.schema)])], depth: 0, of: key.name)
        // The head of the topic says what the first line does.
        var lines = Array(keys.lines.dropFirst())
        if let forms = forms[key.name] { lines += [""] + forms.lines(definitions) }
        guard let example = ReferenceStory.section(key.name) else { return lines }
        return lines + ["", "Example:", ""] + example.split(separator: "\n").map { "  " + $0 }
      }
    }
  }

  // MARK: Sentences

  /// Where sentences stand: the schema's definition of them, and examples of all their forms.
  package struct Forms {
    package let definition: String
    package let examples: [String]

    /// What the grammar says of itself, and the examples.
    func lines(_ definitions: JSONValue) -> [String] {
      let sentence = definitions[definition]?["anyOf"].flatMap(Reference.firstDescription) ?? ""
      // The first way to say it stands behind the words that announce the list.
      let ways = sentence.split(separator: " · ").map(String.init)
      let first = ways.first ?? ""
      let announced = ["Ways to say it: ", "Of the app itself: "].compactMap {
        first.firstRange(of: $0)?.upperBound
      }.first
      let head = announced.map { first[..<$0].dropLast() } ?? first[...]
      let listed = (announced.map { [String(first[$0...])] } ?? []) + ways.dropFirst()
      return ["Sentences:", "", "  " + head] + listed.map { "    · " + $0 }
        + ["", "Examples of every form:", ""] + examples.map { "  - " + $0 }
    }
  }

  /// By topic.
  package static let forms = [
    "triggers": Forms(definition: "trigger", examples: ReferenceSentences.triggers),
    "conditions": Forms(definition: "condition", examples: ReferenceSentences.conditions),
    "timeline": Forms(definition: "timelineEntry", examples: ReferenceSentences.timeline),
    "expect": Forms(definition: "expectation", examples: ReferenceSentences.expectations),
    "gates": Forms(definition: "gate", examples: ReferenceSentences.gates),
  ]

  private static var sentences: [Topic] {
    let named = [
      ("triggers", "What makes the engine look, under 'when' of a reminder"),
      ("conditions", "What must hold at that moment, under 'if' of a reminder"),
    ]
    return named.compactMap { name, summary in
      forms[name].map { forms in
        Topic(name: name, summary: summary) {
          var keys = SchemaKeys(definitions)
          keys.add(definitions[forms.definition] ?? true, of: name)
          return forms.lines(definitions) + ["", "With keys instead of a sentence:", ""] + keys.lines
        }
      }
    }
  }

  // MARK: Other files

  private static var otherFiles: [Topic] {
    [
      file(
        "pack", "Declarations that several scenarios have in common", ScenarioSchema.pack,
        [
          "What includes a pack changes it key by key; 'NAME: none' takes away what it declares by a name, and 'none' under a key",
          "what stands below it.",
        ]),
      file(
        "population", "People of an experiment", PopulationFile.schema,
        ["Example:", ""] + ReferenceStory.population.split(separator: "\n").map { "  " + $0 }),
      file("experiment", "What is asked of a population", ExperimentFile.schema),
      Topic(name: "report", summary: "What a run writes into report.json") {
        var keys = SchemaKeys(ReportSchema.json["$defs"] ?? .object([]))
        keys.add(ReportSchema.json)
        return keys.lines + ["", "Metrics, which expectations and gates can bound:", ""]
          + Metric.allCases.map { "  \($0.name): \(MetricWords.phrase($0))" } + [
            "", "'triggerbench reasons' says what each reason, cause and loss means.",
          ]
      },
    ]
  }

  /// The keys of another kind of file; what it has in common with a scenario is not repeated.
  ///
  /// - Parameter end: Lines below the keys.
  private static func file(
    _ name: String, _ summary: String, _ schema: @autoclosure @escaping () -> JSONValue, _ end: [String] = []
  ) -> Topic {
    Topic(name: name, summary: summary) {
      let schema = schema()
      var keys = SchemaKeys(schema["$defs"] ?? .object([]))
      for member in members(schema["properties"]) {
        if self.keys.contains(where: { $0.name == member.key }) {
          keys.note("\(member.key): as in a scenario")
        } else {
          keys.add(["type": "object", "properties": .object([member])])
        }
      }
      return end.isEmpty ? keys.lines : keys.lines + [""] + end
    }
  }

  // MARK: Reading schemas

  static func members(_ value: JSONValue?) -> [JSONValue.Member] {
    if case .object(let members)? = value { members } else { [] }
  }

  static func description(_ schema: JSONValue) -> String {
    if case .string(let text)? = schema["description"] { text } else { "" }
  }

  /// The description of the first of several forms, which is the sentence.
  static func firstDescription(_ forms: JSONValue) -> String? {
    if case .array(let items) = forms, let first = items.first { description(first) } else { nil }
  }
}
