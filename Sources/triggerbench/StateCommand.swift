import ArgumentParser
import Foundation
import Reporting
import Scenarios
import Simulation
import TestBench
import TextFormats

struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Print the counters that the cap scheduler has stored, as 'stored:' of a scenario takes them.",
    discussion: """
      Example:
        triggerbench state scenarios/milk.yaml --at '2026-03-03 18:00'

      \(StateText.limits.replacing("\n", with: " "))
      """)

  @Argument(help: "A scenario file.")
  var file: String

  @Option(
    help: "When, in the local time of wherever the phone is: '2026-03-02 17:40'; the end if missing.")
  var at: String?

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON, as 'stored:' takes it.")
  var json = false

  func run() throws {
    let program = try SingleScenario.load(file, files.options())
    let instant = try at.map { try LocalInstant.read($0, in: program) }
    do {
      let text = StateText(try program.storedState(at: instant ?? program.end))
      Terminal.print(json ? text.document.text + "\n" : text.text, terminator: "")
    } catch {
      throw Exit.saying("\(file): \(error)")
    }
  }
}
