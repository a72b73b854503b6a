import CivilTime
import DeviceSimulation
import Experiments
import ScenarioModel
import Scenarios
import TestBench
package import TextFormats
import TriggerModel

/// The reference of all input and output files.
///
/// The formats that parse the files generate the reference. Its keys, words and sentences therefore match the
/// parser.
package enum Reference {
  /// A part of the reference.
  package struct Topic {
    package let name: String
    /// A summary in one line.
    package let summary: String
    let body: () -> [String]

    package var text: String { (["\(name): \(summary)", ""] + body()).joined(separator: "\n") }
  }

  /// All topics: the keys of a scenario in their order, the sentences, and the other files.
  package static var topics: [Topic] { sections + sentences + general + otherFiles }

  package static func topic(_ name: String) -> Topic? {
    topics.first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns a hint for a name that is neither a topic nor a key.
  package static func hint(for name: String) -> String {
    let keys = scenarioKeys.compactMap(\.key.path.last).distinct
    let hints = [topics.map(\.name), keys].lazy.compactMap { NearestNames.hint(for: name, among: $0) }
    return hints.first ?? "'triggerbench reference' lists the topics"
  }

  /// The list of topics, one per line.
  package static var contents: String {
    let width = topics.map(\.name.count).max() ?? 0
    let rows = topics.map {
      "  \($0.name.padded(to: width))  \($0.summary)"
    }
    let head = "Topics for 'triggerbench reference TOPIC'; 'triggerbench reference KEY' explains a key:"
    return ([head, ""] + rows).joined(separator: "\n")
  }

  // MARK: The scenario

  private static let schema = ScenarioSchema.json
  private static var definitions: JSONValue { schema["$defs"] ?? .object([]) }

  /// The keys at the root of a scenario, with their schemas.
  package static let keys: [(name: String, schema: JSONValue)] = {
    let own = schema["else"]?["properties"]
    return (schema["properties"]?.members ?? []).map { member in
      (member.key, own?[member.key] ?? member.value)
    }
  }()

  /// The keys of a scenario, each with its example, in the order of the reference.
  package static let scenarioKeys: [(key: ReferenceKey, example: JSONValue?)] = listed.flatMap { $0.keys }

  /// The keys of one section or of one kind of sentence, as lines and one by one.
  private struct Listed {
    var name: String
    var lines: [String]
    var keys: [(key: ReferenceKey, example: JSONValue?)]
  }

  /// The keys of all sections, and of the sentences with keys. A group of keys is listed once in all of them.
  private static let listed: [Listed] = {
    let examples = KeyExamples(definitions)
    var groups: [String: String] = [:]
    let sentences = ["triggers", "conditions"].compactMap { name in
      forms[name].flatMap { definitions[$0.definition] }.map { (name, $0) }
    }
    let roots = keys.map { ($0.name, $0.schema, true) } + sentences.map { ($0.0, $0.1, false) }
    return roots.map { name, schema, isSection in
      let whole: JSONValue =
        isSection ? ["type": "object", "properties": .object([.init(name, schema)])] : schema
      func example(_ key: ReferenceKey) -> JSONValue? {
        key.path == [name] ? nil : examples.example(of: key, in: schema)
      }
      var lines = SchemaKeys(definitions, groups: groups) { key in
        example(key).map { $0.shortest(isOutermost: true) }
      }
      lines.add(whole, depth: isSection ? 0 : 1, at: isSection ? [] : [name], of: name)
      groups.merge(lines.groups) { first, _ in first }
      return Listed(
        name: name, lines: lines.lines,
        keys: lines.keys.map { key in
          let section = ReferenceStory.section(name).flatMap { text in
            (try? YAMLDocument(SourceText(file: name, text: text)).root).map { JSONValue($0) }
          }
          return (key, key.path == [name] ? section : example(key))
        })
    }
  }()

  private static func lines(of name: String) -> [String] { listed.first { $0.name == name }?.lines ?? [] }

  private static var sections: [Topic] {
    keys.map { key in
      Topic(name: key.name, summary: key.schema["description"]?.stringValue ?? "") {
        // The first line repeats the heading of the topic.
        var lines = Array(lines(of: key.name).dropFirst())
        if let forms = forms[key.name] { lines += [""] + forms.lines(definitions) }
        guard let example = ReferenceStory.section(key.name) else { return lines }
        return lines + ["", "Example:", ""] + example.split(separator: "\n").map { "  " + $0 }
      }
    }
  }

  // MARK: Single keys

  /// Returns the topic with a name, and the explanations of all keys with this name, such as `repeat`, or with
  /// this path, such as `policy.dailyCap`. Returns `nil` if there is none.
  package static func text(for name: String) -> String? {
    let wanted = name.lowercased()
    let topic = topic(name)
    let found = scenarioKeys.filter { key, _ in
      let isTopic = topic != nil && key.path.count == 1
      return !isTopic && (key.name.lowercased() == wanted || key.path.last?.lowercased() == wanted)
    }
    let parts = (topic.map { [$0.text] } ?? []) + found.map { text(of: $0.key, $0.example) }
    return parts.isEmpty ? nil : parts.joined(separator: "\n\n")
  }

  private static func text(of key: ReferenceKey, _ example: JSONValue?) -> String {
    var rows = [("meaning", key.meaning)]
    rows.append(("default", key.fallback ?? (key.isRequired ? "none: it is required" : "nothing")))
    if !key.values.isEmpty { rows.append(("value", key.values.joined(separator: ", or "))) }
    if let example { rows.append(("example", example.shortest(isOutermost: true))) }
    return ([key.name] + rows.map { "  \($0.padded(to: 7))  \($1)" }).joined(separator: "\n")
  }

  // MARK: Sentences

  /// The sentences that one key of a scenario accepts: the schema definition that describes them, and an
  /// example of each form.
  package struct Forms {
    package let definition: String
    package let examples: [String]

    /// Returns the lines that describe the forms, followed by the examples.
    func lines(_ definitions: JSONValue) -> [String] {
      // The first alternative of the schema describes the sentence.
      let sentence = definitions[definition]?["anyOf"]?.elements.first?["description"]?.stringValue ?? ""
      // The introduction and the first form are in the same part of the text.
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

  /// The forms of each topic whose values are sentences.
  package static let forms = [
    "triggers": Forms(definition: "trigger", examples: ReferenceSentences.triggers),
    "conditions": Forms(definition: "condition", examples: ReferenceSentences.conditions),
    "timeline": Forms(definition: "timelineEntry", examples: ReferenceSentences.timeline),
    "expect": Forms(definition: "expectation", examples: ReferenceSentences.expectations),
    "gates": Forms(definition: "gate", examples: ReferenceSentences.gates),
  ]

  private static var sentences: [Topic] {
    let named = [
      ("triggers", "Events that make the engine evaluate a reminder, under its 'when'"),
      ("conditions", "Conditions that must hold at that time, under 'if' of a reminder"),
    ]
    return named.compactMap { name, summary in
      forms[name].map { forms in
        Topic(name: name, summary: summary) {
          forms.lines(definitions) + ["", "With keys instead of a sentence:", ""] + lines(of: name)
        }
      }
    }
  }

  // MARK: Other files

  private static var otherFiles: [Topic] {
    [
      file(
        "pack", "Declarations that several scenarios share", ScenarioSchema.pack,
        [
          "A scenario that includes a pack overrides it key by key. 'NAME: none' removes a declaration of that name, and 'none'",
          "under a key removes everything below the key.",
        ]),
      file(
        "population", "People of an experiment", PopulationFile.schema,
        ["Example:", ""] + ReferenceStory.population.split(separator: "\n").map { "  " + $0 }),
      file("experiment", "Policies and metrics that are compared on a population", ExperimentFile.schema),
      Topic(name: "report", summary: "The contents of report.json") {
        var keys = SchemaKeys(ReportSchema.json["$defs"] ?? .object([]))
        keys.add(ReportSchema.json)
        return keys.lines + ["", "Metrics that expectations and gates can bound:", ""]
          + Metric.allCases.map { "  \($0.name): \(MetricWords.phrase($0))" } + [
            "", "'triggerbench reasons' explains each reason, cause and loss.",
          ]
      },
    ]
  }

  /// Returns the topic of another kind of file. Does not repeat keys that a scenario has too.
  private static func file(
    _ name: String, _ summary: String, _ schema: @autoclosure @escaping () -> JSONValue, _ end: [String] = []
  ) -> Topic {
    Topic(name: name, summary: summary) {
      let schema = schema()
      var keys = SchemaKeys(schema["$defs"] ?? .object([]))
      for member in schema["properties"]?.members ?? [] {
        if self.keys.contains(where: { $0.name == member.key }) {
          keys.note("\(member.key): as in a scenario")
        } else {
          keys.add(["type": "object", "properties": .object([member])], at: [name])
        }
      }
      return end.isEmpty ? keys.lines : keys.lines + [""] + end
    }
  }
}

extension Reference {
  static var general: [Topic] {
    [
      Topic(name: "units", summary: "Notation of times, dates, durations, distances and shares") {
        units.flatMap { ["  \($0.name)", "    \($0.meaning)"] }
      },
      Topic(name: "sentences", summary: "Reminders written as sentences, in a list or by name") {
        reminderSentences
      },
      Topic(name: "schedules", summary: "Effects of each platform profile on scheduled reminders") {
        schedules
      },
    ]
  }

  /// The quantities that a scenario contains, with their meanings.
  package static var units: [(name: String, meaning: String)] {
    func row<Value>(_ atom: Atom<Value>) -> (name: String, meaning: String) { (atom.name, atom.meaning) }
    return [
      row(Atom<Int32>.timeOfDay), row(Atom<CivilDate>.date), row(Atom<LocalDateTime>.dateTime),
      row(Atom<DailyWindow>.window), row(Atom<TimeSpan>.duration), row(Atom<TimeSpan>.signedDuration),
      row(Atom<Double>.distance), row(Atom<Speed>.speed), row(Atom<Int64>.number), row(Atom<Int64>.ratio),
      row(Atom<Int64>.share), row(Atom<String>.newName), row(Atom<Bool>.truth), row(Atom<Bool>.toggle),
    ]
  }

  /// The rules that determine whether and when the system delivers a scheduled notification.
  package static let scheduleRules = [
    "backgroundWake", "refreshDelay", "pendingCapacity", "pendingDropSeen", "pendingEviction",
    "replacementKeepsPlace", "requestIdentifier", "repeatsIgnoreStart", "missedRepeatsOnce", "floatingMoves",
    "jumpedOverShown", "pendingAfterReboot", "deliveredSeen", "deliveryLatenessFrom", "deliveryLatenessTo",
    "exactAlarms",
    "dozeAfter", "dozeFirstWindow", "dozeLongestWindow", "alarmsWhileIdle", "idleAlarmInterval",
    "saverLateness", "clockChangeWakes", "bootStart", "updateStarts", "updateLosesPending",
    "forceStopRemoves", "forceQuitStopsRefresh", "forceQuitUntilOpened",
  ]

  private static var reminderSentences: [String] {
    var lines = [
      "Write a list of sentences or of 'NAME: SENTENCE' under 'reminders', or a sentence in place of the mapping of any",
      "reminder or edit. Without a name, the reminder is named after its title: the letters and digits of the first six",
      "words in lower case, joined by '-', so 'Remind me to call mum …' declares 'call-mum'. Unstated parts have the",
      "defaults of the mapping. Quote a name that is a word of sentences. Put YAML quotes around a sentence that contains",
      "': ' or ' #'. 'triggerbench sentences' prints every reminder as such a sentence.",
      "",
      "Parts after the text of the notification, in any order, optionally separated by commas; the brackets come last:",
    ]
    for part in ReminderSentences.parts {
      lines += ["", "  \(part.name)"] + part.ways.map { "    · " + $0 }
    }
    return lines + ["", "Examples of every form:", ""] + ReminderSentences.examples.map { "  - " + $0 }
  }

  private static var schedules: [String] {
    var lines = [
      "A schedule without 'ahead' requires that the system wakes the app at its time; 'backgroundWake' states how. With",
      "'ahead N' the app adds the next N occurrences in advance, and with 'ahead repeating' one request that the system",
      "repeats: these are delivered even if the app is closed. Each rule is a knob; 'triggerbench rules' names its source.",
    ]
    for profile in PlatformProfile.all {
      lines += ["", "\(profile.name): \(profile.summary)"]
      for key in scheduleRules {
        guard let rule = profile.rules.first(where: { $0.key == key }) else { continue }
        let unit = rule.unit.isEmpty ? "" : " \(rule.unit)"
        lines += ["  \(key): \(rule.value)\(unit)", "    \(rule.summary)"]
      }
    }
    return lines
  }
}
