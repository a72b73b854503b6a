import Foundation
import TestSupport
import Testing

/// Tests the help texts of all commands.
struct HelpTests {
  private struct Declared: Decodable {
    struct Command: Decodable {
      struct Argument: Decodable {
        struct Name: Decodable { var name: String }
        var names: [Name]?
      }
      var commandName: String
      var arguments: [Argument]?
      var discussion: String?
      var subcommands: [Command]?

      var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
      /// The options of the command and its subcommands.
      var options: [String] { all.flatMap { $0.arguments ?? [] }.flatMap { $0.names ?? [] }.map(\.name) }
    }
    var command: Command

    static func dump() async throws -> Command {
      let dump = try await Tool.run(["--experimental-dump-help"], in: Repository.root).output
      return try JSONDecoder().decode(Declared.self, from: Data(dump.utf8)).command
    }
  }

  /// A paragraph must be one line, because the parser wraps it to the width of the terminal.
  @Test func `a paragraph is one line, and examples fit in 80 columns`() async throws {
    let commands = try await Declared.dump().all
    #expect(commands.count > 20)
    for command in commands {
      let lines = (command.discussion ?? "").components(separatedBy: "\n")
      for (line, next) in zip(lines, lines.dropFirst() + [""]) {
        let isProse = !line.isEmpty && !line.hasPrefix(" ")
        #expect(!isProse || next.isEmpty || next.hasPrefix(" "), "\(command.commandName): \(line)")
        // JSON lines cannot be wrapped.
        #expect(isProse || line.count <= 80 || line.hasPrefix("  {"), "\(command.commandName): \(line)")
      }
    }
  }

  @Test func `each option on a page exists`() async throws {
    let commands = try await Declared.dump().subcommands ?? []
    let options = Dictionary(uniqueKeysWithValues: commands.map { ($0.commandName, Set($0.options)) })
    let pages = try ["Sources", "scenarios", ".github"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
    var count = 0
    for page in pages + ["README.md"] {
      // The command of the Python package has its own options.
      let text = try String(contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
        .replacing(/python -m triggerbench[^\n]*/, with: "")
      for words in text.matches(of: /triggerbench ([a-z]+)([^`"|;\n]*)/) {
        for option in words.2.matches(of: /--([a-z-]+)/) {
          guard let known = options[String(words.1)] else { continue }
          #expect(known.contains(String(option.1)), "\(page): \(words.0)")
          count += 1
        }
      }
    }
    #expect(count > 50, "\(count)")
  }
}
