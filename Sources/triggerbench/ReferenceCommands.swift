import ArgumentParser
import DeviceSimulation
import Experiments
import Journal
import Reporting
import Scenarios
import Statistics
import TextFormats

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Print the rules of the platform profiles, with their values, sources and confidence.",
    discussion: """
      Examples:
        triggerbench rules --profile ios
        triggerbench rules --person        the parameters of the person models
      """)

  @Option(help: "Only this profile: ideal, ios or android.")
  var profile: String?

  @Flag(
    help: "Print the parameters of the person models: responses to notifications, and the days of people.")
  var person = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if person && profile != nil { throw ValidationError("choose --profile or --person") }
  }

  func run() throws {
    if person {
      let text = PersonModelText()
      return Terminal.print(json ? text.document.text : text.text)
    }
    var profiles = PlatformProfile.all
    if let profile {
      do {
        profiles = [try PlatformProfile.named(profile)]
      } catch {
        throw ValidationError("\(error)")
      }
    }
    let text = RulesText(profiles)
    Terminal.print(json ? text.document.text : text.text)
  }
}

struct ReasonsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reasons",
    abstract:
      "Print the meaning of each reason, cause, loss and figure of a report, and what to do about it.",
    discussion: """
      Examples:
        triggerbench reasons
        triggerbench reasons quietHours
        triggerbench reasons tapThrough
        triggerbench reasons --json
      """)

  @Argument(help: "Only this word of a report.")
  var name: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    var words = ReportWord.all
    if var name {
      if let today = ReportWord.renamed[name.lowercased()] {
        Terminal.diagnose("triggerbench: warning: '\(name)' is called '\(today)' now")
        name = today
      }
      words = ReportWord.named(name)
      if words.isEmpty {
        throw ValidationError("no report prints '\(Printable.text(name))'; \(ReportWord.hint(for: name))")
      }
    }
    let text = ReasonsText(words)
    Terminal.print(json ? text.document.text : text.text)
  }
}

struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Print the reference of scenario files: keys, sentences, units, defaults and profiles.",
    discussion: """
      Examples:
        triggerbench reference
        triggerbench reference policy
        triggerbench reference minimumInterval
        triggerbench reference timeline
        triggerbench reference --all
      """)

  @Argument(help: "A topic, or a key such as 'repeat' or 'policy.dailyCap' (default: list the topics).")
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
    guard let found = Reference.text(for: topic) else {
      throw ValidationError(
        "the reference has no topic or key '\(Printable.text(topic))'; \(Reference.hint(for: topic))")
    }
    Terminal.print(found)
  }
}

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Print the JSON Schema of scenario files, packs, populations, experiments, reports, events or journals.",
    discussion: """
      Examples:
        triggerbench schema > scenario.schema.json
        triggerbench schema --pack > pack.schema.json
        triggerbench schema --population > population.schema.json
        triggerbench schema --experiment > experiment.schema.json
        triggerbench schema --report > report.schema.json
        triggerbench schema --events > event.schema.json
        triggerbench schema --journal > journal.schema.json

      An editor with a YAML language server completes and validates files that name the schema in a comment:

        # yaml-language-server: $schema=scenario.schema.json
      """)

  /// A kind of file other than a scenario.
  enum Subject: String, EnumerableFlag {
    case pack, population, experiment, report, events, journal

    static func help(for value: Subject) -> ArgumentHelp? {
      switch value {
      case .pack: "The schema of packs instead."
      case .population: "The schema of populations instead."
      case .experiment: "The schema of experiments instead."
      case .report: "The schema of report.json instead."
      case .events: "The schema of a line of events.ndjson instead."
      case .journal: "The schema of a line of a journal, which is the wire form of engines too."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var subject: Subject?

  func run() throws {
    let schema =
      switch subject {
      case nil: ScenarioSchema.json
      case .pack: ScenarioSchema.pack
      case .population: PopulationFile.schema
      case .experiment: ExperimentFile.schema
      case .report: ReportSchema.json
      case .events: AnalyticsCatalogue.schema
      case .journal: JournalSchema.journal
      }
    Terminal.print(schema.text)
  }
}
