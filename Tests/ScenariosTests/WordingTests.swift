import ScenarioSamples
import Testing

@testable import Scenarios

/// Tests the hints for sentences from authors who do not know the grammar.
@Suite struct WordingTests {
  /// The sentences, each with the form that the message must suggest.
  private static let typed: [Wordings.Section: [(typed: String, form: String)]] = [
    .timeline: [
      ("leave gym", "exit gym"), ("close app", "leave"), ("notification tapped", "tap REMINDER"),
      ("drive to gym", "enter gym"), ("arrive at gym", "enter gym"), ("screen on", "unlock"),
      ("launch app", "open"), ("kill app", "force quit"), ("restart", "reboot"),
      ("turn phone off", "power off"), ("charger connected", "plug in"),
      ("charger disconnected", "unplug"),
      ("background app", "leave"), ("tap notification a", "tap a"),
      ("battery at 20 %", "battery 20 %"),
      ("airplane mode", "airplane mode on"), ("fly to New York", "travel to America/New_York"),
      ("change time zone to America/New_York", "travel to America/New_York"),
      ("deny permission", "deny notifications"), ("snooze a 10 min", "snooze a for 10 min"),
      ("reinstall app", "reinstall"), ("set clock to 09:00", "set clock +1 h"),
      // Other words for the same or similar forms.
      ("the user leaves the gym", "exit gym"), ("walk away from gym", "exit gym"),
      ("come to Gym", "enter gym"),
      ("start charging", "plug in"), ("stop charging", "unplug"),
      ("phone is plugged in", "plug in"),
      ("remove the charger", "unplug"), ("reboot phone", "reboot"), ("shut down", "power off"),
      ("switch the phone on", "power on"), ("swipe away the app", "force quit"),
      ("force close app", "force quit"),
      ("minimize app", "leave"), ("wake phone", "unlock"), ("display off", "lock"),
      ("dismiss notification a", "dismiss a"), ("postpone a by an hour", "snooze a for 1 h"),
      ("snooze a till 6pm", "snooze a until 18:00"), ("open maps", "open app maps"),
      ("turn on do not disturb", "focus on"), ("disable airplane mode", "airplane mode off"),
      ("enable battery saver", "low power mode on"),
      ("revoke notification permission", "deny notifications"),
      ("allow notifications", "grant notifications"), ("move to Tokyo", "travel to Asia/Tokyo"),
      ("upgrade app", "update app"), ("steps = 500", "set steps = 500"),
      ("remove a", "delete a"),
      ("clear all notifications", "clear notifications"),
      ("disable location services", "location services off"),
    ],
    .triggers: [
      ("unplug", "charging stops"), ("plug in", "charging starts"),
      ("daily at 9:00", "every day at 09:00"),
      ("weekdays at 9:00", "every weekday at 09:00"),
      ("every other day 09:00", "every 2 days at 09:00 from 2026-03-02"),
      ("every monday at 9am", "every monday at 09:00"), ("9:00", "every day at 09:00"),
      ("app opened", "open"),
      ("leave gym", "exit gym"), ("arrive at gym", "enter gym"), ("unlocked", "unlock"),
      ("every 8 hours", "every 8 hours ahead repeating"),
      ("first of the month 09:00", "monthly on 1 at 09:00"),
      ("monday 09:00", "every monday at 09:00"),
      // Other words for the same or similar forms.
      ("at noon", "every day at 12:00"),
      ("mondays and fridays 18:30", "every monday, friday at 18:30"),
      ("charger connected", "charging starts"), ("phone unplugged", "charging stops"),
      ("when I open maps", "open app maps"),
      ("every day at 9am and 6pm", "every day at 09:00, 18:00"),
      ("every 3 days 8am", "every 3 days at 08:00 from 2026-03-02"),
      ("weekends at 10", "every weekend at 10:00"), ("screen unlocked", "unlock"),
      ("leaving the gym", "exit gym"),
      ("getting to gym", "enter gym"), ("steps changed", "fact steps changes"),
      ("2026-03-04 8am", "on 2026-03-04 at 08:00"),
      ("15th of every month 9am", "monthly on 15 at 09:00"),
      ("app launched", "open"), ("every 90 minutes", "every 90 minutes ahead repeating"),
    ],
    .conditions: [
      ("is charging", "charging"), ("battery < 20%", "no condition is about the battery level"),
      ("at gym", "inside gym"), ("after 6pm", "after 18:00"),
      ("between 9 and 17", "between 09:00 and 17:00"), ("weekday", "weekdays"),
      ("monday", "on monday"),
      ("on mondays", "on monday"), ("at most once a week", "repeat: weekly"),
      ("not today", "repeat: daily"),
      // Other words for the same or similar forms.
      ("plugged in", "charging"), ("not plugged in", "not charging"), ("unplugged", "not charging"),
      ("in the gym", "inside gym"), ("not at gym", "outside gym"), ("away from gym", "outside gym"),
      ("until 10am", "before 10:00"), ("from 9am to 5pm", "between 09:00 and 17:00"),
      ("only weekends", "weekend"),
      ("not on weekends", "weekdays"),
      ("saturdays, sundays", "on saturday, sunday"), ("once a day", "repeat: daily"),
      ("once per month", "repeat: monthly"), ("steps below 500", "steps < 500"),
      ("not signedIn", "signedIn is false"),
    ],
  ]

  private static func scenario(_ sentence: String, in section: Wordings.Section) -> String {
    func text(_ own: Wordings.Section, _ usual: String) -> String {
      section == own ? sentence : usual
    }
    return """
      kind: scenario
      version: 1
      title: Words
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 3 days
      apps: [maps]
      facts: {steps: number, signedIn: false}
      places: {gym: {at: [52.52, 13.405], radius: 150 m}}
      reminders:
        a: {when: "\(text(.triggers, "unlock"))", if: ["\(text(.conditions, "weekdays"))"], notify: A}
      timeline: ["08:00 \(text(.timeline, "unlock"))"]
      expect: [a never on day 3]
      """
  }

  @Test(arguments: [Wordings.Section.timeline, .triggers, .conditions])
  func `for everyday words, the message suggests the form with the same meaning`(in section: Wordings.Section)
    throws
  {
    for (typed, form) in try #require(Self.typed[section]) {
      let problems = read(Self.scenario(typed, in: section)).problems
      #expect(problems.count == 1, "\(typed): \(problems)")
      let isOffered = problems.first?.contains("did you mean '\(form)'?") ?? false
      let isAdvice =
        form.hasSuffix("repeating")
        || ["set clock", "repeat:", "no condition"].contains(where: form.hasPrefix)
      #expect(
        isOffered || isAdvice && problems.first?.contains(form) ?? false, "\(typed): \(problems)")
    }
  }

  @Test(arguments: [Wordings.Section.timeline, .triggers, .conditions])
  func `the grammar parses each form that a message can suggest`(in section: Wordings.Section) {
    let values = [
      "PLACE": "gym", "APP": "maps", "REMINDER": "a", "FACT": "steps", "DURATION": "1 h",
      "TIME": "09:00",
      "PERCENT": "20 %", "ZONE": "Asia/Tokyo", "DAYS": "monday", "NUMBER": "2", "ORDINAL": "first",
      "DATE": "2026-03-04", "START": "2026-03-02",
    ]
    for form in Wordings.forms(section) where !form.isAdvice {
      var text = form.text
      for (slot, value) in values { text = text.replacing(slot, with: value) }
      text = text.replacing(/steps (= true|= false|is true|is false)/) { "signedIn \($0.1)" }
      let problems = read(Self.scenario(text, in: section)).problems
      // An existing reminder cannot be created again, and only a reminder that counts from a fact can be completed.
      #expect(
        problems.isEmpty
          || ["create REMINDER", "complete REMINDER", "press done on REMINDER"].contains(form.text),
        "\(text): \(problems)")
    }
  }

  @Test func `each meaning consists of known ideas and slots`() {
    let ideas = Set(Wordings.words.map(\.idea))
    for form in [Wordings.Section.timeline, .triggers, .conditions].flatMap(Wordings.forms) {
      for part in form.meanings.flatMap(\.self).flatMap({ $0.split(separator: "/") }) {
        #expect(
          ideas.contains(String(part)) || part.allSatisfy(\.isUppercase), "\(form.text): \(part)")
      }
    }
    #expect(Wordings.light.isSubset(of: ideas))
  }

  @Test func `for words without a known meaning, the message suggests no form`() {
    for (sentence, section) in [
      ("sing a song", Wordings.Section.timeline), ("wake the neighbours up", .triggers),
    ] {
      let problems = read(Self.scenario(sentence, in: section)).problems
      #expect(
        problems.count == 1 && !(problems.first?.contains("did you mean") ?? true), "\(problems)")
    }
  }
}
