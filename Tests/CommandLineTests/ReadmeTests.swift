import Foundation
import TestSupport
import Testing

/// The README, the guides to which it links, and the tool agree.
@Suite(.timeLimit(.minutes(10))) struct ReadmeTests {
  private static let guides = "Sources/TestBench/Documentation.docc"

  /// The README, and the guides whose commands are tested in the same way. Other tests follow the steps of the
  /// other guides.
  private static let pages =
    ["README.md"]
    + [
      "ComparingPolicies", "DetectingSlowdowns", "PhonesAndTheirLimits", "ScenariosInCI", "TestingAReminder",
      "WritingScenarios",
    ].map { "\(guides)/\($0).md" }
    + ["reports/benchmarks.md"]

  private static func text(of page: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
  }

  /// Returns the lines below a heading of the second level.
  private static func section(_ name: String, of page: String) throws -> [Substring] {
    let lines = try text(of: page).split(separator: "\n")
    let start = try #require(lines.firstIndex(of: "## \(name)"))
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
  }

  /// Returns a folder like a clone, with the shipped scenarios and the files of a page.
  private static func folder(for page: String) throws -> Folder {
    let folder = try Folder()
    try FileManager.default.copyItem(at: Repository.scenarios, to: folder.url("scenarios"))
    // Files can refer to each other only within a repository.
    try FileManager.default.createDirectory(at: folder.url(".git"), withIntermediateDirectories: true)
    for case .file(let name, let text) in Markdown.pieces(in: try text(of: page)) {
      try folder.write(text, to: name)
    }
    return folder
  }

  @Test func `the README has at most 9,000 bytes`() throws {
    #expect(try Self.text(of: "README.md").utf8.count <= 9_000)
  }

  @Test func `each link of the README leads to a file, and the table has every guide`() throws {
    let links = try Self.text(of: "README.md").matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    for link in links {
      #expect(
        FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(link).path), "\(link)")
    }
    let table = try Self.section("Documentation", of: "README.md").joined(separator: "\n")
    let folder = Repository.root.appendingPathComponent(Self.guides).path
    // The page of the library is for readers of the code.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "TestBench.md" }
    #expect(names.count > 10)
    for name in names.sorted() { #expect(table.contains("(\(Self.guides)/\(name))"), "\(name)") }
  }

  @Test(arguments: pages)
  func `commands in console blocks print the output below them`(on page: String) async throws {
    let folder = try Self.folder(for: page)
    let shown = Markdown.blocks("console", in: try Self.text(of: page)).joined()
    var printed = ""
    for line in shown.split(separator: "\n") where line.hasPrefix("$ ") {
      printed += "\(line)\n" + (try await folder.shell(String(line.dropFirst(2))).output)
    }
    #expect(printed == shown)
    #expect(!shown.isEmpty || !["README.md", "\(Self.guides)/TestingAReminder.md"].contains(page))
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "needs python3: .ci/setup-tests"))
  func `the engine of the README passes a scenario that the built-in engine fails`() async throws {
    let folder = try Self.folder(for: "README.md")
    #expect(try await folder.run("run", "vitamins.yaml").code == 2)
    let package = Repository.root.appendingPathComponent("Sources/python").path
    let outcome = try await Tool.run(
      ["run", "vitamins.yaml", "--engine", "python3 engine.py"], in: folder.root,
      environment: ["PYTHONPATH": package])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a figure of the README is in the table of figures, with its command`() throws {
    let figures = try Self.text(of: "reports/benchmarks.md")
    let lines = try Self.section("Performance", of: "README.md").filter { $0.hasPrefix("- ") }
    #expect(lines.count == 3)
    for line in lines {
      let numbers = line.matches(of: /takes ([0-9.]+ (?:s|ns|µs))(?:, ([0-9]+) times)?/)
      let number = try #require(numbers.first, "\(line)")
      let command = try #require(line.firstMatch(of: /`([^`]+)`/)).1
      #expect(figures.contains(number.1) && figures.contains(command), "\(line)")
      if let ratio = number.2 { #expect(figures.contains(" | \(ratio) |"), "\(line)") }
    }
  }

  @Test func `the rules in the README have these values on an iPhone`() async throws {
    let rules = try await Folder().run("rules", "--profile", "ios").output
    let lines = Set(
      rules.split(separator: "\n").map { $0.split(separator: " ").dropFirst().joined(separator: " ") })
    let rows = try Self.section("Five surprising rules of the iPhone", of: "README.md")
      .compactMap { $0.firstMatch(of: /^\| `([A-Za-z]+)` \| ([^|]+) \|/) }
    #expect(rows.count == 5)
    for row in rows { #expect(lines.contains("\(row.1) \(row.2)"), "\(row.1)") }
  }

  @Test func `the first scenario of the guide passes`() async throws {
    let blocks = Markdown.blocks("yaml", in: try Self.text(of: "\(Self.guides)/WritingScenarios.md"))
    let scenario = try #require(blocks.first { $0.hasPrefix("kind: scenario") })
    let folder = try Folder()
    try folder.write(scenario, to: "milk.yaml")
    let trace = "traces/way-home.gpx"
    try folder.write(
      try Data(contentsOf: Repository.root.appendingPathComponent("scenarios/\(trace)")), to: trace)
    let outcome = try await folder.run("run", "milk.yaml")
    #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test func `the number of shipped scenarios is right`() throws {
    let spelling = NumberFormatter()
    spelling.numberStyle = .spellOut
    spelling.locale = Locale(identifier: "en_US")
    let count = try Repository.scenarioFiles().count
    let word = try #require(spelling.string(from: NSNumber(value: count)))
    let page = try Self.text(of: "\(Self.guides)/WritingScenarios.md")
    #expect(page.contains("`scenarios/` holds \(word) stories"))
  }

  private static let nightly = ".github/workflows/nightly.yml"

  /// In a container, the checkout belongs to another user. Git refuses to read it without an explicit
  /// permission.
  @Test func `nightly jobs that use git trust the checkout`() throws {
    let text = try Self.text(of: Self.nightly)
    let asking = text.split(separator: "\n\n").filter { job in
      [".ci/recipes", "--revision"].contains { job.contains($0) }
    }
    #expect(asking.count == 2)
    #expect(asking.allSatisfy { $0.contains("git config --global --add safe.directory") })
  }

  /// Commands that another test runs, with the file of that test and a text that the file contains. The
  /// commands take minutes or need another tool.
  private static let elsewhere: [String: (file: String, words: String)] = [
    ".ci/setup && swift run -c release triggerbench run":
      (nightly, ".ci/setup && swift run -c release triggerbench run"),
    ".ci/test": (".ci/run", "\n.ci/test\n"),
    ".ci/release --try": (nightly, "run: .ci/release --try"),
    "pip install dist/*.whl": (".ci/release-try", "{ pip install dist/*.whl &&"),
    "uvx --from dist/*.whl triggerbench run":
      (".ci/release-try", "uvx --from dist/*.whl triggerbench run\n"),
    "tar -xzf dist/*.tar.gz && ln -s \"$PWD\"/triggerbench-*/triggerbench /usr/local/bin/":
      (
        ".ci/release-try",
        "\ntar -xzf dist/*.tar.gz && ln -s \"$PWD\"/triggerbench-*/triggerbench /usr/local/bin/\n"
      ),
    "triggerbench run vitamins.yaml --engine \"python3 engine.py\"":
      (
        "Tests/CommandLineTests/ReadmeTests.swift",
        "[\"run\", \"vitamins.yaml\", \"--engine\", \"python3 engine.py\"]"
      ),
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
  func `a command that another test runs is in the named file`(_ command: String) throws {
    let place = try #require(Self.elsewhere[command])
    let text = try Self.text(of: place.file)
    #expect(text.contains(place.words), "\(place.file)")
  }

  /// Exit codes of commands that intentionally fail, because another policy fails expectations or because
  /// runs differ.
  private static let codes: [String: Int32] = [
    "triggerbench run --journal after.ndjson --set policy.minimumInterval=3h": 2,
    "triggerbench compare before.ndjson after.ndjson": 2,
    "triggerbench run scenarios/first.yaml --profile android": 2,
  ]

  /// Returns the commands in blocks of a page, without those in console blocks, which another test runs.
  private static func commands(on page: String) throws -> [String] {
    let text = try text(of: page)
    let typed = Markdown.blocks("sh", in: text).flatMap { $0.split(separator: "\n") }
    let shown = Markdown.blocks("text", in: text).flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
    return (typed + shown).map { line in
      let comment = line.range(of: " #").map(\.lowerBound) ?? line.endIndex
      return line[..<comment].trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  @Test func `every command with an entry is on a page`() throws {
    let commands = Set(try Self.pages.flatMap(Self.commands))
    #expect(Set(Self.elsewhere.keys).union(Self.codes.keys).isSubset(of: commands), "\(commands)")
    #expect(commands.subtracting(Self.elsewhere.keys).count >= 14)
  }

  @Test(arguments: pages)
  func `each command runs in this test or is in the named file`(on page: String) async throws {
    let folder = try Self.folder(for: page)
    for command in try Self.commands(on: page) where Self.elsewhere[command] == nil {
      let outcome = try await folder.shell(command)
      #expect(outcome.code == Self.codes[command] ?? 0, "\(command): \(outcome.output.suffix(2000))")
    }
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

  /// The texts in backquotes outside of blocks.
  private func spans() throws -> [[String]] {
    let text = try Self.pages.map(Self.text).joined(separator: "\n")
    let prose = text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 0 }
    let parts = prose.map(\.element).joined().components(separatedBy: "`").enumerated()
    return parts.filter { $0.offset % 2 == 1 }.map { part in
      // Skip quoted arguments, which belong to other commands.
      let outside = part.element.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 0 }
      return outside.map(\.element).joined().split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  @Test func `sentences name existing commands, options and scripts`() async throws {
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
        // Handle arguments of a command with a default subcommand, such as the suites of 'bench'.
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
