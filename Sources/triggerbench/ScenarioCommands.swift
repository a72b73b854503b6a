import ArgumentParser
import CivilTime
import DeviceSimulation
import Experiments
import Foundation
import Recordings
import Reporting
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Validate scenarios, their recordings, packs, populations and experiments without running them.",
    discussion: """
      Examples:
        triggerbench check scenarios
        triggerbench check packs/mine.yaml
      """)

  @OptionGroup var paths: PathOptions

  @OptionGroup var files: FileOptions

  func run() throws {
    let found = try paths.find()
    var scenarios = CheckCount("scenarios can be run")
    var packs = CheckCount("packs can be included")
    var populations = CheckCount("populations can be drawn from")
    var experiments = CheckCount("experiments can be run")
    let loader = ProgramLoader(options: files.options(searched: paths.paths))
    for file in found {
      switch loader.load(file) {
      case .otherKind(PackFile.kind): packs.add(loader.load(pack: file))
      case .otherKind(Population.kind): populations.add(loader.check(population: file))
      case .otherKind(ExperimentFile.kind):
        let reach = loader.reach(of: file)
        experiments.add(ExperimentFile.load(file, in: reach, from: .nextTo(file, in: reach)))
      case let outcome: scenarios.add(outcome)
      }
    }
    let counts = [scenarios, packs, populations, experiments].filter { $0.all > 0 }
    if counts.isEmpty { throw Exit.failure(reporting: OtherKinds.none(of: found)) }
    for count in counts { Terminal.print("\(count.valid) of \(count.all) \(count.text)") }
    if counts.contains(where: { $0.valid < $0.all }) { throw Exit.failure }
  }
}

/// Counts all files of one kind, and the valid ones among them. Also prints the diagnostics of each added
/// outcome.
private struct CheckCount {
  let text: String
  private(set) var valid = 0
  private(set) var all = 0

  init(_ text: String) { self.text = text }

  mutating func add(_ outcome: ProgramLoader.Loaded) {
    switch outcome {
    case .program(let program, let warnings):
      let unmeetable = UnmeetableExpectations.diagnostics(program.scenario) + TitleAdvice.unmeetable(program)
      add(isValid: unmeetable.isEmpty)
      Terminal.diagnose(
        unmeetable + program.scenario.unintended(warnings) + program.unusedAppWarnings)
    case .invalid(let diagnostics):
      add(isValid: false)
      Terminal.diagnose(diagnostics)
    case .otherKind: break
    }
  }

  mutating func add(_ outcome: ExperimentFile.Outcome) {
    switch outcome {
    case .plan(_, let warnings):
      add(isValid: true)
      Terminal.diagnose(warnings)
    case .unusable(let diagnostics):
      add(isValid: false)
      Terminal.diagnose(diagnostics)
    }
  }

  private mutating func add(isValid: Bool) {
    all += 1
    if isValid { valid += 1 }
  }
}

struct ExpandCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expand",
    abstract: "Print a scenario as JSON lines: its declarations, and each event.",
    discussion: """
      Each line is a JSON object. The first holds the declarations and expectations. The others are the truth track \
      of a journal, and a scenario can replay them as a recording.

      Examples:
        triggerbench expand scenarios/milk.yaml | tail -n +2 | head
        triggerbench expand scenarios/milk.yaml | triggerbench run -
        triggerbench expand people.yaml --person 4711
      """)

  @Argument(help: "A scenario file, or with --person a population.")
  var file: String

  @Option(help: "The person of the population.")
  var person: UInt64?

  @OptionGroup var files: FileOptions

  func run() throws {
    let program = try SingleScenario.load(file, person: person, files.options())
    try ExpandedScenario.write(program) { Terminal.write($0, to: .standardOutput) }
  }
}

struct SentencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sentences",
    abstract: "Print every reminder as a sentence that a file can contain.",
    discussion: """
      A sentence is equivalent to the declaration, and can replace its mapping under 'reminders'. A template is \
      printed instead of the reminders that it generates.

      Examples:
        triggerbench sentences scenarios/milk.yaml
        triggerbench sentences scenarios --filter fitme --json
      """)

  @OptionGroup var paths: PathOptions

  @OptionGroup var files: FileOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let found = try paths.find()
    let loader = ProgramLoader(options: files.options(searched: paths.paths))
    var texts: [SentencesText] = []
    var hasProblems = false
    for file in found {
      var outcome = loader.load(file)
      if case .otherKind(PackFile.kind) = outcome { outcome = loader.load(pack: file) }
      switch outcome {
      case .program(let program, _):
        let templates = ScenarioFile.templates(file, in: loader.reach(of: file))
        texts.append(SentencesText(program.scenario, templates))
      case .invalid(let diagnostics):
        hasProblems = true
        Terminal.diagnose(diagnostics)
      case .otherKind: break
      }
    }
    if texts.isEmpty, !hasProblems { throw Exit.failure(reporting: OtherKinds.none(of: found)) }
    Terminal.print(
      json
        ? JSONValue.array(texts.map(\.document)).text
        : texts.map { $0.text(withFile: found.count > 1) }.joined(separator: "\n\n"))
    if hasProblems { throw Exit.failure }
  }
}

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first scenario, and the schema with which an editor completes it.",
    discussion: """
      Examples:
        triggerbench init scenarios/milk.yaml
        triggerbench init --pack fitme packs/mine.yaml   a copy of a pack, to edit
      """)

  @Option(
    help: ArgumentHelp(
      "Write a copy of this built-in pack instead; a scenario includes it by its file name.",
      valueName: "name"))
  var pack: String?

  @Argument(help: ArgumentHelp("The file to write; it must not exist yet.", valueName: "file"))
  var file = "scenarios/first.yaml"

  func run() throws {
    let text = try self.text
    if FileManager.default.fileExists(atPath: file) {
      throw Exit.failure(reporting: "\(file) exists already; name another file")
    }
    do {
      let url = URL(fileURLWithPath: file)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text).write(to: url)
      if pack == nil { try writeSchema(nextTo: url) }
    } catch {
      throw Exit.failure(reporting: "cannot write \(file): \(error.localizedDescription)")
    }
    Terminal.print("wrote \(file); next: triggerbench \(pack == nil ? "run" : "check") \(Shell.quote(file))")
  }

  /// Writes the schema that the scenario's first line names, unless there is such a file.
  private func writeSchema(nextTo file: URL) throws {
    let schema = file.deletingLastPathComponent().appendingPathComponent(ScenarioTemplate.schemaFile)
    if FileManager.default.fileExists(atPath: schema.path) { return }
    try Data("\(ScenarioSchema.json.text)\n".utf8).write(to: schema)
  }

  private var text: [UInt8] {
    get throws {
      guard let pack else { return Array(ScenarioTemplate.text.utf8) }
      if let bytes = BuiltInPacks.bytes(of: pack) { return bytes }
      let near = NearestNames.hint(for: pack, among: BuiltInPacks.names) ?? ""
      throw Exit.failure(reporting: "there is no pack '\(pack)'; \(near)")
    }
  }
}

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert the contact reminders of a Monica server into a pack for scenarios to include.",
    discussion: """
      Examples:
        triggerbench import page1.json page2.json --output contacts.yaml
        triggerbench import reminders.json --at 08:30 > contacts.yaml

      Recordings need no import: the timeline of a scenario names them ('triggerbench reference timeline').

      The files are responses to GET /api/reminders, one page each. The tool prints to standard error how many \
      reminders it skipped or changed, and where the first of each is.
      """)

  @Argument(help: ArgumentHelp("The pages of one response, as JSON.", valueName: "file"))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The local time of day of every reminder, which Monica does not store.", valueName: "time"))
  var at = "09:00"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The pack to write (default: standard output).", valueName: "file"))
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
        throw Exit.failure(reporting: "\(file): \(FileProblem.reading(file))")
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
