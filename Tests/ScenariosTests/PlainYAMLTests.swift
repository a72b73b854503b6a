import Foundation
import RandomScenarios
import TestSupport
import Testing

@testable import TextFormats

/// Tests that the fast YAML reader returns the same values and positions as the YAML library for every text
/// that it accepts.
@Suite struct PlainYAMLTests {
  /// Returns the lines of a tree, with their positions and values.
  private func lines(_ node: Node, _ depth: Int = 0) -> [String] {
    let head =
      String(repeating: " ", count: depth)
      + "\(node.position.line):\(node.position.column):\(node.position.file)"
    switch node.content {
    case .scalar(let text): return [head + " \(node.textOffset ?? -1) |\(text)|"]
    case .sequence(let items): return [head + " list"] + items.flatMap { lines($0, depth + 1) }
    case .mapping(let entries):
      return [head + " mapping"]
        + entries.flatMap { entry in
          ["\(entry.keyPosition.line):\(entry.keyPosition.column) \(entry.key)"]
            + lines(entry.value, depth + 1)
        }
    }
  }

  /// Returns whether both readers return the same tree, or the fast reader does not accept the text.
  private func isReadAlike(_ text: String) -> Bool {
    guard let quick = PlainYAML.read(text, file: 3).root else { return false }
    let slow = try? YAMLDocument.read(SourceText(file: "f", text: text), file: 3)
    guard let slow else {
      Issue.record("the library refuses what the quick reader reads: \(text.debugDescription)")
      return true
    }
    let (a, b) = (lines(quick), lines(slow))
    if a != b {
      let first = zip(a, b).first { $0 != $1 }
      Issue.record("\(first.map { "\($0.0) and \($0.1)" } ?? "length") in \(text.debugDescription)")
    }
    return true
  }

  private static let texts: [String] = {
    let scenarios = Repository.scenarios
    let folders = [scenarios, Shared.folder?.appendingPathComponent("cases")].compactMap(\.self)
    let files = folders.flatMap { folder in
      (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? [])
        .filter { $0.pathExtension == "yaml" }
    }
    return files.sorted { $0.path < $1.path }.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
  }()

  @Test func `the fast reader parses the shipped files like the library`() {
    let read = Self.texts.filter(isReadAlike)
    #expect(Self.texts.count > 60)
    #expect(read.count * 10 >= Self.texts.count * 9, "\(read.count) of \(Self.texts.count)")
  }

  @Test(arguments: [
    "a: 1", "a:", "a:\nb: 2", "a:\n- 1\n- 2\nb: 3", "a:\n  - x: 1\n    y: 2\n  -\n  - - 1\n    - 2\n",
    "- a\n-\n- c: d",
    "{a: b, 'c d': [1, 2,], \"e\":f}", "[]", "{}", "a: 'it''s'  # why\nb: \"x # y\" # z\n",
    "a: b#c\nd: -1\ne: http://x:1/\n",
    "# first\n\na: {b: c,\n  d: e}\n", "t: >-\n  one\n  two\n\n# three\nb: 1",
    "t: >-\n  one\n  # two\nb: ~\nc: null",
    "ä: ü\nö: 'ß'\nb: ä ö # ü", "a:   \n  b: x  \n", "a: x:y\n",
    "- 08:10 unlock\n- every weekday 17:30 plug in",
  ])
  func `the fast reader parses common forms`(text: String) {
    #expect(isReadAlike(text), "\(text)")
  }

  @Test(arguments: [
    "", "# nothing", "a: b\n  c", "a: [b\n c]", "a: &x b", "a: *x", "a: !t b", "a: |\n  b", "a: >\n  b",
    "a: \"b\\n\"",
    "a: b: c", "a: :b", "a: 1\na: 2", "\ta: 1", "a: 'b\n c'", "---\na: 1", "a: 1\n...", "? a\n: b", "{a}",
    "[a: b]",
    "a: b\r\nc: d",
    "a: b\u{2028}c: d", "<<: {a: b}", "a: {b: }", "a: 1\n b: 2", "a: - b", "t: >-\n  one\n\n  two",
    "t: >-\n  one\n   two",
    "a: 'x' y", "a: [b] c", "~: a", "%YAML 1.1\na: b", "a: @b", "text",
  ])
  func `the fast reader leaves other forms to the library`(text: String) {
    #expect(PlainYAML.read(text, file: 0).root == nil, "\(text)")
  }

  @Test func `the fast reader parses modified files like the library or leaves them to it`() {
    var random = SplitMix64(seed: 20)
    let pieces = [
      " ", "  ", "\n", ":", ": ", " #", "#", "- ", "-", "[", "]", "{", "}", ",", "'", "\"", ">-\n", "|", "&",
      "*", "!", "?",
      "~", "null", "ä", "\u{85}", "\t", "x", "\\", "%", "\n\n", "...", "---", "<<",
    ]
    var (read, tried) = (0, 0)
    for text in Self.texts where text.utf8.count < 6_000 {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for _ in 0..<12 {
        // Test only a part of the file, which is easier to inspect after a failure.
        let first = random.int(0...max(0, lines.count - 2))
        var part = Array(lines[first..<min(lines.count, first + random.int(1...12))].joined(separator: "\n"))
        for _ in 0..<random.int(0...2) {
          let place = random.int(0...part.count)
          if random.chance(60) {
            part.insert(contentsOf: random.one(of: pieces), at: place)
          } else if place < part.count {
            part.remove(at: place)
          }
        }
        tried += 1
        if isReadAlike(String(part)) { read += 1 }
      }
    }
    #expect(read * 3 > tried, "\(read) of \(tried)")
  }
}
