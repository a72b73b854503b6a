import Foundation
import TestSupport
import Testing

/// The help of every command.
struct HelpTests {
  private struct Declared: Decodable {
    struct Command: Decodable {
      var commandName: String
      var discussion: String?
      var subcommands: [Command]?

      var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
    }
    var command: Command
  }

  /// The parser wraps each line by itself, where the terminal ends.
  @Test func `a paragraph is one line, and examples fit in 80 columns`() async throws {
    let dump = try await Tool.run(["--experimental-dump-help"], in: Repository.root).output
    let commands = try JSONDecoder().decode(Declared.self, from: Data(dump.utf8)).command.all
    #expect(commands.count > 20)
    for command in commands {
      let lines = (command.discussion ?? "").components(separatedBy: "\n")
      for (line, next) in zip(lines, lines.dropFirst() + [""]) {
        let isProse = !line.isEmpty && !line.hasPrefix(" ")
        #expect(!isProse || next.isEmpty || next.hasPrefix(" "), "\(command.commandName): \(line)")
        // JSON cannot be broken.
        #expect(isProse || line.count <= 80 || line.hasPrefix("  {"), "\(command.commandName): \(line)")
      }
    }
  }
}
