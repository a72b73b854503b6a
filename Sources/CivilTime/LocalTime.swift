/// A local date and time of day, without a zone.
public struct LocalTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The local date.
  public var date: CivilDate
  /// The millisecond of the day, 0 ..< 86,400,000.
  public var millisecondOfDay: Int32

  /// Creates a time without checking whether it exists in a ``Zone``.
  @inlinable
  public init(date: CivilDate, millisecondOfDay: Int32) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  /// The minute of the day, 0 ..< 1,440.
  @inlinable
  public var minuteOfDay: Int { Int(millisecondOfDay) / 60_000 }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool {
    (a.date, a.millisecondOfDay) < (b.date, b.millisecondOfDay)
  }

  /// Creates a time from local milliseconds since 1970-01-01T00:00, within 5.8 million years.
  @inlinable @inline(__always)
  package init(milliseconds: Int64) {
    let day = milliseconds.floorDivided(by: Milliseconds.perDay)
    date = CivilDate(dayNumber: Int32(day))
    millisecondOfDay = Int32(truncatingIfNeeded: milliseconds - day * Milliseconds.perDay)
  }

  /// Local milliseconds since 1970-01-01T00:00.
  @inlinable
  package var milliseconds: Int64 {
    Int64(date.dayNumber) * Milliseconds.perDay + Int64(millisecondOfDay)
  }
}

/// One of the two occurrences of a local time that a fold repeats.
public enum Occurrence: UInt8, Hashable, Sendable, BitwiseCopyable {
  /// The occurrence before the clock is set back, or the one after it.
  case first, last
}

/// Durations in milliseconds.
@usableFromInline
package enum Milliseconds {
  @usableFromInline static let perMinute: Int64 = 60_000
  @usableFromInline static let perDay: Int64 = 86_400_000
}

/// The number of minutes in a calendar day. Its actual duration may differ.
@usableFromInline let minutesPerDay: Int64 = 1_440

extension LocalTime {
  /// The time as text, such as "2026-03-02 17:42:10". Seconds and milliseconds are omitted if they are zero.
  package var words: String {
    let text = iso8601
    let time = text.hasSuffix(":00") ? text.dropLast(3) : text[...]
    return String(time.replacing("T", with: " "))
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// Returns the quotient rounded towards minus infinity, so that days before 1970 are numbered correctly.
  @inlinable @inline(__always)
  package func floorDivided(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Returns the remainder of ``floorDivided(by:)``: 0 ..< divisor.
  @inlinable @inline(__always)
  package func floorRemainder(by divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
