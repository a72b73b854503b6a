package import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// The state of a reminder in the app at one moment, as far as it affects lists.
package struct ListedReminder: Hashable, Sendable {
  package var id: ReminderID
  /// The declaration in force, which is the last edit if there is one.
  package var declaration: ReminderDeclaration
  /// The day from which the reminder counts, or `nil` if there is none.
  package var start: DayOfFact?
  /// The wall-clock end of the reminder's snooze, or `nil` if it is not snoozed.
  package var snoozedUntil: Instant?
  /// Whether the reminder has fired since it was created or edited.
  package var hasFired = false
  /// The date on which the reminder was last done. For a recurrence, it is the date that was done.
  package var doneOn: CivilDate?
  /// The last due time of a recurrence that was done, or `nil` if none was.
  package var doneTo: LocalTime?
  /// The value of the attribute that groups the list.
  package var part: String?
}

extension ListedReminder {
  /// Returns the reminder's entries at a moment: at most one overdue entry, followed by entries of today and
  /// later.
  ///
  /// A snoozed reminder has an entry at the end of the snooze, which replaces earlier entries. A past date
  /// remains overdue only if no later date follows automatically. This is the case for a single date, and for
  /// a date that is counted from the day on which the reminder was last done.
  package func entries(at now: Instant, in zone: Zone, weekStart: Weekday) -> [ViewEntry] {
    guard let due = DueDates(declaration, countedFrom: start, in: zone, weekStart: weekStart),
      now < declaration.expires
    else { return [] }
    // A reminder that fires once is omitted after it has fired. If it has a single date, it stays in the list
    // until it is done.
    if declaration.repeats == .once, hasFired, !due.waitsWhenPast { return [] }
    let today = zone.local(at: now).date
    var times = due.dates(from: today, in: zone)
    if let past = due.overdue(before: today, in: zone) { times.insert(past, at: 0) }
    if let doneTo { times.removeAll { $0 <= doneTo } }
    var snoozed: LocalTime?
    if let snoozedUntil {
      let until = zone.local(at: snoozedUntil)
      let count = times.count
      times.removeAll { $0 <= until }
      // A snooze has no effect if nothing is due before it ends.
      let isDeferred = due.waitsWhenPast ? times.count < count : until.date >= today
      if isDeferred {
        snoozed = until
        times.insert(until, at: 0)
      }
    }
    times.removeAll { zone.instant(of: $0) >= declaration.expires }
    return times.map { time in
      ViewEntry(
        reminder: id, name: declaration.id, time: time,
        group: ViewGroup(of: time.date, seenFrom: today, weekStart: weekStart), isDeferred: time == snoozed,
        part: part)
    }
  }
}

/// One line of a list.
package struct ViewEntry: Hashable, Sendable {
  package var reminder: ReminderID
  package var name: String
  /// The due time as wall-clock time.
  package var time: LocalTime
  package var group: ViewGroup
  package var isDeferred: Bool
  package var part: String?
}

/// The contents of one of the app's lists at a moment.
package struct ShownView: Hashable, Sendable {
  /// A list and the local time at which it is recorded.
  package struct Question: Hashable, Sendable {
    package var view: AppView
    package var parts: String?
    package var time: LocalTime
  }

  package var question: Question
  /// The entries in chronological order. Entries with equal times are ordered by name.
  package var entries: [ViewEntry]
  /// The names of the reminders that were done today.
  package var done: [String]

  /// The number of today's reminders, both done and remaining.
  package var total: Int { done.count + entries.count { $0.group <= .today } }

  /// - Parameter reminders: The reminders that exist at the moment.
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
/// A reminder is due on its date for the whole day: one that is due at 09:00 is still due today at 23:00. A
/// reminder that announces the day of a fact some days *before* it, such as 30 and 7 days before a birthday,
/// appears in the list on the announced day. Conditions are ignored, because a list shows planned reminders,
/// and conditions are evaluated only at delivery.
package struct DueDates: Hashable, Sendable {
  /// The maximum number of future dates listed per reminder.
  package static let shownOfOne = 3
  /// The maximum distance in days of the second and third listed date. Because of it, a birthday has one
  /// entry.
  package static let shownAhead = 364

  /// The recurrences of the due dates. A reminder on several days relative to a fact has one recurrence for
  /// each day.
  package var recurrences: [Recurrence]
  /// Whether a past date stays in the list until the reminder is done. This is the case if no later date
  /// follows automatically.
  package var waitsWhenPast: Bool

  /// Creates the due dates of a reminder. Returns `nil` if the reminder depends on an event or on a fact
  /// without a date.
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
        // An announcement of a later day is listed on that day.
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

  /// Returns the last due time that is not later than `now`, or `nil` if there was none in the year before.
  package func last(atOrBefore now: Instant, in zone: Zone) -> LocalTime? {
    let today = zone.local(at: now).date
    let times = recurrences.compactMap { recurrence -> Instant? in
      let first = (0...366).lazy.compactMap {
        recurrence.next(atOrAfter: zone.startOfDay(today - $0), in: zone)
      }.first { $0 <= now }
      guard var last = first else { return nil }
      while let next = recurrence.next(atOrAfter: last + TimeSpan(milliseconds: 1), in: zone), next <= now {
        last = next
      }
      return last
    }
    return times.max().map { zone.local(at: $0) }
  }

  /// Returns up to ``shownOfOne`` dates on or after a day, ascending, each with its earliest time of day.
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
  /// Creates the group to which a date belongs, relative to a day.
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
