import CivilTime
import Foundation
import ReminderMatching
import ScenarioModel
import Scenarios
import TestSupport
import Testing
import TextFormats

@testable import Recordings

@Suite struct MonicaImportTests {
  /// Returns an entry with the keys that Monica writes, on several lines as a server prints it.
  static func entry(
    _ id: Int, title: String = "Call", type: String = "year", number: String = "1",
    date: String = "1990-03-05T00:00:00Z", contact: String = "Anna Lee", delible: String = "true"
  ) -> String {
    """
    {
      "id": \(id), "object": "reminder", "title": "\(title)", "description": null,
      "frequency_type": "\(type)", "frequency_number": \(number), "initial_date": "\(date)",
      "delible": \(delible), "account": {"id": 1},
      "contact": {"id": \(id + 100), "object": "contact", "hash_id": "h:\(id)", "first_name": "Anna",
        "last_name": "Lee", "complete_name": "\(contact)", "initials": "AL", "gender": null, "is_dead": false,
        "information": {"birthdate": {"is_age_based": null, "is_year_unknown": null, "date": null},
          "avatar": {"url": "https://x/a.png", "source": "default", "default_avatar_color": "#fff"}},
        "account": {"id": 1}},
      "created_at": "2018-01-01T00:00:00Z", "updated_at": "2018-01-01T00:00:00Z"
    }
    """
  }

  static func page(_ entries: [String], number: Int = 1, of last: Int = 1) -> [UInt8] {
    Array(
      """
      {"data": [\(entries.joined(separator: ",\n"))],
       "links": {"first": "https://x/api/reminders?page=1", "last": null, "prev": null, "next": null},
       "meta": {"current_page": \(number), "from": 1, "last_page": \(last), "path": "https://x", "per_page": 10}}

      """.utf8)
  }

  static func scenario(with pack: String) -> ScenarioFile.Outcome {
    let text = """
      kind: scenario
      version: 1
      title: T
      include: pack.yaml
      start: 2026-03-01T07:00
      zone: Europe/Berlin
      for: 10 days
      expect:
        - requests >= 0
      """
    return ScenarioFile.read(
      Array(text.utf8), file: "x.yaml", fileExists: { _ in false },
      packFile: { name throws(Diagnostic) in PackBytes(name: name, bytes: Array(pack.utf8)) })
  }

  @Test func `every frequency becomes a reminder that recurs on the same dates`() throws {
    var answer = MonicaAnswer()
    try answer.read(
      Self.page([
        Self.entry(1, title: "Birthday of Anna", date: "1992-02-29T00:00:00.000000Z"),
        Self.entry(2, type: "month", number: "2", date: "2026-01-31"),
        Self.entry(3, type: "week", number: "3", date: "2026-03-02 00:00:00"),
        Self.entry(4, type: "one_time", number: "0", date: "2026-03-09T00:00:00Z", contact: "Łukasz 日本"),
      ]), file: "a.json")
    #expect(answer.findings.isEmpty, "\(answer.lines)")
    let text = MonicaPack(answer, minute: 540).text
    guard case .scenario(let scenario, let warnings) = Self.scenario(with: text) else {
      Issue.record("not a pack:\n\(text)\n\(Self.scenario(with: text))")
      return
    }
    #expect(warnings.isEmpty)
    #expect(
      scenario.reminders.map(\.declaration.id) == [
        "anna-lee-1", "anna-lee-2", "anna-lee-3", "ukasz-4",
      ])
    #expect(scenario.reminders.map(\.declaration.notification.link).first == "app://contacts/101")
    #expect(
      answer.reminders.map { "\($0.frequency.name) \($0.interval) \($0.date.iso8601)" } == [
        "yearly 1 1992-02-29", "monthly 2 2026-01-31", "weekly 3 2026-03-02", "once 1 2026-03-09",
      ])
  }

  @Test func `an unsupported property is counted with its first position`() throws {
    var answer = MonicaAnswer()
    try answer.read(
      Self.page(
        [
          Self.entry(1, type: "day"), Self.entry(2, date: "2026-02-30T00:00:00Z"), Self.entry(3, title: " "),
          Self.entry(9, date: "2026-3-5"), Self.entry(3), Self.entry(4, number: "null"),
          Self.entry(5, delible: "false"),
          #"{"id": 6, "title": "No contact", "frequency_type": "year", "frequency_number": 1, "initial_date": "2026-01-01", "contact": null}"#,
          "7", #"{"object": "contact", "id": 8}"#, #"{"object": "reminder", "id": 1.5}"#,
        ], of: 3), file: "a.json")
    #expect(answer.read == 11)
    #expect(answer.reminders.map(\.id) == [3, 4, 5, 6])
    let counts = Dictionary(uniqueKeysWithValues: answer.findings.map { ($0.kind, $0.count) })
    #expect(
      counts == [
        .otherFrequency: 1, .withoutDate: 2, .titleAssumed: 1, .repeated: 1, .intervalAssumed: 1, .fixed: 1,
        .withoutContact: 1, .otherObject: 2, .withoutID: 1, .missingPages: 2,
      ])
    #expect(answer.findings.allSatisfy { $0.first.hasPrefix("a.json:") })
    #expect(answer.read == answer.reminders.count + answer.leftOut)
  }

  @Test(arguments: [
    ("year", "1", "1955-03-05", "1970-03-05"), ("year", "1", "1948-02-29", "1972-02-29"),
    ("year", "7", "1955-03-05", "1976-03-05"), ("month", "1", "1969-10-31", "1970-01-31"),
    ("month", "5", "1969-10-31", "1970-03-31"), ("week", "2", "1969-12-22", "1970-01-05"),
    ("one_time", "0", "1955-03-05", ""), ("year", "1", "2150-01-01", ""),
  ])
  func `a first date before the supported years moves to a later recurrence`(
    type: String, number: String, date: String, begins: String
  ) throws {
    var answer = MonicaAnswer()
    try answer.read(Self.page([Self.entry(1, type: type, number: number, date: date)]), file: "a.json")
    #expect(answer.reminders.map(\.date.iso8601) == (begins.isEmpty ? [] : [begins]))
    #expect(answer.findings.map(\.kind) == (begins.isEmpty ? [.outsideCalendar] : []))
  }

  @Test(arguments: [
    ("", "a.json:1:1"), ("[]", "a.json:1:1"), ("{\n \"data\": 5}", "a.json:2:10"),
    ("{\"links\": {}}", "a.json:1:"),
    ("{\"data\": [{\"id\": 1,}]}", "a.json:1:"),
  ])
  func `text that is not a response of Monica is rejected with its position`(_ text: String, place: String) {
    var answer = MonicaAnswer()
    let problem = #expect(throws: Diagnostic.self) { try answer.read(Array(text.utf8), file: "a.json") }
    #expect(problem?.summary.hasPrefix(place) == true, "\(problem?.summary ?? "")")
    #expect(answer.read == 0)
  }

  /// Changes, removes and repeats bytes of a response. The result must be an error with a position, or a
  /// valid pack that accounts for every entry.
  @Test func `a damaged response yields a pack or an error with a position`() throws {
    let whole = Self.page(
      (1...12).map { Self.entry($0, type: ["year", "week", "month", "one_time"][$0 % 4]) })
    let isLong = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
    var luck = SplitMix64(seed: 11)
    var (packs, errors) = (0, 0)
    for _ in 0..<(isLong ? 10_000 : 300) {
      var bytes = whole
      for _ in 0...Int(luck.next() % 3) {
        let place = Int(luck.next() % UInt64(bytes.count))
        switch luck.next() % 5 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: luck.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(place + 40, bytes.count))
        case 3: bytes.insert(contentsOf: bytes[place..<min(place + 40, bytes.count)], at: place)
        default: bytes[place] = Array("0129ax\"{}[]:,-".utf8)[Int(luck.next() % 14)]
        }
      }
      var answer = MonicaAnswer()
      do {
        try answer.read(bytes, file: "a.json")
        packs += 1
        #expect(answer.read == answer.reminders.count + answer.leftOut)
        guard !answer.reminders.isEmpty else { continue }
        let text = MonicaPack(answer, minute: 540).text
        guard case .scenario(let scenario, _) = Self.scenario(with: text) else {
          Issue.record("a pack that cannot be read: \(text)")
          return
        }
        #expect(scenario.reminders.count == answer.reminders.count)
      } catch {
        errors += 1
        #expect(error.position != nil && error.file == "a.json")
      }
    }
    #expect(packs > 0 && errors > 0, "both happen")
  }
}
