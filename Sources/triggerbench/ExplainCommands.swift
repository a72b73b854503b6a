import ArgumentParser
import EngineWire
import Foundation
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
    abstract: "Explain why a reminder did or did not fire, and the smallest change that would make it fire.",
    discussion: """
      Examples:
        triggerbench explain scenarios/milk.yaml      the first failed expectation
        triggerbench explain scenarios/milk.yaml milk --at '2026-03-02 17:40'
        triggerbench explain milk.yaml milk --at 'day 1 17:40' --engine ./my-engine
        triggerbench explain people.yaml trainingDay --person 4711 --at 'day 3 10:00'
        triggerbench explain milk.yaml --plan --at 'day 2 09:00'
      """)

  @Argument(help: "A scenario file, or with --person a population.")
  var file: String

  @Option(help: "The person of the population.")
  var person: UInt64?

  @Argument(help: "The reminder's id; not with --plan.")
  var reminder: String?

  @Option(
    help: """
      The phone's local time (default: that of the first failed expectation): '2026-03-02 17:40', '2026-03-02T17:40:30' or 'day 2 17:40'. If clocks show the time \
      twice, add the offset from UTC: '2026-10-25 02:30 +01:00'.
      """)
  var at: String?

  @Flag(
    help: """
      Print the requests that should be pending at that time (default: the start), those that are, and why the \
      others are not.
      """)
  var plan = false

  @Flag(
    help: """
      Also suggest changes that a person would not make: another profile, settings of the phone, and removals of \
      entries without a known effect.
      """)
  var any = false

  @Option(
    help: ArgumentHelp(
      "Explain this engine, which runs in its own process, instead of the built-in one.",
      valueName: "command"))
  var engine: String?

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if plan {
      if reminder != nil { throw ValidationError("--plan is about all reminders: name none") }
      if any { throw ValidationError("--plan suggests no change: leave --any out") }
      if engine != nil { throw ValidationError("--plan is about the built-in engine: leave --engine out") }
    } else if at != nil, reminder == nil {
      throw ValidationError("Missing expected argument '<reminder>'")
    }
  }

  func run() throws {
    let program = try SingleScenario.load(file, person: person, files.options())
    if plan { return try explainPlan(of: program) }
    let id = try reminder.map { try self.reminder($0, of: program) }
    let instant = try at.map { try LocalInstant.read($0, in: program) }
    let explainer = Explainer(program, engine.map(Terminal.engineChoice) ?? .builtIn, any: any)
    let question: Explainer.Question?
    var answer: Explainer.Answer?
    do throws(EngineFailure) {
      question =
        if let id, let instant {
          Explainer.Question(reminder: id, instant: instant, expectation: nil)
        } else {
          try explainer.firstFailure(of: id)
        }
      if let question { answer = try explainer.explain(question.reminder, at: question.instant) }
    } catch {
      throw Exit.failure(reporting: "\(error)")
    }
    guard let question else {
      throw Exit.failure(
        reporting: "\(file): no expectation about \(reminder ?? "a reminder") fails; name a reminder and --at"
      )
    }
    guard var answer else { throw Exit.failure }
    answer.expectation = question.expectation
    let sentence = SentencesText.sentence(of: question.reminder, in: program.scenario)
    let text = ExplanationText(answer, sentence: sentence)
    Terminal.print(json ? text.document.text : text.text)
  }

  private func reminder(_ name: String, of program: Program) throws -> ReminderID {
    if let id = program.reminders.reminder(named: name) { return id }
    let names = program.scenario.reminders.map(\.declaration.id)
    let hint = NearestNames.hint(for: name, among: names) ?? "it has \(names.joined(separator: ", "))"
    throw Exit.failure(reporting: "\(file) has no reminder '\(name)'; \(hint)")
  }

  private func explainPlan(of program: Program) throws {
    let instant = try at.map { try LocalInstant.read($0, in: program) } ?? program.scenario.start
    guard let plan = Explainer(program).plan(at: instant) else { throw Exit.failure }
    let text = PlanText(plan)
    Terminal.print(json ? text.document.text : text.text)
  }
}

struct StateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Print the stored counters of the cap scheduler, in the form of a scenario's 'stored:'.",
    discussion: """
      Example:
        triggerbench state scenarios/milk.yaml --at '2026-03-03 18:00'

      \(StateText.limits.replacing("\n", with: " "))
      """)

  @Argument(help: "A scenario file.")
  var file: String

  @Option(
    help: "The phone's local time, such as '2026-03-02 17:40' (default: the end).")
  var at: String?

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON, which 'stored:' accepts.")
  var json = false

  func run() throws {
    let program = try SingleScenario.load(file, files.options())
    let instant = try at.map { try LocalInstant.read($0, in: program) }
    do {
      let text = StateText(try program.storedState(at: instant ?? program.end))
      Terminal.print(json ? text.document.text + "\n" : text.text, terminator: "")
    } catch {
      throw Exit.failure(reporting: "\(file): \(error)")
    }
  }
}

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two runs: which notifications had another outcome, and why.",
    discussion: """
      A run is a journal, or the reports of a run. Journals show why each decision differs. Reports show what fired \
      and when, and which loss counts, expectations and gates changed. Of two experiments, the settings that differ \
      are named, with both answers.

      Examples:
        triggerbench run --journal before.ndjson
        triggerbench run --journal after.ndjson --set policy.minimumInterval=3h
        triggerbench compare before.ndjson after.ndjson
        triggerbench compare reports/main reports/latest --markdown
        triggerbench compare reports/experiment other/experiment.json

      gained: fires in the second run only; lost: fires in the first run only; moved: fires in both, but at another \
      time or for another occasion of the same date; otherwise: fires in neither, for different reasons.

      Exit codes: 0 the runs are equal; 1 a run cannot be read; 2 the runs differ.
      """)

  @Argument(help: ArgumentHelp("A journal, a folder of reports or a report.json.", valueName: "first"))
  var first: String

  @Argument(help: ArgumentHelp("Another run of the same kind.", valueName: "second"))
  var second: String

  @OptionGroup var form: ComparisonForm

  func run() throws {
    let output: String
    let isSame: Bool
    do {
      if let experiments = try ExperimentComparison(first, second) {
        output = form.choose(
          text: experiments.text, json: experiments.document.text, markdown: experiments.markdown)
        isSame = experiments.isSame
      } else {
        let comparison = try RunComparison(RunReader.read(first), RunReader.read(second))
        let text = ComparisonText(comparison, names: (first, second))
        output = form.choose(
          text: text.text, json: ComparisonJSON(comparison).document.text, markdown: text.markdown)
        isSame = comparison.isSame
      }
    } catch let problem as Diagnostic {
      Terminal.diagnose([problem])
      throw Exit.failure
    } catch {
      throw Exit.failure(reporting: "\(first) and \(second): \(error)")
    }
    Terminal.print(output)
    if !isSame { throw Exit.expectation }
  }
}

/// The output format of a comparison. The default is text.
struct ComparisonForm: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print Markdown, for a pull request.")
  var markdown = false

  func validate() throws {
    if json, markdown { throw ValidationError("--json and --markdown exclude each other") }
  }

  /// Returns the chosen format.
  func choose(
    text: @autoclosure () -> String, json asJSON: @autoclosure () -> String,
    markdown asMarkdown: @autoclosure () -> String
  ) -> String {
    json ? asJSON() : markdown ? asMarkdown() : text()
  }
}
