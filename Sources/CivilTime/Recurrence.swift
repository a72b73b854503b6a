public import TriggerModel

/// Minutes of the day on dates that recur, anchored on the date of the start: a 31st stays a 31st after
/// February cut it short.
///
/// Dates that do not exist follow ``skip``, first those that the calendar does not have (30 February),
/// then those that a zone left out. Instants never repeat: when skipping moves an occurrence onto its
/// neighbour, the two are one. The calendar ends with the year 9999.
public struct Recurrence: Hashable, Sendable {
  /// Of what the interval counts so many; `once`: the start is the only date.
  public enum Frequency: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// In years a date keeps month and day, in months its day, as long as there is one: see ``Skip``.
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

  /// What ``count`` may be.
  public static let counts = 1...100_000

  /// The date from which all others are counted.
  public var start: CivilDate
  /// When it comes on each of its dates: minutes of the day, 0…1,439, ascending; one or more.
  public var minutes: [Int]
  /// Whether ``interval`` counts days, weeks, months or years.
  public var frequency: Frequency
  /// Every how many days, weeks, months or years; one of ``intervals``.
  public var interval: Int
  /// What becomes of its dates that do not exist.
  public var skip: Skip
  /// Weekly only: the days of the week, from the start on; nil stands for the start's own.
  public var weekdays: WeekdaySet?
  /// Weekly only: where one week ends and the next begins, which matters from an interval of 2. Nil: as for all else
  /// of the app, which its program says; Monday where nobody says.
  public var weekStart: Weekday?
  /// Monthly only: a weekday of the month, from the start on, in place of the start's day.
  public var dayOfMonth: WeekdayOfMonth?
  /// So many days after the date that recurs, or before it where negative: a week before a birthday.
  public var shift: Int
  /// No earlier date, whatever the start: the start says which ones are meant.
  public var notBefore: CivilDate?
  /// After so many occurrences it ends, counted from the start or from ``notBefore``; nil: it does not.
  public var count: Int?

  /// - Precondition: Each parameter is as the property of its name asks.
  public init(
    start: CivilDate, minutes: [Int], frequency: Frequency, interval: Int = 1, skip: Skip = .backward,
    weekdays: WeekdaySet? = nil, weekStart: Weekday? = nil, dayOfMonth: WeekdayOfMonth? = nil,
    shift: Int = 0, notBefore: CivilDate? = nil, count: Int? = nil
  ) {
    precondition(!minutes.isEmpty && minutes.allSatisfy((0..<1_440).contains), "minutes of a day are 0…1,439")
    precondition(zip(minutes, minutes.dropFirst()).allSatisfy(<), "a recurrence's minutes ascend")
    precondition(Self.intervals ~= interval, "a recurrence's interval is 1…100,000")
    precondition(count.map { Self.counts ~= $0 } ?? true, "a recurrence's count is 1…100,000")
    self.start = start
    self.minutes = minutes
    self.frequency = frequency
    self.interval = interval
    self.skip = skip
    self.weekdays = weekdays
    self.weekStart = weekStart
    self.dayOfMonth = dayOfMonth
    self.shift = shift
    self.notBefore = notBefore
    self.count = count
  }

  /// Once on each of its dates.
  public init(
    start: CivilDate, minute: Int, frequency: Frequency, interval: Int = 1, skip: Skip = .backward,
    weekdays: WeekdaySet? = nil, weekStart: Weekday? = nil
  ) {
    self.init(
      start: start, minutes: [minute], frequency: frequency, interval: interval, skip: skip,
      weekdays: weekdays, weekStart: weekStart)
  }

  /// The first occurrence at or after an instant, `distantPast` included; nil when there is none.
  ///
  /// - Complexity: O(*m*), its minutes of the day; it does not count from the start. Where it has a ``count`` and
  ///   may leave dates out, O(*count*)
  public func next(atOrAfter instant: Instant, in zone: Zone) -> Instant? {
    if instant == .distantFuture { return nil }
    let instant = max(instant, Instant(millisecondsSince1970: -OffsetTable.farAway))
    let segment = zone.segment(at: instant)
    if let days = steadyDays(in: segment), let next = days.next(atOrAfter: instant) { return next }
    return next(atOrAfter: instant, in: zone, segment)
  }

  /// Looks at the dates near an instant, of which the segment is given.
  private func next(atOrAfter instant: Instant, in zone: Zone, _ segment: OffsetTable.Segment) -> Instant? {
    let earliest = segment.earliestDay(stillComingAt: instant)
    let range = range
    var index = max(range.first, firstIndex(notBefore: earliest - longestMove(in: zone)))
    while index <= range.last {
      switch step(index, in: zone) {
      case .date(let date) where Int64(date.dayNumber) >= earliest:
        for minute in minutes.prefix(index == range.last ? range.onLast : minutes.count) {
          let occurrence =
            segment.onlyInstant(of: date, minute: minute) ?? zone.instant(of: date, minute: minute)
          if occurrence >= instant { return occurrence }
        }
      case .date, .none: break
      case .end: return nil
      }
      index += 1
    }
    return nil
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
    private let range: StepRange
    private var index: Int
    /// Which of the minutes comes next on the date of ``index``.
    private var minute = 0
    private var latest = Instant.distantPast

    init(recurrence: Recurrence, zone: Zone) {
      self.recurrence = recurrence
      self.zone = zone
      range = recurrence.range
      index = range.first
    }

    /// The one behind that of the last call; nil behind the last of all.
    public mutating func next() -> Instant? {
      while index <= range.last {
        let step = recurrence.step(index, in: zone)
        if case .end = step { return nil }
        let minutes = recurrence.minutes.prefix(index == range.last ? range.onLast : recurrence.minutes.count)
        guard case .date(let date) = step, minute < minutes.count else {
          index += 1
          minute = 0
          continue
        }
        let occurrence = zone.instant(of: date, minute: minutes[minute])
        minute += 1
        if occurrence > latest {
          latest = occurrence
          return occurrence
        }
      }
      return nil
    }
  }
}
