import ArgumentParser
import Foundation
import Simulation
import TestBench

struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Print a scenario as plain lines: what it declares, and each thing that happens.",
    discussion: """
      One JSON object a line. The first holds the declarations and expectations; the others are the happened \
      track of a journal, and a scenario can play them as a recording.

      Example:
        triggerbench expand scenarios/milk.yaml | tail -n +2 | head
        triggerbench expand scenarios/milk.yaml | triggerbench run -
        triggerbench expand people.yaml --person 4711
      """)

  @Argument(help: "A scenario file, or with --person a population.")
  var file: String

  @Option(help: "Which person of the population.")
  var person: UInt64?

  @OptionGroup var files: FileOptions

  func run() throws {
    let program = try SingleScenario.load(file, person: person, files.options())
    try ExpandedScenario.write(program) { Terminal.write($0, to: .standardOutput) }
  }
}
