import CivilTime
import ReminderEngine
package import ReminderMatching
package import TextFormats
import TriggerModel

extension Format<Trigger> {
  /// What makes the engine look at a reminder: a sentence, or a mapping with one key.
  package static var trigger: Format<Trigger> {
    Format.short(sentence, orLong: long).named("trigger")
  }

  /// Each of them begins an event; those of schedules are not among them.
  package static var firstWordsOfEvents: Set<String> { events.firstWords }

  private static var events: Grammar<Trigger> {
    Grammar(
      meaning: "a trigger", topic: "triggers",
      phrases: [
        Phrase("unlock") { .unlock },
        Phrase("charging starts") { .chargingStarted },
        Phrase("charging stops") { .chargingStopped },
        Phrase("open") { .opened },
        Phrase("open app", .app) { .appOpened($0) },
        Phrase("enter", .place) { .regionEntered($0) },
        Phrase("exit", .place) { .regionExited($0) },
        Phrase("fact", .fact, "changes") { .factChanged($0) },
        Phrase("closed for", .lapseDays, "days at", .minuteOfDay) {
          .lapsed(Lapse(days: $0, minute: $1))
        },
      ])
  }

  private static var sentence: Format {
    let events = events
    return .readOnly(
      schema: { _ in
        .fitting(
          "\(events.pattern)|\(Schedules.pattern)|\(RelativeSchedules.pattern)|\(ElapsedSchedules.pattern)",
          description:
            "A trigger: an event, or a schedule such as 'every weekday 08:10', 'on 2026-03-04 09:00', "
            + "'monthly on 31 at 09:00 from 2026-01-31 skip backward', 'every day 08:00, 20:00', "
            + "'every 2 h from 09:00 until 21:00', 'first monday of the month 09:00 5 times', "
            + "'every day 20:00 ahead repeating', '7 days after FACT at 09:00', "
            + "'30, 7, 0 days before FACT every year at 09:00', '8 h after FACT'. " + events.waysToSayIt)
      },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected a trigger, not \(node.kindName)", at: node.position)
          return nil
        }
        let words = Words(text, of: node)
        if Schedules.isSchedule(words) { return Schedules.parse(words, reader) }
        if RelativeSchedules.isRelative(words) { return RelativeSchedules.parse(words, reader) }
        return events.parse(words, reader)
      })
  }

  private static var long: Format {
    .object("A trigger") { fields in
      let event = fields.optional(
        "event", .scalar(.plainEvent), "an event that needs no name", from: { $0.isPlain ? $0 : nil })
      let app = fields.optional(
        "appOpened", .scalar(.app), "another app that comes to the front",
        from: { if case .appOpened(let app) = $0 { app } else { nil } })
      let entered = fields.optional(
        "regionEntered", .scalar(.place), "a place that is entered",
        from: { if case .regionEntered(let place) = $0 { place } else { nil } })
      let exited = fields.optional(
        "regionExited", .scalar(.place), "a place that is left",
        from: { if case .regionExited(let place) = $0 { place } else { nil } })
      let fact = fields.optional(
        "factChanged", .scalar(.fact), "a fact that takes another value",
        from: { if case .factChanged(let fact) = $0 { fact } else { nil } })
      let schedule = fields.optional(
        "scheduled", .schedule, "a schedule",
        from: {
          if case .scheduled(let schedule) = $0, case .recurring = schedule.dates { schedule } else { nil }
        })
      let relative = fields.optional(
        "relative", .relative, "days counted from a fact",
        from: {
          if case .scheduled(let schedule) = $0, case .relative = schedule.dates { schedule } else { nil }
        })
      let elapsed = fields.optional(
        "elapsed", .elapsed, "lengths of time counted from a fact",
        from: {
          if case .scheduled(let schedule) = $0, case .elapsed = schedule.dates { schedule } else { nil }
        })
      let lapse = fields.optional(
        "lapsed", .lapse, "days on which the app has not been opened",
        from: { if case .lapsed(let lapse) = $0 { lapse } else { nil } })
      let repeating = fields.optional(
        "repeating", .repetition, "what the system repeats by itself",
        from: { if case .repeating(let repetition) = $0 { repetition } else { nil } })
      fields.exactlyOne(
        of: [
          "event", "appOpened", "regionEntered", "regionExited", "factChanged", "scheduled",
          "relative", "elapsed", "lapsed", "repeating",
        ])
      let happening =
        event ?? app.map { .appOpened($0) } ?? entered.map { .regionEntered($0) }
        ?? exited.map { .regionExited($0) } ?? fact.map { .factChanged($0) }
      let time: Trigger? =
        (schedule ?? relative ?? elapsed).map { .scheduled($0) } ?? lapse.map { .lapsed($0) }
        ?? repeating.map { .repeating($0) }
      return happening ?? time
    }
  }
}

extension Trigger {
  fileprivate var isPlain: Bool { Atom<Trigger>.plainEvents.contains { $0.1 == self } }
}

extension Trigger {
  /// An event in the words of the short form; nil where it is a time.
  ///
  /// - Parameter name: How a name is written among them.
  package func eventWords(_ name: (String) -> String) -> String? {
    switch self {
    case .unlock: "unlock"
    case .chargingStarted: "charging starts"
    case .chargingStopped: "charging stops"
    case .opened: "open"
    case .appOpened(let app): "open app \(name(app))"
    case .regionEntered(let place): "enter \(name(place))"
    case .regionExited(let place): "exit \(name(place))"
    case .factChanged(let fact): "fact \(name(fact)) changes"
    case .lapsed(let lapse):
      "closed for \(lapse.days.map(String.init).joined(separator: ", ")) days at \(MinuteOfDay.text(lapse.minute))"
    case .scheduled, .repeating: nil
    }
  }
}

extension Atom<Trigger> {
  fileprivate static var plainEvents: [(String, Trigger)] {
    [
      ("unlock", .unlock), ("chargingStarted", .chargingStarted), ("chargingStopped", .chargingStopped),
      ("opened", .opened),
    ]
  }

  fileprivate static var plainEvent: Atom {
    .choice("EVENT", "unlock, chargingStarted, chargingStopped or opened", plainEvents)
  }
}

extension Format<Lapse> {
  fileprivate static var lapse: Format {
    .object("Days on which the app has not been opened; what they show is handed to the system beforehand") {
      fields in
      let days = fields.required(
        "days", .scalar(.lapseDays), "days since it was last opened, such as 3, 5, 7", from: \.days)
      let minute = fields.required("at", .scalar(.minuteOfDay), "the local time of day", from: \.minute)
      guard let days, let minute else { return nil }
      return Lapse(days: days, minute: minute)
    }
  }
}

extension Atom<[Int]> {
  /// `3, 5, 7`: ascending.
  fileprivate static var lapseDays: Atom {
    .simple(
      "DAYS", "ascending numbers of days such as 3, 5, 7, from 1 to 3650", pattern: #"\d+(?: *, *\d+)*"#,
      jsonTypes: ["string", "integer"],
      write: { days, writer in
        days.isEmpty
          ? writer.problem("there are no days") : .string(days.map(String.init).joined(separator: ", "))
      }
    ) { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let days = parts.compactMap { Int($0.filter { $0 != " " }) }
      guard days.count == parts.count, days.allSatisfy({ (1...3_650).contains($0) }),
        zip(days, days.dropFirst()).allSatisfy({ $0 < $1 })
      else { return nil }
      return days
    }
  }
}

extension Format<Schedule> {
  /// The long form of a schedule: the recurrence's own words.
  static var schedule: Format {
    .object("A schedule: times of the day on dates that recur") { fields in
      let frequency = fields.required(
        "frequency", .scalar(.frequency), "how often: once, daily, weekly, monthly or yearly",
        from: { $0.recurrence?.frequency ?? .once })
      let start = fields.required(
        "start", .scalar(.date), "the first date; later ones keep its day of the week, month or year",
        from: { $0.recurrence?.start ?? CivilDate(dayNumber: 0) })
      let minutes = fields.required(
        "at", .scalar(.timesOfDay), "the local times of day", from: { $0.recurrence?.minutes ?? [] })
      let interval = fields.optional(
        "interval", .scalar(.count(Recurrence.intervals)),
        "every how many days, weeks, months or years; 1 if missing", from: { $0.recurrence?.interval })
      let weekdays = fields.optional(
        "weekdays", .scalar(.days), "weekly only: the days of the week; the start's own if missing",
        from: { $0.recurrence?.weekdays })
      let dayOfMonth = fields.optional(
        "dayOfMonth", .scalar(.weekdayOfMonth),
        "monthly only: a weekday of the month, such as first monday; the start's own day if missing",
        from: { $0.recurrence?.dayOfMonth })
      let skip = fields.optional(
        "skip", .scalar(.skip), "what becomes of a date that does not exist; backward if missing",
        from: { $0.recurrence?.skip })
      let notBefore = fields.optional(
        "notBefore", .scalar(.date), "no earlier date; if missing, from the start on",
        from: { $0.recurrence?.notBefore })
      let count = fields.optional(
        "times", .scalar(.count(Recurrence.counts)), "after so many occurrences it ends; never if missing",
        from: { $0.recurrence?.count })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead),
        "how many occurrences are handed to the system beforehand, so that they appear though the app is closed; "
          + "0 if missing: the app is woken at each", from: \.ahead)
      if weekdays != nil, let frequency, frequency != .weekly {
        fields.error("'weekdays' belongs to the frequency weekly", at: "weekdays")
      }
      if interval.map({ $0 > 1 }) ?? false, frequency == .once {
        fields.error(
          "'interval' says nothing of what comes once", at: "interval", hint: "leave out one of the two")
      }
      if dayOfMonth != nil, let frequency, frequency != .monthly {
        fields.error("'dayOfMonth' belongs to the frequency monthly", at: "dayOfMonth")
      }
      guard let frequency, let start, let minutes else { return nil }
      return Schedule(
        Recurrence(
          start: start, minutes: minutes, frequency: frequency, interval: interval ?? 1,
          skip: skip ?? .backward, weekdays: weekdays, dayOfMonth: dayOfMonth, notBefore: notBefore,
          count: count),
        ahead: ahead ?? 0)
    }
    .writing { schedule in
      guard let recurrence = schedule.recurrence else { return "this schedule counts from a fact" }
      if recurrence.weekStart != nil { return "the policy says on which day the weeks of a schedule begin" }
      return recurrence.shift == 0 ? nil : "the dates of a schedule are not shifted"
    }
  }
}

extension Schedule {
  fileprivate var recurrence: Recurrence? {
    if case .recurring(let recurrence) = dates { recurrence } else { nil }
  }
}

extension Atom<Recurrence.Frequency> {
  static var frequency: Atom {
    .choice(
      "FREQUENCY", "once, daily, weekly, monthly or yearly",
      Recurrence.Frequency.allCases.map { ($0.name, $0) })
  }
}
