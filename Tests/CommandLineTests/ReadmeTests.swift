import Foundation
import TestSupport
import Testing

/// Tests that the README agrees with the tool.
@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
  private func readme() throws -> String {
    String(
      decoding: try Data(contentsOf: Repository.root.appendingPathComponent("README.md")), as: UTF8.self)
  }

  @Test func `the commands in console blocks print the output that is shown below them`() async throws {
    let folder = try Folder()
    let shown = Markdown.blocks("console", in: try readme()).joined()
    var printed = ""
    for line in shown.split(separator: "\n") where line.hasPrefix("$ ") {
      printed += "\(line)\n" + (try await folder.shell(String(line.dropFirst(2))).output)
    }
    #expect(printed == shown)
  }

  @Test func `the scenario in the README passes`() async throws {
    let blocks = Markdown.blocks("yaml", in: try readme())
    let scenario = try #require(blocks.first { $0.hasPrefix("kind: scenario") })
    let folder = try Folder()
    try folder.write(scenario, to: "milk.yaml")
    let trace = "traces/way-home.gpx"
    try folder.write(
      try Data(contentsOf: Repository.root.appendingPathComponent("scenarios/\(trace)")), to: trace)
    let outcome = try await folder.run("run", "milk.yaml")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `the example package runs the code for test suites`() throws {
    let package = Repository.root.appendingPathComponent("Tests/ExamplePackage/Tests/ExampleTests")
    let tests = try String(
      decoding: Data(contentsOf: package.appendingPathComponent("ScenarioTests.swift")), as: UTF8.self)
    let blocks = Markdown.blocks("swift", in: try readme())
    #expect(!blocks.isEmpty && blocks.allSatisfy(tests.contains))
  }

  @Test func `the README states the correct number of shipped scenarios`() throws {
    let spelling = NumberFormatter()
    spelling.numberStyle = .spellOut
    spelling.locale = Locale(identifier: "en_US")
    let count = try Repository.scenarioFiles().count
    let word = try #require(spelling.string(from: NSNumber(value: count)))
    #expect(try readme().contains("`scenarios/` holds \(word) stories"))
  }

  private static let nightly = ".github/workflows/nightly.yml"

  /// In a container, the checkout belongs to another user. Git refuses to read it unless it is explicitly
  /// trusted.
  @Test func `nightly jobs that use git trust the checkout`() throws {
    let text = try String(contentsOf: Repository.root.appendingPathComponent(Self.nightly), encoding: .utf8)
    let asking = text.split(separator: "\n\n").filter { job in
      [".ci/recipes", "--revision"].contains { job.contains($0) }
    }
    #expect(asking.count == 2)
    #expect(asking.allSatisfy { $0.contains("git config --global --add safe.directory") })
  }

  /// The commands that another test runs, with the file of that test and a text in the file. They take
  /// minutes or need another tool.
  private static let elsewhere: [String: (file: String, words: String)] = [
    ".ci/setup && swift run -c release triggerbench run":
      (nightly, ".ci/setup && swift run -c release triggerbench run"),
    ".ci/test": (".ci/run", "\n.ci/test\n"),
    "triggerbench run --engine \"python3 scenarios/engines/python/engine.py\"":
      ("Tests/CommandLineTests/EngineRunTests.swift", "\"python3 scenarios/engines/python/engine.py\""),
    "triggerbench run --against \"node scenarios/engines/javascript/engine.js\"":
      ("Tests/CommandLineTests/EngineRunTests.swift", "\"node scenarios/engines/javascript/engine.js\""),
    "triggerbench experiment scenarios/experiments/three-hours.yaml":
      ("Tests/CommandLineTests/ShippedExperimentTests.swift", "\"three-hours\""),
    "triggerbench bench compare ./triggerbench-main .build/release/triggerbench":
      (".ci/trials/why-not", "triggerbench bench compare .build/without/release/triggerbench"),
    "triggerbench bench compare --revision main --suite kernel --markdown --junit compare.xml":
      (nightly, "bench compare --revision HEAD --suite kernel --markdown --junit compare.xml"),
    "triggerbench bench compare --revision main --scenario scenarios/houseplants.yaml":
      (nightly, "bench compare --revision HEAD --scenario scenarios/houseplants.yaml"),
    "triggerbench bench gate": (".ci/run", "\n.build/release/triggerbench bench gate\n"),
    "triggerbench bench gate --update": (nightly, "bench gate --update"),
    "triggerbench bench matching --reminders 10,1000 --mode daily":
      (nightly, "bench matching --reminders 10,1000 --mode daily"),
  ]

  @Test(arguments: elsewhere.keys.sorted())
  func `a command that another test runs is in the file of that test`(_ command: String) throws {
    let place = try #require(Self.elsewhere[command])
    let text = try String(contentsOf: Repository.root.appendingPathComponent(place.file), encoding: .utf8)
    #expect(text.contains(place.words), "\(place.file)")
  }

  /// The exit codes of commands that fail intentionally, because another policy fails expectations or because
  /// runs differ.
  private static let codes: [String: Int32] = [
    "triggerbench run --journal after.ndjson --set policy.minimumInterval=3h": 2,
    "triggerbench compare before.ndjson after.ndjson": 2,
  ]

  @Test func `each command is run by this test or is in the file of another test`() async throws {
    let text = try readme()
    let typed = Markdown.blocks("sh", in: text).flatMap { $0.split(separator: "\n") }
    let shown = Markdown.blocks("text", in: text).flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
    let commands = (typed + shown).map { line in
      let comment = line.range(of: " #").map(\.lowerBound) ?? line.endIndex
      return line[..<comment].trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    #expect(Set(Self.elsewhere.keys).union(Self.codes.keys).isSubset(of: commands), "\(commands)")
    let folder = try Folder()
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent("scenarios"), to: folder.url("scenarios"))
    // The folder must be a repository, because files can refer to each other only within one.
    try FileManager.default.createDirectory(at: folder.url(".git"), withIntermediateDirectories: true)
    var run = 0
    for command in commands where Self.elsewhere[command] == nil {
      let outcome = try await folder.shell(command)
      #expect(outcome.code == Self.codes[command] ?? 0, "\(command): \(outcome.output.suffix(2000))")
      run += 1
    }
    #expect(run >= 8)
  }

  // MARK: Sentences

  /// The tool's commands and their options.
  private struct Declared: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }
      var names: [Name]?
    }
    struct Command: Decodable {
      var commandName: String
      var defaultSubcommand: String?
      var arguments: [Argument]?
      var subcommands: [Command]?

      var options: Set<String> {
        Set((arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map { "--\($0.name)" })
      }
      var allOptions: Set<String> { (subcommands ?? []).reduce(options) { $0.union($1.allOptions) } }

      func subcommand(_ name: String?) -> Command? { subcommands?.first { $0.commandName == name } }
    }
    var command: Command
  }

  /// The texts in backquotes, outside of blocks.
  private func spans() throws -> [[String]] {
    let prose = try readme().components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }
    let parts = prose.map(\.element).joined().components(separatedBy: "`").enumerated()
    return parts.filter { $0.offset % 2 == 1 }.map { part in
      // Skip quoted arguments, because they belong to other commands.
      let outside = part.element.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 0 }
      return outside.map(\.element).joined().split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  @Test func `the text mentions only existing commands, options and scripts`() async throws {
    let folder = try Folder()
    let dump = try await folder.run("--experimental-dump-help").output
    let tool = try JSONDecoder().decode(Declared.self, from: Data(dump.utf8)).command
    var (commands, options, scripts) = (0, 0, 0)
    for words in try spans() {
      let said = words.joined(separator: " ")
      var known = tool.allOptions
      if words.first == "triggerbench", words.count > 1 {
        commands += 1
        var path: [String] = []
        var command = tool
        while let next = command.subcommand(words.dropFirst(path.count + 1).first) {
          path.append(next.commandName)
          command = next
        }
        #expect(!path.isEmpty, "\(said)")
        // A command may have a default subcommand that takes the arguments, such as the suites of 'bench'.
        if let usual = command.subcommand(command.defaultSubcommand) {
          path.append(usual.commandName)
          command = usual
          let help = try await folder.shell("triggerbench \(path.joined(separator: " ")) --help").output
          #expect(words.count > 2 && help.contains(words[2]), "\(said)")
        }
        known = command.options
      } else if let script = words.first, script.hasPrefix(".ci/") {
        scripts += 1
        let file = Repository.root.appendingPathComponent(script)
        #expect(FileManager.default.isExecutableFile(atPath: file.path), "\(said)")
        let text = try String(contentsOf: file, encoding: .utf8)
        known = Set(words.dropFirst().filter(text.contains))
      }
      for option in words where option.hasPrefix("--") {
        options += 1
        #expect(known.contains(option), "\(said): \(option)")
      }
    }
    #expect(commands > 15 && options > 20 && scripts > 5, "\(commands), \(options), \(scripts)")
  }
}
