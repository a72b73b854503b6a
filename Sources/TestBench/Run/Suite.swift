package import EngineWire
import Journal
import ScenarioModel
package import Scenarios
package import Simulation
import TextFormats
import TriggerModel

/// A set of files to run, and how.
package struct Suite: Sendable {
  package struct Options: Sendable {
    /// How many scenarios run at a time.
    package var jobs = 1
    /// Takes the place of the files' own seeds.
    package var seed: UInt64?
    /// Takes the place of the files' own profiles.
    package var profile: String?
    /// Take the place of what the files say. What was expanded before has no place for them.
    package var settings: [ScenarioSetting] = []
    /// The engine under test.
    package var engine = EngineChoice.builtIn
    /// Takes the journals of all scenarios as bytes, one after the other in the order of the files, which are run
    /// one at a time then.
    package var journal: (@Sendable ([UInt8]) -> Void)?
    /// The version of the tool, for the headers of journals.
    package var tool = ""
    /// Rules that take another value than the file or its profile gives them.
    package var knobs: [(key: String, value: String)] = []

    /// Which person of a population to replay; nil: populations are left alone.
    package var person: UInt64?

    /// The folders in which files were searched for, see ``TextFormats/ReachableFiles``.
    package var searched: [String] = []
    /// Folders from which files may be read wherever the files lie that name them.
    package var allowed: [String] = []

    /// What one scenario may ask for.
    package var budget = RunBudget()

    /// What stands for the path `-`.
    package var standardInput: [UInt8]?

    package init() {}

    /// What takes the place of what a file says.
    func apply(to scenario: inout Scenario) {
      if let seed { scenario.seed = seed }
      if let profile { scenario.profile.value = profile }
      for knob in knobs {
        scenario.knobs.append(
          Knob(name: knob.key, value: knob.value, position: scenario.profile.position))
      }
    }

    func header(of program: Program) -> JournalHeader {
      let scenario = program.scenario
      return JournalHeader(
        tool: tool, scenario: scenario.title, file: scenario.file, seed: scenario.seed,
        profile: scenario.profile.value, engine: engine.name)
    }
  }

  package let paths: [String]
  package let options: Options

  package init(paths: [String], options: Options) {
    self.paths = paths
    self.options = options
  }

  /// Runs every file. The result does not depend on the number of jobs.
  ///
  /// - Parameters:
  ///   - stopwatch: Nanoseconds; used for the timing alone.
  ///   - progress: Called after each file with the number done so far.
  package func run(
    stopwatch: @escaping @Sendable () -> UInt64, progress: @escaping @Sendable (Int) -> Void
  ) async -> (result: SuiteResult, timing: EngineTiming) {
    let outcomes = await map(jobs: options.journal == nil ? nil : 1, progress: progress) {
      [options] _, program, warnings in
      Self.run(program, warnings, options, stopwatch: stopwatch)
    }
    var timing = EngineTiming()
    let files = zip(paths, outcomes).map { path, outcome -> (path: String, outcome: FileOutcome) in
      switch outcome {
      case .otherKind: return (path, .otherKind)
      case .invalid(let diagnostics): return (path, .invalid(diagnostics))
      case .made(let run):
        timing.add(run.timing)
        return (path, FileOutcome(run.result))
      }
    }
    return (SuiteResult(files: files), timing)
  }

  private typealias Run = (result: ScenarioResult, timing: EngineTiming)

  private static func run(
    _ program: Program, _ warnings: [Diagnostic], _ options: Options,
    stopwatch: @escaping @Sendable () -> UInt64
  ) -> FileResult<Run> {
    do throws(EngineFailure) {
      guard let output = options.journal else {
        var none = NoJournal()
        return .made(try options.engine.run(program, warnings, stopwatch, into: &none))
      }
      var journal = JournalFileSink(program.wireNames, options.header(of: program), output: output)
      let run = try options.engine.run(program, warnings, stopwatch, into: &journal)
      journal.finish()
      return .made(run)
    } catch {
      return .invalid([program.scenario.sources.diagnostic(error.description, at: nil)])
    }
  }
}
