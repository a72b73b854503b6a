import CivilTime
package import ReminderMatching
package import TextFormats

extension Format<Trigger> {
  /// A trigger, which makes the engine evaluate a reminder. It is a sentence, or a mapping with one key.
  package static var trigger: Format<Trigger> {
    Format.short(sentence, orLong: long).named("trigger")
  }

  /// The words with which an event can begin. They do not include the first words of schedules.
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
    return .shortForm(
      "a trigger",
      schema: .fitting(
        "\(events.pattern)|\(Schedules.pattern)|\(RelativeSchedules.pattern)|\(ElapsedSchedules.pattern)|\(ElapsedSchedules.stayPattern)",
        description:
          "A trigger: an event, or a schedule such as 'every weekday 08:10', 'on 2026-03-04 09:00', "
          + "'monthly on 31 at 09:00 from 2026-01-31 skip backward', 'every day 08:00, 20:00', "
          + "'every 2 h from 09:00 until 21:00', 'first monday of the month 09:00 5 times', "
          + "'last weekday of the month 16:00', 'every day 12:00 until 2026-04-01 except 2026-03-05', "
          + "'every day 21:00 in America/Phoenix', 'every day 20:00 ahead repeating', '7 days after FACT at 09:00', "
          + "'30, 7, 0 days before FACT every year at 09:00', '8 h after FACT', 'stay in PLACE for 8 min'. "
          + events.waysToSayIt)
    ) { words, _, reader in
      reader.read(words, as: events.meaning, in: .triggers) { words in
        if Schedules.isSchedule(words) { return Schedules.parse(words, reader) }
        if ElapsedSchedules.isStay(words) { return ElapsedSchedules.parseStay(words, reader) }
        if RelativeSchedules.isRelative(words) { return RelativeSchedules.parse(words, reader) }
        return events.parse(words, reader)
      }
    }
  }

  private static var long: Format {
    oneKey(
      "A trigger",
      of: [
        Alternative(
          "event", .scalar(.plainEvent), "an event that needs no name", make: { $0 },
          from: { trigger in
            Atom<Trigger>.plainEvents.contains { $0.1 == trigger } ? trigger : nil
          }),
        Alternative(
          "appOpened", .scalar(.app), "another app that comes to the front", make: { .appOpened($0) },
          from: { if case .appOpened(let app) = $0 { app } else { nil } }),
        Alternative(
          "regionEntered", .scalar(.place), "a place that is entered", make: { .regionEntered($0) },
          from: { if case .regionEntered(let place) = $0 { place } else { nil } }),
        Alternative(
          "regionExited", .scalar(.place), "a place that is left", make: { .regionExited($0) },
          from: { if case .regionExited(let place) = $0 { place } else { nil } }),
        Alternative(
          "factChanged", .scalar(.fact), "a fact that takes another value", make: { .factChanged($0) },
          from: { if case .factChanged(let fact) = $0 { fact } else { nil } }),
        scheduled("scheduled", .schedule, "a schedule") { $0.recurrence != nil },
        scheduled("relative", .relative, "days counted from a fact") { $0.relativeDays != nil },
        scheduled("elapsed", .elapsed, "lengths of time counted from a fact") { $0.spans != nil },
        Alternative(
          "lapsed", .lapse, "days on which the app has not been opened", make: { .lapsed($0) },
          from: { if case .lapsed(let lapse) = $0 { lapse } else { nil } }),
        Alternative(
          "repeating", .repetition, "a schedule that the system repeats", make: { .repeating($0) },
          from: { if case .repeating(let repetition) = $0 { repetition } else { nil } }),
      ])
  }

  private static func scheduled(
    _ key: String, _ format: @autoclosure @escaping () -> Format<Schedule>, _ doc: String,
    if isOfKind: @escaping (Schedule) -> Bool
  ) -> Alternative<Trigger> {
    Alternative(
      key, format(), doc, make: { .scheduled($0) },
      from: { if case .scheduled(let schedule) = $0, isOfKind(schedule) { schedule } else { nil } })
  }
}

extension Trigger {
  /// Returns the short form of an event, or `nil` if the trigger is a schedule.
  ///
  /// - Parameter name: Returns a name in the notation of the sentence.
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
    .object(
      "Days on which the app has not been opened; their notifications are handed to the system in advance"
    ) {
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
  /// Distinct numbers of days since the last use, in ascending order, such as `3, 5, 7`.
  fileprivate static var lapseDays: Atom {
    .simple(
      "DAYS", "ascending numbers of days such as 3, 5, 7, from 1 to 3650", pattern: #"\d+(?: *, *\d+)*"#,
      jsonTypes: ["string", "integer"],
      write: { days, writer in
        days.isEmpty
          ? writer.problem("there are no days") : .string(days.map(String.init).joined(separator: ", "))
      }
    ) { text in
      guard let days = numbers(text), days.allSatisfy({ (1...3_650).contains($0) }),
        zip(days, days.dropFirst()).allSatisfy({ $0 < $1 })
      else { return nil }
      return days
    }
  }
}

extension Format<Schedule> {
  /// The long form of a schedule, with the keys of a recurrence.
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
        "monthly only: a weekday of the month, such as first monday or last weekday; the start's own day if missing",
        from: { $0.recurrence?.dayOfMonth })
      let skip = fields.optional(
        "skip", .scalar(.skip), "how a date that does not exist is treated; backward if missing",
        from: { $0.recurrence?.skip })
      let notBefore = fields.optional(
        "notBefore", .scalar(.date), "the earliest date; if missing, the start",
        from: { $0.recurrence?.notBefore })
      let count = fields.optional(
        "times", .scalar(.count(Recurrence.counts)),
        "the number of occurrences after which it ends; never if missing",
        from: { $0.recurrence?.count })
      let until = fields.optional(
        "until", .located(.scalar(.date)), "the last date, which is included; it never ends if missing",
        from: { $0.recurrence?.until.map { Located($0, at: .start) } })
      let exceptions = fields.optional(
        "except", .scalar(.dates), "dates without an occurrence, such as 2026-12-24, 2026-12-31",
        from: { $0.recurrence?.exceptions.map { Located($0, at: .start) }.unlessEmpty })
      let zone = fields.optional(
        "zone", .scalar(.anyZone),
        "the zone of its dates and times, wherever the phone is; if missing, that of the phone",
        from: { $0.recurrence?.zone })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead),
        "the number of occurrences that are handed to the system in advance, so that they appear even if the app is closed; "
          + "0 if missing, and the app is woken at each", from: \.ahead)
      if weekdays != nil, let frequency, frequency != .weekly {
        fields.error("'weekdays' belongs to the frequency weekly", at: "weekdays")
      }
      if interval.map({ $0 > 1 }) ?? false, frequency == .once {
        fields.error(
          "'interval' has no effect on a schedule that fires once", at: "interval",
          hint: "leave out one of the two")
      }
      if dayOfMonth != nil, let frequency, frequency != .monthly {
        fields.error("'dayOfMonth' belongs to the frequency monthly", at: "dayOfMonth")
      }
      guard let frequency, let start, let minutes, let reader = fields.reader else { return nil }
      let recurrence = Recurrence(
        start: start, minutes: minutes, frequency: frequency, interval: interval ?? 1,
        skip: skip ?? .backward, weekdays: weekdays, dayOfMonth: dayOfMonth, notBefore: notBefore,
        count: count, until: until?.value, exceptions: exceptions?.sortedDates ?? [], zone: zone)
      guard Schedules.hasMeaning(recurrence, until: until?.position, except: exceptions ?? [], reader) else {
        return nil
      }
      return Schedule(recurrence, ahead: ahead ?? 0)
    }
    .writing { schedule in
      guard let recurrence = schedule.recurrence else { return "this schedule counts from a fact" }
      if recurrence.weekStart != nil { return "the policy says on which day the weeks of a schedule begin" }
      return recurrence.shift == 0 ? nil : "the dates of a schedule are not shifted"
    }
  }
}

extension Schedule {
  /// The recurrence, or `nil` if the schedule is relative to a fact.
  fileprivate var recurrence: Recurrence? {
    if case .recurring(let recurrence) = dates { recurrence } else { nil }
  }
}

extension Atom<Recurrence.Frequency> {
  static var frequency: Atom {
    .oneCase("FREQUENCY", "once, daily, weekly, monthly or yearly", \.name)
  }
}
