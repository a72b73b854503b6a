public import CivilTime

/// Local times on dates, and how far ahead they are scheduled.
public struct Schedule: Hashable, Sendable {
  /// The dates and times of a schedule.
  public enum Dates: Hashable, Sendable {
    /// Dates of the calendar.
    case recurring(Recurrence)
    /// Days before or after the instant that a fact holds.
    case relative(RelativeDays)
    /// Time spans before or after the instant that a fact holds.
    case elapsed(RelativeSpans)
  }

  /// The dates and times.
  public var dates: Dates
  /// The number of occurrences to preschedule with the system, so that they are shown while the app is
  /// closed. Conditions are evaluated at that time.
  ///
  /// If 0, the app is woken at each occurrence and evaluates the conditions then.
  public var ahead: Int

  /// The maximum of ``ahead``, because no system keeps more requests.
  public static let maximumAhead = 64

  /// Creates a schedule of calendar dates. By default, the app is woken at each of them.
  public init(_ recurrence: Recurrence, ahead: Int = 0) {
    dates = .recurring(recurrence)
    self.ahead = ahead
  }

  /// Creates a schedule of days relative to a fact. If `ahead` is `nil`, all occurrences are prescheduled, or
  /// those of one year if they repeat yearly.
  public init(_ days: RelativeDays, ahead: Int? = nil) {
    dates = .relative(days)
    self.ahead = ahead ?? days.defaultAhead
  }

  /// Creates a schedule of time spans relative to a fact. If `ahead` is `nil`, all occurrences are
  /// prescheduled.
  public init(_ spans: RelativeSpans, ahead: Int? = nil) {
    dates = .elapsed(spans)
    self.ahead = ahead ?? min(spans.spans.count, Self.maximumAhead)
  }

  /// Whether the occurrences are wall-clock times, which move with the zone.
  package var usesWallClock: Bool { if case .elapsed = dates { false } else { true } }

  /// Returns the schedule with the given first day of the week, unless it defines its own.
  package func withWeeks(from weekStart: Weekday) -> Schedule {
    guard case .recurring(var recurrence) = dates else { return self }
    recurrence.weekStart = recurrence.weekStart ?? weekStart
    return Schedule(recurrence, ahead: ahead)
  }

  /// Whether the schedule has further occurrences after the first.
  package var recurs: Bool {
    switch dates {
    case .recurring(let recurrence): recurrence.frequency != .once || recurrence.minutes.count > 1
    // Setting the fact again restarts the schedule.
    case .relative, .elapsed: true
    }
  }
}

extension RelativeDays {
  /// The default of ``ahead``: all occurrences, or those of one year if they repeat yearly.
  package var defaultAhead: Int { min(days.count * minutes.count, Schedule.maximumAhead) }
}
