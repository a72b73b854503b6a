public import CivilTime

/// Local times on dates, and how the app learns of them.
public struct Schedule: Hashable, Sendable {
  /// Which dates, and at which times.
  public enum Dates: Hashable, Sendable {
    /// Dates of the calendar.
    case recurring(Recurrence)
    /// Days after the instant that a fact holds, or before it.
    case relative(RelativeDays)
    /// So long after the instant that a fact holds, or before it.
    case elapsed(RelativeSpans)
  }

  /// When it is due.
  public var dates: Dates
  /// How many occurrences are handed to the system beforehand, so that they appear though the app is
  /// closed; their conditions are looked at when they are handed over. 0: the app is woken at each
  /// occurrence and looks then.
  public var ahead: Int

  /// What ``ahead`` may be: no system keeps more.
  public static let mostAhead = 64

  /// Dates of the calendar; the app is woken at each as long as nothing else is said.
  public init(_ recurrence: Recurrence, ahead: Int = 0) {
    dates = .recurring(recurrence)
    self.ahead = ahead
  }

  /// Days around a fact's; `ahead` is nil for all, and for the days of one year where they come every year.
  public init(_ days: RelativeDays, ahead: Int? = nil) {
    dates = .relative(days)
    self.ahead = ahead ?? days.usualAhead
  }

  /// Times around a fact's instant; `ahead` is nil for all of them.
  public init(_ spans: RelativeSpans, ahead: Int? = nil) {
    dates = .elapsed(spans)
    self.ahead = ahead ?? min(spans.spans.count, Self.mostAhead)
  }

  /// Whether its times are those of the clock on the wall, which a journey moves.
  package var isOfWall: Bool { if case .elapsed = dates { false } else { true } }

  /// With weeks that begin on a day, where it does not say so itself.
  package func withWeeks(from weekStart: Weekday) -> Schedule {
    guard case .recurring(var recurrence) = dates else { return self }
    recurrence.weekStart = recurrence.weekStart ?? weekStart
    return Schedule(recurrence, ahead: ahead)
  }

  /// Whether it comes again by itself.
  package var recurs: Bool {
    switch dates {
    case .recurring(let recurrence): recurrence.frequency != .once || recurrence.minutes.count > 1
    // Setting the fact begins it anew.
    case .relative, .elapsed: true
    }
  }
}

extension RelativeDays {
  /// All of its occurrences, or those of a year.
  package var usualAhead: Int { min(days.count * minutes.count, Schedule.mostAhead) }
}
