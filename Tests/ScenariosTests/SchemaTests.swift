import Foundation
import NotificationGateway
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import TestSupport
import Testing

@testable import Scenarios
@testable import TextFormats

@Suite struct SchemaTests {
  private static let schema = ScenarioSchema.json

  /// Returns every object schema of the document.
  private static func objects(in value: JSONValue) -> [JSONValue] {
    switch value {
    case .object(let members):
      let inner = members.flatMap { objects(in: $0.value) }
      // The schemas that depend on 'include' repeat some keys of the root.
      return value["properties"] == nil || value["type"] == nil ? inner : [value] + inner
    case .array(let items): return items.flatMap { objects(in: $0) }
    default: return []
    }
  }

  private static func strings(named key: String, in value: JSONValue) -> [String] {
    switch value {
    case .object(let members):
      members.flatMap { member -> [String] in
        if member.key == key, case .string(let text) = member.value { return [text] }
        return strings(named: key, in: member.value)
      }
    case .array(let items): items.flatMap { strings(named: key, in: $0) }
    default: []
    }
  }

  @Test func `every mapping is closed, and every key is described`() throws {
    let objects = Self.objects(in: Self.schema)
    #expect(objects.count > 15)
    for object in objects {
      #expect(object["additionalProperties"] == false)
      guard case .object(let properties)? = object["properties"] else { continue }
      for property in properties {
        guard case .string(let text)? = property.value["description"] else {
          Issue.record("the key \(property.key) has no description")
          continue
        }
        #expect(text.count > 5, "\(property.key)")
      }
    }
  }

  @Test func `every reference leads to a definition, and every pattern is a regular expression`() throws {
    guard case .object(let definitions)? = Self.schema["$defs"] else {
      Issue.record("no definitions")
      return
    }
    let names = definitions.map { "#/$defs/" + $0.key }
    let references = Self.strings(named: "$ref", in: Self.schema)
    #expect(!references.isEmpty && references.allSatisfy(names.contains))
    #expect(Set(references) == Set(names))
    for pattern in Set(Self.strings(named: "pattern", in: Self.schema)) {
      #expect(throws: Never.self, "\(pattern)") { try NSRegularExpression(pattern: pattern) }
    }
  }

  @Test func `the text is JSON`() throws {
    let parsed = try JSONSerialization.jsonObject(with: Data(Self.schema.text.utf8)) as? [String: Any]
    #expect(parsed?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(
      Set((parsed?["required"] as? [String]) ?? []) == [
        "kind", "version", "title", "zone", "start", "expect",
      ])
    #expect(JSONValue.string("a\"\\\n\u{1}é").text == #""a\"\\\n\u0001é""#)
  }

  /// Applies the patterns of the short forms as an editor would.
  @Test func `patterns accept short forms and reject misspelled ones`() throws {
    let cases: [(definition: String, good: [String], bad: [String])] = [
      (
        "trigger",
        [
          "unlock", "charging starts", "open", "open app maps", "enter shop", "fact a.b changes",
          "every weekday 08:10",
          "every monday, friday 08:10 ahead 5", "every 2 weeks on monday 09:00 from 2026-03-09",
          "on day 3 09:00",
          "monthly on 31 at 09:00 from 2026-01-31 skip backward", "yearly on 02-29 at 09:00",
          "every day 08:00, 14:00", "every 2 hours from 09:00 until 21:00", "first monday of the month 09:00",
          "last friday 17:00", "every day 09:00 5 times", "every 2 years on 03-05 at 09:00 from 2026-03-05",
          "7 days after a.b at 09:00", "30, 7, 0 days before a.b every year at 09:00 skip omit",
        ],
        [
          "7 days after a.b", "first mnday 09:00", "every day 09:00 times", "7 after a.b at 09:00",
          "unlok", "enters shop", "every weekdy 08:10", "monthly on 31 at 9", "open app",
          "every weekday 08:10 skp omit",
        ]
      ),
      (
        "condition",
        [
          "charging", "not charging", "on monday, tuesday", "after 16:00", "between 09:00 and 17:00",
          "22:00-07:00",
          "inside shop", "account.signedIn is false", "a / b < 50 %", "age(score) <= 12 h else staleData",
          "days(since: onboarding) in [2, 5, 10]", "days since onboarding in 2, 5",
        ], ["chargin", "charging or weekend", "after four", "inside", "a < ", "weekdys"]
      ),
      (
        "timelineEntry",
        [
          "08:10 unlock", "next day 07:00 unplug", "day 3 18:30 enter shop", "2026-03-02 08:10 lock",
          "+1h30m lock",
          "every weekday 17:30 plug in", "every monday, friday 08:10 from day 2 until day 9 unlock",
          "every 15 min from 08:00 until 20:00 unlock", "08:10 at [52.5, -13.4] accuracy 10 m",
          "08:10 set a.b = 3",
          "08:10 snooze milk until day 2 18:00", "08:10 next 3 adds fail", "08:10 travel to Europe/Paris",
        ], ["08:10 unlok", "unlock", "8.10 unlock", "every weekdy 08:10 unlock", "08:10 battery 80", "08:10"]
      ),
      (
        "expectation",
        [
          "milk fires", "milk fires once between 17:41 and 17:45 on day 2", "milk never during 22:00-07:00",
          "milk is denied by quietHours twice", "milk is deferred by quietHours until 07:00",
          "tapThrough >= 25 %",
          "milk is not requested because conditionFailed", "milk is lost to pendingLimit", "milk fires <= 10",
          "milk fires at least 3 times",
        ], ["milk", "milk firs", "milk is denied by quietHour", "tapThru >= 25 %", "milk fires onec"]
      ),
    ]
    for (definition, good, bad) in cases {
      let short = try #require(Self.schema["$defs"]?[definition]?["anyOf"])
      let pattern = try #require(Self.strings(named: "pattern", in: short).first)
      let expression = try NSRegularExpression(pattern: pattern)
      func matches(_ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      }
      for text in good { #expect(matches(text), "\(text)") }
      for text in bad { #expect(!matches(text), "\(text)") }
    }
  }
}

@Suite struct TemplateTests {
  @Test func `the first scenario is short, valid and has no warnings`() throws {
    let outcome = read(ScenarioTemplate.text)
    #expect(outcome.problems == [])
    #expect(outcome.warnings == [])
    let lines = ScenarioTemplate.text.split(separator: "\n")
    #expect((10...20).contains(lines.count) && lines.allSatisfy { $0.count <= 110 })
    #expect(try scenario(ScenarioTemplate.text).profile.value == "ios")
  }
}

/// The shipped scenario that explains the whole format.
@Suite struct AnnotatedScenarioTests {
  private let text: String

  init() throws { text = try Repository.annotatedScenario() }

  @Test func `the annotated scenario is valid and has no warnings`() {
    let outcome = read(text)
    #expect(outcome.problems == [])
    #expect(outcome.warnings == [])
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
  }

  @Test func `every line of the annotated scenario has an effect`() throws {
    let scenario = try scenario(text)
    #expect(scenario.reminders.map(\.declaration.id) == ["milk", "protein", "account"])
    #expect(scenario.edits.count == 1 && scenario.apps.count == 2 && scenario.places.count == 2)
    #expect(scenario.events.count == 13)
    #expect(scenario.expectations.count == 5)
    #expect(scenario.policy.lifetimeCap == ["registration": 3])
  }

  /// Changes one letter of every key. Each misspelled key must be reported with its line.
  @Test func `every misspelled key of the annotated scenario is reported`() throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    var checked = 0
    for (index, line) in lines.enumerated() {
      guard let key = line.firstMatch(of: /^ *(?:- )?([a-zA-Z]{3,}):/)?.1 else { continue }
      // Names chosen by the author are not keys of the format.
      if ["milk", "protein", "account", "anytime", "plan", "onboarding", "shop", "home"].contains(key) {
        continue
      }
      var wrong = lines
      let changed = key.dropLast() + "qz"
      wrong[index] = line.replacing(key + ":", with: changed + ":", maxReplacements: 1)
      let problems = read(wrong.joined(separator: "\n")).problems
      #expect(
        problems.contains { $0.hasPrefix("sample.yaml:\(index + 1):") || key == "kind" },
        "\(key): \(problems)")
      checked += 1
    }
    #expect(checked > 20)
  }

  /// Damages the annotated scenario at random. If the file is rejected, it must have specific diagnostics.
  @Test func `a damaged annotated scenario is either accepted or rejected with specific messages`() {
    let bytes = Array(
      text.split(separator: "\n").filter { !$0.contains("#") }.joined(separator: "\n").utf8)
    var random = SplitMix64(seed: 20_260_302)
    let pieces = [
      "\n", " ", ":", "- ", "[", "]", "{", "}", "\"", "'", "&a ", "*a ", "é", "99", "#", "|", "~",
    ]
    for round in 0..<400 {
      var damaged = bytes
      for _ in 0...random.below(3) {
        let at = random.below(damaged.count)
        switch random.below(4) {
        case 0: damaged.remove(at: at)
        case 1: damaged.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
        case 2: damaged[at] = UInt8(random.below(256))
        default: damaged.removeSubrange(at..<min(damaged.count, at + random.below(60) + 1))
        }
      }
      let outcome = ScenarioFile.read(damaged, file: "damaged.yaml") { _ in true }
      if case .unusable(let diagnostics) = outcome {
        #expect(
          !diagnostics.isEmpty && diagnostics.allSatisfy { $0.file == "damaged.yaml" }, "round \(round)")
        #expect(!diagnostics.contains { $0.message == "the file cannot be used" }, "round \(round)")
      }
    }
  }
}
