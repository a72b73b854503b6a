import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestBench
import Testing
import TextFormats

@testable import Simulation

/// Tests the app's lists in complete runs.
@Suite struct ViewStoryTests {
  private static func result(
    _ expectations: [String], timeline: [String] = [], start: String = "2026-03-02T07:00",
    zone: String = "Europe/Berlin", reminders: String = people, others: String = ""
  ) throws -> ScenarioResult {
    let line = timeline.isEmpty ? "" : "timeline:\n" + timeline.map { "  - \($0)\n" }.joined()
    let text = """
      kind: scenario
      version: 1
      title: T
      start: \(start)
      zone: \(zone)
      for: 60 days
      \(others)
      reminders:
      \(reminders)
      \(line)
      expect:
      \(expectations.map { "  - \($0)" }.joined(separator: "\n"))

      """
    return ScenarioRun(try Program(Scenario.sample(text)), stopwatch: { 0 }).run().result
  }

  private static let people = """
      anna: {when: yearly on 03-04 at 09:00, notify: Anna}
      bob: {when: yearly on 03-08 at 09:00, notify: Bob}
      call: {when: on 2026-03-03 at 18:00, notify: Call}
      rent: {when: monthly on 31 at 09:00 from 2026-01-31, notify: Rent}
      carl: {when: yearly on 02-20 at 09:00, notify: Carl}
      walk: {when: unlock, notify: Walk}
    """

  private static func all(_ result: ScenarioResult) -> Bool { result.expectations.allSatisfy(\.passed) }

  @Test func `entries change groups from day to day`() throws {
    let result = try Self.result([
      "upcoming on day 1 at 08:00 shows anna this week, bob this week, call this week, rent this month, carl later",
      "upcoming on day 3 at 08:00 shows anna today, bob this week, call overdue, not walk, 1 today",
      "upcoming on day 3 at 23:59 shows anna today",
      "upcoming on day 4 at 00:00 shows anna later, nothing today",
    ])
    #expect(Self.all(result), "\(result.expectations.map(\.got))")
  }

  @Test func `a reminder moves when it is done, snoozed, edited or deleted`() throws {
    let plants = """
        basil: {when: 7 days after basil.watered at 09:00, notify: Basil}
        fern: {when: 3 days after fern.watered at 09:00, notify: Fern}
        walk: {when: unlock, notify: Walk}
      """
    let facts = "facts: {basil.watered: 2026-02-26T18:00, fern.watered: 2026-02-25T18:00}"
    let result = try Self.result(
      [
        "today on day 1 at 08:00 shows fern overdue, not basil, 0 of 1 done",
        "today on day 4 at 08:00 shows basil today, fern overdue, 0 of 2 done",
        "today on day 4 at 12:00 shows basil today, 1 of 2 done",
        "today on day 4 at 13:00 shows all caught up, 2 of 2 done",
        "today on day 5 at 08:00 is empty",
        "upcoming on day 8 at 10:00 shows fern this week",
        "upcoming on day 12 at 10:00 shows basil overdue, not fern, 1 overdue",
      ],
      timeline: [
        "day 4 11:00 complete fern", "day 4 12:30 complete basil", "day 7 19:00 snooze fern for 3 days",
        "day 12 09:30 delete fern",
      ], reminders: plants, others: facts)
    #expect(Self.all(result), "\(result.expectations.map(\.got))")
  }

  @Test func `a list follows the phone's zone`() throws {
    let result = try Self.result(
      [
        "upcoming on 2026-03-03 at 23:30 shows anna this week, call today, nothing overdue",
        "upcoming on 2026-03-04 at 08:00 shows anna today",
        "upcoming on 2026-03-04 at 07:30 shows anna today",
      ], timeline: ["2026-03-03 12:00 travel to America/New_York"])
    #expect(Self.all(result), "\(result.expectations.map(\.got))")
  }

  @Test func `a list can be grouped by an attribute of items, and starts again at midnight`() throws {
    let items = """
      items:
        plant:
          attributes: {room: [kitchen, balcony], watered: instant}
          list:
            basil: {room: kitchen, watered: 2026-02-25T18:00}
            fern: {room: balcony, watered: 2026-02-25T18:00}
            ivy: {room: kitchen, watered: 2026-02-26T18:00}
      """
    let water = "  water: {for: each plant, when: 7 days after plant.watered at 09:00, notify: Water it}"
    let expectations = [
      "today by room on day 3 at 08:00 shows basil today in kitchen, water for fern today in balcony, not ivy",
      "today by room on day 3 at 23:59 shows water for fern in balcony, 1 of 2 done",
      "today by room on day 4 at 00:00 shows fern overdue in balcony, ivy today in kitchen, 0 of 2 done",
      "today by room on day 4 at 10:00 shows ivy today in balcony, nothing overdue, 1 of 2 done",
      "today on day 4 at 11:00 shows all caught up, 2 of 2 done",
    ]
    let result = try Self.result(
      expectations,
      timeline: [
        "day 3 20:00 complete water for basil", "day 4 09:00 complete water for fern",
        "day 4 09:30 set ivy.room = balcony", "day 4 10:30 complete water for ivy",
      ], reminders: water, others: items)
    #expect(result.expectations.filter { !$0.passed }.map(\.got) == [])
    #expect(result.views.count == 5)
  }

  @Test func `parsing the sentence of a statement returns the same statement`() throws {
    let statements = [
      "upcoming on day 3 at 08:00:30 shows anna, bob this week, not walk, 2 today, 7 entries, nothing later",
      "today on day 3 at 08:00 shows all caught up, 2 of 3 done, 1 entry, nothing overdue",
      "upcoming at 08:00 on day 4 is empty",
    ]
    let first = try Self.result(statements).program.scenario
    let names = first.reminders.map(\.declaration.id)
    let again = try Self.result(first.expectations.map { $0.claim.sentence(reminders: names) }).program
      .scenario
    #expect(again.expectations.map(\.claim) == first.expectations.map(\.claim))
    let long = try Self.result([
      "{view: 'upcoming shows anna, bob this week, not walk, 2 today, 7 entries, nothing later', date: 2026-03-04, at: '08:00:30'}"
    ]).program.scenario
    #expect(long.expectations[0].claim == first.expectations[0].claim)
  }

  @Test func `a false statement reports the list, the nearest entry and the corrected claim`() throws {
    let result = try Self.result(["upcoming on day 3 at 08:00 shows anna this week, 2 today"])
    let failed = try #require(result.expectations.first)
    #expect(!failed.passed)
    #expect(
      failed.got.hasPrefix(
        "overdue: call (2026-03-03); today: anna (2026-03-04); this week: bob (2026-03-08)"))
    #expect(failed.nearest == "anna (2026-03-04), today")
    let truth = try #require(failed.instead)
    #expect(
      truth.sentence(reminders: result.program.scenario.reminders.map(\.declaration.id))
        == "upcoming at 08:00 on 2026-03-04 shows anna today, 1 today")
  }

  @Test func `120 entries are in chronological order`() throws {
    let many = (0..<120).map { number in
      let date = "2027-0\(1 + number % 9)-\(number / 9 + 10)"
      return "  r\(number): {when: on \(date) at 09:00, notify: R}"
    }
    let result = try Self.result(
      ["upcoming on day 1 at 08:00 shows 120 entries, 120 later"], reminders: many.joined(separator: "\n"))
    #expect(Self.all(result), "\(result.expectations.map(\.got))")
    let entries = try #require(result.views.first).entries
    #expect(zip(entries, entries.dropFirst()).allSatisfy { ($0.time, $0.name) < ($1.time, $1.name) })
  }
}

/// Tests the warnings of `check` about dates and contents in expectations for lists.
@Suite struct ViewWarningTests {
  private func problems(_ expectation: String, date: String = "2026-03-05") -> [String] {
    let text = """
      kind: scenario
      version: 1
      title: T
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 6 days
      reminders:
        call: {when: on \(date) at 09:00, notify: Call}
      expect:
        - \(expectation)

      """
    switch ScenarioFile.read(Array(text.utf8), file: "x.yaml", fileExists: { _ in false }) {
    case .scenario(_, let warnings): return warnings.map(\.summary)
    case .unusable(let errors): return errors.map(\.summary)
    case .otherKind: return ["another kind"]
    }
  }

  @Test func `a date before the start has a warning unless a list shows it`() {
    let warned = problems("call never", date: "2026-03-01")
    #expect(warned.count == 1)
    #expect(
      warned[0].hasPrefix("x.yaml:8:3: warning: 'call' is scheduled for 2026-03-01, before the story"))
    #expect(problems("upcoming on day 1 at 08:00 shows call overdue", date: "2026-03-01").isEmpty)
    #expect(problems("call never", date: "2026-03-02").isEmpty)
    #expect(
      problems("call never", date: "2026-04-31").first?.contains("the date 2026-04-31 does not exist") == true
    )
  }

  @Test(arguments: [
    ("upcoming shows call today", "the date or the time of the list is missing"),
    ("upcoming on day 1 at 08:00 shows cal today", "did you mean 'call'?"),
    ("upcoming on day 1 at 08:00 shows call tomorrow", "unexpected 'tomorrow'"),
    ("upcoming on day 1 at 08:00 shows 3", "the group of the 3 entries is missing"),
    ("upcoming on day 1 at 08:00 shows call, ", "a statement is missing before or after the comma"),
    ("today by room on day 1 at 08:00 shows call", "no item has an attribute 'room'"),
    ("today on day 1 at 08:00 shows call in kitchen", "the list is not divided"),
    ("upcoming on day 1 at 08:00 has call", "makes no claim about the list"),
  ])
  func `an invalid sentence is an error at its position`(_ sentence: String, message: String) {
    let errors = problems(sentence)
    #expect(errors.contains { $0.hasPrefix("x.yaml:10:") && $0.contains(message) }, "\(errors)")
  }
}
