/// What the wall shows: a date and a time of day, without a zone.
public struct LocalTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// What a calendar on the wall shows.
  public var date: CivilDate
  /// 0 ..< 86,400,000
  public var millisecondOfDay: Int32

  /// Not checked: whether a zone has this time is asked of the ``Zone``.
  @inlinable
  public init(date: CivilDate, millisecondOfDay: Int32) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// 0 ..< 1,440
  @inlinable
  public var minuteOfDay: Int { Int(millisecondOfDay) / 60_000 }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    (a.date, a.millisecondOfDay) < (b.date, b.millisecondOfDay)
  }

  /// From milliseconds since 1970-01-01T00:00 on the wall; within 5.8 million years of it.
  @inlinable @inline(__always)
  package init(milliseconds: Int64) {
    let day = milliseconds.floorDivided(by: Milliseconds.perDay)
    date = CivilDate(dayNumber: Int32(day))
    millisecondOfDay = Int32(truncatingIfNeeded: milliseconds - day * Milliseconds.perDay)
  }

  /// Milliseconds since 1970-01-01T00:00 on the wall.
  @inlinable
  package var milliseconds: Int64 {
    Int64(date.dayNumber) * Milliseconds.perDay + Int64(millisecondOfDay)
  }
}

/// Which of the two, when a fold repeats a local time.
public enum Occurrence: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// Before the clock was set back, and after it.
  case first, last
}

/// Lengths in milliseconds, and in minutes where the name says so.
@usableFromInline
package enum Milliseconds {
  @usableFromInline static let perMinute: Int64 = 60_000
  @usableFromInline static let perDay: Int64 = 86_400_000
}

/// Local minutes in a day of the calendar; how long the day lasts is another matter.
@usableFromInline let minutesPerDay: Int64 = 1_440
