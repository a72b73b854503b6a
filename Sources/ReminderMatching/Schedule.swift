public import CivilTime

/// The dates and times at which a reminder is due, and the number of occurrences that are scheduled in
/// advance.
public struct Schedule: Hashable, Sendable {
  /// The dates and times of a schedule.
  public enum Dates: Hashable, Sendable {
    /// Dates of the calendar.
    case recurring(Recurrence)
    /// Days before or after the instant that is the value of a fact.
    case relative(RelativeDays)
    /// Time spans before or after the instant that is the value of a fact.
    case elapsed(RelativeSpans)
  }

  /// The dates and times.
  public var dates: Dates
  /// The number of occurrences to schedule with the system in advance, so that they are shown even while the
  /// app is closed. Conditions are evaluated when they are scheduled.
  ///
  /// If the number is 0, the app is woken at each occurrence and evaluates the conditions then.
  public var ahead: Int

  /// The maximum of ``ahead``. No system keeps more requests.
  public static let maximumAhead = 64

  /// Creates a schedule of calendar dates. By default, the app is woken at each occurrence.
  public init(_ recurrence: Recurrence, ahead: Int = 0) {
    dates = .recurring(recurrence)
    self.ahead = ahead
  }

  /// Creates a schedule of days relative to a fact. If `ahead` is `nil`, all occurrences are scheduled in
  /// advance, or those of one year if they recur every year.
  public init(_ days: RelativeDays, ahead: Int? = nil) {
    dates = .relative(days)
    self.ahead = ahead ?? days.defaultAhead
  }

  /// Creates a schedule of time spans relative to a fact. If `ahead` is `nil`, all occurrences are scheduled
  /// in advance.
  public init(_ spans: RelativeSpans, ahead: Int? = nil) {
    dates = .elapsed(spans)
    self.ahead = ahead ?? min(spans.spans.count, Self.maximumAhead)
  }

  /// Whether the occurrences are times of the phone's wall clock, which move with its zone.
  package var usesWallClock: Bool {
    switch dates {
    case .recurring(let recurrence): recurrence.zone == nil
    case .relative: true
    case .elapsed: false
    }
  }

  /// Returns the schedule with the given first day of the week, unless it defines its own.
  package func withWeeks(from weekStart: Weekday) -> Schedule {
    guard case .recurring(var recurrence) = dates else { return self }
    recurrence.weekStart = recurrence.weekStart ?? weekStart
    return Schedule(recurrence, ahead: ahead)
  }

  /// Whether the schedule may have further occurrences after the first.
  package var recurs: Bool {
    switch dates {
    case .recurring(let recurrence): recurrence.frequency != .once || recurrence.minutes.count > 1
    // Setting the fact again restarts the schedule.
    case .relative, .elapsed: true
    }
  }
}

extension RelativeDays {
  /// The default of ``Schedule/ahead``: all occurrences, or those of one year if they recur every year.
  package var defaultAhead: Int { min(days.count * minutes.count, Schedule.maximumAhead) }
}
