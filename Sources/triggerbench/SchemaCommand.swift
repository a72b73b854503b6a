import ArgumentParser
import Reporting
import Scenarios
import TestBench

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files, reports or events, for editors and validators.",
    discussion: """
      Examples:
        triggerbench schema > scenario.schema.json
        triggerbench schema --report > report.schema.json
        triggerbench schema --events > event.schema.json
      """)

  @Flag(help: "The schema of report.json instead.")
  var report = false

  @Flag(help: "The schema of a line of events.ndjson instead.")
  var events = false

  func validate() throws {
    if report, events { throw ValidationError("--report and --events exclude each other") }
  }

  func run() throws {
    let schema =
      report ? ReportSchema.json : events ? AnalyticsCatalogue.schema : ScenarioSchema.json
    Terminal.print(schema.text)
  }
}
