import ArgumentParser
import Scenarios

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenario files, for editors and validators.",
    discussion: """
      Example:
        triggerbench schema > scenario.schema.json
      """)

  func run() throws {
    Terminal.print(ScenarioSchema.json.text)
  }
}
