public import TriggerModel

/// A minute of the day on dates that recur, anchored on the date of the start: a 31st stays a 31st after
/// February cut it short.
///
/// Dates that do not exist follow ``skip``, first those that the calendar does not have (30 February),
/// then those that a zone left out. Instants never repeat: when skipping moves an occurrence onto its
/// neighbour, the two are one. The calendar ends with the year 9999.
public struct Recurrence: Hashable, Sendable {
  public enum Frequency: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case once, daily, weekly, monthly, yearly

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// What becomes of a date that does not exist (RFC 7529).
  public enum Skip: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// No occurrence.
    case omit
    /// The last existing date before it.
    case backward
    /// The first existing date after it.
    case forward

    /// The name used in files and reports.
    public var name: String { String(describing: self) }
  }

  /// What ``interval`` may be.
  public static let intervals = 1...100_000

  public var start: CivilDate
  /// Minute of the day, 0…1,439.
  public var minute: Int
  public var frequency: Frequency
  /// Every how many days, weeks, months or years; one of ``intervals``.
  public var interval: Int
  public var skip: Skip
  /// Weekly only: the days of the week, from the start on; nil stands for the start's own.
  public var weekdays: WeekdaySet?
  /// Weekly only: where one week ends and the next begins, which matters from an interval of 2.
  public var weekStart: Weekday

  public init(
    start: CivilDate, minute: Int, frequency: Frequency, interval: Int = 1, skip: Skip = .backward,
    weekdays: WeekdaySet? = nil, weekStart: Weekday = .monday
  ) {
    precondition(0..<1_440 ~= minute, "a recurrence's minute is 0…1,439")
    precondition(Self.intervals ~= interval, "a recurrence's interval is 1…100,000")
    self.start = start
    self.minute = minute
    self.frequency = frequency
    self.interval = interval
    self.skip = skip
    self.weekdays = weekdays
    self.weekStart = weekStart
  }

  /// The first occurrence at or after an instant, `distantPast` included; nil when there is none.
  ///
  /// - Complexity: O(1); it does not count from the start
  public func next(atOrAfter instant: Instant, in zone: Zone) -> Instant? {
    if instant == .distantFuture { return nil }
    let instant = max(instant, Instant(millisecondsSince1970: -OffsetTable.farAway))
    let segment = zone.segment(at: instant)
    let earliest = segment.earliestDay(stillComingAt: instant)
    var index = firstIndex(notBefore: earliest - longestMove(in: zone))
    while true {
      switch step(index, in: zone) {
      case .date(let date) where Int64(date.dayNumber) >= earliest:
        let occurrence =
          segment.onlyInstant(of: date, minute: minute) ?? zone.instant(of: date, minute: minute)
        if occurrence >= instant { return occurrence }
      case .date, .none: break
      case .end: return nil
      }
      index += 1
    }
  }

  /// By how many days skipping may move a date.
  private func longestMove(in zone: Zone) -> Int64 {
    if zone.skipsDates { return Self.longestMove }
    return frequency == .daily || frequency == .weekly ? 0 : 1
  }

  /// All occurrences, ascending.
  public func occurrences(in zone: Zone) -> Occurrences {
    Occurrences(recurrence: self, zone: zone)
  }

  /// The occurrences of a recurrence in a zone, one after the other.
  public struct Occurrences: Sequence, IteratorProtocol, Sendable {
    let recurrence: Recurrence
    let zone: Zone
    private var index = 0
    private var latest = Instant.distantPast

    init(recurrence: Recurrence, zone: Zone) {
      self.recurrence = recurrence
      self.zone = zone
    }

    public mutating func next() -> Instant? {
      while true {
        let step = recurrence.step(index, in: zone)
        if case .end = step { return nil }
        index += 1
        guard case .date(let date) = step else { continue }
        let occurrence = zone.instant(of: date, minute: recurrence.minute)
        if occurrence > latest {
          latest = occurrence
          return occurrence
        }
      }
    }
  }
}
