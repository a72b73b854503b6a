import CivilTime
import ReminderMatching
import Scenarios
import Testing
import TextFormats
import TriggerModel

@testable import ScenarioModel

/// Tests that every short form has a long form with the same meaning.
@Suite struct FormTests {
  @Test func `triggers have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, meaning: Trigger)] = [
      ("unlock", "{event: unlock}", .unlock),
      ("charging starts", "{event: chargingStarted}", .chargingStarted),
      ("charging stops", "{event: chargingStopped}", .chargingStopped),
      ("open", "{event: opened}", .opened),
      ("open app maps", "{appOpened: maps}", .appOpened("maps")),
      ("enter shop", "{regionEntered: shop}", .regionEntered("shop")),
      ("exit shop", "{regionExited: shop}", .regionExited("shop")),
      ("fact signedIn changes", "{factChanged: signedIn}", .factChanged("signedIn")),
    ]
    for (short, long, meaning) in pairs {
      #expect(try scenario(.trigger(short)).reminders[0].declaration.triggers == [meaning], "\(short)")
      #expect(try scenario(.trigger(long)).reminders[0].declaration.triggers == [meaning], "\(long)")
      #expect(
        try scenario(.trigger("[\(short)]")).reminders[0].declaration.triggers == [meaning], "[\(short)]")
    }
  }

  @Test func `schedules have the same meaning in short and long form`() throws {
    let pairs = [
      ("every day 09:00", "{frequency: daily, start: 2026-03-02, at: 09:00}"),
      ("every day at 09:00 from day 3", "{frequency: daily, start: 2026-03-04, at: 09:00}"),
      ("every weekday 08:10", "{frequency: weekly, start: day 1, at: 08:10, weekdays: weekday}"),
      (
        "every monday, friday 08:10 ahead 5",
        "{frequency: weekly, start: day 1, at: 08:10, weekdays: 'monday, friday', ahead: 5}"
      ),
      (
        "every 2 weeks on monday 09:00 from 2026-03-09",
        "{frequency: weekly, start: 2026-03-09, at: 09:00, interval: 2, weekdays: monday}"
      ),
      ("every 3 days at 09:00 from day 2", "{frequency: daily, start: day 2, at: 09:00, interval: 3}"),
      (
        "every 2 months on 15 at 09:00 from 2026-03-15",
        "{frequency: monthly, start: 2026-03-15, at: 09:00, interval: 2}"
      ),
      ("monthly on 31 at 09:00 skip omit", "{frequency: monthly, start: 2026-01-31, at: 09:00, skip: omit}"),
      (
        "monthly on 31 at 09:00 from 2026-05-31 skip forward",
        "{frequency: monthly, start: 2026-05-31, at: 09:00, skip: forward}"
      ),
      ("yearly on 02-29 at 09:00", "{frequency: yearly, start: 2024-02-29, at: 09:00}"),
      ("on 2026-03-04 09:00", "{frequency: once, start: 2026-03-04, at: 09:00}"),
      ("on day 3 at 09:00 ahead 1", "{frequency: once, start: 2026-03-04, at: 09:00, ahead: 1}"),
      ("every day 08:00, 14:00, 20:00", "{frequency: daily, start: day 1, at: '08:00, 14:00, 20:00'}"),
      (
        "every 2 hours from 09:00 until 21:00",
        "{frequency: daily, start: day 1, at: '09:00, 11:00, 13:00, 15:00, 17:00, 19:00'}"
      ),
      (
        "every weekday every 4 h from 09:00 until 17:00 from day 3 ahead 2",
        "{frequency: weekly, start: day 3, at: '09:00, 13:00', weekdays: weekday, ahead: 2}"
      ),
      (
        "first monday of the month 09:00",
        "{frequency: monthly, start: day 1, at: 09:00, dayOfMonth: first monday}"
      ),
      ("last friday at 17:30", "{frequency: monthly, start: day 1, at: 17:30, dayOfMonth: last friday}"),
      (
        "every 2 months on the second tuesday 09:00 from day 1",
        "{frequency: monthly, start: day 1, at: 09:00, interval: 2, dayOfMonth: second tuesday}"
      ),
      (
        "every 2 years on 03-05 at 09:00 from 2026-03-05",
        "{frequency: yearly, start: 2026-03-05, at: 09:00, interval: 2}"
      ),
      (
        "every day 09:00 5 times", "{frequency: daily, start: day 1, at: 09:00, notBefore: day 1, times: 5}"
      ),
      // The first day is excluded, because its 06:00 is before the scenario's start at 07:00.
      (
        "every day 06:00, 18:00 ahead 2 5 times",
        "{frequency: daily, start: day 1, at: '06:00, 18:00', notBefore: day 2, times: 5, ahead: 2}"
      ),
      (
        "last weekday of the month at 16:00",
        "{frequency: monthly, start: day 1, at: 16:00, dayOfMonth: last weekday}"
      ),
      (
        "every weekday 12:00 until 2026-03-31 except day 4, 2026-03-03",
        "{frequency: weekly, start: day 1, at: 12:00, weekdays: weekday, until: 2026-03-31, "
          + "except: '2026-03-03, 2026-03-05'}"
      ),
      (
        "every 2 hours from 09:00 until 13:00 until day 9 except day 3 except day 2 ahead 4",
        "{frequency: daily, start: day 1, at: '09:00, 11:00', until: day 9, except: 'day 2, day 3', ahead: 4}"
      ),
      (
        "every day 21:00 in America/Phoenix skip omit",
        "{frequency: daily, start: day 1, at: 21:00, zone: America/Phoenix, skip: omit}"
      ),
      ("on 2026-03-04 09:00 in UTC", "{frequency: once, start: 2026-03-04, at: 09:00, zone: UTC}"),
      (
        "every 2 weeks on monday 09:00 from 2026-02-23 not before 2026-04-01 3 times",
        "{frequency: weekly, start: 2026-02-23, at: 09:00, interval: 2, weekdays: monday, "
          + "notBefore: 2026-04-01, times: 3}"
      ),
    ]
    for (short, long) in pairs {
      let first = try scenario(.trigger("\"\(short)\"")).reminders[0].declaration
      let second = try scenario(.trigger("{scheduled: \(long)}")).reminders[0].declaration
      #expect(first == second, "\(short)")
    }
  }

  @Test func `an exception without an occurrence causes a warning at its date`() throws {
    let sample = Sample.trigger("\"every weekday 09:00 until day 9 except day 2, day 6, day 15\"")
    let outcome = ScenarioFile.read(Array(sample.text.utf8), file: "sample.yaml") { _ in true }
    guard case .scenario(_, let warnings) = outcome else {
      Issue.record("the file was rejected")
      return
    }
    let found = warnings.filter { $0.message.contains("no occurrence on ") }
    #expect(found.count == 2)
    #expect(found.first?.message.contains("2026-03-07") ?? false)
    #expect(found.last?.message.contains("2026-03-16") ?? false)
    #expect(found.first?.position != found.last?.position)
  }

  @Test func `schedules in days from a fact have the same meaning in short and long form`() throws {
    let pairs: [(String, String)] = [
      ("7 days after onboarding at 09:00", "{days: 7, after: onboarding, at: 09:00}"),
      ("1 day after onboarding 09:00", "{days: 1, after: onboarding, at: 09:00}"),
      (
        "30, 7, 0 days before onboarding every year at 09:00",
        "{days: '30, 7, 0', before: onboarding, at: 09:00, everyYear: true}"
      ),
      (
        "2, 5, 10 days after onboarding at 11:00, 18:00 skip forward ahead 4",
        "{days: '2, 5, 10', after: onboarding, at: '11:00, 18:00', skip: forward, ahead: 4}"
      ),
    ]
    for (short, long) in pairs {
      let first = try scenario(.trigger("\"\(short)\"")).reminders[0].declaration
      let second = try scenario(.trigger("{relative: \(long)}")).reminders[0].declaration
      #expect(first == second, "\(short)")
      #expect(first.repeats == .always)
    }
    let cascade = try scenario(.trigger("30, 7, 0 days before onboarding every year at 09:00"))
    let days = RelativeDays([-30, -7, 0], from: "onboarding", minutes: [540], isYearly: true)
    #expect(cascade.reminders[0].declaration.triggers == [.scheduled(Schedule(days, ahead: 3))])
  }

  @Test func `schedules in spans from a fact have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, spans: [TimeSpan])] = [
      ("8 h after onboarding", "{spans: 480 min, after: onboarding}", [.hours(8)]),
      (
        "1 h 30 min, 4 h after onboarding", "{spans: '4 h, 90 min', after: onboarding}",
        [.minutes(90), .hours(4)]
      ),
      (
        "24 h, 15 min before onboarding", "{spans: '15 min, 24 h', before: onboarding}",
        [.hours(-24), .minutes(-15)]
      ),
      ("1 week after onboarding", "{spans: 1 week, after: onboarding}", [.days(7)]),
    ]
    for (short, long, spans) in pairs {
      let first = try scenario(.trigger("\"\(short)\"")).reminders[0].declaration
      let second = try scenario(.trigger("{elapsed: \(long)}")).reminders[0].declaration
      #expect(first == second, "\(short)")
      let schedule = Schedule(RelativeSpans(spans, from: "onboarding"))
      #expect(first.triggers == [.scheduled(schedule)] && schedule.ahead == spans.count)
    }
    let woken = try scenario(.trigger("8 h after onboarding ahead 0")).reminders[0].declaration
    #expect(
      woken.triggers == [.scheduled(Schedule(RelativeSpans([.hours(8)], from: "onboarding"), ahead: 0))])
  }

  @Test func `conditions have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, meaning: Condition)] = [
      ("charging", "{charging: true}", .charging(true)),
      ("not charging", "{charging: false}", .charging(false)),
      ("weekdays", "{weekdays: weekday}", .weekdays(.weekdays)),
      ("weekend", "{weekdays: weekend}", .weekdays(.weekend)),
      ("on monday, tuesday", "{weekdays: 'monday,tuesday'}", .weekdays(WeekdaySet(rawValue: 3))),
      ("after 16:00", "{timeWindow: {from: 16:00, to: 00:00}}", .timeWindow(DailyWindow(from: 960, to: 0))),
      ("before 10:00", "{timeWindow: {from: 00:00, to: 10:00}}", .timeWindow(DailyWindow(from: 0, to: 600))),
      (
        "between 09:00 and 17:00", "{timeWindow: 09:00-17:00}", .timeWindow(DailyWindow(from: 540, to: 1_020))
      ),
      (
        "22:00-07:00", "{timeWindow: {from: 22:00, to: 07:00}}",
        .timeWindow(DailyWindow(from: 1_320, to: 420))
      ),
      ("inside shop", "{inside: shop}", .inside("shop")),
      ("outside shop", "{outside: shop}", .outside("shop")),
    ]
    for (short, long, meaning) in pairs {
      #expect(
        try scenario(.condition("\"\(short)\"")).reminders[0].declaration.conditions == [meaning], "\(short)")
      #expect(try scenario(.condition(long)).reminders[0].declaration.conditions == [meaning], "\(long)")
    }
  }

  @Test func `fact conditions have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, meaning: FactCondition)] = [
      (
        "signedIn is false", "{value: signedIn, comparison: equal, constants: false}",
        FactCondition(.value("signedIn"), .equal, [.truth(false)])
      ),
      (
        "current / target < 50 %", "{value: current, dividedBy: target, comparison: less, constants: 50 %}",
        FactCondition(.ratio("current", "target"), .less, [.number(thousandths: 500)])
      ),
      (
        "current/target >= 1.5",
        "{value: current, dividedBy: target, comparison: greaterOrEqual, constants: 1.5}",
        FactCondition(.ratio("current", "target"), .greaterOrEqual, [.number(thousandths: 1_500)])
      ),
      (
        "age(score) <= 12 h else staleData",
        "{age: score, comparison: lessOrEqual, constants: 12 h, reason: staleData}",
        FactCondition(.age("score"), .lessOrEqual, [.number(thousandths: 43_200_000)], reason: .staleData)
      ),
      (
        "days(since: onboarding) in [2, 5, 10]",
        "{daysSince: onboarding, comparison: equal, constants: [2, 5, 10]}",
        FactCondition(
          .days(since: "onboarding"), .equal, [2, 5, 10].map { .number(thousandths: $0 * 1_000) })
      ),
      (
        "days since onboarding > 3", "{daysSince: onboarding, comparison: greater, constants: 3}",
        FactCondition(.days(since: "onboarding"), .greater, [.number(thousandths: 3_000)])
      ),
      (
        "plan not in trial, paid", "{value: plan, comparison: notEqual, constants: [trial, paid]}",
        FactCondition(.value("plan"), .notEqual, [.name(1), .name(2)])
      ),
      (
        "score != -3.25", "{value: score, comparison: notEqual, constants: -3.25}",
        FactCondition(.value("score"), .notEqual, [.number(thousandths: -3_250)])
      ),
    ]
    for (short, long, meaning) in pairs {
      let first = try scenario(.condition("\"\(short)\"")).reminders[0].declaration.conditions
      let second = try scenario(.condition("{fact: \(long)}")).reminders[0].declaration.conditions
      #expect(first == [.fact(meaning)], "\(short)")
      #expect(second == [.fact(meaning)], "\(long)")
    }
  }

  @Test func `facts have the same meaning in short and long form`() throws {
    let pairs = [
      ("true", "{kind: truth, initial: true}"), ("12.5", "{kind: number, initial: 12.5}"),
      ("number", "{kind: number}"), ("truth", "{kind: truth}"), ("instant", "{kind: instant}"),
      ("2026-03-01T10:00", "{kind: instant, initial: 2026-03-01T10:00}"),
      ("[free, paid]", "{names: [free, paid]}"),
    ]
    for (short, long) in pairs {
      var first = Sample()
      first.head = first.head.replacing("signedIn: false", with: "signedIn: false\n  extra: \(short)")
      var second = Sample()
      second.head = second.head.replacing("signedIn: false", with: "signedIn: false\n  extra: \(long)")
      #expect(try scenario(first).facts == scenario(second).facts, "\(short)")
    }
  }

  @Test func `expectations have the same meaning in short and long form`() throws {
    let pairs = [
      ("milk fires once", "{reminder: milk, fires: once}"),
      ("milk fires 3 times on day 2", "{reminder: milk, fires: 3, date: day 2}"),
      ("milk fires at least twice", "{reminder: milk, fires: at least twice}"),
      ("milk fires at most 4 times", "{reminder: milk, fires: at most 4 times}"),
      ("milk fires once between 17:41 and 17:45", "{reminder: milk, fires: 1, between: 17:41-17:45}"),
      (
        "milk fires once at 17:42 on 2026-03-02", "{reminder: milk, fires: once, at: 17:42, date: 2026-03-02}"
      ),
      ("milk fires once at 23:59", "{reminder: milk, fires: once, at: 23:59}"),
      ("milk fires once at 17:42:30", "{reminder: milk, fires: once, at: 17:42:30}"),
      ("milk never", "{reminder: milk, fires: never}"),
      (
        "milk never fires during 22:00-07:00",
        "{reminder: milk, fires: never, between: {from: 22:00, to: 07:00}}"
      ),
      ("milk is denied by quietHours twice", "{reminder: milk, denied: quietHours, times: 2}"),
      ("milk is denied", "{reminder: milk, denied: any}"),
      ("milk is deferred by quietHours until 07:00", "{reminder: milk, deferred: quietHours, until: 07:00}"),
      ("milk is not requested because conditionFailed", "{reminder: milk, notRequested: conditionFailed}"),
      ("milk is lost to pendingLimit 6 times", "{reminder: milk, lost: pendingLimit, times: 6 times}"),
      (
        "milk is lost to cancelled never on day 2",
        "{reminder: milk, lost: cancelled, times: never, date: day 2}"
      ),
      ("milk is denied by dailyCap never", "{reminder: milk, denied: dailyCap, times: 0}"),
      ("tapThrough >= 25 %", "{metric: tapThrough, comparison: greaterOrEqual, value: 25 %}"),
      ("milk fires <= 10", "{reminder: milk, metric: fires, comparison: lessOrEqual, value: 10}"),
    ]
    for (short, long) in pairs {
      let first = try scenario(.expect("\"\(short)\"")).expectations[0].claim
      let second = try scenario(.expect(long)).expectations[0].claim
      #expect(first == second, "\(short)")
    }
  }

  @Test func `parsing the sentence of a claim returns the claim`() throws {
    let scenario = try scenario(
      .expect(
        "milk fires once between 17:41 and 17:45:30", "milk never", "milk fires at least 3 times on day 2",
        "bread fires at most twice at 23:59", "milk fires once at 08:00:30", "milk is denied",
        "milk fires once at 08:00:00", "milk fires once at 08:00:00 +01:00 on day 2",
        "milk never at 08:10",
        "milk is deferred by quietHours until 07:00 once", "milk is not requested because staleData",
        "bread is lost to notPresented between 22:00 and 06:00 on day 3", "tapThrough >= 12.5 %", "fires = 7",
        "milk firesPerDay < 0.75", "bread denied != 0"))
    let names = scenario.reminders.map(\.declaration.id)
    for expectation in scenario.expectations {
      let sentence = expectation.claim.sentence(reminders: names)
      let again = try Reading.claim(of: sentence)
      #expect(again == expectation.claim, "\(expectation.text) became \(sentence)")
    }
  }

  @Test func `lists of fires have the same meaning in short and long form`() throws {
    let fires = try scenario(
      .expect(
        "only: [bread, milk]",
        "exact: [milk at 17:42, milk at 17:42 on day 2, bread at day 2 17:42, bread at 2026-03-03T17:42]",
        "exact: [{reminder: milk, at: 17:42}, {reminder: milk, at: 17:42, date: day 2}, bread at day 2 17:42, "
          + "{reminder: bread, at: 17:42, date: 2026-03-03}]", "exact: []"))
    #expect(fires.expectations[0].claim == .only([ReminderID(1), ReminderID(0)]))
    #expect(fires.expectations[1].claim == fires.expectations[2].claim)
    #expect(fires.expectations[3].claim == .exact([]))
    #expect(
      fires.expectations[1].text == "exact: [milk at 17:42, milk at 17:42 on 2026-03-03, "
        + "bread at 17:42 on 2026-03-03, bread at 17:42 on 2026-03-03]")
  }
}

/// Helpers of the suite. They are declared outside it, because test names would shadow them inside.
enum Reading {
  static func claim(of sentence: String) throws -> ScenarioModel.Expectation.Claim {
    try scenario(.expect("\"\(sentence)\"")).expectations[0].claim
  }
}
