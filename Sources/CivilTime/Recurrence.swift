public import TriggerModel

/// A schedule of local times on recurring dates.
///
/// Dates are counted from the start date, without drift: a 31st remains a 31st after a shorter month.
/// ``skip`` determines how dates that do not exist are handled. It applies first to dates that the calendar
/// lacks, such as 30 February, and then to dates that a zone skipped. If an occurrence moves onto a
/// neighbouring one, the two count as one. The calendar ends with the year 9999.
public struct Recurrence: Hashable, Sendable {
  /// The unit of ``interval``. With `once`, the only date is the start.
  public enum Frequency: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Yearly dates keep the month and the day, and monthly dates keep the day. If the date does not exist,
    /// ``Skip`` applies.
    case once, daily, weekly, monthly, yearly

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The handling of dates that do not exist (RFC 7529).
  public enum Skip: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// There is no occurrence.
    case omit
    /// The occurrence moves to the last existing date before the missing one.
    case backward
    /// The occurrence moves to the first existing date after the missing one.
    case forward

    /// The name in files and reports.
    public var name: String { String(describing: self) }
  }

  /// The range of ``interval``.
  public static let intervals = 1...100_000

  /// The range of ``count``.
  public static let counts = 1...100_000

  /// The date from which all others are counted.
  public var start: CivilDate
  /// The minutes of the day, 0…1,439, in ascending order. There must be at least one.
  public var minutes: [Int]
  /// The unit of ``interval``: days, weeks, months or years.
  public var frequency: Frequency
  /// The number of days, weeks, months or years between dates, in ``intervals``.
  public var interval: Int
  /// The handling of dates that do not exist.
  public var skip: Skip
  /// The weekdays of a weekly recurrence, or `nil` for the weekday of the start. Weekdays before the start
  /// are not included.
  public var weekdays: WeekdaySet?
  /// The first day of the week in a weekly recurrence. It matters only for intervals of 2 or more.
  ///
  /// `nil` uses the setting of the program, or Monday.
  public var weekStart: Weekday?
  /// The weekday of the month on which a monthly recurrence occurs, or `nil` for the start's day of the
  /// month. Dates before the start are not included.
  public var dayOfMonth: WeekdayOfMonth?
  /// The number of days from the recurring date to the occurrence. It is negative for days before the date,
  /// such as -7 for a week before a birthday.
  public var shift: Int
  /// The earliest date, or `nil` for no limit. The start still determines which dates recur.
  public var notBefore: CivilDate?
  /// The number of occurrences from the start or ``notBefore`` on, or `nil` if it is unlimited. Dates of
  /// ``exceptions`` count.
  public var count: Int?
  /// The last date, or `nil` if the recurrence does not end. This is UNTIL of RFC 5545.
  public var until: CivilDate?
  var details: RecurrenceDetails?

  /// The dates without an occurrence, in ascending order. This is EXDATE of RFC 5545.
  public var exceptions: [CivilDate] {
    get { details?.exceptions ?? [] }
    set { details = RecurrenceDetails(exceptions: newValue, zone: zone) }
  }

  /// The zone of the dates and times, or `nil` for the zone that a search names.
  public var zone: Zone? {
    get { details?.zone }
    set { details = RecurrenceDetails(exceptions: exceptions, zone: newValue) }
  }

  /// Creates a recurrence.
  ///
  /// - Precondition: Each parameter is within the range of its property.
  public init(
    start: CivilDate, minutes: [Int], frequency: Frequency, interval: Int = 1, skip: Skip = .backward,
    weekdays: WeekdaySet? = nil, weekStart: Weekday? = nil, dayOfMonth: WeekdayOfMonth? = nil,
    shift: Int = 0, notBefore: CivilDate? = nil, count: Int? = nil, until: CivilDate? = nil,
    exceptions: [CivilDate] = [], zone: Zone? = nil
  ) {
    precondition(!minutes.isEmpty && minutes.allSatisfy((0..<1_440).contains), "minutes of a day are 0…1,439")
    precondition(zip(minutes, minutes.dropFirst()).allSatisfy(<), "a recurrence's minutes ascend")
    precondition(Self.intervals ~= interval, "a recurrence's interval is 1…100,000")
    precondition(count.map { Self.counts ~= $0 } ?? true, "a recurrence's count is 1…100,000")
    precondition(zip(exceptions, exceptions.dropFirst()).allSatisfy(<), "a recurrence's exceptions ascend")
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
    self.until = until
    details = RecurrenceDetails(exceptions: exceptions, zone: zone)
  }

  /// Creates a recurrence with one time on each date.
  public init(
    start: CivilDate, minute: Int, frequency: Frequency, interval: Int = 1, skip: Skip = .backward,
    weekdays: WeekdaySet? = nil, weekStart: Weekday? = nil
  ) {
    self.init(
      start: start, minutes: [minute], frequency: frequency, interval: interval, skip: skip,
      weekdays: weekdays, weekStart: weekStart)
  }

  /// Returns the first occurrence at or after an instant, or `nil` if there is none. The instant may be
  /// `distantPast`. A ``zone`` of the recurrence replaces the given one.
  ///
  /// - Complexity: O(*m*) in the number of minutes, however far the instant is from the start. O(*count*) for
  ///   a recurrence with a ``count`` that may omit dates.
  public func next(atOrAfter instant: Instant, in zone: Zone) -> Instant? {
    // Two calls instead of one with `??`, which would count a reference to the zone in each search.
    if let own = details?.zone { return next(atOrAfter: instant, inside: own) }
    return next(atOrAfter: instant, inside: zone)
  }

  private func next(atOrAfter instant: Instant, inside zone: Zone) -> Instant? {
    if instant == .distantFuture { return nil }
    let instant = max(instant, Instant(millisecondsSince1970: -OffsetTable.farAway))
    let segment = zone.segment(at: instant)
    if let days = dailyOccurrences(in: segment), let next = days.next(atOrAfter: instant) { return next }
    return next(atOrAfter: instant, in: zone, segment)
  }

  /// Searches the dates near an instant. `segment` must contain the instant.
  private func next(atOrAfter instant: Instant, in zone: Zone, _ segment: OffsetTable.Segment) -> Instant? {
    let earliest = segment.earliestDay(possibleAt: instant)
    let range = range
    var index = max(range.first, firstIndex(notBefore: earliest - maximumMove(in: zone)))
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

  /// Returns the maximum number of days that ``skip`` may move a date.
  private func maximumMove(in zone: Zone) -> Int64 {
    if zone.skipsDates { return Self.maximumMove }
    return frequency == .daily || frequency == .weekly ? 0 : 1
  }

  /// Returns the first date on or after a date that has an occurrence. Ignores ``exceptions``.
  package func date(onOrAfter date: CivilDate, in zone: Zone) -> CivilDate? {
    var plain = self
    plain.exceptions = []
    let (zone, range) = (self.zone ?? zone, range)
    var index = max(range.first, firstIndex(notBefore: Int64(date.dayNumber) - Self.maximumMove))
    while index <= range.last, case let step = plain.step(index, in: zone), !step.isEnd {
      if let found = step.date, found >= date { return found }
      index += 1
    }
    return nil
  }

  /// Returns all occurrences in ascending order. A ``zone`` of the recurrence replaces the given one.
  public func occurrences(in zone: Zone) -> Occurrences {
    Occurrences(recurrence: self, zone: zone)
  }

  /// The sequence of the occurrences of a recurrence in a zone.
  public struct Occurrences: Sequence, IteratorProtocol, Sendable {
    let recurrence: Recurrence
    let zone: Zone
    private let range: StepRange
    private var index: Int
    /// The index in ``Recurrence/minutes`` of the next minute on the date of step ``index``.
    private var minute = 0
    private var latest = Instant.distantPast

    init(recurrence: Recurrence, zone: Zone) {
      self.recurrence = recurrence
      self.zone = recurrence.zone ?? zone
      range = recurrence.range
      index = range.first
    }

    /// Returns the next occurrence, or `nil` after the last one.
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

extension Recurrence {
  /// Writes all properties that determine the occurrences. Properties that older versions did not have are
  /// written last, and only if they are set.
  package func write(to writer: inout StateWriter) {
    writer.day(start.dayNumber)
    for number in [minutes[0], interval] { writer.signed(Int64(number)) }
    writer.byte(frequency.rawValue)
    writer.byte(skip.rawValue)
    writer.optional(weekdays) { $0.byte($1.rawValue) }
    writer.byte((weekStart ?? .monday).rawValue)
    if minutes.count > 1 { writer.list(minutes) { $0.signed(Int64($1)) } }
    if let dayOfMonth {
      writer.signed(Int64(dayOfMonth.place))
      writer.byte(dayOfMonth.weekday?.rawValue ?? 0x80 | dayOfMonth.weekdays.rawValue)
    }
    for number in [shift, notBefore.map { Int($0.dayNumber) } ?? 0, count ?? 0] where number != 0 {
      writer.signed(Int64(number))
    }
    if let until {
      writer.text("until")
      writer.day(until.dayNumber)
    }
    if let details { details.write(to: &writer) }
  }
}

/// The properties that few recurrences have.
///
/// They are behind one reference, so that they make neither the copies nor the searches of other recurrences
/// slower.
final class RecurrenceDetails: Hashable, Sendable {
  let exceptions: [CivilDate]
  let zone: Zone?

  /// Creates the details, or `nil` if there are none.
  init?(exceptions: [CivilDate], zone: Zone?) {
    if exceptions.isEmpty, zone == nil { return nil }
    self.exceptions = exceptions
    self.zone = zone
  }

  static func == (a: RecurrenceDetails, b: RecurrenceDetails) -> Bool {
    a.exceptions == b.exceptions && a.zone == b.zone
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(exceptions)
    hasher.combine(zone)
  }

  /// - Complexity: O(log *n*) in the number of exceptions.
  func excepts(_ date: CivilDate) -> Bool {
    let index = exceptions.partition { $0 < date }
    return index < exceptions.count && exceptions[index] == date
  }

  func write(to writer: inout StateWriter) {
    writer.list(exceptions) { $0.day($1.dayNumber) }
    writer.text(zone?.identifier ?? "")
  }
}
