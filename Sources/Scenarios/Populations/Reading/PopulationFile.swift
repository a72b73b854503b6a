import ScenarioModel
package import TextFormats

/// Reads and writes population files: the keys of a scenario, and the section `habits`.
package enum PopulationFile {
  /// The outcome of reading a file.
  package enum Outcome: Sendable {
    /// A valid population. The diagnostics are warnings.
    case population(Population, warnings: [Diagnostic])
    /// A file of another kind, which is skipped.
    case otherKind(String)
    case unusable([Diagnostic])
  }

  /// The section that a population file adds to the keys of a scenario.
  package static var habits: ExtendedFile<Habits> {
    ExtendedFile(
      kind: Population.kind, key: "habits",
      doc:
        "what the people do, and what they are at the start: distributions from which each person is drawn",
      format: .habits, without: ["expect"])
  }

  /// Loads a file and the packs that it includes.
  ///
  /// - Parameters:
  ///   - settings: Values that override those of the file and its packs.
  ///   - reach: The files that may be read, or `nil` for the default of a file at this path.
  package static func load(
    _ path: String, settings: [ScenarioSetting] = [], in reach: ReachableFiles? = nil
  ) -> Outcome {
    check(ScenarioFile.load(path, as: habits, settings: settings, in: reach)) { zone in
      let other = settings + [ScenarioSetting("zone=\(zone)")].compactMap(\.self)
      return ScenarioFile.load(path, as: habits, settings: other, in: reach)
    }
  }

  /// Reads the bytes of a file that includes no packs except built-in ones.
  ///
  /// - Parameter reach: The recordings to which the file may refer.
  package static func read(
    _ bytes: [UInt8], file: String, in reach: ReachableFiles = .nothing
  ) -> Outcome {
    func read(_ settings: [ScenarioSetting]) -> ScenarioFile.ExtendedOutcome<Habits> {
      ScenarioFile.read(bytes, file: file, as: habits, settings: settings, fileExists: reach.holds, in: reach)
    }
    return check(read([])) { read([ScenarioSetting("zone=\($0)")].compactMap(\.self)) }
  }

  /// Reads a complete document.
  ///
  /// - Parameter reader: Creates a reader for the document.
  package static func read(_ entries: [Node.Entry], _ reader: () -> Reader) -> Outcome {
    func read(_ zone: String?) -> ScenarioFile.ExtendedOutcome<Habits> {
      var entries = entries
      if let zone, let index = entries.firstIndex(where: { $0.key == "zone" }) {
        entries[index].value.content = .scalar(zone)
      }
      return ScenarioFile.decode(Node(content: .mapping(entries), position: .start), as: habits, reader())
    }
    return check(read(nil)) { read($0) }
  }

  /// Validates a population and reads its scenario in every zone.
  ///
  /// - Parameter inZone: Reads the same file with another zone.
  private static func check(
    _ outcome: ScenarioFile.ExtendedOutcome<Habits>,
    inZone: (String) -> ScenarioFile.ExtendedOutcome<Habits>
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
          "the length of the population's story is missing", at: .start, hint: "such as 'for: 30 days'")
      }
      if let person = scenario.person,
        person.number != 0 || person.eagerness != nil || person.tolerance != nil
      {
        problem(
          "this describes a single person, but a population has many", at: person.position,
          hint: "leave out 'number', 'eagerness' and 'tolerance'; the command line chooses with --person")
      }
      if !scenario.recordings.isEmpty {
        problem(
          "a population cannot play a recording, which is of one person", at: scenario.recordings[0].position,
          hint: "leave it out")
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
        // For example, a clock change in that zone may skip the start.
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

  /// Writes a population in long form.
  package static func write(_ population: Population) throws(UnwritableScenario) -> JSONValue {
    try ScenarioDocument.write(population.scenario, .timeline, habits, population.habits)
  }

  /// The JSON Schema of population files, draft 2020-12.
  package static var schema: JSONValue {
    ScenarioSchema.json("TriggerBench population", habits)
  }
}
