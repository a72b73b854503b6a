package import ScenarioFiles
import ScenarioGrammar
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
    check(ScenarioFile.load(path, as: habits, settings: settings, in: reach))
  }

  /// Reads the bytes of a file that includes no pack's file.
  package static func read(_ bytes: [UInt8], file: String) -> Outcome {
    check(ScenarioFile.read(bytes, file: file, as: habits, fileExists: { _ in false }))
  }

  /// Reads a document that is complete, what it says being of the file that the reader has.
  package static func read(_ root: Node, _ reader: Reader) -> Outcome {
    check(ScenarioFile.decode(root, as: habits, reader))
  }

  private static func check(_ outcome: ScenarioFile.WiderOutcome<Habits>) -> Outcome {
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
      if scenario.person == nil { scenario.person = PersonSetup(position: habits.position) }
      return .population(
        Population(scenario: scenario, habits: habits.value, position: habits.position), warnings: warnings)
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
