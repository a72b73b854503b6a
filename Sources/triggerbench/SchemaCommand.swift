import ArgumentParser
import Reporting
import Scenarios

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files or of reports, for editors and validators.",
    discussion: """
      Examples:
        triggerbench schema > scenario.schema.json
        triggerbench schema --report > report.schema.json
      """)

  @Flag(help: "The schema of report.json instead.")
  var report = false

  func run() throws {
    Terminal.print((report ? ReportSchema.json : ScenarioSchema.json).text)
  }
}
