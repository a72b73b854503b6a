package import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// The state of a reminder in the app at one moment, as far as lists depend on it.
package struct ListedReminder: Hashable, Sendable {
  package var id: ReminderID
  /// The declaration in force. An edit replaces it.
  package var declaration: ReminderDeclaration
  /// The day from which the reminder counts, or `nil` if there is none.
  package var start: DayOfFact?
  /// The end of its snooze on the wall clock, or `nil` if it is not snoozed.
  package var snoozedUntil: Instant?
  /// Whether the reminder has fired since it was created or edited.
  package var hasFired = false
  /// The date on which the reminder was last done.
  package var doneOn: CivilDate?
  /// The value of the attribute that groups the list.
  package var part: String?
}

extension ListedReminder {
  /// Returns the reminder's entries at a moment: at most one overdue entry, followed by today's and later
  /// ones.
  ///
  /// A snoozed reminder has an entry at the end of the snooze, which replaces earlier entries. A past date
  /// remains overdue only if no further date follows automatically: it is a single date, or is counted from
  /// the day on which the reminder was last done.
  package func entries(at now: Instant, in zone: Zone, weekStart: Weekday) -> [ViewEntry] {
    guard let due = DueDates(declaration, countedFrom: start, in: zone, weekStart: weekStart),
      now < declaration.expires
    else { return [] }
    // Omit a reminder that fires once and has fired. A reminder with a single date stays listed until it is
    // done.
    if declaration.repeats == .once, hasFired, !due.waitsWhenPast { return [] }
    let today = zone.local(at: now).date
    var times = due.dates(from: today, in: zone)
    if let past = due.overdue(before: today, in: zone) { times.insert(past, at: 0) }
    var snoozed: LocalTime?
    if let snoozedUntil {
      let until = zone.local(at: snoozedUntil)
      let count = times.count
      times.removeAll { $0 <= until }
      // A snooze has no effect if nothing is due before its end.
      let isPutOff = due.waitsWhenPast ? times.count < count : until.date >= today
      if isPutOff {
        snoozed = until
        times.insert(until, at: 0)
      }
    }
    times.removeAll { zone.instant(of: $0) >= declaration.expires }
    return times.map { time in
      ViewEntry(
        reminder: id, name: declaration.id, time: time,
        group: ViewGroup(of: time.date, seenFrom: today, weekStart: weekStart), isPutOff: time == snoozed,
        part: part)
    }
  }
}

/// One line of a list.
package struct ViewEntry: Hashable, Sendable {
  package var reminder: ReminderID
  package var name: String
  /// The due time, as a wall clock shows it.
  package var time: LocalTime
  package var group: ViewGroup
  package var isPutOff: Bool
  package var part: String?
}

/// The contents of one of the app's lists at a moment.
package struct ShownView: Hashable, Sendable {
  /// A list and the time at which it is checked.
  package struct Question: Hashable, Sendable {
    package var view: AppView
    package var parts: String?
    package var time: LocalTime
  }

  package var question: Question
  /// The entries in chronological order. Entries at the same time are ordered by name.
  package var entries: [ViewEntry]
  /// The names of the reminders that were done today.
  package var done: [String]

  /// The number of today's reminders: those done and those left.
  package var total: Int { done.count + entries.count { $0.group <= .today } }

  /// - Parameter reminders: The reminders that exist at that time.
  package init(
    _ question: Question, of reminders: [ListedReminder], at now: Instant, in zone: Zone, weekStart: Weekday
  ) {
    self.question = question
    let today = zone.local(at: now).date
    let all = reminders.flatMap { $0.entries(at: now, in: zone, weekStart: weekStart) }
      .sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    entries = question.view == .today ? all.filter { $0.group <= .today } : all
    done = reminders.filter { $0.doneOn == today }.map(\.declaration.id).sorted()
  }
}

extension ListExpectation {
  /// The list and the time to which the claim refers, or `nil` if the claim lacks a date or a time.
  package var question: ShownView.Question? {
    guard let date = occasion.date, let time = occasion.time else { return nil }
    return ShownView.Question(
      view: view, parts: parts, time: LocalTime(date: date, millisecondOfDay: time.from))
  }
}

/// The due dates of a reminder in the app's lists, derived from its declaration and the calendar.
///
/// A reminder belongs to its due date for the whole day: one due at 09:00 is still due today at 23:00. A
/// reminder some days *before* the day of a fact, such as 30 and 7 days before a birthday, announces that
/// day, so the list shows that day. Conditions are ignored, because they are evaluated at delivery and a list
/// shows planned reminders.
package struct DueDates: Hashable, Sendable {
  /// The maximum number of future dates per reminder.
  package static let shownOfOne = 3
  /// The maximum distance of the second and third date, in days. It limits a birthday to one entry.
  package static let shownAhead = 364

  /// The recurrences of the due dates. A reminder on several days relative to a fact has one for each of
  /// these days.
  package var recurrences: [Recurrence]
  /// Whether a past date stays in the list until the reminder is done, because no other date follows.
  package var waitsWhenPast: Bool

  /// Creates the due dates of a reminder, or `nil` if it depends on an event or on a fact without a date.
  ///
  /// - Parameters:
  ///   - start: The day from which the reminder counts, or `nil` if the fact has no date yet.
  ///   - weekStart: The first day of the app's weeks.
  package init?(
    _ declaration: ReminderDeclaration, countedFrom start: DayOfFact?, in zone: Zone, weekStart: Weekday
  ) {
    recurrences = []
    waitsWhenPast = false
    for trigger in declaration.triggers {
      if case .repeating(.calendar(let recurrence)) = trigger { recurrences.append(recurrence) }
      guard case .scheduled(let schedule) = trigger else { continue }
      switch schedule.withWeeks(from: weekStart).dates {
      case .recurring(let recurrence):
        recurrences.append(recurrence)
        if recurrence.frequency == .once { waitsWhenPast = true }
      case .relative(let days):
        guard let day = start?.date else { continue }
        // Advance notice of a day belongs to that day.
        let shown = days.days.allSatisfy { $0 <= 0 } ? [0] : days.days
        recurrences += shown.map {
          Recurrence(
            start: day, minutes: days.minutes, frequency: days.isYearly ? .yearly : .once, skip: days.skip,
            shift: $0)
        }
        if !days.isYearly { waitsWhenPast = true }
      case .elapsed(let spans):
        guard let start else { continue }
        let shown = spans.spans.allSatisfy { $0 < .zero } ? [.zero] : spans.spans
        recurrences += shown.map {
          let local = zone.local(at: start.instant + $0)
          return Recurrence(
            start: local.date, minute: Int(local.millisecondOfDay) / 60_000, frequency: .once)
        }
        waitsWhenPast = true
      }
    }
    if recurrences.isEmpty { return nil }
  }

  /// Returns the last overdue date before a day, or `nil` if there is none.
  package func overdue(before day: CivilDate, in zone: Zone) -> LocalTime? {
    guard waitsWhenPast else { return nil }
    return recurrences.filter { $0.frequency == .once }.compactMap { recurrence in
      recurrence.next(atOrAfter: .distantPast, in: zone).map { zone.local(at: $0) }
    }.filter { $0.date < day }.max()
  }

  /// Returns up to ``shownOfOne`` dates from a day on, ascending, each with its earliest time of day.
  package func dates(from day: CivilDate, in zone: Zone) -> [LocalTime] {
    var dates: [LocalTime] = []
    var next = day
    var cursors = recurrences.map { RecurrenceCursor($0, in: zone) }
    while dates.count < Self.shownOfOne {
      let instant = zone.startOfDay(next)
      let found = cursors.indices.compactMap { cursors[$0].next(atOrAfter: instant) }
      guard let first = found.min() else { break }
      let local = zone.local(at: first)
      if !dates.isEmpty, local.date - day > Self.shownAhead { break }
      dates.append(local)
      next = local.date + 1
    }
    return dates
  }
}

extension ViewGroup {
  /// Creates the group of a date, relative to a day.
  package init(of date: CivilDate, seenFrom day: CivilDate, weekStart: Weekday) {
    let (then, now) = (date.components, day.components)
    if date < day {
      self = .overdue
    } else if date == day {
      self = .today
    } else if date - day < 7 - day.weekday.days(since: weekStart) {
      self = .thisWeek
    } else if then.year == now.year, then.month == now.month {
      self = .thisMonth
    } else {
      self = .later
    }
  }
}
