import CivilTime
import Foundation
import RandomScenarios
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

/// Tests that parsing a reminder's sentence returns the original declaration.
@Suite struct RoundTripTests {
  static let shipped = Repository.scenarios

  /// Returns the valid scenarios in a folder.
  private static func scenarios(in folder: URL) throws -> [Scenario] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
      guard case .scenario(let scenario, _) = ScenarioFile.load(folder.appendingPathComponent(name).path)
      else { return nil }
      return scenario
    }
  }

  /// Returns the document of a scenario whose reminders and edits are written as sentences.
  static func inSentences(_ scenario: Scenario) throws -> JSONValue {
    let words = SentenceWriter(scenario)
    guard case .object(let members) = try ScenarioDocument.write(scenario) else { return "" }
    let reminders = scenario.reminders.map {
      JSONValue.Member($0.declaration.id, .string(words.text($0.declaration)))
    }
    var edits: [JSONValue.Member] = []
    for reminder in scenario.reminders.indices {
      let own = scenario.edits.filter { $0.reminder.index == reminder }
      if own.isEmpty { continue }
      let sentences = own.map { JSONValue.Member($0.name, .string(words.text($0.declaration))) }
      edits.append(.init(scenario.reminders[reminder].declaration.id, .object(sentences)))
    }
    return .object(
      members.map { member in
        switch member.key {
        case "reminders": .init("reminders", .object(reminders))
        case "edits": .init("edits", .object(edits))
        default: member
        }
      })
  }

  /// Returns the sentences that are not parsed as the original declarations.
  static func failures(_ scenario: Scenario, named name: String) throws -> [String] {
    let (read, scenario) = (scenario, scenario.asAuthored)
    let words = SentenceWriter(scenario)
    let outcome = ScenarioDocument.read(try inSentences(scenario), file: name) { _ in true }
    guard case .scenario(let readAgain, _) = outcome else {
      return ["\(name): \(outcome.problems.joined(separator: "\n"))"]
        + scenario.reminders.map { words.text($0.declaration) }
    }
    let again = readAgain.asAuthored
    let wordsAgain = SentenceWriter(again)
    var failures: [String] = []
    let pairs =
      zip(scenario.reminders.map(\.declaration), again.reminders.map(\.declaration)).map { ($0, $1) }
      + zip(scenario.edits.map(\.declaration), again.edits.map(\.declaration)).map { ($0, $1) }
    for (reminder, other) in pairs {
      let sentence = words.text(reminder)
      if reminder != other { failures.append("\(name): \(sentence)\n\(reminder)\n\(other)") }
      if wordsAgain.text(other) != sentence {
        failures.append("\(name): '\(sentence)' was printed again as '\(wordsAgain.text(other))'")
      }
      if sentence.contains(where: \.isNewline) { failures.append("\(name): more than a line: \(sentence)") }
    }
    if failures.isEmpty, readAgain.withoutSources != read.withoutSources {
      failures.append("\(name): something else became different")
    }
    return failures
  }

  @Test func `each reminder of the shipped files is unchanged after writing and reading`() throws {
    let scenarios = try Self.scenarios(in: Self.shipped)
    #expect(scenarios.count > 45)
    #expect(scenarios.reduce(0) { $0 + $1.reminders.count } > 150)
    for scenario in scenarios {
      #expect(try Self.failures(scenario, named: scenario.file).isEmpty, "\(scenario.file)")
    }
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `each reminder of the shared cases is unchanged after writing and reading`() throws {
    let folder = try #require(Shared.folder).appendingPathComponent("cases")
    let scenarios = try Self.scenarios(in: folder)
    #expect(scenarios.count > 20)
    for scenario in scenarios {
      #expect(try Self.failures(scenario, named: scenario.file).isEmpty, "\(scenario.file)")
    }
  }

  /// The sentence of a template must create the same reminders as the template.
  @Test func `each template of the shipped files is unchanged after writing and reading`() throws {
    var count = 0
    for scenario in try Self.scenarios(in: Self.shipped) {
      for template in ScenarioFile.templates(scenario.file) {
        count += 1
        var story = scenario
        story.facts += template.facts
        let sentence = SentenceWriter(story).text(template.declaration, forEach: template.kind)
        #expect(sentence.contains(", for each \(template.kind)"))
        let value = JSONValue.string(sentence).text
        let setting = try #require(ScenarioSetting("reminders.\(template.name)=\(value)"))
        let outcome = ScenarioFile.load(scenario.file, settings: [setting])
        guard case .scenario(let again, _) = outcome else {
          Issue.record("\(scenario.file): \(outcome.problems)")
          continue
        }
        #expect(again.withoutSources == scenario.withoutSources, "\(scenario.file): \(sentence)")
      }
    }
    #expect(count >= 1)
  }

  /// Tests more than 500 declarations that combine all forms.
  @Test(arguments: 0..<4) func `generated reminders survive a round trip`(part: Int) throws {
    var count = 0
    for seed in stride(from: part, to: 400, by: 4) {
      let scenario = try RandomScenario.scenario(seed: UInt64(seed), withRecordings: false)
      count += scenario.reminders.count + scenario.edits.count
      let failures = try Self.failures(scenario, named: "seed \(seed)")
      #expect(failures.isEmpty, "\(failures.prefix(3).joined(separator: "\n"))")
    }
    #expect(count > 200)
  }

  /// The generator must cover everything that a declaration can contain.
  @Test func `generated reminders have every form`() throws {
    var seen: Set<String> = []
    for seed in 0..<400 {
      let scenario = try RandomScenario.scenario(seed: UInt64(seed), withRecordings: false)
      let words = SentenceWriter(scenario)
      for reminder in scenario.reminders.map(\.declaration) {
        for trigger in reminder.triggers { seen.insert(Self.kind(trigger)) }
        for condition in reminder.conditions { seen.insert(Self.kind(condition)) }
        seen.insert("repeat \(reminder.repeats)")
        let sentence = words.text(reminder)
        for part in Self.parts where sentence.contains(part) { seen.insert(part) }
      }
    }
    let expected =
      Self.parts + [
        "unlock", "chargingStarted", "chargingStopped", "opened", "appOpened", "regionEntered",
        "regionExited", "factChanged", "lapsed", "span", "calendar", "relative", "once", "daily", "weekly",
        "monthly", "yearly", "timeWindow", "weekdays", "inside", "outside", "charging", "value", "ratio",
        "age", "days", "time", "repeat once", "repeat daily", "repeat weekly", "repeat monthly",
        "repeat always",
      ]
    #expect(expected.filter { !seen.contains($0) } == [])
  }

  private static let parts = [
    " then \"", " saying \"", ", until ", ", taken back as soon as ", "(created later", "bucket ",
    "critical if ", "type ", "priority ", "useful for ", "event ", "link ", " from ", " not before ",
    " times", " until ", " except ", " in ", " last weekday ", " skip ", " ahead ", " ahead repeating",
    " every year ", " of the month at ", "every week at ",
    " weeks at ", " weeks on ", " months on the ", " months on ", " years on ", "yearly on ", "monthly on ",
  ]

  private static func kind(_ trigger: Trigger) -> String {
    switch trigger {
    case .scheduled(let schedule):
      switch schedule.dates {
      case .recurring(let recurrence): return recurrence.frequency.name
      case .relative: return "relative"
      case .elapsed: return "elapsed"
      }
    case .repeating(.span): return "span"
    case .repeating(.calendar): return "calendar"
    default: return String("\(trigger)".prefix { $0 != "(" })
    }
  }

  private static func kind(_ condition: Condition) -> String {
    let text: String
    if case .fact(let fact) = condition { text = "\(fact.quantity)" } else { text = "\(condition)" }
    return String(text.prefix { $0 != "(" })
  }
}
