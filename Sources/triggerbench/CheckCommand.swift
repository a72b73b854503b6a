import ArgumentParser
import Experiments
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Validate scenario files, the recordings that they name, packs, populations and experiments, without running them.",
    discussion: """
      Examples:
        triggerbench check scenarios
        triggerbench check packs/mine.yaml
      """)

  @Argument(help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "path"))
  var paths: [String] = ["scenarios"]

  @Option(help: "Only files whose path contains this.")
  var filter: String?

  @OptionGroup var files: FileOptions

  func run() throws {
    let files: [String]
    do {
      files = try SuiteFiles.find(in: paths, filter: filter)
    } catch {
      throw Exit.saying("\(error)")
    }
    var tallies = (scenarios: Tally(), packs: Tally(), populations: Tally(), experiments: Tally())
    let loader = ProgramLoader(options: self.files.options(searched: paths))
    for file in files {
      switch loader.load(file) {
      case .otherKind(PackFile.kind): tallies.packs.take(loader.load(pack: file))
      case .otherKind(Population.kind):
        tallies.populations.take(loader.check(population: file))
      case .otherKind(ExperimentFile.kind):
        let reach = loader.reach(of: file)
        tallies.experiments.take(ExperimentFile.load(file, in: reach, from: .beside(file, in: reach)))
      case let outcome: tallies.scenarios.take(outcome)
      }
    }
    let scenarios = tallies.scenarios.text("scenarios can be run")
    let packs = tallies.packs.text("packs can be included")
    let populations = tallies.populations.text("populations can be drawn from")
    let experiments = tallies.experiments.text("experiments can be run")
    let results = [scenarios, packs, populations, experiments].compactMap(\.self)
    if results.isEmpty {
      throw Exit.saying(OtherKinds.none(of: files))
    }
    for result in results { Terminal.print(result) }
    let all = [tallies.scenarios, tallies.packs, tallies.populations, tallies.experiments]
    if all.contains(where: { $0.problems > 0 }) {
      throw Exit.failure
    }
  }
}

/// Counts files of one kind, and says what is wrong with them.
private struct Tally {
  var good = 0
  var problems = 0

  mutating func take(_ outcome: ProgramLoader.Loaded) {
    switch outcome {
    case .program(let program, let warnings):
      let unmeetable = UnmeetableExpectations.diagnostics(program.scenario) + TitleAdvice.unmeetable(program)
      if unmeetable.isEmpty { good += 1 } else { problems += 1 }
      Terminal.diagnose(
        unmeetable + program.scenario.unintended(warnings) + AppAdvice.diagnostics(program))
    case .invalid(let diagnostics):
      problems += 1
      Terminal.diagnose(diagnostics)
    case .otherKind: break
    }
  }

  mutating func take(_ outcome: ExperimentFile.Outcome) {
    switch outcome {
    case .plan(_, let warnings):
      good += 1
      Terminal.diagnose(warnings)
    case .unusable(let diagnostics):
      problems += 1
      Terminal.diagnose(diagnostics)
    }
  }

  /// Nil when there are none.
  func text(_ words: String) -> String? {
    good + problems == 0 ? nil : "\(good) of \(good + problems) \(words)"
  }
}
