import ArgumentParser
import Foundation
import Scenarios

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first scenario: a commented example that explains the whole format.",
    discussion: """
      Example:
        triggerbench init scenarios/milk.yaml && triggerbench run scenarios/milk.yaml
      """)

  @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
  var file = "scenarios/first.yaml"

  func run() throws {
    if FileManager.default.fileExists(atPath: file) {
      Terminal.diagnose("triggerbench: \(file) exists already; name another file")
      throw Exit.failure
    }
    do {
      let url = URL(fileURLWithPath: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(ScenarioTemplate.text.utf8).write(to: url)
    } catch {
      Terminal.diagnose("triggerbench: cannot write \(file): \(error.localizedDescription)")
      throw Exit.failure
    }
    Terminal.print("wrote \(file); next: triggerbench run \(Shell.quote(file))")
  }
}
