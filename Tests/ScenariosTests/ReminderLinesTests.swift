import Foundation
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

/// Tests included lists of reminders, which have one JSON object per line.
@Suite struct ReminderLinesTests {
  private static let story = Sample(
    reminders: "include: many.ndjson", expect: "expect: [fires >= 0]"
  ).text

  private func read(_ lines: String, _ story: String = ReminderLinesTests.story) -> ScenarioFile.Outcome {
    ScenarioFile.read(
      Array(story.utf8), file: "s.yaml", fileExists: { _ in true },
      packFile: { name throws(Diagnostic) in
        name == "many.ndjson" ? PackBytes(name: "folder/" + name, bytes: Array(lines.utf8)) : nil
      })
  }

  // MARK: Lines and mappings

  @Test func `the reminders of all shipped scenarios are the same when parsed from lines`() throws {
    let folder = Repository.scenarios
    var compared = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      guard case .scenario(let scenario, _) = ScenarioFile.load(folder.appendingPathComponent(name).path),
        case .object(var members) = try ScenarioDocument.write(scenario),
        let index = members.firstIndex(where: { $0.key == "reminders" }),
        case .object(let reminders) = members[index].value
      else { continue }
      members[index] = .init("include", .string("many.ndjson"))
      let outcome = read(Self.lines(of: reminders), JSONValue.object(members).line)
      guard case .scenario(let again, _) = outcome else {
        Issue.record("\(name): \(outcome.problems.joined(separator: "\n"))")
        continue
      }
      #expect(again.packs == ["many.ndjson"])
      var (left, right) = (scenario.withoutSources, again.withoutSources)
      (left.packs, right.packs) = ([], [])
      #expect(left == right, "\(name)")
      compared += reminders.count
    }
    #expect(compared > 200)
  }

  /// Returns the lines with the name in the middle, as written by programs that sort keys.
  private static func lines(of reminders: [JSONValue.Member]) -> String {
    reminders.map { reminder in
      guard case .object(var keys) = reminder.value else { return "" }
      keys.insert(.init("name", .string(reminder.key)), at: keys.count / 2)
      return JSONValue.object(keys).line + "\n"
    }.joined(separator: "\n")
  }

  @Test func `escapes, numbers and byte order marks follow JSON`() throws {
    let line =
      #"{"when": "unlock", "name": "milk", "notify": {"title": "K\u00e4se \ud83e\uddc0 \"\/\\", "body": "a\tb", "#
      + #""priority": 7}, "if": ["signedIn is false"]}"#
    let scenario = try read("\u{FEFF}\n" + line + "\r\n\n").get()
    let milk = try #require(scenario.reminders.first?.declaration)
    #expect(milk.notification.copy.map(\.title) == ["Käse 🧀 \"/\\"])
    #expect(milk.notification.copy.map(\.body) == ["a\tb"])
    #expect(milk.notification.priority == 7 && milk.conditions.count == 1)
  }

  @Test func `the scenario overrides the lines`() throws {
    let lines = """
      {"name": "milk", "when": "unlock", "notify": "Buy milk"}
      {"name": "bread", "when": "unlock", "notify": "Buy bread"}
      """
    let scenario = try read(
      lines, Self.story + "reminders: {bread: none, milk: {repeat: daily}, eggs: {when: unlock, notify: E}}"
    ).get()
    #expect(scenario.reminders.map(\.declaration.id) == ["milk", "eggs"])
    #expect(scenario.reminders.first?.declaration.repeats == .daily)
  }

  // MARK: Mistakes

  private static let good = #"{"name": "a", "when": "unlock", "notify": "A"}"#

  @Test(arguments: [
    ("", ":1:1: error: the file is empty"),
    (good + "\n" + #"{"when": "unlock"}"#, ":2:1: error: the reminder has no name"),
    (good + "\n\n" + good, ":3:10: error: 'a' is already declared in line 1"),
    ("[1]", ":1:1: error: a reminder must be an object, not a list"),
    (#"{"name": ["a"]}"#, ":1:10: error: a name must be a text, not a list"),
    (#"{"name": "ü", "when" "x"}"#, ":1:22: error: a colon after the key was expected"),
    (#"{"name": "a", "name": "b"}"#, ":1:15: error: \"name\" is there twice"),
    (good + " x", ":1:48: error: the end of the line was expected"),
    (#"{"name": "a", "when": nil}"#, ":1:23: error: null was expected"),
    (#"{"name": "a", "when": "unlok", "notify": "A"}"#, ":1:24: error: "),
    (#"{"name": "a", "wenn": "unlock", "notify": "A"}"#, ":1:15: error: unknown key 'wenn'"),
    (#"{"name": "ä", "when": "unlock", "notify": 5, "if": [true]}"#, ":1:53: error: 'true' is not"),
    (#"{"name": "a", "when": null, "notify": "A"}"#, ":1:23: error: expected a"),
  ])
  func `errors in lines are reported at their own position`(_ lines: String, _ message: String) {
    let problems = read(lines).problems
    #expect(problems.contains { $0.hasPrefix("folder/many.ndjson" + message) }, "\(problems)")
  }

  @Test func `messages do not quote a file of another kind`() {
    let outcome = read(#"{"password": "hunter2", "when" 5}"#)
    guard case .unusable(let diagnostics) = outcome else {
      Issue.record("it is usable")
      return
    }
    #expect(!diagnostics.isEmpty && !diagnostics.rendered().contains("hunter2"))
  }

  @Test func `the reader does not crash on truncated and corrupted files`() {
    let bytes = Array((Self.good + "\n" + #"{"name": "b", "when": ["unlock"], "notify": "B"}"#).utf8)
    var usable = 0
    for end in bytes.indices {
      for byte in [UInt8(ascii: "\""), 0x00, 0xFF, UInt8(ascii: "}"), UInt8(ascii: "\\")] {
        var changed = bytes
        changed[end] = byte
        for bytes in [Array(bytes[..<end]), changed] {
          let outcome = ScenarioFile.read(
            Array(Self.story.utf8), file: "s.yaml", fileExists: { _ in true },
            packFile: { name throws(Diagnostic) in PackBytes(name: name, bytes: bytes) })
          switch outcome {
          case .scenario: usable += 1
          default: #expect(!outcome.problems.isEmpty)
          }
        }
      }
    }
    #expect(usable > 0)
  }
}
