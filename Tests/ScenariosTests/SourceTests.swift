import CivilTime
import NotificationGateway
import ReminderMatching
import ScenarioSamples
import Testing
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios
@testable import TextFormats

/// Tests that values keep the text of the file, even if YAML assigns another meaning to it.
@Suite struct SourceTests {
  private func root(_ text: String) throws -> Node {
    try YAMLDocument(SourceText(file: "f", text: text)).root
  }

  @Test func `scalars keep their text`() throws {
    let node = try root("[012, no, 22:00, 08:10, 1e3, 0x1F, 2026-03-02, 'a: b', ~, null, \"null\"]")
    guard case .sequence(let items) = node.content else {
      Issue.record("no list")
      return
    }
    let texts = items.map { item -> String in
      if case .scalar(let text) = item.content { text } else { "?" }
    }
    #expect(texts == ["012", "no", "22:00", "08:10", "1e3", "0x1F", "2026-03-02", "a: b", "", "", "null"])
  }

  @Test func `the key determines the meaning of a value`() throws {
    let scenario = try scenario(
      Sample(
        timeline:
          "seed: 012\npolicy: {quietHours: [22:00, 07:00], dailyCap: none, minimumInterval: 90 min}\ntitel2: x"
      )
      .text.replacing("\ntitel2: x", with: ""))
    #expect(scenario.seed == 12)
    #expect(scenario.policy.quietHours == WeeklyWindows(DailyWindow(from: 1_320, to: 420)))
    #expect(scenario.policy.dailyCap == nil)
    #expect(scenario.policy.minimumInterval == .minutes(90))
    #expect(scenario.places.map(\.radius) == [150, 100])
  }

  @Test func `quiet hours and their action are parsed in every form`() throws {
    for form in ["22:00-07:00", "[22:00, 07:00]", "{from: 22:00, to: 07:00}"] {
      let policy = try scenario(Sample(timeline: "policy: {quietHours: \(form)}")).policy
      #expect(policy.quietHours == WeeklyWindows(DailyWindow(from: 1_320, to: 420)), "\(form)")
    }
    #expect(try scenario(Sample(timeline: "policy: {quietHours: none}")).policy.quietHours == nil)
    #expect(
      try scenario(Sample(timeline: "policy: {quietAction: defer}")).policy.quietAction
        == [.standard: .defer, .critical: .defer, .user: .defer])
    #expect(
      try scenario(Sample(timeline: "policy: {quietAction: {critical: defer}}")).policy.quietAction
        == [.standard: .drop, .critical: .defer, .user: .defer])
    #expect(read(Sample(timeline: "policy: {quietHours: 07:00-07:00}").text).warnings.count == 1)
  }

  @Test(arguments: [
    ("[13:00-14:00, 22:00-07:00]", [[780, 840, 1_320, 420]]),
    ("[{from: 13:00, to: 14:00}, 22:00-07:00]", [[780, 840, 1_320, 420]]),
    ("[22:00-07:00]", [[1_320, 420]]),
    ("{weekday: 22:00-07:00, weekend: 22:00-10:00}", [[1_320, 420], [1_320, 600]]),
    ("{weekday: 22:00-07:00}", [[1_320, 420], []]),
    ("{weekend: [01:00-02:00, 22:00-00:00]}", [[], [60, 120, 1_320, 0]]),
    ("{weekday: none, weekend: 22:00-10:00}", [[], [1_320, 600]]),
    ("{weekday: 22:00-07:00, weekend: 22:00-10:00, sunday: none}", [[1_320, 420], [1_320, 600], []]),
    ("{monday: {from: 22:00, to: 07:00}, weekday: [20:00, 06:00]}", [[1_320, 420], [1_200, 360], []]),
  ])
  func `quiet hours can have several windows and depend on the day`(form: String, parts: [[Int]]) throws {
    let policy = try scenario(Sample(timeline: "policy: {quietHours: \(form)}")).policy
    let days = parts.map { edges in
      stride(from: 0, to: edges.count, by: 2).map { DailyWindow(from: edges[$0], to: edges[$0 + 1]) }
    }
    let expected = WeeklyWindows { day in
      switch (form.contains("monday:"), form.contains("sunday:"), day) {
      case (true, _, .monday): days[0]
      case (true, _, .saturday), (true, _, .sunday): days[2]
      case (true, _, _): days[1]
      case (_, true, .sunday): days[2]
      case (_, _, .saturday), (_, _, .sunday): days[min(1, days.count - 1)]
      default: days[0]
      }
    }
    #expect(policy.quietHours == expected)
  }

  @Test(arguments: [
    ("[22:00-07:00, 25:00-26:00]", "'25:00-26:00' is not a window of the day such as 22:00-07:00"),
    ("{weekdays: 22:00-07:00}", "unknown key 'weekdays'; did you mean 'weekday'?"),
    ("[22:00, 07:00, 08:00]", "expected two times; such as 22:00-07:00"), ("[]", "expected two times"),
    ("[00:00-12:00, 12:00-00:00]", "quiet hours at every time of the week allow no notification"),
    ("{weekday: 10:00-09:59, weekend: [09:00-21:00, 20:00-10:00], monday: [00:00-14:00, 13:00-00:00]}", nil),
  ])
  func `invalid quiet hours are reported`(form: String, message: String?) {
    let problems = read(Sample(timeline: "policy: {quietHours: \(form)}").text).problems
    #expect(problems.count == (message == nil ? 0 : 1), "\(problems)")
    if let message, let problem = problems.first { #expect(problem.contains(message), "\(problem)") }
  }

  @Test func `caps over longer periods are parsed`() throws {
    let policy = try scenario(
      Sample(
        timeline:
          "policy: {weeklyCap: 9, monthlyCap: 20, rollingCap: 3 in 7 days, typeMonthlyCaps: {milk: 4}, "
          + "typeRollingCaps: {milk: 1 in 30 days}}")
    ).policy
    #expect(policy[ofBucket: .weekly] == 9 && policy[ofBucket: .monthly] == 20)
    #expect(policy[ofBucket: .rolling] == CapLimit(3, in: 7))
    #expect(policy[.monthly] == ["milk": 4] && policy[.rolling] == ["milk": CapLimit(1, in: 30)])
    let without = try scenario(Sample(timeline: "policy: {weeklyCap: none, rollingCap: none}")).policy
    #expect(without == CapPolicy())
    for (form, hint) in [
      ("3", "such as '3 in 7 days'"), ("3 in 1 days", ""), ("3 in 367 days", ""), ("3 in week", ""),
    ] {
      let problems = read(Sample(timeline: "policy: {rollingCap: \(form)}").text).problems
      let problem = try #require(problems.first)
      #expect(problems.count == 1, "\(problems)")
      #expect(problem.contains("is not a number of notifications in 2 to 366 consecutive days"), "\(problem)")
      #expect(problem.contains(hint), "\(problem)")
    }
  }

  @Test func `durations are exact`() {
    let reader = Reader(source: SourceText(file: "f", text: "")) { _ in false }
    func duration(_ text: String) -> Int64? {
      Atom<TimeSpan>.duration.parse(Word(text, at: .start), reader)?.milliseconds
    }
    #expect(duration("4 h") == 14_400_000)
    #expect(duration("1h30m") == 5_400_000)
    #expect(duration("1 h 30 min") == 5_400_000)
    #expect(duration("1.5 h") == 5_400_000)
    #expect(duration("0.001 s") == 1)
    #expect(duration("14 days") == 1_209_600_000)
    for wrong in [
      "", "4", "h", "4 hh", "4 h 3", "-4 h", "0.0001 s", "1.5 ms", "101 000 days", "1,5 h", "40000 days",
      "٣ h",
    ] {
      #expect(duration(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `numbers are exact`() {
    #expect(Decimal.thousandths("1.5") == 1_500)
    #expect(Decimal.thousandths("-0.001") == -1)
    #expect(Decimal.millionths("25 %") == 250_000)
    #expect(Decimal.millionths("33.3333%") == 333_333)
    for wrong in ["", ".", "1.", ".5", "1.2345", "1e3", "--1", "1 000", "٣"] {
      #expect(Decimal.thousandths(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a byte order mark and other line endings have no effect`() throws {
    let text = Sample().text
    let marked = ScenarioFile.read([0xEF, 0xBB, 0xBF] + Array(text.utf8), file: "f") { _ in true }
    #expect(marked.problems == [])
    #expect(read(text.replacing("\n", with: "\r\n")).problems == [])
    let wrong = read(text.replacing("title:", with: "titel:").replacing("\n", with: "\r\n")).problems
    #expect(wrong == ["sample.yaml:3:1: error: unknown key 'titel'; did you mean 'title'?"])
  }

  @Test func `aliases within the limits are resolved`() throws {
    let text = Sample(
      reminders: "reminders:\n  milk: &r {when: unlock, notify: A}\n  bread: *r\nedits: {milk: {later: *r}}",
      timeline: "seed: 1")
    let scenario = try scenario(text)
    #expect(scenario.reminders[0].declaration.triggers == scenario.reminders[1].declaration.triggers)
    #expect(scenario.reminders[1].declaration.notification.type == "bread")
    #expect(scenario.edits[0].declaration.id == "milk")
  }

  @Test func `an occasion includes its start and excludes its end`() {
    let day = CivilDate(year: 2026, month: 3, day: 2)
    func local(_ days: Int, _ text: String) -> LocalTime {
      LocalTime(date: day + days, millisecondOfDay: Clock.milliseconds(text) ?? 0)
    }
    let window = Occasion(time: .init(from: 61_260_000, to: 61_500_000), date: nil)
    #expect(!window.contains(local(0, "17:00:59")) && window.contains(local(0, "17:01")))
    #expect(window.contains(local(5, "17:04:59")) && !window.contains(local(5, "17:05")))
    let night = Occasion(time: .init(from: 79_200_000, to: 25_200_000), date: day)
    #expect(night.contains(local(0, "22:00")) && night.contains(local(1, "06:59:59")))
    #expect(
      !night.contains(local(1, "07:00")) && !night.contains(local(1, "22:00"))
        && !night.contains(local(0, "06:00")))
    #expect(Occasion.always.contains(local(9, "00:00")))
  }
}
