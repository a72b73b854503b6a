import Foundation
import Recordings
import ScenarioModel
import Scenarios
package import Simulation
package import TextFormats

/// Reads a file and compiles it if it is a scenario.
package struct ProgramLoader {
  package enum Loaded {
    case program(Program, warnings: [Diagnostic])
    case invalid([Diagnostic])
    /// The file declares another kind.
    case otherKind(String)
  }

  private let options: Suite.Options

  package init(options: Suite.Options = Suite.Options()) {
    self.options = options
  }

  /// Reads and compiles a file.
  ///
  /// - Parameter bytes: The contents of the file, or `nil` to read them from the path.
  package func load(_ path: String, bytes: [UInt8]? = nil) -> Loaded {
    if path == SuiteFiles.standardInput {
      let bytes = options.standardInput ?? []
      if ExpandedScenario.isExpanded(bytes) { return expanded(RecordedBytes(Data(bytes), file: path)) }
      return compile(
        ScenarioFile.read(bytes, file: path, settings: options.settings, fileExists: { _ in false }), path)
    }
    if let person = options.person { return load(path, person: person) }
    if path.hasSuffix(".ndjson"), case .file = reach(of: path).own, RegularFile.problem(path) == nil,
      let bytes = try? RecordedBytes(of: path, file: path)
    {
      return expanded(bytes)
    }
    return compile(
      ScenarioFile.load(path, bytes: bytes, settings: options.settings, in: reach(of: path)), path)
  }

  /// Returns the files that a file may reference, and whether the file itself may be read.
  package func reach(of path: String) -> ReachableFiles {
    path == SuiteFiles.standardInput
      ? .nothing : ReachableFiles(of: path, searched: options.searched, allowing: options.allowed)
  }

  /// Reads a population and compiles the story of one person as a scenario.
  private func load(_ path: String, person: UInt64) -> Loaded {
    switch PopulationFile.load(path, settings: options.settings, in: reach(of: path)) {
    case .otherKind(let kind):
      // In a searched folder, files of other kinds are skipped with or without `--person`.
      guard options.searched.contains(path) else { return .otherKind(kind) }
      return .invalid([
        Diagnostic(
          "\(SourceText.kinds.contains(kind) ? "a file of kind '\(kind)'" : "another file") has no persons to choose from",
          file: path,
          hint: "leave out --person, which is for populations ('kind: \(Population.kind)')")
      ])
    case .unusable(let diagnostics): return .invalid(diagnostics)
    case .population(var population, let warnings):
      // The change applies to each variant of the population, which have the same knobs.
      var ignored: [Diagnostic] = []
      population.change { ignored = options.apply(to: &$0) }
      if options.profile != nil { population.habits.platform = nil }
      var one = SampledPerson()
      PersonSampler(population).sample(person, into: &one)
      return compile(population.scenario(of: one), warnings + ignored, path, isSetUp: true)
    }
  }

  /// Validates a population by compiling the program of one sampled person.
  package func check(population path: String) -> Loaded {
    var options = options
    options.person = options.person ?? 0
    return ProgramLoader(options: options).load(path)
  }

  /// Reads a pack and compiles its declarations as a scenario without events.
  package func load(pack path: String) -> Loaded {
    compile(PackFile.load(path, in: reach(of: path)), path)
  }

  private func expanded(_ bytes: RecordedBytes) -> Loaded {
    if let setting = options.settings.first {
      let problem = "\(setting.name): an expanded scenario takes no settings"
      return .invalid([Diagnostic(problem, file: bytes.file, hint: "expand it with the value in its file")])
    }
    return ExpandedScenario.read(bytes, options: options)
  }

  private func compile(_ outcome: ScenarioFile.Outcome, _ path: String) -> Loaded {
    switch outcome {
    case .otherKind(let kind): return .otherKind(kind)
    case .unusable(let diagnostics): return .invalid(diagnostics)
    case .scenario(let scenario, let warnings): return compile(scenario, warnings, path)
    }
  }

  /// - Parameter isSetUp: Whether the options are already applied to the scenario.
  private func compile(
    _ scenario: Scenario, _ warnings: [Diagnostic], _ path: String, isSetUp: Bool = false
  ) -> Loaded {
    var scenario = scenario
    let ignored = isSetUp ? [] : options.apply(to: &scenario)
    do throws(Diagnostic) {
      let program = try Program(scenario, in: reach(of: path), within: options.budget)
      return .program(
        program, warnings: warnings + ignored + program.warnings + TitleAdvice.warnings(program))
    } catch {
      return .invalid([error])
    }
  }
}
