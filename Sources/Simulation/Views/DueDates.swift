package import CivilTime
package import ReminderMatching
package import ScenarioModel
import TriggerModel

/// The dates on which a reminder is due, as a list of the app shows them: computed from its declaration, by the
/// calendar alone.
///
/// What counts is the date. A reminder of today at 09:00 is of today at 23:00 too. Of days *before* a fact, such as 30,
/// 7 and 0 days before a birthday, the list shows the day itself: the days before it are notice of it. Conditions are
/// not looked at: they decide at the moment, and a list shows what is meant to come.
package struct DueDates: Hashable, Sendable {
  /// So many dates to come are shown of one reminder.
  package static let shownOfOne = 3
  /// The second and third of them only within so many days, which leaves one birthday of each person.
  package static let shownAhead = 364

  /// What comes at each of its times; several where it counts several days from a fact.
  package var recurrences: [Recurrence]
  /// Whether a date that has passed waits until it is done, as there is none to follow it.
  package var waitsWhenPast: Bool

  /// Nil: it waits for something that happens, or for what has no date.
  ///
  /// - Parameters:
  ///   - start: From which it counts; nil: there is none yet.
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
        // Notice that is given before a day is notice of that day.
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

  /// The last date before a day that still waits; nil where there is none.
  package func overdue(before day: CivilDate, in zone: Zone) -> LocalTime? {
    guard waitsWhenPast else { return nil }
    return recurrences.filter { $0.frequency == .once }.compactMap { recurrence in
      recurrence.next(atOrAfter: .distantPast, in: zone).map { zone.local(at: $0) }
    }.filter { $0.date < day }.max()
  }

  /// The dates from a day on, ascending, and the first time of each: at most ``shownOfOne``.
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
  /// The group of a date, seen from a day.
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
