import ArgumentParser
import Experiments
import Journal
import Reporting
import Scenarios
import Statistics
import TextFormats

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Print the JSON Schema of scenario files, packs, populations, experiments, reports, events or journals.",
    discussion: """
      Examples:
        triggerbench schema > scenario.schema.json
        triggerbench schema --pack > pack.schema.json
        triggerbench schema --population > population.schema.json
        triggerbench schema --experiment > experiment.schema.json
        triggerbench schema --report > report.schema.json
        triggerbench schema --events > event.schema.json
        triggerbench schema --journal > journal.schema.json

      An editor with a YAML language server completes and checks a file by it that says so in a comment:

        # yaml-language-server: $schema=scenario.schema.json
      """)

  /// Of what, but for scenarios.
  enum Subject: String, EnumerableFlag {
    case pack, population, experiment, report, events, journal

    static func help(for value: Subject) -> ArgumentHelp? {
      switch value {
      case .pack: "The schema of packs instead."
      case .population: "The schema of populations instead."
      case .experiment: "The schema of experiments instead."
      case .report: "The schema of report.json instead."
      case .events: "The schema of a line of events.ndjson instead."
      case .journal: "The schema of a line of a journal, which is the wire form of engines too."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var subject: Subject?

  func run() throws {
    let schema =
      switch subject {
      case nil: ScenarioSchema.json
      case .pack: ScenarioSchema.pack
      case .population: PopulationFile.schema
      case .experiment: ExperimentFile.schema
      case .report: ReportSchema.json
      case .events: AnalyticsCatalogue.schema
      case .journal: JournalSchema.journal
      }
    Terminal.print(schema.text)
  }
}
