import ArgumentParser
import Reporting
import Scenarios
import Simulation
import TestBench
import TextFormats

struct SentencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sentences",
    abstract: "Print every reminder as a sentence, as it can stand in a file.",
    discussion: """
      A sentence says all that the declaration says, and reads back as the same one: under 'reminders' it can \
      stand in place of the mapping. A template is printed in place of the reminders that it makes.

      Examples:
        triggerbench sentences scenarios/milk.yaml
        triggerbench sentences scenarios --filter fitme --json
      """)

  @Argument(help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "path"))
  var paths: [String] = ["scenarios"]

  @Option(help: "Only files whose path contains this.")
  var filter: String?

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let found: [String]
    do {
      found = try SuiteFiles.find(in: paths, filter: filter)
    } catch {
      throw Exit.saying("\(error)")
    }
    let loader = ProgramLoader(options: files.options(searched: paths))
    var told: [SentencesText] = []
    var hasProblems = false
    for file in found {
      var outcome = loader.load(file)
      if case .otherKind(PackFile.kind) = outcome { outcome = loader.load(pack: file) }
      switch outcome {
      case .program(let program, _):
        let templates = ScenarioFile.templates(file, in: loader.reach(of: file))
        told.append(SentencesText(program.scenario, templates))
      case .invalid(let diagnostics):
        hasProblems = true
        Terminal.diagnose(diagnostics)
      case .otherKind: break
      }
    }
    if told.isEmpty, !hasProblems {
      throw Exit.saying(OtherKinds.none(of: found))
    }
    Terminal.print(
      json
        ? JSONValue.array(told.map(\.document)).text
        : told.map { $0.text(withFile: found.count > 1) }.joined(separator: "\n\n"))
    if hasProblems { throw Exit.failure }
  }
}
