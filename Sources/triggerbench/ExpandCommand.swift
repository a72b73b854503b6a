import Simulation
import TestBench
import ArgumentParser
import Foundation

struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Print a scenario's time line as plain events, one JSON object a line.",
    discussion: """
      The lines are those of the happened track of a journal; a scenario can play them as a recording.

      Example:
        triggerbench expand scenarios/milk.yaml | head
      """)

  @Argument(help: "A scenario file.")
  var file: String

  func run() throws {
    let program = try SingleScenario.load(file)
    Expansion(program).write { Terminal.write($0, to: .standardOutput) }
  }
}
