public import TriggerModel

/// What the system is asked to repeat by itself, as cross-platform libraries do: one pending request stands for
/// all occurrences, and appears though the app never runs again.
///
/// The app decides once, when it hands the request over; no later condition keeps a single occurrence back.
public enum RepeatingSchedule: Hashable, Sendable {
  /// A local time on every day, on days of the week (a request for each), or on a day of each month or year. The
  /// first date is what the app means; the system knows of none (rule N6).
  case calendar(Recurrence)
  /// Again and again after the same time, counted from when it was handed over.
  case span(TimeSpan)

  /// Why the system cannot repeat it, and what to write instead; nil when it can.
  package var problem: (text: String, remedy: String)? {
    switch self {
    case .span(let span):
      if span < SystemRepeat.shortestSpan {
        return ("the system repeats nothing more often than once a minute", "write 1 min, or longer")
      }
      if span > SystemRepeat.longestSpan || span.milliseconds % 1_000 != 0 {
        return ("the system repeats whole seconds up to 1000 days", "write a shorter span in whole seconds")
      }
    case .calendar(let recurrence):
      if recurrence.frequency == .once {
        return ("what comes once the system cannot repeat", "write 'ahead 1'")
      }
      if recurrence.dayOfMonth != nil || recurrence.count != nil || recurrence.minutes.count > 1 {
        return (
          "the system repeats one time of the day, and knows neither the first Monday of a month nor an end",
          "hand occurrences over one by one, such as 'ahead 5'"
        )
      }
      if recurrence.interval > 1 {
        return (
          "the system repeats every day, week, month or year, and nothing rarer",
          "hand occurrences over one by one, such as 'ahead 5'"
        )
      }
      let mayBeMissing =
        recurrence.frequency == .monthly && recurrence.start.day > 28
        || recurrence.frequency == .yearly && recurrence.start.month == 2 && recurrence.start.day == 29
      if mayBeMissing, recurrence.skip != .forward {
        return (
          "a day that is missing the system moves to the first of the next month (rule N5)",
          "say so with 'skip forward', or hand occurrences over one by one, such as 'ahead 5'"
        )
      }
    }
    return nil
  }

  /// One for each request that it takes.
  package var patterns: [SystemRepeat] {
    switch self {
    case .span(let span): return [SystemRepeat(.span, seconds: Int(span.milliseconds / 1_000))]
    case .calendar(let recurrence):
      let (start, minute) = (recurrence.start, recurrence.minutes[0])
      switch recurrence.frequency {
      case .once: return []
      case .daily: return [SystemRepeat(.daily, minute: minute)]
      case .monthly: return [SystemRepeat(.monthly, day: start.day, minute: minute)]
      case .yearly: return [SystemRepeat(.yearly, month: start.month, day: start.day, minute: minute)]
      case .weekly:
        let days = recurrence.weekdays ?? WeekdaySet(start.weekday)
        if days == .all { return [SystemRepeat(.daily, minute: minute)] }
        return Weekday.allCases.filter(days.contains).map {
          SystemRepeat(.weekly, day: Int($0.rawValue) + 1, minute: minute)
        }
      }
    }
  }

  /// The first occurrence of a pattern that the app means.
  package func first(of pattern: SystemRepeat, after instant: Instant, in zone: Zone) -> Instant? {
    guard case .calendar(let recurrence) = self else { return pattern.next(after: instant, in: zone) }
    let start = zone.startOfDay(recurrence.start) - TimeSpan(milliseconds: 1)
    return pattern.next(after: max(instant, start), in: zone)
  }
}
