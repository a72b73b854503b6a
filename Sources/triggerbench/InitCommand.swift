import ArgumentParser
import Foundation
import Scenarios
import TriggerModel

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first scenario: a commented example that explains the whole format.",
    discussion: """
      Examples:
        triggerbench init scenarios/milk.yaml
        triggerbench init --pack fitme packs/mine.yaml   a pack, to be changed
      """)

  @Option(
    help: ArgumentHelp(
      "Write this pack instead, for a scenario to include by the name of the file.", valueName: "name"))
  var pack: String?

  @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
  var file = "scenarios/first.yaml"

  func run() throws {
    let text = try self.text
    if FileManager.default.fileExists(atPath: file) {
      throw Exit.saying("\(file) exists already; name another file")
    }
    do {
      let url = URL(fileURLWithPath: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text).write(to: url)
    } catch {
      throw Exit.saying("cannot write \(file): \(error.localizedDescription)")
    }
    Terminal.print("wrote \(file); next: triggerbench \(pack == nil ? "run" : "check") \(Shell.quote(file))")
  }

  private var text: [UInt8] {
    get throws {
      guard let pack else { return Array(ScenarioTemplate.text.utf8) }
      if let bytes = BuiltInPacks.bytes(of: pack) { return bytes }
      let near = NearestNames.hint(for: pack, among: BuiltInPacks.names) ?? ""
      throw Exit.saying("there is no pack '\(pack)'; \(near)")
    }
  }
}
