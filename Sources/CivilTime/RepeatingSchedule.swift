public import TriggerModel

/// A schedule that the system repeats, as cross-platform libraries offer it. A single pending request
/// represents all occurrences, and they are shown even if the app never runs again.
///
/// The app evaluates conditions once, when it hands the request to the system. It cannot prevent a single
/// occurrence later.
public enum RepeatingSchedule: Hashable, Sendable {
  /// A local time on every day, on days of the week (one request for each), or on a day of each month or
  /// year. The start date is only what the app intends, because the system does not support a start date
  /// (rule N6).
  case calendar(Recurrence)
  /// A fixed time span, repeated from the instant at which the request is handed to the system.
  case span(TimeSpan)

  /// The reason why the system cannot repeat the schedule and what to declare instead, or `nil` if it can.
  package var problem: (text: String, remedy: String)? {
    switch self {
    case .span(let span):
      if span < SystemRepeat.shortestSpan {
        return ("the system repeats at most once a minute", "write 1 min, or longer")
      }
      if span > SystemRepeat.longestSpan || span.milliseconds % 1_000 != 0 {
        return (
          "the system repeats spans of whole seconds up to 1000 days", "write a shorter span in whole seconds"
        )
      }
    case .calendar(let recurrence):
      if recurrence.frequency == .once {
        return ("the system cannot repeat a single occurrence", "write 'ahead 1'")
      }
      if recurrence.dayOfMonth != nil || recurrence.count != nil || recurrence.until != nil
        || recurrence.minutes.count > 1
      {
        return (
          "the system repeats one time of day, without an end and without a weekday of the month",
          "schedule single occurrences in advance, for example 'ahead 5'"
        )
      }
      if !recurrence.exceptions.isEmpty || recurrence.zone != nil {
        return (
          "the system repeats on all dates, at the local time of the phone",
          "schedule single occurrences in advance, for example 'ahead 5'"
        )
      }
      if recurrence.interval > 1 {
        return (
          "the system repeats only every day, week, month or year",
          "schedule single occurrences in advance, for example 'ahead 5'"
        )
      }
      let mayBeMissing =
        recurrence.frequency == .monthly && recurrence.start.day > 28
        || recurrence.frequency == .yearly && recurrence.start.month == 2 && recurrence.start.day == 29
      if mayBeMissing, recurrence.skip != .forward {
        return (
          "the system moves a missing day to the first of the next month (rule N5)",
          "write 'skip forward', or schedule single occurrences in advance, for example 'ahead 5'"
        )
      }
    }
    return nil
  }

  /// The patterns, one for each request.
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

  /// Returns the first occurrence of a pattern after an instant that the app intends.
  package func first(of pattern: SystemRepeat, after instant: Instant, in zone: Zone) -> Instant? {
    guard case .calendar(let recurrence) = self else { return pattern.next(after: instant, in: zone) }
    let start = zone.startOfDay(recurrence.start) - TimeSpan(milliseconds: 1)
    return pattern.next(after: max(instant, start), in: zone)
  }
}

extension SystemRepeat {
  /// The pattern as a recurrence that started in the past, or `nil` for a span.
  ///
  /// If a month lacks the day, the occurrence moves to the first of the next month, because the system
  /// matches dates like `nextTimePreservingSmallerComponents` (rule N5).
  private var recurrence: Recurrence? {
    let frequency: Recurrence.Frequency
    // January has every day of the month, and the leap year 1600 has every day of the year.
    var (month, day) = (1, 1)
    var weekdays: WeekdaySet?
    switch unit {
    case .daily: frequency = .daily
    case .weekly:
      frequency = .weekly
      weekdays = WeekdaySet(Weekday(daysAfterMonday: Int(self.day) - 1))
    case .monthly: (frequency, day) = (.monthly, Int(self.day))
    case .yearly: (frequency, month, day) = (.yearly, Int(self.month), Int(self.day))
    case .span: return nil
    }
    return Recurrence(
      start: CivilDate(year: 1_600, month: month, day: day), minute: Int(minute), frequency: frequency,
      skip: .forward, weekdays: weekdays)
  }

  /// Returns the first occurrence after an instant in a zone. For a span, returns the instant plus the span.
  public func next(after instant: Instant, in zone: Zone) -> Instant? {
    if let span { return instant + span }
    return recurrence?.next(atOrAfter: instant + TimeSpan(milliseconds: 1), in: zone)
  }
}
