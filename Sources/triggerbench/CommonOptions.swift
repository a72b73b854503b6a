import ArgumentParser
import CivilTime
import Experiments
import Foundation
import ScenarioModel
import Scenarios
import Simulation
import TestBench
import TextFormats
import TriggerModel

/// The path arguments that `run`, `check` and `sentences` share.
struct PathOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("Scenario files, or folders to search for them.", valueName: "path"))
  var paths: [String] = ["scenarios"]

  @Option(help: "Only files whose path contains this text.")
  var filter: String?

  func find() throws -> [String] {
    do {
      return try SuiteFiles.find(in: paths, filter: filter)
    } catch {
      throw Exit.failure(reporting: "\(error)")
    }
  }
}

/// The option `--jobs`, which does not affect results.
struct JobOptions: ParsableArguments {
  @Option(name: .customLong("jobs"), help: "The number of parallel jobs (default: the number of cores).")
  var requested: Int?

  /// The requested number of parallel jobs, but at most the number of cores.
  var count: Int {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return min(requested ?? cores, cores)
  }

  func validate() throws {
    if let requested, requested < 1 { throw ValidationError("--jobs must be at least 1") }
  }
}

/// The options that limit which folders files may refer to, and how large a scenario may be.
struct FileOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp(
      """
      Also read packs, recordings and populations from this folder; may be repeated. By default a file can refer to \
      files below the nearest parent folder with '.git'; without one, below the folder PATH, or else in its own \
      folder. Names that begin with a dot are never read.
      """, valueName: "dir"))
  var allowed: [String] = []

  @Option(
    help: ArgumentHelp(
      "The maximum number of events of one scenario, with those of its recordings but without fixes.",
      valueName: "count"))
  var maxEvents = RunBudget().events

  @Option(
    help: ArgumentHelp(
      "The maximum number of notifications and other individually recorded outcomes of one scenario.",
      valueName: "count"))
  var maxFires = RunBudget().fires

  @Option(
    help: ArgumentHelp(
      "The maximum total size in bytes of the recordings of one scenario.", valueName: "count")
  )
  var maxBytes = RunBudget().bytes

  func validate() throws {
    for (option, value) in [
      ("--max-events", maxEvents), ("--max-fires", maxFires), ("--max-bytes", maxBytes),
    ]
    where value < 1 {
      throw ValidationError("\(option) must be at least 1")
    }
    if allowed.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("--allow-path is empty")
    }
  }

  /// The options as shell arguments. Options with their default values are omitted.
  var arguments: [String] {
    let usual = RunBudget()
    let budget = [
      ("--max-events", maxEvents, usual.events), ("--max-fires", maxFires, usual.fires),
      ("--max-bytes", maxBytes, usual.bytes),
    ]
    return allowed.flatMap { ["--allow-path", Shell.quote($0)] }
      + budget.filter { $0.1 != $0.2 }.flatMap { [$0.0, "\($0.1)"] }
  }

  /// - Parameter searched: The paths given on the command line.
  func options(searched: [String] = []) -> Suite.Options {
    var options = Suite.Options()
    options.allowed = allowed
    options.searched = searched
    options.budget.events = maxEvents
    options.budget.fires = maxFires
    options.budget.bytes = maxBytes
    return options
  }

  func reach(of file: String) -> ReachableFiles { ProgramLoader(options: options()).reach(of: file) }
}

enum SingleScenario {
  /// Loads one scenario. On failure, reports the problem and throws an exit code.
  ///
  /// - Parameter person: The person to load from a population, or `nil` if the file is not a population.
  static func load(
    _ file: String, person: UInt64? = nil, _ options: Suite.Options
  ) throws -> Program {
    var options = options
    options.person = person
    options.searched.append(file)
    switch ProgramLoader(options: options).load(file) {
    case .program(let program, let warnings):
      Terminal.diagnose(program.scenario.unintended(warnings))
      return program
    case .invalid(let diagnostics): Terminal.diagnose(diagnostics)
    case .otherKind(Population.kind):
      Terminal.diagnose("triggerbench: \(file) is a population; choose one of its people with --person")
    case .otherKind:
      Terminal.diagnose("triggerbench: \(OtherKinds.nothingToRun([file]))")
    }
    throw Exit.failure
  }
}

/// Messages about files of kinds other than scenario.
enum OtherKinds {
  /// Returns the message for files that cannot be run, with a hint to the command that accepts them.
  ///
  /// - Parameter person: Whether the command requires one person of each population.
  static func nothingToRun(_ files: [String], person: Bool = false) -> String {
    person ? none(of: files, is: Population.kind) : none(of: files) + hint(files)
  }

  /// Returns the message for files that are all of another kind.
  static func none(of files: [String], is kind: String = "scenario") -> String {
    let subject = files.count == 1 ? "\(files[0]) is not a" : "none of \(files.count) files is a"
    return "\(subject) \(kind) ('kind: \(kind)')"
  }

  /// Returns a hint to the command that accepts the first file of a known kind, or an empty string.
  private static func hint(_ files: [String]) -> String {
    for file in files where file != SuiteFiles.standardInput {
      guard case .otherKind(let kind) = ProgramLoader().load(file) else { continue }
      switch kind {
      case ExperimentFile.kind: return "; 'triggerbench experiment \(file)' runs an experiment"
      case Population.kind: return "; 'triggerbench run \(file) --person 1' plays one of its people"
      case PackFile.kind: return "; 'triggerbench check \(file)' validates a pack, which scenarios 'include'"
      default: continue
      }
    }
    return ""
  }
}

enum LocalInstant {
  /// Parses the option `--at`, which is an instant of a scenario in the phone's local time.
  ///
  /// - Parameter text: A time such as `2026-03-02 17:40` or `2026-03-02T17:40:30`. An ambiguous local time
  ///   needs an offset from UTC.
  static func read(_ text: String, in program: Program) throws -> Instant {
    let instant: Instant
    do {
      instant = try program.instant(written: text)
    } catch {
      // The parser's message is helpful only if the text resembles a date.
      let isDate = text.prefix(4).allSatisfy(\.isWholeNumber) && text.contains("-")
      throw ValidationError(
        isDate
          ? "--at: \(error)"
          : "--at: '\(text)' is not a date and time; write '2026-03-02 17:40', or 'day 2 17:40' counted from the start"
      )
    }
    guard instant >= program.scenario.start, instant < program.end else {
      let zone = program.scenario.zones[program.scenario.zone]
      throw Exit.failure(
        reporting: "\(text) is not within the scenario, which lasts from "
          + "\(program.scenario.start.iso8601(in: zone)) to \(program.end.iso8601(in: zone))")
    }
    return instant
  }
}
