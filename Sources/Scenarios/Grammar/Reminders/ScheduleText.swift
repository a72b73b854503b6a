package import CivilTime
package import ReminderMatching
import TextFormats
import TriggerModel

/// Writes schedules in their short form: `every monday, friday at 08:10 ahead 5`.
package struct ScheduleText {
  /// The date of the scenario's start, which is the default first date of a schedule.
  private let startDate: CivilDate
  /// Returns the name of a fact in the notation of a sentence.
  private let name: (String) -> String

  package init(from startDate: CivilDate, _ name: @escaping (String) -> String) {
    self.startDate = startDate
    self.name = name
  }

  /// Returns the words of a schedule, or `nil` if the trigger is an event.
  package func words(_ trigger: Trigger) -> String? {
    if case .repeating(let pattern) = trigger {
      switch pattern {
      case .span(let span): return "every \(Atom<TimeSpan>.text(span)) ahead repeating"
      case .calendar(let recurrence): return self.recurrence(recurrence) + " ahead repeating"
      }
    }
    guard case .scheduled(let schedule) = trigger else { return nil }
    switch schedule.dates {
    case .recurring(let recurrence):
      return self.recurrence(recurrence) + (schedule.ahead > 0 ? " ahead \(schedule.ahead)" : "")
    case .relative(let days):
      return relative(days) + (schedule.ahead != days.defaultAhead ? " ahead \(schedule.ahead)" : "")
    case .elapsed(let spans):
      return elapsed(spans) + (schedule.ahead != Schedule(spans).ahead ? " ahead \(schedule.ahead)" : "")
    }
  }

  private func relative(_ relative: RelativeDays) -> String {
    let isBefore = relative.days.contains { $0 < 0 }
    let days = isBefore ? relative.days.map(abs) : relative.days
    let unit = days == [1] ? "day" : "days"
    return "\(list(days)) \(unit) \(isBefore ? "before" : "after") \(name(relative.fact))"
      + (relative.isYearly ? " every year" : "") + " at \(times(relative.minutes))" + skip(relative.skip)
  }

  private func elapsed(_ relative: RelativeSpans) -> String {
    let isBefore = relative.spans.contains { $0 < .zero }
    let spans = relative.spans.map { Atom<TimeSpan>.text($0.magnitude, withDays: false) }
    return spans.joined(separator: ", ") + " \(isBefore ? "before" : "after") \(name(relative.fact))"
  }

  private func recurrence(_ recurrence: Recurrence) -> String {
    let (head, usualStart) = dates(recurrence)
    var text = "\(head) at \(times(recurrence.minutes))"
    let mustSayStart =
      recurrence.start != usualStart || recurrence.interval > 1
      || recurrence.count != nil && recurrence.notBefore == nil
    if mustSayStart { text += " from \(recurrence.start.text)" }
    if let date = recurrence.notBefore { text += " not before \(date.text)" }
    if let count = recurrence.count { text += " \(count) times" }
    if let date = recurrence.until { text += " until \(date.text)" }
    if !recurrence.exceptions.isEmpty {
      text += " except \(recurrence.exceptions.map(\.text).joined(separator: ", "))"
    }
    if let zone = recurrence.zone { text += " in \(zone.identifier)" }
    return text + skip(recurrence.skip)
  }

  /// Returns the words for the dates, and the first date that the reader assumes if the words contain none.
  private func dates(_ recurrence: Recurrence) -> (String, usualStart: CivilDate) {
    let (start, interval) = (recurrence.start, recurrence.interval)
    let every = interval > 1 ? "\(interval)" : nil
    switch recurrence.frequency {
    case .once: return ("on \(start.text)", start)
    case .daily: return (every.map { "every \($0) days" } ?? "every day", startDate)
    case .weekly:
      guard let days = recurrence.weekdays else {
        return (every.map { "every \($0) weeks" } ?? "every week", startDate)
      }
      // Do not write 'every day', which would be parsed as a daily schedule.
      if every == nil, days != .all { return ("every \(self.days(days))", startDate) }
      return ("every \(every ?? "1") weeks on \(self.days(days))", startDate)
    case .monthly:
      if let day = recurrence.dayOfMonth {
        return (
          every.map { "every \($0) months on the \(day.words)" } ?? "\(day.words) of the month", startDate
        )
      }
      let usual = Schedules.usualStart(startDate) { $0.day == start.day }
      return (every.map { "every \($0) months on \(start.day)" } ?? "monthly on \(start.day)", usual)
    case .yearly:
      let day = start.text.suffix(5)
      let usual = Schedules.usualStart(startDate) { $0.day == start.day && $0.month == start.month }
      return (every.map { "every \($0) years on \(day)" } ?? "yearly on \(day)", usual)
    }
  }

  private func skip(_ skip: Recurrence.Skip) -> String { skip == .backward ? "" : " skip \(skip.name)" }

  private func days(_ days: WeekdaySet) -> String {
    switch days {
    case .weekdays: "weekday"
    case .weekend: "weekend"
    default: days.names
    }
  }

  private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

  private func time(_ minute: Int) -> String { MinuteOfDay.text(minute) }

  private func times(_ minutes: [Int]) -> String { minutes.map(time).joined(separator: ", ") }
}
