import DeviceSimulation
import PlatformRuns
import Testing

@testable import TestBench

/// Small stories that test how the phone and the app interact.
@Suite struct PhoneStoryTests {
  struct Story: CustomTestStringConvertible {
    var testDescription: String
    /// The lines after `start`, `zone` and the title, with one part per line.
    var text: String

    init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
  }

  private static let daily = "reminders: {a: {when: every day 13:00, notify: {title: a, bucket: user}}}"
  private static let held =
    "for: 3 days\nprofile: ios\n"
    + "reminders: {a: {when: on 2026-03-02 at 13:00 ahead 1, notify: {title: a, bucket: user}}}\n"

  /// A wake-up starts the app's process if necessary.
  static let woken = [
    Story(
      "an alarm starts a process that was ended",
      "for: 2 days\nprofile: android\nknobs: {exactAlarms: granted}\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 terminate]\n"
        + "expect: [a fires once at 13:00 on day 1, a fires once at 13:00 on day 2]"),
    Story(
      "an alarm starts a force-quit app",
      "for: 2 days\nprofile: android\nknobs: {exactAlarms: granted}\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 force quit]\n"
        + "expect: [a fires once at 13:00 on day 1, a fires once at 13:00 on day 2]"),
    Story(
      "a late refresh starts the process",
      "for: 2 days\nprofile: ios\n\(daily)\ntimeline: [08:00 open, 08:01 leave, 08:02 terminate]\n"
        + "expect: [a fires once between 13:00 and 14:00 on day 1, a fires once between 13:00 and 14:00 on day 2]"
    ),
    Story(
      "the process ends shortly before the alarm",
      "for: 1 day\n\(daily)\ntimeline: [12:59 terminate]\nexpect: [a fires once at 13:00]"),
    Story(
      "another event starts the process in the same minute",
      "for: 1 day\n\(daily)\ntimeline: [12:59 terminate, 13:00 unlock]\nexpect: [a fires once at 13:00]"),
    Story(
      "a missed occurrence is handled when the person opens the app, which does not present it",
      "for: 1 day\nprofile: ios\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 force quit, 14:00 open]\n"
        + "expect: [a never, a is lost to notPresented once at 14:00]"),
    Story(
      "an occurrence while the phone is off is delivered once when the app runs again",
      "for: 2 days\nprofile: ios\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 12:00 power off, 14:00 power on, 14:01 unlock]\n"
        + "expect: [a fires once between 14:00 and 15:00 on day 1, a fires once between 13:00 and 14:00 on day 2]"
    ),
  ]

  private static let rebooted =
    "for: 1 day\nprofile: ios\npolicy: {quietHours: none, minimumInterval: none}\n"
    + "reminders: {b: {when: open, repeat: always, notify: {title: b, bucket: user}}, "
    + "a: {when: every day 08:30 ahead 1, notify: {title: a, bucket: user}}}\n"

  /// After a boot, a person who uses the phone has unlocked it, so the app can read its store.
  static let firstUse = [
    Story(
      "opening the app after a reboot opens its store",
      rebooted + "timeline: [08:01 open, 08:02 leave, 09:00 reboot, 09:05 open]\nexpect: [b requests = 2]"),
    Story(
      "tapping a notification after a reboot opens the store",
      rebooted + "timeline: [08:01 open, 08:02 leave, 09:00 reboot, 09:05 tap a, 09:06 leave]\n"
        + "expect: [b requests = 2]"),
    Story(
      "opening another app after a reboot opens the store of this one",
      "for: 1 day\nprofile: ios\nknobs: {regionLatency: 0, regionDwell: 0}\napps: [maps]\n"
        + "policy: {quietHours: none}\nplaces: {home: {at: [52.5, 13.4], radius: 150 m}}\n"
        + "reminders: {b: {when: enter home, repeat: always, notify: {title: b, bucket: user}}}\n"
        + "timeline: [08:01 open, 08:02 leave, 09:00 reboot, 09:05 open app maps, 09:10 enter home]\n"
        + "expect: [b requests = 1]"),
  ]

  /// The system delivers held notifications with the summary, at the time of the summary on the phone's
  /// clock.
  static let summary = [
    Story(
      "a held notification is shown in the evening",
      held
        + "timeline: [08:00 open, 08:01 summary on, 08:02 leave]\nexpect: [a fires once at 18:00 on 2026-03-02]"
    ),
    Story(
      "a held notification is shown in the evening after a journey east",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 travel to Asia/Tokyo]\n"
        + "expect: [a fires once at 18:00 on 2026-03-03]"),
    Story(
      "a held notification is shown in the evening after a journey west",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 travel to America/New_York]\n"
        + "expect: [a fires once at 18:00 on 2026-03-02]"),
    Story(
      "a held notification with the clock set back",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 set clock -1 h]\n"
        + "expect: [a fires once at 18:00 on 2026-03-02]"),
    Story(
      "a held notification with the clock set past the evening",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 set clock +5 h]\n"
        + "expect: [a fires once at 19:00 on 2026-03-02]"),
  ]

  /// Opening the app withdraws the requests that are planned until then or triggered by the opening.
  static let opened = [
    Story(
      "an opening after all requests were cancelled, and a journey",
      "for: 4 days\n"
        + "reminders: {a: {when: [every day 12:00 ahead 2, open], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 cancel all, 09:00 travel to Europe/Paris, 10:00 open]\nexpect: [a fires once at 10:00]"
    ),
    Story(
      "an opening with a lapse too",
      "for: 4 days\n"
        + "reminders: {a: {when: [closed for 2 days at 09:00, open], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [10:00 open]\nexpect: [a fires once at 10:00 on day 1, a fires once at 09:00 on day 3]"),
  ]

  /// `now` is the phone's wall-clock time, which an app would store.
  static let now = [
    Story(
      "eight hours by the clock's time",
      "for: 1 day\nfacts: {t: instant}\n"
        + "reminders: {a: {when: 8 h after t, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 set clock +1 h, +1h set t = now]\nexpect: [a fires once at 17:00]"),
    Story(
      "the day of the phone's clock",
      "for: 4 days\nfacts: {t: instant}\n"
        + "reminders: {a: {when: 1 day after t at 09:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 set clock +20 h, +1h set t = now]\nexpect: [a fires once at 09:00 on 2026-03-04]"
    ),
    Story(
      "a snooze until a time of day that the clock skips",
      "for: 2 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 set clock +2 h, 09:00 unlock, 09:10 snooze a until 10:30]\n"
        + "expect: [a fires once at 10:30 on 2026-03-03]"),
  ]

  /// A notification that is due at a skipped local time is delivered immediately, with or without a process.
  static let jumps = ["profile: android\nknobs: {exactAlarms: granted}\n", "profile: ideal\n"].flatMap {
    profile in
    ["08:02 unlock", "08:02 terminate"].map { before in
      Story(
        "\(profile.prefix { $0 != "\n" }), \(before)",
        "for: 2 days\n\(profile)\(daily)\n"
          + "timeline: [08:00 open, 08:01 leave, \(before), 12:30 set clock +1 h]\n"
          + "expect: [a fires once at 13:30 on day 1, a fires once at 13:00 on day 2]")
    }
  }

  /// The name of a place may be a keyword of the condition grammar.
  static let names: [Story] = ["in", "is", "not", "else"].map { name in
    Story(
      "a place with the name \(name)",
      "for: 1 day\nplaces: {\(name): {at: [52.52, 13.405], radius: 150 m}}\n"
        + "reminders: {a: {when: unlock, if: inside \(name), notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 09:00 enter \(name), 10:00 unlock]\nexpect: [a fires once at 10:00]")
  }

  /// A reminder relative to an instant is due at that instant in every zone.
  static let journeys = [
    Story(
      "a day after a fact",
      "for: 3 days\nfacts: {t: instant}\n"
        + "reminders: {a: {when: 24 h after t, notify: {title: a, bucket: user}}}\n"
        + "timeline: [10:00 set t = now, 12:00 travel to Asia/Tokyo]\n"
        + "expect: [deliveryRate = 100 %, a fires once at 18:00 on 2026-03-03]"),
    Story(
      "a snooze",
      "for: 1 day\npolicy: {quietHours: none}\n"
        + "reminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [09:00 unlock, 09:10 snooze a for 2 h, 10:00 travel to Europe/Istanbul]\n"
        + "expect: [deliveryRate = 100 %, a fires 2 times]"),
  ]

  /// A deferral to the end of quiet hours does not affect the schedule.
  static let putOff = [
    Story(
      "a daily reminder whose first request is late",
      "for: 3 days\n"
        + "reminders: {a: {when: every 2 h from 05:00 until 09:30 ahead 1, notify: {title: a, bucket: user}}}\n"
        + "expect: [a fires 2 times at 07:00 on day 2, a fires once at 09:00 on day 2]")
  ]

  /// Every weekly count starts on the weekday that the policy declares.
  static let weeks: [Story] = ["", " ahead 3"].map { ahead in
    Story(
      "every two weeks, from a Sunday on\(ahead)",
      "for: 16 days\npolicy: {weekStart: sunday}\n"
        + "reminders: {a: {when: 'every 2 weeks on sunday, monday 09:00 from 2026-03-01\(ahead)', "
        + "notify: {title: a, bucket: user}}}\n"
        + "expect: [a fires once on 2026-03-02, a fires once on 2026-03-15, a fires once on 2026-03-16, "
        + "a fires 3 times]")
  }

  /// Recorded positions that are days apart are not connected by a straight line at constant speed.
  static let positions: [Story] = [("+2h", "a fires once"), ("day 5 09:00", "a never")].map {
    when, outcome in
    Story(
      "a place between two positions, \(when)",
      "for: 6 days\nplaces: {mid: {at: [52.52, 13.405], radius: 150 m}}\n"
        + "reminders: {a: {when: [enter mid, exit mid], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: ['09:00 at [52.52, 13.3]', '\(when) at [52.52, 13.5]']\nexpect: [\(outcome)]")
  }

  /// The app registers a region after the permission is granted, while the phone is already inside (rule L6).
  static let grants: [Story] = [
    granted("android", "", "denied", "location always", "fires once at 10:00"),
    granted("ios", "", "denied", "location always", "never"),
    granted("ios", ", initialTrigger: enter", "denied", "location always", "fires once at 10:00"),
    granted("ios", ", initialTrigger: enter", "always", "precise location on", "fires once at 10:00"),
  ]

  private static func granted(
    _ profile: String, _ knob: String, _ before: String, _ grant: String, _ outcome: String
  ) -> Story {
    let precise = before == "always" ? "off" : "on"
    var text = "for: 1 day\nprofile: \(profile)\nknobs: {regionLatency: 0\(knob)}\n"
    text += "places: {shop: {at: [52.52, 13.405], radius: 150 m}}\nphone: {location: \(before)}\n"
    text += "reminders: {a: {when: enter shop, notify: {title: a, bucket: user}}}\n"
    text += "timeline: [07:30 precise location off, 07:40 precise location \(precise), 08:00 open, "
    text += "08:01 leave, 09:00 enter shop, 10:00 \(grant)]\nexpect: [a \(outcome)]"
    return Story("\(profile)\(knob), \(grant)", text)
  }

  /// An inactive reminder occupies neither of the two monitored regions.
  static let scarce: [Story] = [
    tooMany("not made yet", "exists: later, ", "08:30 unlock"),
    tooMany("expired", "expires: 2026-03-02T08:30, ", "08:31 open, 08:32 leave"),
    tooMany("deleted", "", "08:30 delete a, 08:31 delete b"),
    tooMany("cancelled", "", "08:30 cancel a, 08:31 cancel b"),
    tooMany("asleep", "if: plan is premium else notEntitled, ", "08:30 unlock"),
    tooMany("an edit made", "", "08:30 edit a to else, 08:31 edit b to else"),
  ]

  private static func tooMany(_ name: String, _ without: String, _ event: String) -> Story {
    var text = "for: 1 day\nprofile: ios\nknobs: {regionLatency: 0, regionLimit: 2}\n"
    text += "facts: {plan: {names: [free, premium], initial: free}}\nplaces:\n"
    for (degrees, place) in ["a", "b", "c", "d"].enumerated() {
      text += "  \(place): {at: [52.\(degrees), 13.4], radius: 150 m}\n"
    }
    text += "reminders:\n"
    for place in ["a", "b"] {
      text += "  \(place): {when: enter \(place), \(without)notify: {title: x, bucket: user}}\n"
    }
    text += "  c: {when: enter c, notify: {title: c, bucket: user}}\n"
    let edit = "else: {when: unlock, notify: {title: other, bucket: user}}"
    // An edit that is not in force does not occupy a region either.
    let later = "moved: {when: enter d, notify: {title: x, bucket: user}}"
    text += "edits: {a: {\(edit)}, b: {\(edit)}, c: {\(later)}}\n"
    text += "timeline: [08:00 open, 08:01 leave, \(event), 09:00 enter c]\n"
    text += "expect: [c fires once between 09:00 and 09:05]"
    return Story("a place too many, \(name)", text)
  }

  /// Lost pending requests, and their replacements.
  static let lost = [
    Story(
      "requests that are added again without exact alarms are late",
      "for: 1 day\nprofile: android\nknobs: {exactAlarms: granted, deliveryLatenessFrom: 30, deliveryLatenessTo: 30}\n"
        + "reminders: {a: {when: on 2026-03-02 at 13:00 ahead 1, notify: a}}\n"
        + "timeline: [08:00 open, 08:01 leave, 09:00 exact alarms off, 10:00 open, 10:01 leave]\n"
        + "expect: [a fires once at 13:30]"),
    Story(
      "the permission removes the request of a snooze",
      "for: 1 day\nreminders: {a: {when: unlock, notify: a}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a for 3 h, 09:00 deny notifications, "
        + "09:10 grant notifications]\nexpect: [a fires once at 08:00, a fires once at 11:05, a fires 2 times]"
    ),
    Story(
      "a preference removes the request of a snooze",
      "for: 1 day\nreminders: {a: {when: unlock, notify: a}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a for 3 h, 09:00 turn off a, 09:10 turn on a]\n"
        + "expect: [a fires once at 08:00, a fires once at 11:05, a fires 2 times]"),
    Story(
      "a shortened snooze keeps its deferred notification",
      "for: 3 days\nreminders: {a: {when: every day 09:00 ahead 3, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:05 snooze a for 3 days, 08:10 snooze a for 2 h]\n"
        + "expect: [a fires once at 10:10 on day 1, a fires once at 09:00 on day 2, a fires 3 times]"),
    Story(
      "on a journey a snooze ends in quiet hours",
      "for: 72 h\nprofile: ios\nreminders:\n"
        + "  a: {when: every day 08:00 ahead 1, repeat: once, notify: {title: a, bucket: user}}\n"
        + "timeline: [08:05 open, 09:00 snooze a until day 3 10:00, 09:01 leave, day 2 10:00 travel to America/Los_Angeles, "
        + "day 2 12:00 open, day 2 12:01 leave]\nexpect: [a never during 22:00-07:00, a fires once at 07:00 on day 3]"
    ),
    Story(
      "on a journey a length of time ends in quiet hours",
      "for: 72 h\nprofile: ios\nfacts: {w: '2026-03-02T18:00'}\n"
        + "reminders: {a: {when: 38 h after w, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:05 open, 08:06 leave, day 2 10:00 travel to America/Los_Angeles, day 2 12:00 open, "
        + "day 2 12:01 leave]\n"
        + "expect: [a fires once at 07:00 on day 3]"),
    Story(
      "a snooze that quiet hours defer is in the user bucket",
      "for: 3 days\nprofile: ios\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: every day 20:00 ahead 1, if: after 16:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:01 open, 20:05 snooze a for 3 h, 20:06 leave]\nexpect: [a fires once at 07:00 on day 2]"
    ),
    Story(
      "a deferred lapse continues from the opening before its end",
      "for: 12 days\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: 'closed for 1, 3 days at 18:00', notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, day 2 18:10 snooze a for 2 h, day 2 18:20 open, day 2 18:21 leave]\n"
        + "expect: [a fires once at 18:00 on day 2, a fires once at 20:10 on day 2, a fires once at 18:00 on day 3, "
        + "a fires once at 18:00 on day 5, a fires 4 times]"),
    Story(
      "stages of a lapse within a snooze",
      "for: 6 days\nprofile: ios\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: 'closed for 1, 2, 3 days at 18:00', notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, day 2 18:30 snooze a for 40 h]\n"
        + "expect: [a fires once at 18:00 on day 2, a never on day 3, a fires once at 10:30 on day 4, "
        + "a fires once at 18:00 on day 4, a fires 3 times]"),
    Story(
      "a deferral by quiet hours within a snooze",
      "for: 2 days\nprofile: ios\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: open, notify: {title: a, bucket: user}}}\n"
        + "timeline: [23:10 open, 23:30 snooze a for 12 h, 23:31 leave]\n"
        + "expect: [a fires once at 11:30 on day 2, a never between 23:30 and 11:30]"),
    Story(
      "the request of a snooze returns with its condition",
      "for: 1 day\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, 10:00 set done = false]\n"
        + "expect: [a fires once at 20:00]"),
    Story(
      "the request of a snooze returns with the second of two simultaneous conditions",
      "for: 1 day\nprofile: ios\nfacts: {done: false, ill: false}\n"
        + "reminders: {a: {when: every day 09:30 ahead 1, withdraw: [done is true, ill is true], "
        + "notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, 09:40 open, 09:40 snooze a for 3 h, 09:41 set done = true, "
        + "09:42 set ill = true, 09:43 leave, 10:30 set done = false, 10:31 set ill = false, 11:00 open, 11:01 leave]\n"
        + "expect: [a fires once at 09:30, a fires once at 12:40]"),
    Story(
      "the request of a snooze stays withdrawn without its condition",
      "for: 1 day\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, 10:00 open]\n"
        + "expect: [a never at 20:00]"),
    Story(
      "exact alarms are allowed again while the app stays closed",
      "for: 3 days\nprofile: android\nknobs: {exactAlarms: granted}\n"
        + "reminders: {a: {when: every day 10:00 ahead 3, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, day 2 08:00 exact alarms off, day 2 08:10 exact alarms on]\n"
        + "expect: [a fires once at 10:00 on day 2, a fires once at 10:00 on day 3]"),
    Story(
      "a late wake-up causes no second one",
      "for: 2 days\nprofile: ios\nreminders: {a: {when: every day 20:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [19:40 open, 19:50 snooze a until 20:05, 19:51 leave]\n"
        + "expect: [a fires once on day 1, a fires once at 20:05 on day 1]"),
    Story(
      "a journey moves a request into quiet hours, and the app later defers it for less",
      "for: 4 days\nprofile: ios\nreminders: {a: {when: every day 20:30 ahead 5, notify: a}}\n"
        + "timeline: [21:12 snooze a until day 3 20:30, 23:17 travel to UTC, day 3 04:55 snooze a for 1 h]\n"
        + "expect: [a fires once on day 1, a never on day 2]"),
    Story(
      "a second snooze in the night",
      "for: 4 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:30 snooze a until day 2 18:00]\n"
        + "expect: [a fires 2 times, a fires once at 18:00 on day 2]"),
    Story(
      "the permission is revoked and granted in the night in which a snooze ends",
      "for: 4 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:30 deny notifications, 23:40 grant notifications]\n"
        + "expect: [a fires 2 times, a fires once at 07:00 on day 2]"),
    Story(
      "a trip through a zone in which the hour of a standard request is quiet",
      "for: 5 days\nfacts: {w: '2026-03-02T08:00'}\nreminders: {a: {when: 76 h after w, notify: a}}\n"
        + "timeline: [day 2 10:00 travel to America/Los_Angeles, day 3 10:00 travel to Europe/Berlin]\n"
        + "expect: [a fires once]"),
    Story(
      "an occurrence of an unscheduled reminder within a snooze",
      "for: 2 days\nreminders: {a: {when: every day 09:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:05 snooze a for 2 h]\n"
        + "expect: [a fires once at 10:05 on day 1, a fires once at 09:00 on day 2, a fires 2 times]"),
  ]

  /// A snooze or a condition withdraws a request that is deferred to the end of quiet hours.
  static let nights = [
    Story(
      "a snooze defers a reminder that repeats always",
      "for: 2 days\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: unlock, repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [23:10 unlock, 23:20 unlock, 23:30 snooze a for 12 h]\n"
        + "expect: [a fires once, a fires once at 11:30 on day 2]"),
    Story(
      "a notification snoozed into the night returns with its condition",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:10 set done = true, day 2 01:00 set done = false]\n"
        + "expect: [a fires once on day 1, a fires once at 07:00 on day 2]"),
    Story(
      "a notification snoozed into the night stays withdrawn without its condition until the morning",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:10 set done = true, day 2 08:00 set done = false]\n"
        + "expect: [a fires once, a never on day 2]"),
    Story(
      "a withdrawn notification that was snoozed to an instant returns after a journey",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, "
        + "10:00 travel to Europe/London, 11:00 open, 12:00 set done = false]\n"
        + "expect: [a fires once at 19:00]"),
    Story(
      "a request denied by a quiet hour at home is admitted in another zone",
      "for: 2 days\nfacts: {w: '2026-03-02T02:00'}\nreminders: {a: {when: 24 h after w, notify: a}}\n"
        + "timeline: [12:00 travel to America/Los_Angeles, 08:00 open]\n"
        + "expect: [a fires once at 17:00 on 2026-03-02]"),
    Story(
      "a request deferred by quiet hours in another zone is not delivered at home before its time",
      "for: 3 days\nprofile: ios\nfacts: {w: '2026-03-02T11:00'}\n"
        + "reminders: {a: {when: 24 h after w, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 travel to America/Los_Angeles, 2026-03-02 08:00 open, 08:01 leave, "
        + "2026-03-02 20:00 travel to Europe/Berlin]\n"
        + "expect: [a never between 00:00 and 11:00 on 2026-03-03, a fires once]"),
  ]

  /// A snooze is shortened to end before a deferred notification. The notification is delivered at its own
  /// time, and nothing is delivered when the snooze ends.
  static let shortened: [Story] =
    [
      "when: on 2026-03-02 at 13:00 ahead 1", "when: every day 13:00 ahead 3, repeat: daily",
      "when: every day 13:00 ahead 2, repeat: once", "when: every day 13:00", "when: on 2026-03-02 at 13:00",
      "when: 6 h after t",
    ].map { when in
      Story(
        "\(when), and shortened",
        "for: 1 day\nfacts: {t: '2026-03-02T07:00'}\n"
          + "reminders: {a: {\(when), notify: {title: a, bucket: user}}}\n"
          + "timeline: [08:05 snooze a until 20:00, 08:10 snooze a until 09:00]\n"
          + "expect: [a fires once, a fires once at 13:00]")
    } + [
      Story(
        "shortened to between two of which each day has one",
        "for: 4 days\nreminders: {a: {when: every day 13:00 ahead 3, repeat: daily, notify: {title: a, bucket: user}}}\n"
          + "timeline: [08:05 snooze a until day 3 20:00, 08:10 snooze a until 14:00]\n"
          + "expect: [a fires once at 14:00 on day 1, a fires once at 13:00 on day 2, a fires once at 13:00 on day 3, "
          + "a fires 4 times]"),
      Story(
        "shortened when it has passed",
        "for: 1 day\nreminders: {a: {when: every day 13:00, notify: {title: a, bucket: user}}}\n"
          + "timeline: [08:05 snooze a until 20:00, 14:00 snooze a until 15:00]\n"
          + "expect: [a fires once, a fires once at 15:00]"),
    ]

  /// A request that exceeded the pending limit is added again later.
  static let room = [
    Story(
      "all requests are cancelled, and the app is opened",
      "for: 12 h\nknobs: {pendingCapacity: 3}\npolicy: {typeDailyCap: none, minimumInterval: none}\nreminders:\n"
        + "  c: {when: every day 16:30 ahead 1, repeat: always, notify: {title: c, bucket: user}}\n"
        + "  e: {when: 'every 2 h from 08:00 until 21:00 ahead 5', repeat: always, notify: {title: e, bucket: user}}\n"
        + "timeline: [07:20 cancel all, 07:26 turn on e, 07:27 turn on c, 07:30 open]\n"
        + "expect: [c fires once at 16:30, e fires 6 times]")
  ]

  /// Features of a plan other than the number of reminders.
  static let plans = [
    Story(
      "a plan without a limit",
      "for: 1 day\nplans: {free: {}}\nsubscription: {start: free}\n"
        + "reminders: {a: {when: unlock, notify: a}}\ntimeline: [10:00 unlock]\nexpect: [a fires once]"),
    Story(
      "a limit of 0",
      "for: 1 day\nfacts: {level: {names: [basic, pro], initial: basic}}\n"
        + "activeReminders: {by: level, atMost: {}}\n"
        + "reminders: {a: {when: unlock, notify: a}}\ntimeline: [10:00 unlock]\nexpect: [a fires once]"),
  ]

  @Test(
    "low power mode starts wherever the level passes its threshold",
    arguments: [
      ("battery 15 %", "never"), ("battery 20 %", "never"), ("battery 21 %", "fires once at 09:00"),
    ])
  func lowPower(level: String, outcome: String) throws {
    try expectPass(
      Story(
        level,
        "for: 10 h\nprofile: ios\nknobs: {refreshDelay: 0, lowPowerOnAt: 20}\nphone: {battery: 50 %}\n"
          + "reminders: {a: {when: every day 09:00, notify: {title: a, bucket: user}}}\n"
          + "timeline: [08:00 open, 08:01 leave, 08:10 \(level)]\nexpect: [a \(outcome)]"))
  }

  /// The stories in which no late alarm starts the process. A process knows about a late alarm only while the
  /// system is reporting it.
  static let storable = [
    summary, opened, now, names, journeys, putOff, weeks, plans, positions, grants, scarce, lost, nights,
    shortened, room, LateAlarmTests.withdrawals, LateAlarmTests.shown,
  ].flatMap(\.self)

  @Test(arguments: woken + jumps + storable + firstUse)
  func `each story passes`(_ story: Story) throws { try expectPass(story) }

  private func expectPass(_ story: Story) throws {
    let head =
      "kind: scenario\nversion: 1\ntitle: story\nstart: 2026-03-02T07:00\nzone: Europe/Berlin\n"
    let result = try PlatformRun(whole: head + story.text + "\n").result
    #expect(result.passed, "\(result.expectations)")
  }
}

/// The demonstrations that `triggerbench rules` prints.
@Suite struct RuleStoryTests {
  @Test(arguments: PlatformRules.stories)
  func `each demonstration passes, with a different result for each value`(_ story: RuleStory) throws {
    let profile = try PlatformProfile.named(story.profile)
    let rule = try #require(profile.rules.first { $0.key == story.key })
    #expect(story.cases.count > 1)
    #expect(
      story.cases.contains { $0.value == rule.value.description }, "the profile's own value is not shown")
    for value in story.cases {
      for claim in story.cases {
        let text = story.scenario(under: value.value, expecting: claim.expectation)
        #expect(try passes(text) == (claim == value), "\(story.key) \(value.value): \(claim.expectation)")
      }
    }
  }

  private func passes(_ text: String) throws -> Bool {
    try PlatformRun(whole: text).result.passed
  }
}
