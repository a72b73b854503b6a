import CivilTime
import DeviceSimulation
import Foundation
import Journal
import RandomScenarios
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import TestBench

/// Applies the changes that explanations suggest to scenario files, and checks their effect.
///
/// Each test run tries a few questions. `.ci/trials/explain` tries 500 for each kind of scenario and writes
/// the results to `reports/trials/explain.md`.
@Suite struct ExplanationTrial {
  /// A question: a reminder that did not fire at an instant.
  struct Question {
    var name: String
    var text: String
    var program: Program
    var reminder: ReminderID
    var instant: Instant
  }

  /// The results of all questions.
  struct Tally {
    var asked = 0
    /// The number of changes that make the reminder fire, by the number of their edits.
    var fired: [Int: Int] = [:]
    var impossible: [String] = []
    /// The changes without the stated effect, and the single edits that the search missed.
    var wrong: [String] = []
    /// The number of questions that no single edit solves, after all others were tried, and the number of
    /// edits tried.
    var forced = 0
    var tried = 0
    var overlooked: [String] = []

    var holds: Int { fired.values.reduce(0, +) }
  }

  @Test(arguments: [false, true])
  func `a suggested change makes the reminder fire when it is applied to the file`(
    ofEverything: Bool
  ) throws {
    var tally = Tally()
    let count = Trial.isWhole ? 500 : ofEverything ? 2 : 8
    let forced = Trial.isWhole ? (ofEverything ? 0 : 40) : 0
    var seed: UInt64 = 0
    while tally.asked < count {
      seed += 1
      guard let question = try Self.question(seed: seed, ofEverything: ofEverything) else { continue }
      try Self.ask(question, isForced: tally.forced < forced, &tally)
    }
    #expect(tally.wrong == [])
    #expect(tally.overlooked == [])
    #expect(Double(tally.holds) >= 0.95 * Double(tally.asked), "\(tally)")
    try Self.keep(tally, ofEverything: ofEverything)
  }

  private static func ask(_ question: Question, isForced: Bool, _ tally: inout Tally) throws {
    guard
      let answer = try Explainer(question.program, any: true).explain(question.reminder, at: question.instant)
    else {
      return
    }
    let file = try EditedText(question.text)
    var isSingle = false
    switch answer.change {
    case .none: return
    case .edits(let edits):
      isSingle = edits.count == 1
      if try file.fires(question.reminder, at: question.instant, or: answer.firesAt, with: edits) {
        tally.fired[edits.count, default: 0] += 1
      } else {
        tally.wrong.append("\(question.name): \(answer.smallestChange)")
      }
    case .impossible, .unrealistic, .engine:
      tally.impossible.append("\(question.name): \(answer.smallestChange)")
    }
    tally.asked += 1
    if isSingle || !isForced { return }
    tally.forced += 1
    let reminder = question.program.scenario.reminders[question.reminder.index].declaration.id
    for edit in BruteForce(program: question.program, reminder: reminder, instant: question.instant).edits {
      tally.tried += 1
      guard try file.fires(question.reminder, at: question.instant, with: [edit]) else { continue }
      tally.overlooked.append("\(question.name): \(edit.words), not \(answer.smallestChange)")
      break
    }
  }

  // MARK: - Questions

  /// Returns a question for a seed, or `nil` if the seed yields none.
  private static func question(seed: UInt64, ofEverything: Bool) throws -> Question? {
    let text: String
    if ofEverything {
      let scenario = try RandomScenario.scenario(seed: seed, withRecordings: false)
      text = try ScenarioDocument.write(scenario).text
    } else {
      var story = StoryToExplain(seed: seed)
      text = story.text()
    }
    let outcome = ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in false })
    guard case .scenario(let scenario, _) = outcome else {
      if !ofEverything, case .unusable(let diagnostics) = outcome {
        Issue.record("story \(seed): \(diagnostics.map(\.summary))")
      }
      return nil
    }
    guard let program = try? Program(scenario) else { return nil }
    var random = SplitMix64(seed: seed &* 0x9E37)
    let reminder = ReminderID(random.int(0...scenario.reminders.count - 1))
    // Use the instants of events, and random instants.
    let minutes = Int((program.end - scenario.start).milliseconds / 60_000)
    let instant =
      random.chance(50) && program.events.count > 0
      ? random.one(of: Array(program.events)).instant
      : scenario.start + .minutes(Int64(random.int(0...max(0, minutes - 1))))
    let name =
      "\(ofEverything ? "scenario" : "story") \(seed), reminder \(reminder.index) at \(instant.iso8601)"
    return Question(name: name, text: text, program: program, reminder: reminder, instant: instant)
  }

  // MARK: - The report

  private static func keep(_ tally: Tally, ofEverything: Bool) throws {
    let edits = tally.fired.keys.sorted().map { "\($0): \(tally.fired[$0] ?? 0)" }.joined(separator: ", ")
    let cells = [
      ofEverything ? "everything that a file can say" : "stories", "\(tally.asked)", "\(tally.holds)", edits,
      "\(tally.impossible.count)", "\(tally.wrong.count)", "\(tally.forced)", "\(tally.tried)",
      "\(tally.overlooked.count)",
    ]
    try Trial.keep(cells, as: ofEverything ? "2" : "1")
  }
}

/// Generates every single edit that the grammar allows for a story, without a run. The search must find every
/// edit that makes the reminder fire.
struct BruteForce {
  let program: Program
  let reminder: String
  let instant: Instant

  var edits: [ScenarioEdit] { added + leftOut + declared + allowed }

  private var scenario: Scenario { program.scenario }

  private var added: [ScenarioEdit] {
    let facts = scenario.facts.flatMap { fact -> [String] in
      let values: [String] =
        switch fact.kind {
        case .truth: ["true", "false"]
        case .number: ["0", "1", "3", "4", "9"]
        case .instant: ["2026-03-01T06:00", "2026-03-06T06:00", "now"]
        case .date: ["2026-03-01", "2026-03-06", "1990-02-28"]
        case .name: fact.names
        }
      return values.map { "set \(fact.name) = \($0)" } + ["forget \(fact.name)"]
    }
    let ids = scenario.reminders.map(\.declaration.id)
    let ofReminders = ids.flatMap { id in
      // A snooze repeats a notification regardless of the obstacle, so the search tries it last.
      ["cancel \(id)", "tap \(id)", "dismiss \(id)"]
        + (id == reminder ? [] : ["snooze \(id) for 1 min", "snooze \(id) for 2 h"])
    }
    let ofTypes = scenario.types.flatMap { ["turn on \($0)", "turn off \($0)", "channel \($0) alerting"] }
    let places = scenario.places.flatMap { ["enter \($0.name)", "exit \($0.name)", "at \($0.name)"] }
    let plain = [
      "unlock", "lock", "plug in", "unplug", "open", "leave", "force quit", "terminate", "power off",
      "power on",
      "reboot", "reinstall", "pull notification centre", "system sheet", "clear notifications", "cancel all",
      "next add fails", "store lost", "store stale", "store torn", "grant notifications",
      "deny notifications",
      "focus on", "focus off", "summary on", "summary off", "airplane mode on", "airplane mode off",
      "background refresh on", "background refresh off", "low power mode on", "low power mode off",
      "location always", "location denied", "location services on", "exact alarms on", "precise location on",
      "battery 100 %", "battery 5 %",
      "turn on all notifications", "turn off all notifications", "own daily cap none", "own daily cap 9",
    ]
    let words =
      plain + facts + ofReminders + ofTypes + places + scenario.apps.map { "open app \($0)" }
    let offsets: [TimeSpan] = [.zero, .seconds(1), .minutes(1), .minutes(30), .hours(3), .hours(24)]
    let moments = offsets.map { instant - $0 }.filter { $0 >= scenario.start } + [scenario.start]
    return moments.flatMap { moment in
      words.map { .add("+\((moment - scenario.start).milliseconds)ms \($0)") }
    }
  }

  private var leftOut: [ScenarioEdit] {
    scenario.timeline.entries.enumerated().compactMap { index, entry in
      // An edit that sets the clock would change the question itself.
      let movesClock = entry.actions.contains { if case .event(.setClock) = $0 { true } else { false } }
      return movesClock ? nil : .leaveOutEntry(index, "", line: nil)
    }
  }

  private var declared: [ScenarioEdit] {
    let clock = scenario.zones[scenario.zone].local(at: instant)
    let minute = "\(clock.words.split(separator: " ")[1].prefix(5))"
    return scenario.reminders.flatMap { declared -> [ScenarioEdit] in
      let keys = ["reminders", declared.declaration.id]
      let when = [
        "unlock", "charging starts", "charging stops", "open", "enter shop", "exit shop", "open app maps",
        "every day \(minute)", "every day \(minute) ahead 1", "every day \(minute) ahead 9",
      ]
      let conditions = [
        "charging", "not charging", "weekdays", "weekend", "inside shop", "outside shop", "on day",
        "between 00:00 and 12:00", "between 12:00 and 00:00",
      ]
      let other: [ScenarioEdit] =
        ["once", "daily", "weekly", "monthly", "always"].map { .write(keys + ["repeat"], .string($0)) }
        + ["standard", "critical", "user"].map { .write(keys + ["notify", "bucket"], .string($0)) }
        + ["", "expires", "withdraw", "if"].filter { !$0.isEmpty }.map { .leaveOut(keys + [$0], "x") }
        + [.write(keys + ["expires"], "2026-05-01T00:00"), .leaveOut(keys + ["notify", "usefulFor"], "x")]
        + [0, 255].map { .write(keys + ["notify", "priority"], .integer($0)) }
      return when.map { .write(keys + ["when"], .string($0)) }
        + conditions.map { .write(keys + ["if"], .string($0)) } + other
    }
  }

  private var allowed: [ScenarioEdit] {
    func all(_ key: String, _ values: JSONValue...) -> [ScenarioEdit] {
      values.map { .write(["policy", key], $0) }
    }
    let types = scenario.types.flatMap { type in
      ["typeDailyCaps", "typeWeeklyCaps", "lifetimeCap", "lapseCap"].map {
        ScenarioEdit.write(["policy", $0, type], 99)
      }
    }
    let caps =
      all("dailyCap", "none", 0, 9) + all("criticalDailyCap", "none", 0, 9)
      + all("typeDailyCap", "none", 0, 9)
    let policy =
      all("quietHours", "none", "12:00-13:00") + all("quietAction", "drop", "defer") + caps + types
      + all("minimumInterval", "0 s", "1 h", "24 h") + all("minimumIntervalScope", "all", "standard")
      + all("criticalBypassesQuietHours", true, false) + all("criticalPreempts", true, false)
      + all("counterLag", "0 s", "9 days") + all("checkOrder", []) + all("weekStart", "sunday", "thursday")
      + all("lifetimeSurvivesReinstall", true, false)
    return policy
      + [
        .write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always"),
        .leaveOut(["preferences"], "x"), .write(["profile"], "ideal"),
      ]
  }
}

/// A story of a few days with few fires and many obstacles, in the style of an author.
struct StoryToExplain {
  private var random: SplitMix64
  private var days = 1
  private let times = [
    "00:30", "06:50", "07:30", "09:00", "12:15", "14:00", "17:40", "18:00", "20:05", "22:30",
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// The text of the file.
  mutating func text() -> String {
    days = random.int(1...4)
    let ids = ["a", "b", "c"].prefix(random.int(1...3))
    var lines = [
      "kind: scenario", "version: 1", "title: A story", "start: 2026-03-0\(random.int(2...7))T07:00",
      "zone: \(random.one(of: ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]))",
      "for: \(days) days", "profile: \(random.one(of: ["ideal", "ideal", "ios", "android"]))",
      "seed: \(random.int(0...99))", "places: {shop: {at: [52.52, 13.4], radius: 150 m}}", "apps: [maps]",
      "facts:", "  visits: {kind: number\(random.chance(60) ? ", initial: \(random.int(0...5))" : "")}",
      "  done: \(random.chance(50))", "  since: 2026-03-0\(random.int(1...2))T06:00",
      "  plan: {names: [free, plus], initial: \(random.one(of: ["free", "plus"]))}",
    ]
    if random.chance(20) {
      lines.append("phone: {notifications: \(random.one(of: ["denied", "provisional"]))}")
    }
    if random.chance(15) { lines.append("preferences: {off: [a]}") }
    lines.append("policy: {\(policy().joined(separator: ", "))}")
    lines.append("reminders:")
    lines += ids.map { "  \($0): \(reminder())" }
    lines.append("timeline:")
    lines += (0..<random.int(3...14)).map { _ in "  - \(entry(Array(ids)))" }
    return (lines + ["expect: [fires >= 0]", ""]).joined(separator: "\n")
  }

  private mutating func policy() -> [String] {
    let all = [
      "quietHours: \(random.one(of: ["none", "20:00-08:00", "12:00-13:00"]))",
      "minimumInterval: \(random.one(of: ["0 s", "1 h", "12 h"]))", "dailyCap: \(random.int(0...2))",
      "typeDailyCap: \(random.one(of: ["none", "2", "0"]))", "lifetimeCap: {a: \(random.int(0...1))}",
      "criticalDailyCap: 0", "quietAction: \(random.one(of: ["drop", "defer"]))", "lapseCap: {a: 1}",
      "typeWeeklyCaps: {a: 1}",
    ]
    return random.several(of: all, 0...4)
  }

  private mutating func reminder() -> String {
    let conditions = random.several(
      of: [
        "charging", "not charging", "after 16:00", "before 10:00", "between 08:00 and 12:00", "weekdays",
        "weekend",
        "inside shop", "outside shop", "visits >= 4", "visits < 2", "done is true", "plan is plus",
        "age(visits) < 3 h", "age(visits) >= 2 h", "days since since >= 2", "time since since < 20 h",
        "visits != 3",
      ], 0...2)
    var parts = ["when: \(trigger())"]
    if !conditions.isEmpty { parts.append("if: [\(conditions.joined(separator: ", "))]") }
    if random.chance(50) { parts.append("repeat: \(random.one(of: ["once", "daily", "weekly", "always"]))") }
    if random.chance(15) { parts.append("expires: 2026-03-0\(random.int(4...9))T09:00") }
    if random.chance(15) { parts.append("withdraw: done is true") }
    let bucket = random.one(of: ["standard", "standard", "user", "critical"])
    let useful = random.chance(15) ? ", usefulFor: 10 min" : ""
    return "{\(parts.joined(separator: ", ")), notify: {title: Now, bucket: \(bucket)\(useful)}}"
  }

  private mutating func trigger() -> String {
    let time = random.one(of: times)
    return random.one(of: [
      "unlock", "unlock", "charging starts", "charging stops", "open", "open app maps", "enter shop",
      "exit shop",
      "fact visits changes", "every day \(time)", "every day \(time) ahead 3", "every weekday \(time)",
      "'closed for 1, 2 days at \(time)'", "[unlock, charging starts]",
    ])
  }

  private mutating func entry(_ ids: [String]) -> String {
    let id = random.one(of: ids)
    let action = random.one(of: [
      "unlock", "unlock", "unlock", "lock", "plug in", "plug in", "unplug", "open", "open", "leave",
      "open app maps",
      "enter shop", "exit shop", "force quit", "power off", "power on", "deny notifications",
      "grant notifications",
      "focus on", "focus off", "cancel \(id)", "snooze \(id) for 5 h", "turn off \(id)", "cancel all",
      "set visits = \(random.int(0...6))", "set done = \(random.chance(50))", "forget visits",
      "next add fails",
      "reboot", "low power mode on", "set clock \(random.one(of: ["+2 h", "-1 h"]))", "summary on",
    ])
    if random.chance(20) { return "every day \(random.one(of: times)) \(action)" }
    let day = random.int(1...days)
    // The first day starts at 07:00.
    let time = random.one(of: day == 1 ? times.filter { $0 > "07:00" } : times)
    return "day \(day) \(time) \(action)"
  }
}

/// A scenario text to which the edits of an explanation can be applied as worded.
struct EditedText {
  private let root: JSONValue

  init(_ text: String) throws {
    root = JSONValue(try YAMLDocument(SourceText(file: "story.yaml", text: text)).root)
  }

  /// Returns whether the edited file makes a reminder fire within a minute of `instant`, or at `later`.
  func fires(
    _ reminder: ReminderID, at instant: Instant, or later: String? = nil, with edits: [ScenarioEdit]
  ) throws -> Bool {
    guard let program = try program(with: edits) else { return false }
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    return result.accounts.appeared.contains {
      $0.request.reminder == reminder
        && ((instant..<instant + .minutes(1)).contains($0.instant)
          || RunWords(program, showsMilliseconds: false).time($0.moment) == later)
    }
  }

  /// Returns the program of the edited text, or `nil` if the text does not compile.
  private func program(with edits: [ScenarioEdit]) throws -> Program? {
    try scenario(with: edits).flatMap { try? Program($0) }
  }

  /// Returns the scenario of the edited text, or `nil` if it is invalid.
  func scenario(with edits: [ScenarioEdit]) throws -> Scenario? {
    let text = try edited(edits).text
    let outcome = ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in false })
    guard case .scenario(let scenario, _) = outcome else { return nil }
    return scenario
  }

  private func edited(_ edits: [ScenarioEdit]) throws -> JSONValue {
    var file = root
    var entries: [JSONValue?] = []
    if case .array(let items)? = root["timeline"] { entries = items }
    for edit in edits {
      switch edit {
      case .write: file = file.laid(over: try Self.value(edit.text))
      case .leaveOut: file = file.without(try Self.value(edit.text))
      case .add:
        guard case .array(let items) = try Self.value(edit.text) else { continue }
        entries += items
      case .replaceReminder(let index, _, _):
        guard case .array(var reminders)? = file["reminders"],
          case .array(let items) = try Self.value(edit.text)
        else { continue }
        if let index { reminders[index] = items[0] } else { reminders += items }
        file = file.laid(over: .object([.init("reminders", .array(reminders))]))
      case .leaveOutEntry(let index, _, _): entries[index] = nil
      }
    }
    return file.laid(over: .object([.init("timeline", .array(entries.compactMap(\.self)))]))
  }

  private static func value(_ text: String) throws -> JSONValue {
    JSONValue(try YAMLDocument(SourceText(file: "change", text: text)).root)
  }
}

extension JSONValue {
  /// Returns the result of applying a change. Mappings are merged key by key, and any other value is
  /// replaced.
  fileprivate func laid(over change: JSONValue) -> JSONValue {
    guard case .object(var own) = self, case .object(let others) = change else { return change }
    for other in others {
      if let place = own.firstIndex(where: { $0.key == other.key }) {
        own[place].value = own[place].value.laid(over: other.value)
      } else {
        own.append(other)
      }
    }
    return .object(own)
  }

  /// Returns the value without the key at the end of a path.
  fileprivate func without(_ path: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let steps) = path, let step = steps.first else {
      return self
    }
    return .object(
      own.compactMap { member in
        guard member.key == step.key else { return member }
        guard case .object(let inner) = step.value, inner.count == 1, case .object = member.value,
          member.value != step.value
        else { return nil }
        return Member(member.key, member.value.without(step.value))
      })
  }
}
