public import TriggerModel

/// A schedule of local times on some days before or after the day of a fact. For example, 7 days after the
/// plant was watered, or 30, 7 and 0 days before a birthday, every year.
///
/// The day of the fact is the local date of its instant, in the zone that the phone had when the app observed
/// the fact. Later travel does not change it. If the fact changes, all days are planned again from the new
/// value. If it has no value, there are no occurrences. The notification on the *n*-th day shows the *n*-th
/// text.
public struct RelativeDays: Hashable, Sendable {
  /// The name of a fact that holds an instant or a date.
  public var fact: String
  /// The numbers of days after the day of the fact, in ascending order. A number is negative for a day before
  /// it. There must be at least one.
  public var days: [Int]
  /// The minutes of the day, 0…1,439, in ascending order. There must be at least one.
  public var minutes: [Int]
  /// Whether the days recur in every year after the year of the fact.
  public var isYearly: Bool
  /// The handling of 29 February in other years and of dates that a zone skipped.
  public var skip: Recurrence.Skip

  /// Creates relative days. Traps if the days are empty, not ascending, or outside ``Recurrence/shifts``.
  public init(
    _ days: [Int], from fact: String, minutes: [Int], isYearly: Bool = false,
    skip: Recurrence.Skip = .backward
  ) {
    precondition(!days.isEmpty && zip(days, days.dropFirst()).allSatisfy(<), "relative days ascend")
    precondition(days.allSatisfy(Recurrence.shifts.contains), "relative days are -3,650…3,650")
    self.fact = fact
    self.days = days
    self.minutes = minutes
    self.isYearly = isYearly
    self.skip = skip
  }

  /// Returns the recurrence for one of the days, given the date of the fact.
  private func recurrence(of day: Int, from date: CivilDate) -> Recurrence {
    Recurrence(
      start: date, minutes: minutes, frequency: isYearly ? .yearly : .once, skip: skip, shift: day)
  }

  /// Returns the first occurrence at or after an instant, or `nil` if there is none.
  ///
  /// - Parameter date: The day of the fact.
  package func next(atOrAfter instant: Instant, from date: CivilDate, in zone: Zone) -> Instant? {
    var first: Instant?
    for day in days {
      guard let next = recurrence(of: day, from: date).next(atOrAfter: instant, in: zone) else { continue }
      first = first.map { min($0, next) } ?? next
    }
    return first
  }

  /// Returns the position of the day that has the occurrence, or `nil` if no day has it.
  package func position(of occurrence: Instant, from date: CivilDate, in zone: Zone) -> Int? {
    days.firstIndex { recurrence(of: $0, from: date).next(atOrAfter: occurrence, in: zone) == occurrence }
  }
}

extension RelativeDays {
  /// Writes all properties that determine the days.
  package func write(to writer: inout StateWriter) {
    writer.text(fact)
    writer.list(days) { $0.signed(Int64($1)) }
    writer.list(minutes) { $0.signed(Int64($1)) }
    writer.flag(isYearly)
    writer.byte(skip.rawValue)
  }
}

/// A schedule of time spans before or after the instant of a fact. For example, 8 hours after the last dose,
/// or a day and an hour before an appointment.
///
/// The spans are elapsed time, independent of zones and daylight saving time. If the fact changes, all spans
/// are planned again from the new value. If it has no value, there are no occurrences. The notification of
/// the *n*-th span shows the *n*-th text.
public struct RelativeSpans: Hashable, Sendable {
  /// The name of a fact that is an instant.
  public var fact: String
  /// The spans after the instant, in ascending order. A span is negative for an occurrence before the
  /// instant. There must be at least one, and their magnitudes must be in ``lengths``.
  public var spans: [TimeSpan]

  /// The range of lengths, from a minute to 3,650 days. Relative days have the same maximum.
  public static let lengths = TimeSpan.minutes(1)...TimeSpan.days(3_650)

  /// Creates relative spans.
  ///
  /// - Precondition: The spans are as documented for ``spans``.
  public init(_ spans: [TimeSpan], from fact: String) {
    precondition(!spans.isEmpty && zip(spans, spans.dropFirst()).allSatisfy(<), "relative spans ascend")
    precondition(
      spans.allSatisfy { Self.lengths ~= $0.magnitude }, "relative spans are 1 minute to 3,650 days")
    self.fact = fact
    self.spans = spans
  }

  /// Returns the first occurrence at or after an instant, or `nil` if there is none.
  package func next(atOrAfter instant: Instant, from start: Instant) -> Instant? {
    spans.lazy.map { start + $0 }.first { $0 >= instant }
  }

  /// Returns the position of the span that has the occurrence, or `nil` if no span has it.
  package func position(of occurrence: Instant, from start: Instant) -> Int? {
    spans.firstIndex { start + $0 == occurrence }
  }
}

/// A schedule of one local time on some days after the app was last opened, such as the third, fifth and
/// seventh.
///
/// Each of these days is a stage. A closed app cannot evaluate conditions, so all stages are scheduled in
/// advance, at the first start and whenever the app is opened. At that time, the conditions are evaluated for
/// the instants of the stages. Opening the app again cancels the remaining stages and plans new ones. The
/// notification of the *n*-th stage shows the *n*-th text.
public struct Lapse: Hashable, Sendable {
  /// The numbers of days after the opening, at least 1, in ascending order.
  public var days: [Int]
  /// The minute of the local day, 0…1,439.
  public var minute: Int

  /// Creates a lapse with one stage per day, all at the same minute.
  public init(days: [Int], minute: Int) {
    self.days = days
    self.minute = minute
  }
}

/// Converts between facts and dates.
extension FactValue {
  /// Returns a date as a value: the milliseconds from 1970 to its midnight in UTC.
  public static func date(_ date: CivilDate) -> FactValue {
    FactValue(bits: Int64(date.dayNumber) * minutesPerDay * 60_000)
  }

  /// The date. Values beyond the calendar are clamped to its first or last date.
  public var date: CivilDate {
    CivilDate(dayNumber: Int32(clamping: bits.floorDivided(by: minutesPerDay * 60_000)))
  }
}

/// The day of a fact, from which a reminder's relative days are counted.
package struct DayOfFact: Hashable, Sendable, BitwiseCopyable {
  /// The value of the fact.
  package var value: FactValue
  /// The local date of the value, in the zone that the phone had when the app observed the fact.
  package var date: CivilDate
  /// The value as an instant, for facts that are instants.
  package var instant: Instant { Instant(millisecondsSince1970: value.bits) }

  /// The supported dates: the years 1 to 9999, reduced at both ends by the range of relative days.
  private static let dates = CivilDate(year: 11, month: 1, day: 1)...CivilDate(year: 9_989, month: 1, day: 1)

  /// Creates a day, or returns `nil` if the date is out of range.
  package init?(value: FactValue, date: CivilDate) {
    guard Self.dates.contains(date) else { return nil }
    self.value = value
    self.date = date
  }
}
