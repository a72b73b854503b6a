import ArgumentParser
import Scenarios
import TestBench

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate scenario files, and the recordings that they name, without running them.",
    discussion: """
      Example:
        triggerbench check scenarios
      """)

  @Argument(help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "path"))
  var paths: [String] = ["scenarios"]

  @Option(help: "Only files whose path contains this.")
  var filter: String?

  func run() throws {
    let files: [String]
    do {
      files = try SuiteFiles.find(in: paths, filter: filter)
    } catch {
      Terminal.diagnose("triggerbench: \(error)")
      throw Exit.failure
    }
    var good = 0
    var problems = 0
    for file in files {
      switch ProgramLoader().load(file) {
      case .program(_, let warnings):
        good += 1
        for warning in warnings { Terminal.diagnose(warning.rendered()) }
      case .invalid(let diagnostics):
        problems += 1
        for diagnostic in diagnostics { Terminal.diagnose(diagnostic.rendered()) }
      case .otherKind: break
      }
    }
    if good + problems == 0 {
      Terminal.diagnose("triggerbench: none of \(files.count) files is a scenario ('kind: scenario')")
      throw Exit.failure
    }
    Terminal.print("\(good) of \(good + problems) scenarios can be run")
    if problems > 0 { throw Exit.failure }
  }
}
