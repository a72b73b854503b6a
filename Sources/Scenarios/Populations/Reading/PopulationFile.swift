import ScenarioModel
package import TextFormats

/// Reads and writes populations: everything that a scenario declares, and under `habits` what people do.
package enum PopulationFile {
  /// What became of a file.
  package enum Outcome: Sendable {
    /// The diagnostics are warnings.
    case population(Population, warnings: [Diagnostic])
    /// It says that it is something else.
    case otherKind(String)
    case unusable([Diagnostic])
  }

  /// What it says beside a scenario's keys.
  package static var habits: WiderFile<Habits> {
    WiderFile(
      kind: Population.kind, key: "habits",
      doc:
        "what the people do, and what they are at the start: distributions from which each person is drawn",
      format: .habits, without: ["expect"])
  }

  /// Reads a file, and the packs that it includes.
  ///
  /// - Parameters:
  ///   - settings: What takes the place of what they say.
  ///   - reach: What may be read; nil: what is usual for such a path.
  package static func load(
    _ path: String, settings: [ScenarioSetting] = [], in reach: ReachableFiles? = nil
  ) -> Outcome {
    check(ScenarioFile.load(path, as: habits, settings: settings, in: reach)) { zone in
      let other = settings + [ScenarioSetting("zone=\(zone)")].compactMap(\.self)
      return ScenarioFile.load(path, as: habits, settings: other, in: reach)
    }
  }

  /// Reads the bytes of a file that includes no pack's file.
  ///
  /// - Parameter reach: The recordings that it may name.
  package static func read(
    _ bytes: [UInt8], file: String, in reach: ReachableFiles = .nothing
  ) -> Outcome {
    func read(_ settings: [ScenarioSetting]) -> ScenarioFile.WiderOutcome<Habits> {
      ScenarioFile.read(bytes, file: file, as: habits, settings: settings, fileExists: reach.holds, in: reach)
    }
    return check(read([])) { read([ScenarioSetting("zone=\($0)")].compactMap(\.self)) }
  }

  /// Reads a document that is complete.
  ///
  /// - Parameter reader: Makes a reader whose file says what the document does.
  package static func read(_ entries: [Node.Entry], _ reader: () -> Reader) -> Outcome {
    func read(_ zone: String?) -> ScenarioFile.WiderOutcome<Habits> {
      var entries = entries
      if let zone, let index = entries.firstIndex(where: { $0.key == "zone" }) {
        entries[index].value.content = .scalar(zone)
      }
      return ScenarioFile.decode(Node(content: .mapping(entries), position: .start), as: habits, reader())
    }
    return check(read(nil)) { read($0) }
  }

  /// - Parameter inZone: Reads the same in another zone.
  private static func check(
    _ outcome: ScenarioFile.WiderOutcome<Habits>,
    inZone: (String) -> ScenarioFile.WiderOutcome<Habits>
  ) -> Outcome {
    switch outcome {
    case .otherKind(let kind): return .otherKind(kind)
    case .unusable(let diagnostics): return .unusable(diagnostics)
    case .file(var scenario, let habits, let warnings):
      var problems: [Diagnostic] = []
      func problem(_ message: String, at position: SourcePosition, hint: String) {
        problems.append(scenario.sources.diagnostic(message, at: position, hint: hint))
      }
      if !scenario.endIsExplicit {
        problem(
          "a population says for how long its people are watched", at: .start, hint: "such as 'for: 30 days'")
      }
      if let person = scenario.person,
        person.number != 0 || person.eagerness != nil || person.tolerance != nil
      {
        problem(
          "this is said of one person, and a population has many", at: person.position,
          hint: "leave out 'number', 'eagerness' and 'tolerance'; the command line chooses with --person")
      }
      if !scenario.recordings.isEmpty {
        problem(
          "a recording is of one person", at: scenario.recordings[0].position, hint: "leave it out")
      }
      if !problems.isEmpty { return .unusable(problems) }
      func complete(_ scenario: inout Scenario) {
        if scenario.person == nil { scenario.person = PersonSetup(position: habits.position) }
      }
      complete(&scenario)
      var elsewhere: [Population.Elsewhere] = []
      for zone in habits.value.zone?.options.map(\.value) ?? [] {
        switch inZone(zone) {
        case .file(var scenario, _, _):
          complete(&scenario)
          elsewhere.append(Population.Elsewhere(zone: zone, scenario: scenario))
        // A start that a zone skips, for one.
        case .unusable(let diagnostics): return .unusable(diagnostics)
        case .otherKind(let kind): return .otherKind(kind)
        }
      }
      return .population(
        Population(
          scenario: scenario, elsewhere: elsewhere, habits: habits.value, position: habits.position),
        warnings: warnings)
    }
  }

  /// Writes a population in its long forms.
  package static func write(_ population: Population) throws(UnwritableScenario) -> JSONValue {
    try ScenarioDocument.write(population.scenario, .timeline, habits, population.habits)
  }

  /// The JSON Schema of such files. Draft 2020-12.
  package static var schema: JSONValue {
    ScenarioSchema.json("TriggerBench population", habits)
  }
}
