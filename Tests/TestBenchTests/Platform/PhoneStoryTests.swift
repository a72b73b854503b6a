import PlatformRuns
import TestBench
import Testing

/// Small stories in which what the phone does and what the app makes of it meet.
@Suite struct PhoneStoryTests {
  struct Story: CustomTestStringConvertible {
    var testDescription: String
    /// What follows `start`, `zone` and the title, a part a line.
    var text: String

    init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
  }

  private static let daily = "reminders: {a: {when: every day 13:00, notify: {title: a, bucket: user}}}"
  private static let held =
    "for: 3 days\nprofile: ios\n"
    + "reminders: {a: {when: on 2026-03-02 at 13:00 ahead 1, notify: {title: a, bucket: user}}}\n"

  /// What the app is woken for starts its process where it must.
  static let woken = [
    Story(
      "an alarm starts a process that was ended",
      "for: 2 days\nprofile: android\nknobs: {exactAlarms: granted}\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 terminate]\n"
        + "expect: [a fires once at 13:00 on day 1, a fires once at 13:00 on day 2]"),
    Story(
      "an alarm starts an app that was swiped away",
      "for: 2 days\nprofile: android\nknobs: {exactAlarms: granted}\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 force quit]\n"
        + "expect: [a fires once at 13:00 on day 1, a fires once at 13:00 on day 2]"),
    Story(
      "a refresh starts it, late",
      "for: 2 days\nprofile: ios\n\(daily)\ntimeline: [08:00 open, 08:01 leave, 08:02 terminate]\n"
        + "expect: [a fires once between 13:00 and 14:00 on day 1, a fires once between 13:00 and 14:00 on day 2]"
    ),
    Story(
      "the process is ended shortly before",
      "for: 1 day\n\(daily)\ntimeline: [12:59 terminate]\nexpect: [a fires once at 13:00]"),
    Story(
      "something else starts it at that very minute",
      "for: 1 day\n\(daily)\ntimeline: [12:59 terminate, 13:00 unlock]\nexpect: [a fires once at 13:00]"),
    Story(
      "what was missed is not made up for when the person opens the app",
      "for: 1 day\nprofile: ios\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 08:02 force quit, 14:00 open]\nexpect: [a never]"),
    Story(
      "what came while the phone was off is not made up for",
      "for: 2 days\nprofile: ios\n\(daily)\n"
        + "timeline: [08:00 open, 08:01 leave, 12:00 power off, 14:00 power on, 14:01 unlock]\n"
        + "expect: [a never on day 1, a fires once between 13:00 and 14:00 on day 2]"),
  ]

  /// What is held comes with the summary, at its minute on the phone's clock.
  static let summary = [
    Story(
      "held, and shown in the evening",
      held
        + "timeline: [08:00 open, 08:01 summary on, 08:02 leave]\nexpect: [a fires once at 18:00 on 2026-03-02]"
    ),
    Story(
      "after a journey to the east it is the evening there",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 travel to Asia/Tokyo]\n"
        + "expect: [a fires once at 18:00 on 2026-03-03]"),
    Story(
      "after a journey to the west too",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 travel to America/New_York]\n"
        + "expect: [a fires once at 18:00 on 2026-03-02]"),
    Story(
      "the clock is set back",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 set clock -1 h]\n"
        + "expect: [a fires once at 18:00 on 2026-03-02]"),
    Story(
      "the clock is set past the evening",
      held + "timeline: [08:00 open, 08:01 summary on, 08:02 leave, 14:00 set clock +5 h]\n"
        + "expect: [a fires once at 19:00 on 2026-03-02]"),
  ]

  /// An opening takes back what was planned for the time until it, and asks by its own trigger all the same.
  static let opened = [
    Story(
      "after everything was taken back, and a journey",
      "for: 4 days\n"
        + "reminders: {a: {when: [every day 12:00 ahead 2, open], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 cancel all, 09:00 travel to Europe/Paris, 10:00 open]\nexpect: [a fires once at 10:00]"
    ),
    Story(
      "with a lapse beside it",
      "for: 4 days\n"
        + "reminders: {a: {when: [closed for 2 days at 09:00, open], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [10:00 open]\nexpect: [a fires once at 10:00 on day 1, a fires once at 09:00 on day 3]"),
  ]

  /// "Now" is what the phone's clock shows, as an app stores it.
  static let now = [
    Story(
      "eight hours are eight hours",
      "for: 1 day\nfacts: {t: instant}\n"
        + "reminders: {a: {when: 8 h after t, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 set clock +1 h, +1h set t = now]\nexpect: [a fires once at 17:00]"),
    Story(
      "the day is that of the phone",
      "for: 4 days\nfacts: {t: instant}\n"
        + "reminders: {a: {when: 1 day after t at 09:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [07:30 set clock +20 h, +1h set t = now]\nexpect: [a fires once at 09:00 on 2026-03-04]"
    ),
    Story(
      "a snooze until a time of day that the clock has passed",
      "for: 2 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 set clock +2 h, 09:00 unlock, 09:10 snooze a until 10:30]\n"
        + "expect: [a fires once at 10:30 on 2026-03-03]"),
  ]

  /// What the clock jumps over comes at once, whether a process exists or not.
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

  /// A place whose name is a word of conditions.
  static let names: [Story] = ["in", "is", "not", "else"].map { name in
    Story(
      "a place with the name \(name)",
      "for: 1 day\nplaces: {\(name): {at: [52.52, 13.405], radius: 150 m}}\n"
        + "reminders: {a: {when: unlock, if: inside \(name), notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 09:00 enter \(name), 10:00 unlock]\nexpect: [a fires once at 10:00]")
  }

  /// What comes a length of time after something comes then, wherever the phone is: that is when it was due.
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

  /// What is put off until quiet hours end keeps its schedule from nothing.
  static let putOff = [
    Story(
      "a day whose first comes late",
      "for: 3 days\n"
        + "reminders: {a: {when: every 2 h from 05:00 until 09:30 ahead 1, notify: {title: a, bucket: user}}}\n"
        + "expect: [a fires 2 times at 07:00 on day 2, a fires once at 09:00 on day 2]")
  ]

  /// Weeks begin on the policy's day, of whatever counts them.
  static let weeks: [Story] = ["", " ahead 3"].map { ahead in
    Story(
      "every two weeks, from a Sunday on\(ahead)",
      "for: 16 days\npolicy: {weekStart: sunday}\n"
        + "reminders: {a: {when: 'every 2 weeks on sunday, monday 09:00 from 2026-03-01\(ahead)', "
        + "notify: {title: a, bucket: user}}}\n"
        + "expect: [a fires once on 2026-03-02, a fires once on 2026-03-15, a fires once on 2026-03-16, "
        + "a fires 3 times]")
  }

  /// A phone that was elsewhere days ago has not come from there in a straight line, nor at one speed.
  static let positions: [Story] = [("+2h", "a fires once"), ("day 5 09:00", "a never")].map {
    when, outcome in
    Story(
      "a place between two positions, \(when)",
      "for: 6 days\nplaces: {mid: {at: [52.52, 13.405], radius: 150 m}}\n"
        + "reminders: {a: {when: [enter mid, exit mid], repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: ['09:00 at [52.52, 13.3]', '\(when) at [52.52, 13.5]']\nexpect: [\(outcome)]")
  }

  /// A region that is registered upon the grant, with the phone in it already (rule L6).
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

  /// Of two regions that are watched, none is for a reminder that waits for nothing.
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
    // Nor for an edit that is not made.
    let later = "moved: {when: enter d, notify: {title: x, bucket: user}}"
    text += "edits: {a: {\(edit)}, b: {\(edit)}, c: {\(later)}}\n"
    text += "timeline: [08:00 open, 08:01 leave, \(event), 09:00 enter c]\n"
    text += "expect: [c fires once between 09:00 and 09:05]"
    return Story("a place too many, \(name)", text)
  }

  /// What was pending is gone, and what takes its place.
  static let lost = [
    Story(
      "without exact alarms what is handed over again is late",
      "for: 1 day\nprofile: android\nknobs: {exactAlarms: granted, deliveryLatenessFrom: 30, deliveryLatenessTo: 30}\n"
        + "reminders: {a: {when: on 2026-03-02 at 13:00 ahead 1, notify: a}}\n"
        + "timeline: [08:00 open, 08:01 leave, 09:00 exact alarms off, 10:00 open, 10:01 leave]\n"
        + "expect: [a fires once at 13:30]"),
    Story(
      "what a snooze asked for, by the permission",
      "for: 1 day\nreminders: {a: {when: unlock, notify: a}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a for 3 h, 09:00 deny notifications, "
        + "09:10 grant notifications]\nexpect: [a fires once at 08:00, a fires once at 11:05, a fires 2 times]"
    ),
    Story(
      "what a snooze asked for, by a switch in the app",
      "for: 1 day\nreminders: {a: {when: unlock, notify: a}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a for 3 h, 09:00 turn off a, 09:10 turn on a]\n"
        + "expect: [a fires once at 08:00, a fires once at 11:05, a fires 2 times]"),
    Story(
      "what a snooze put off that is shortened",
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
      "a snooze that quiet hours put off is the person's own wish",
      "for: 3 days\nprofile: ios\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: every day 20:00 ahead 1, if: after 16:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:01 open, 20:05 snooze a for 3 h, 20:06 leave]\nexpect: [a fires once at 07:00 on day 2]"
    ),
    Story(
      "a lapse that is put off goes on from the opening before its end",
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
      "what quiet hours put off within a snooze",
      "for: 2 days\nprofile: ios\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: open, notify: {title: a, bucket: user}}}\n"
        + "timeline: [23:10 open, 23:30 snooze a for 12 h, 23:31 leave]\n"
        + "expect: [a fires once at 11:30 on day 2, a never between 23:30 and 11:30]"),
    Story(
      "what a snooze asked for comes back with its reason",
      "for: 1 day\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, 10:00 set done = false]\n"
        + "expect: [a fires once at 20:00]"),
    Story(
      "and with the second of two reasons that an app learns of at one moment",
      "for: 1 day\nprofile: ios\nfacts: {done: false, ill: false}\n"
        + "reminders: {a: {when: every day 09:30 ahead 1, withdraw: [done is true, ill is true], "
        + "notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, 09:40 open, 09:40 snooze a for 3 h, 09:41 set done = true, "
        + "09:42 set ill = true, 09:43 leave, 10:30 set done = false, 10:31 set ill = false, 11:00 open, 11:01 leave]\n"
        + "expect: [a fires once at 09:30, a fires once at 12:40]"),
    Story(
      "and stays away with it",
      "for: 1 day\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, 10:00 open]\n"
        + "expect: [a never at 20:00]"),
    Story(
      "exact alarms allowed again, and nobody opens the app",
      "for: 3 days\nprofile: android\nknobs: {exactAlarms: granted}\n"
        + "reminders: {a: {when: every day 10:00 ahead 3, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:01 leave, day 2 08:00 exact alarms off, day 2 08:10 exact alarms on]\n"
        + "expect: [a fires once at 10:00 on day 2, a fires once at 10:00 on day 3]"),
    Story(
      "a wake-up that comes late brings no second one",
      "for: 2 days\nprofile: ios\nreminders: {a: {when: every day 20:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [19:40 open, 19:50 snooze a until 20:05, 19:51 leave]\n"
        + "expect: [a fires once on day 1, a fires once at 20:05 on day 1]"),
    Story(
      "moved into quiet hours, and put off for less when the app learns of it",
      "for: 4 days\nprofile: ios\nreminders: {a: {when: every day 20:30 ahead 5, notify: a}}\n"
        + "timeline: [21:12 snooze a until day 3 20:30, 23:17 travel to UTC, day 3 04:55 snooze a for 1 h]\n"
        + "expect: [a fires once on day 1, a never on day 2]"),
    Story(
      "put off again in the night",
      "for: 4 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:30 snooze a until day 2 18:00]\n"
        + "expect: [a fires 2 times, a fires once at 18:00 on day 2]"),
    Story(
      "the permission goes and comes in the night into which a snooze leads",
      "for: 4 days\nreminders: {a: {when: unlock, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:30 deny notifications, 23:40 grant notifications]\n"
        + "expect: [a fires 2 times, a fires once at 07:00 on day 2]"),
    Story(
      "a trip through a zone in which the hour of a standard one is quiet",
      "for: 5 days\nfacts: {w: '2026-03-02T08:00'}\nreminders: {a: {when: 76 h after w, notify: a}}\n"
        + "timeline: [day 2 10:00 travel to America/Los_Angeles, day 3 10:00 travel to Europe/Berlin]\n"
        + "expect: [a fires once]"),
    Story(
      "what comes within a snooze of what is not handed over",
      "for: 2 days\nreminders: {a: {when: every day 09:00, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 open, 08:05 snooze a for 2 h]\n"
        + "expect: [a fires once at 10:05 on day 1, a fires once at 09:00 on day 2, a fires 2 times]"),
  ]

  /// What quiet hours have put off when a snooze, or a reason, takes it back.
  static let nights = [
    Story(
      "what may always come again is put off by a snooze too",
      "for: 2 days\npolicy: {typeDailyCap: none}\n"
        + "reminders: {a: {when: unlock, repeat: always, notify: {title: a, bucket: user}}}\n"
        + "timeline: [23:10 unlock, 23:20 unlock, 23:30 snooze a for 12 h]\n"
        + "expect: [a fires once, a fires once at 11:30 on day 2]"),
    Story(
      "what was snoozed into the night comes back with its reason",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:10 set done = true, day 2 01:00 set done = false]\n"
        + "expect: [a fires once on day 1, a fires once at 07:00 on day 2]"),
    Story(
      "and stays away with it until the morning",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [20:00 unlock, 20:05 snooze a until 23:00, 23:10 set done = true, day 2 08:00 set done = false]\n"
        + "expect: [a fires once, a never on day 2]"),
    Story(
      "what was snoozed for a fixed instant and lost its reason comes back after a journey",
      "for: 2 days\nfacts: {done: false}\n"
        + "reminders: {a: {when: unlock, withdraw: done is true, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 unlock, 08:05 snooze a until 20:00, 09:00 set done = true, "
        + "10:00 travel to Europe/London, 11:00 open, 12:00 set done = false]\n"
        + "expect: [a fires once at 19:00]"),
    Story(
      "what a quiet hour at home denied comes where it is another",
      "for: 2 days\nfacts: {w: '2026-03-02T02:00'}\nreminders: {a: {when: 24 h after w, notify: a}}\n"
        + "timeline: [12:00 travel to America/Los_Angeles, 08:00 open]\n"
        + "expect: [a fires once at 17:00 on 2026-03-02]"),
    Story(
      "what another place's quiet hours put off does not come at home before its own time",
      "for: 3 days\nprofile: ios\nfacts: {w: '2026-03-02T11:00'}\n"
        + "reminders: {a: {when: 24 h after w, notify: {title: a, bucket: user}}}\n"
        + "timeline: [08:00 travel to America/Los_Angeles, 2026-03-02 08:00 open, 08:01 leave, "
        + "2026-03-02 20:00 travel to Europe/Berlin]\n"
        + "expect: [a never between 00:00 and 11:00 on 2026-03-03, a fires once]"),
  ]

  /// A snooze that is shortened to before something that it had put off: that comes by itself, and nothing at the end.
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

  /// What there was no room for, and comes back from before it.
  static let room = [
    Story(
      "everything taken back, and the app opened",
      "for: 12 h\nknobs: {pendingCapacity: 3}\npolicy: {typeDailyCap: none, minimumInterval: none}\nreminders:\n"
        + "  c: {when: every day 16:30 ahead 1, repeat: always, notify: {title: c, bucket: user}}\n"
        + "  e: {when: 'every 2 h from 08:00 until 21:00 ahead 5', repeat: always, notify: {title: e, bucket: user}}\n"
        + "timeline: [07:20 cancel all, 07:26 turn on e, 07:27 turn on c, 07:30 open]\n"
        + "expect: [c fires once at 16:30, e fires 6 times]")
  ]

  /// What a plan sells without counting reminders.
  static let plans = [
    Story(
      "a plan that limits nothing",
      "for: 1 day\nplans: {free: {}}\nsubscription: {start: free}\n"
        + "reminders: {a: {when: unlock, notify: a}}\ntimeline: [10:00 unlock]\nexpect: [a fires once]"),
    Story(
      "a limit of nothing",
      "for: 1 day\nfacts: {level: {names: [basic, pro], initial: basic}}\n"
        + "activeReminders: {by: level, atMost: {}}\n"
        + "reminders: {a: {when: unlock, notify: a}}\ntimeline: [10:00 unlock]\nexpect: [a fires once]"),
  ]

  @Test(
    "low power mode comes on wherever the level passes its mark",
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

  /// All in which no late alarm starts the process: it knows of that one only as long as it is told of it.
  static let storable = [
    summary, opened, now, names, journeys, putOff, weeks, plans, positions, grants, scarce, lost, nights,
    shortened, room, LateAlarmTests.calledOff, LateAlarmTests.shown,
  ].flatMap(\.self)

  @Test("each comes out as it says", arguments: woken + jumps + storable)
  func comesOut(_ story: Story) throws { try expectPass(story) }

  private func expectPass(_ story: Story) throws {
    let head =
      "kind: scenario\nversion: 1\ntitle: story\nstart: 2026-03-02T07:00\nzone: Europe/Berlin\n"
    let result = try PlatformRun(whole: head + story.text + "\n").result
    #expect(result.passed, "\(result.expectations)")
  }
}
