import Journal
import Statistics
import TextFormats
import PopulationFiles
import ScenarioFiles
import ArgumentParser
import ExperimentFiles
import Reporting

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Print the JSON Schema of scenario files, packs, populations, experiments, reports or events.",
    discussion: """
      Examples:
        triggerbench schema > scenario.schema.json
        triggerbench schema --pack > pack.schema.json
        triggerbench schema --population > population.schema.json
        triggerbench schema --experiment > experiment.schema.json
        triggerbench schema --report > report.schema.json
        triggerbench schema --events > event.schema.json
        triggerbench schema --journal > journal.schema.json
      """)

  @Flag(help: "The schema of packs instead.")
  var pack = false

  @Flag(help: "The schema of populations instead.")
  var population = false

  @Flag(help: "The schema of experiments instead.")
  var experiment = false

  @Flag(help: "The schema of report.json instead.")
  var report = false

  @Flag(help: "The schema of a line of events.ndjson instead.")
  var events = false

  @Flag(help: "The schema of a line of a journal, which is the wire form of engines too.")
  var journal = false

  func validate() throws {
    if [pack, population, experiment, report, events, journal].count(where: \.self) > 1 {
      throw ValidationError(
        "--pack, --population, --experiment, --report, --events and --journal exclude each other")
    }
  }

  func run() throws {
    let schema =
      pack
      ? ScenarioSchema.pack
      : population
        ? PopulationFile.schema
        : experiment
          ? ExperimentFile.schema
          : report
            ? ReportSchema.json
            : events ? AnalyticsCatalogue.schema : journal ? JournalSchema.journal : ScenarioSchema.json
    Terminal.print(schema.text)
  }
}
