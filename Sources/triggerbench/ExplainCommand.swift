import ArgumentParser
import EngineWire
import ReminderEngine
import ReminderMatching
import Reporting
import ScenarioModel
import Scenarios
import Simulation
import TestBench
import TextFormats
import TriggerModel

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why a reminder did or did not fire, and the smallest change that would make it.",
    discussion: """
      Example:
        triggerbench explain scenarios/milk.yaml milk --at '2026-03-02 17:40'
        triggerbench explain milk.yaml milk --at 'day 1 17:40' --engine ./my-engine
        triggerbench explain people.yaml trainingDay --person 4711 --at 'day 3 10:00'
      """)

  @Argument(help: "A scenario file, or with --person a population.")
  var file: String

  @Option(help: "Which person of the population.")
  var person: UInt64?

  @Argument(help: "The reminder's id.")
  var reminder: String

  @Option(
    help: """
      When, in the local time of wherever the phone is: '2026-03-02 17:40', '2026-03-02T17:40:30' or 'day 2 17:40'; \
      with the offset from UTC where clocks show a time twice: '2026-10-25 02:30 +01:00'.
      """)
  var at: String

  @Option(
    help: ArgumentHelp(
      "What this engine did, started as a process of its own, instead of the built-in one.",
      valueName: "command"))
  var engine: String?

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let program = try SingleScenario.load(file, person: person, files.options())
    let names = program.scenario.reminders.map(\.declaration.id)
    guard let id = program.reminders.reminder(named: reminder) else {
      let hint = NearestNames.hint(for: reminder, among: names) ?? "it has \(names.joined(separator: ", "))"
      throw Exit.saying("\(file) has no reminder '\(reminder)'; \(hint)")
    }
    let instant = try LocalInstant.read(at, in: program)
    let answer: Explainer.Answer?
    do throws(EngineFailure) {
      let choice = engine.map { EngineChoice.command(Terminal.engineCommand($0)) } ?? .builtIn
      answer = try Explainer(program, choice).explain(id, at: instant)
    } catch {
      throw Exit.saying("\(error)")
    }
    guard let answer else { throw Exit.failure }
    let sentence = SentencesText.sentence(of: id, in: program.scenario)
    let text = ExplanationText(answer, sentence: sentence)
    Terminal.print(json ? text.document.text : text.text)
  }
}
