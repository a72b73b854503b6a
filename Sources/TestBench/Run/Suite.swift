import DeviceSimulation
package import EngineWire
import Journal
import ScenarioModel
package import Scenarios
package import Simulation
package import TextFormats
import TriggerModel

/// A set of scenario files and the options for running them.
package struct Suite: Sendable {
  package struct Options: Sendable {
    /// The number of scenarios that run at the same time.
    package var jobs = 1
    /// The seed that overrides those of the files, or `nil` to keep them.
    package var seed: UInt64?
    /// The profile that overrides those of the files, or `nil` to keep them.
    package var profile: String?
    /// The values that override those of the files. Expanded scenarios do not accept them.
    package var settings: [ScenarioSetting] = []
    /// The engine under test.
    package var engine = EngineChoice.builtIn
    /// Receives the bytes of all journals, in the order of the files. If it is set, files run one at a time.
    package var journal: (@Sendable ([UInt8]) -> Void)?
    /// The version of the tool, written to the headers of journals.
    package var tool = ""
    /// The rules to override, with their values.
    package var knobs: [(key: String, value: String)] = []

    /// The person of a population to replay, or `nil` to skip populations.
    package var person: UInt64?

    /// The folders in which files were searched for. See ``TextFormats/ReachableFiles``.
    package var searched: [String] = []
    /// The folders that every file may read from.
    package var allowed: [String] = []

    /// The resource limits of a single scenario.
    package var budget = RunBudget()

    /// The bytes that were read from standard input for the path `-`.
    package var standardInput: [UInt8]?

    package init() {}

    /// Applies the options that override values of a file.
    ///
    /// - Returns: A warning for each knob in the file that the profile of the run does not have. Such a knob
    ///   is ignored.
    func apply(to scenario: inout Scenario) -> [Diagnostic] {
      if let seed { scenario.seed = seed }
      var warnings: [Diagnostic] = []
      if let profile, profile != scenario.profile.value {
        func has(_ knob: Knob, _ profile: String) -> Bool {
          (try? PlatformProfile.named(profile))?.rules.contains { $0.key == knob.name } ?? false
        }
        let own = scenario.profile.value
        let ignored = scenario.knobs.filter { has($0, own) && !has($0, profile) }
        scenario.knobs.removeAll { ignored.contains($0) }
        warnings = ignored.map { knob in
          scenario.sources.diagnostic(
            "profile \(profile) has no rule '\(knob.name)', so this knob of \(own) is ignored",
            severity: .warning, at: knob.position)
        }
        scenario.profile.value = profile
      }
      for knob in knobs {
        scenario.knobs.append(
          Knob(name: knob.key, value: knob.value, position: scenario.profile.position))
      }
      return warnings
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
  /// - stopwatch: Returns nanoseconds. It is used only for the timing.
  ///   - progress: Called after each file with the number of finished files.
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

/// The result of processing one file of a suite.
package enum FileResult<Value: Sendable>: Sendable {
  case made(Value)
  /// The file is unusable.
  case invalid([Diagnostic])
  /// The file is not a scenario and does not claim to be one.
  case otherKind
}

extension Suite {
  /// Applies a function to the program of each file, in the order of the files. The result does not depend on
  /// the number of jobs.
  ///
  /// - Parameters:
  ///   - jobs: The number of files processed at a time, or `nil` for the number in the options.
  ///   - progress: Called after each file with the number of finished files.
  ///   - body: Receives the path, the program of the file, and the warnings about the file.
  func map<Value: Sendable>(
    jobs: Int? = nil, progress: @escaping @Sendable (Int) -> Void,
    _ body: @escaping @Sendable (String, Program, [Diagnostic]) -> FileResult<Value>
  ) async -> [FileResult<Value>] {
    await Parallel.map(paths.count, jobs: jobs ?? options.jobs, progress: progress) { index in
      switch ProgramLoader(options: options).load(paths[index]) {
      case .otherKind: .otherKind
      case .invalid(let diagnostics): .invalid(diagnostics)
      case .program(let program, let warnings): body(paths[index], program, warnings)
      }
    }
  }
}

/// Applies a function to many items, several at a time.
enum Parallel {
  /// Returns the results in the order of the items, for any number of jobs.
  ///
  /// - Parameter progress: Called after each item with the number of finished items.
  static func map<Result: Sendable>(
    _ count: Int, jobs: Int, progress: (Int) -> Void, _ body: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    var results: [Result?] = Array(repeating: nil, count: count)
    await withTaskGroup(of: (Int, Result).self) { group in
      var next = 0
      var done = 0
      func start() {
        guard next < count else { return }
        let index = next
        next += 1
        group.addTask { (index, body(index)) }
      }
      for _ in 0..<min(max(1, jobs), count) { start() }
      for await (index, result) in group {
        results[index] = result
        done += 1
        progress(done)
        start()
      }
    }
    return results.compactMap(\.self)
  }
}
