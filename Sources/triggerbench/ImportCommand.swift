import ArgumentParser
import CivilTime
import Foundation
import Recordings
import TextFormats

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn what a Monica server says of contacts' reminders into a pack that scenarios include.",
    discussion: """
      Examples:
        triggerbench import page1.json page2.json --output contacts.yaml
        triggerbench import reminders.json --at 08:30 > contacts.yaml

      Recordings need no import: the time line of a scenario names them ('triggerbench reference timeline').

      The files are answers to GET /api/reminders, a page each. What was left out or changed is counted on standard \
      error, with the place where it came first.
      """)

  @Argument(help: ArgumentHelp("The pages of one answer, as JSON.", valueName: "file"))
  var files: [String]

  @Option(help: ArgumentHelp("The local time of day of every reminder: Monica has none.", valueName: "time"))
  var at = "09:00"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The pack to write; standard output if missing.", valueName: "file"))
  var output: String?

  func validate() throws {
    guard (try? MinuteOfDay.parse(at)) != nil else {
      throw ValidationError("'\(at)' is not a time of day in whole minutes, such as 09:00")
    }
  }

  func run() throws {
    let minute = try MinuteOfDay.parse(at)
    var answer = MonicaAnswer()
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else {
        throw Exit.saying("\(file): \(FileProblem.reading(file))")
      }
      do {
        try answer.read(Array(data), file: file)
      } catch {
        Terminal.diagnose(error.summary)
        throw Exit.failure
      }
    }
    let pack = MonicaPack(answer, minute: minute).text
    if let output {
      let file = try OutputFile(output, for: "the pack", .pack)
      file.write(Array(pack.utf8))
      file.close()
    } else {
      Terminal.print(pack, terminator: "")
    }
    for line in answer.lines { Terminal.diagnose("triggerbench: \(line)") }
  }
}
