import CivilTime
import DeviceSimulation
import NotificationGateway
import ScenarioSamples
import Testing
import TriggerModel

@testable import ScenarioModel

/// Tests the person's settings in the app, stored counters, and weekly caps.
@Suite struct PreferenceFormatTests {
  private func sample(_ section: String, timeline: String = "08:10 unlock") -> Sample {
    Sample(
      reminders: """
        reminders:
          milk: {when: unlock, notify: {title: Milk, type: zebra}}
          bread: {when: unlock, notify: {title: Bread, type: trainingDay}}
        edits:
          milk: {other: {when: unlock, notify: {title: Milk, type: apple}}}
        \(section)
        """, timeline: "timeline:\n  - \(timeline)")
  }

  @Test func `a type's number is its index among all sorted names, including those of edits`() throws {
    let scenario = try scenario(sample("preferences: {off: [zebra, apple]}"))
    #expect(scenario.types == ["apple", "trainingDay", "zebra"])
    #expect(
      scenario.preferences == [.type(TypeID(2), isOn: false), .type(TypeID(0), isOn: false)])
  }

  @Test func `the person's choices before the start are parsed`() throws {
    let choices: [(String, [PreferenceChange])] = [
      ("{}", []), ("{notifications: off}", [.all(isOn: false)]), ("{notifications: on}", [.all(isOn: true)]),
      ("{off: trainingDay}", [.type(TypeID(1), isOn: false)]), ("{dailyCap: 2}", [.dailyCap(2)]),
      ("{dailyCap: none}", [.dailyCap(nil)]),
      (
        "{notifications: off, off: [trainingDay], dailyCap: 0}",
        [.type(TypeID(1), isOn: false), .all(isOn: false), .dailyCap(0)]
      ),
    ]
    for (text, expected) in choices {
      #expect(try scenario(sample("preferences: \(text)")).preferences == expected, "\(text)")
    }
    #expect(try scenario(sample("")).preferences.isEmpty)
  }

  @Test func `the person's choices on the time line have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, meaning: PreferenceChange)] = [
      ("turn off trainingDay", "{turnOff: trainingDay}", .type(TypeID(1), isOn: false)),
      ("turn on trainingDay", "{turnOn: trainingDay}", .type(TypeID(1), isOn: true)),
      ("turn off all notifications", "{allNotifications: off}", .all(isOn: false)),
      ("turn on all notifications", "{allNotifications: on}", .all(isOn: true)),
      ("own daily cap 2", "{ownDailyCap: 2}", .dailyCap(2)),
      ("own daily cap none", "{ownDailyCap: none}", .dailyCap(nil)),
    ]
    for (short, long, meaning) in pairs {
      let wanted = [TimelineAction.event(.preference(meaning))]
      #expect(
        try scenario(sample("", timeline: "08:10 \(short)")).timeline.entries[0].actions == wanted, "\(short)"
      )
      #expect(
        try scenario(sample("", timeline: "{at: 08:10, do: \(long)}")).timeline.entries[0].actions == wanted,
        "\(long)")
    }
    // The app's own switch is independent of the system's permission.
    #expect(
      try scenario(sample("", timeline: "08:10 deny notifications")).timeline.entries[0].actions
        == [.event(.notificationPermission(.denied))])
  }

  @Test func `weekly caps, and the counts that a reinstall keeps, are parsed`() throws {
    let policy = try scenario(
      sample(
        "policy: {typeWeeklyCaps: {trainingDay: 5}, weekStart: sunday, keptThroughReinstall: zebra, "
          + "counterLag: 10 min}")
    ).policy
    #expect(policy.typeWeeklyCaps == ["trainingDay": 5] && policy.weekStart == .sunday)
    #expect(policy.keptThroughReinstall == ["zebra"] && policy.counterLag == .minutes(10))
    let usual = try scenario(sample("")).policy
    #expect(usual.weekStart == .monday && usual.typeWeeklyCaps.isEmpty && usual.counterLag == .zero)
  }

  @Test func `stored counters become the stored state of the scheduler`() throws {
    let text = """
      stored:
        ft.reminder.dailyCount.2026-03-02: 2
        ft.reminder.training_day.sentCount: 3
      """
    let stored = try #require(try scenario(sample(text)).stored)
    #expect(stored.types.map(\.lifetime) == [0, 3, 0])
    #expect(stored.dailyCounts.map(\.day) == [CivilDate(year: 2026, month: 3, day: 2)])
    #expect(stored.dailyCounts.map(\.count) == [2])
    #expect(try scenario(sample("")).stored == nil)
  }

  @Test func `expectations accept the reasons of preferences and weekly caps`() throws {
    for text in [
      "milk is denied by userDisabled", "milk is denied by userDailyCap", "milk is denied by typeWeeklyCap",
      "milk is lost to userDisabled",
    ] {
      var sample = sample("")
      sample.expect = "expect: [\(text)]"
      #expect(try scenario(sample).expectations.count == 1, "\(text)")
    }
  }

  @Test(arguments: [
    (
      "preferences: {off: trainingDya}",
      "unknown notification type 'trainingDya'; did you mean 'trainingDay'?"
    ),
    ("preferences: {dailyCap: -1}", "'-1' is not a whole number from 0 to 1000000"),
    ("preferences: {notification: off}", "unknown key 'notification'; did you mean 'notifications'?"),
    ("preferences: off", "expected a mapping, not a text; its keys are notifications, off, dailyCap"),
    ("policy: {weekStart: mondy}", "'mondy' is not a day of the week; did you mean 'monday'?"),
    ("policy: {typeWeeklyCaps: {zebar: 5}}", "unknown notification type 'zebar'; did you mean 'zebra'?"),
    ("policy: {keptThroughReinstall: [zebar]}", "unknown notification type 'zebar'; did you mean 'zebra'?"),
    (
      "stored: {ft.reminder.traning_day.sentCount: 1}",
      "ft.reminder.traning_day.sentCount is no stored counter; did you mean ft.reminder.training_day.sentCount?"
    ),
    (
      "stored: {ft.reminder.dailyCount.2026-02-29: 1}",
      "ft.reminder.dailyCount.2026-02-29: \"2026-02-29\" is not a date such as 2026-03-02: "
        + "February 2026 has 28 days"
    ),
    (
      "stored: {ft.theme: 1}",
      "'ft.theme' is not the key of a stored counter; such as ft.reminder.dailyCount.2026-03-02 or "
        + "ft.reminder.training_day.sentCount"
    ),
    ("stored: {ft.reminder.zebra.sentCount: -1}", "'-1' is not a whole number from 0 to 4294967295"),
  ])
  func `invalid declarations are reported at their own position`(section: String, message: String) {
    let problems = read(sample(section).text).problems
    #expect(problems.count == 1 && problems[0].contains("error: " + message), "\(problems)")
    #expect(problems.first?.hasPrefix("sample.yaml:22:") == true, "\(problems)")
  }

  @Test func `an unknown notification type on the time line is reported with a suggestion`() {
    #expect(
      read(sample("", timeline: "08:10 turn off zebar").text).problems == [
        "sample.yaml:24:20: error: unknown notification type 'zebar'; did you mean 'zebra'?"
      ])
  }

  @Test func `two types with the same stored key are rejected`() {
    let text = sample("stored: {ft.reminder.zebra.sentCount: 1}").text.replacing(
      "apple", with: "training_day")
    #expect(
      read(text).problems.contains {
        $0.contains("the types trainingDay and training_day share the key ft.reminder.training_day.sentCount")
      })
  }
}
