import Foundation
import TestSupport
import Testing

@testable import EngineWire

struct CommandWordsTests {
  private static let commands = [
    "node my-engine.js", "  a\tb\n c ", "a'b c'd", "a\"b c\"d", "x '' \"\"", "a\\ b", "\\'a\\\"", "'a\\b'",
    "\"a\\b\\\\c\\\"d\\$e\\`f\"", "'\"' \"'\"", "a~b c#d", "'*' \"?\" \\[", "a\\\nb", "\"a\\\nb\"",
    "ä'ö'\"ü\" 火",
    "--x='{\"a\": [1, 2]}'", "a=1 b",
  ]

  @Test func `commands are split as in a shell`() throws {
    for command in Self.commands {
      let words = try CommandWords(splitting: command).words
      let line = command.trimmingCharacters(in: .whitespacesAndNewlines).replacing("\n c", with: " c")
      let process = try LineProcess(
        words: ["sh", "-c", "printf '<%s>\\n' \(line); echo end"], command: command,
        environment: ["PATH": Script.path], stopwatch: Script.stopwatch)
      var shown = ""
      while !shown.hasSuffix("end\n") { shown += try process.readLine(deadline: process.soon) + "\n" }
      #expect(shown == words.map { "<\($0)>\n" }.joined() + "end\n", "\(command)")
    }
  }

  @Test(
    arguments: [
      ("", "names no program"), ("  ", "names no program"), ("''", "names no program"),
      ("a 'b", "an unclosed '"), ("a \"b", "an unclosed \""),
      ("a \"b\\", "an unclosed \""), ("a\\", "ends with a backslash"), ("a\0b", "zero byte"),
      ("a | b", "a | that only a shell"), ("a > b", "a > that"), ("a; b", "a ; that"), ("a &", "a & that"),
      ("$HOME/a", "a $ that"), ("\"$HOME\"", "a $ that"), ("`a`", "a ` that"), ("\"`a`\"", "a ` that"),
      ("a *.js", "a * that"), ("~/a", "a ~ that"), ("a # b", "a # that"), ("(a)", "a ( that"),
      ("a [b]", "a [ that"),
    ])
  func `commands that need a shell are rejected`(_ command: String, _ words: String) throws {
    let error = try failure { _ = try CommandWords(splitting: command) }
    #expect(error.code == .badCommand)
    #expect(error.message.contains(words), "\(error)")
  }

  @Test func `lines are found in chunks of any size`() {
    var random = SplitMix64(seed: 42)
    for _ in 0..<10 {
      let bytes = (0..<random.below(200_000)).map { _ in
        [0x0A, 0x0D, 0x61, 0x62][min(random.below(random.below(200) + 1), 3)] as UInt8
      }
      var buffer = LineBuffer()
      var lines: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + random.below(LineBuffer.chunk))
        buffer.room().copyMemory(from: Array(piece), byteCount: piece.count)
        buffer.add(piece.count)
        rest = rest.dropFirst(piece.count)
        while random.below(3) > 0, let line = buffer.nextLine() { lines.append(Array(line)) }
      }
      while let line = buffer.nextLine() { lines.append(Array(line)) }
      var expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
      let last = expected.removeLast()
      #expect(lines == expected.map { $0.last == 0x0D ? $0.dropLast() : $0 })
      #expect(buffer.count == last.count)
    }
  }
}
