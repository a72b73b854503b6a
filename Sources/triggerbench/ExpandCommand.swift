import Simulation
import TestBench
import ArgumentParser
import Foundation

struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Print a scenario's time line as plain events, one JSON object a line.",
    discussion: """
      Example:
        triggerbench expand scenarios/milk.yaml | head
      """)

  @Argument(help: "A scenario file.")
  var file: String

  func run() throws {
    let program = try SingleScenario.load(file)
    let words = EventWords(program)
    var text = ""
    for event in program.allEvents {
      text += words.line(event) + "\n"
      if text.utf8.count > 1 << 16 {
        Terminal.write(text, to: .standardOutput)
        text = ""
      }
    }
    Terminal.write(text, to: .standardOutput)
  }
}
