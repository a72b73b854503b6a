import ArgumentParser
import Reporting
import TextFormats

struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Print what a scenario file can say: its keys, sentences, units, defaults and profiles.",
    discussion: """
      Examples:
        triggerbench reference
        triggerbench reference policy
        triggerbench reference timeline
        triggerbench reference --all
      """)

  @Argument(help: "A key of a scenario, or another topic of the list.")
  var topic: String?

  @Flag(help: "Print all topics.")
  var all = false

  func validate() throws {
    if all && topic != nil { throw ValidationError("choose a topic or --all") }
  }

  func run() throws {
    guard let topic else {
      return Terminal.print(
        all ? Reference.topics.map(\.text).joined(separator: "\n\n") : Reference.contents)
    }
    guard let found = Reference.topic(topic) else {
      throw ValidationError(
        "the reference has no topic '\(Printable.text(topic))'; \(Reference.hint(for: topic))")
    }
    Terminal.print(found.text)
  }
}
