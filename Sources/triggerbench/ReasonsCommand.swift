import ArgumentParser
import Reporting
import TextFormats

struct ReasonsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reasons",
    abstract:
      "Print what each reason, cause, loss and figure of a report means, and what to do about it.",
    discussion: """
      Examples:
        triggerbench reasons
        triggerbench reasons quietHours
        triggerbench reasons tapThrough
        triggerbench reasons --json
      """)

  @Argument(help: "Only this word, as a report prints it.")
  var name: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var words = ReportWord.all
    if let name {
      words = ReportWord.named(name)
      if words.isEmpty {
        throw ValidationError("no report prints '\(Printable.text(name))'; \(ReportWord.hint(for: name))")
      }
    }
    let text = ReasonsText(words)
    Terminal.print(json ? text.document.text : text.text)
  }
}
