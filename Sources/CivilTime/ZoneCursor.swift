public import TriggerModel

/// Converts instants to local times. It is fast if successive instants are in the same segment of constant
/// offset.
///
/// A cursor caches the segment, so that computing the local time takes only an addition and a division.
public struct ZoneCursor: Sendable {
  /// The zone.
  public let zone: Zone
  @usableFromInline var segment: OffsetTable.Segment

  /// Creates a cursor at 1970-01-01T00:00Z.
  public init(_ zone: Zone) {
    self.zone = zone
    segment = zone.table.segment(at: 0)
  }

  /// Returns the offset, like ``Zone/offset(at:)``.
  @inlinable @inline(__always)
  public mutating func offset(at instant: Instant) -> TimeSpan {
    move(to: instant)
    return TimeSpan(milliseconds: segment.offset)
  }

  /// Returns the local time, like ``Zone/local(at:)``.
  @inlinable @inline(__always)
  public mutating func local(at instant: Instant) -> LocalTime {
    move(to: instant)
    return segment.local(at: instant)
  }

  /// Returns the hands, like ``Zone/hands(at:)``.
  @inlinable @inline(__always)
  public mutating func hands(at instant: Instant) -> WindowHands {
    move(to: instant)
    return segment.hands(at: instant)
  }

  @inlinable @inline(__always)
  mutating func move(to instant: Instant) {
    if !segment.contains(instant.millisecondsSince1970) { search(instant) }
  }

  @usableFromInline @inline(never)
  mutating func search(_ instant: Instant) {
    segment = zone.table.segment(at: instant.millisecondsSince1970)
  }
}

/// A part of a local day that has a constant offset and is not in a fold. Computing the local time within it
/// takes one subtraction.
public struct PlainDay: Hashable, Sendable, BitwiseCopyable {
  /// The local date.
  public var date: CivilDate
  /// The weekday of the date.
  public var weekday: Weekday
  /// The first instant.
  public var start: Instant
  /// The first instant after the part.
  public var end: Instant
  /// The instant of 00:00 at the offset of the part. It may be outside the part.
  public var midnight: Instant

  /// Creates a part of a day, and computes the weekday from the date.
  @inlinable
  public init(date: CivilDate, start: Instant, end: Instant, midnight: Instant) {
    self.date = date
    weekday = date.weekday
    self.start = start
    self.end = end
    self.midnight = midnight
  }

  /// Returns whether an instant is within the part, which is half-open.
  @inlinable @inline(__always)
  public func contains(_ instant: Instant) -> Bool {
    instant >= start && instant < end
  }

  /// Returns the quarter of an hour of the day, 0…95, of an instant within the part.
  @inlinable @inline(__always)
  public func quarter(at instant: Instant) -> Int32 {
    let passed = instant.millisecondsSince1970 &- midnight.millisecondsSince1970
    return Int32(UInt32(truncatingIfNeeded: passed) / 900_000)
  }

  /// Returns the minute of the day, 0…1,439, of an instant within the part.
  @inlinable @inline(__always)
  public func minute(at instant: Instant) -> Int {
    Int(UInt32(truncatingIfNeeded: (instant - midnight).milliseconds) / 60_000)
  }
}

extension ZoneCursor {
  /// Returns the part of the day that contains an instant, or `nil` if the instant is in a fold, where the
  /// two hands of ``WindowHands`` differ.
  public mutating func plainDay(around instant: Instant) -> PlainDay? {
    move(to: instant)
    let wall = instant.millisecondsSince1970 + segment.offset
    guard wall > segment.highestBefore, wall <= segment.lowestAfter else { return nil }
    let day = wall.floorDivided(by: Milliseconds.perDay)
    let midnight = day * Milliseconds.perDay - segment.offset
    let first = max(midnight, segment.start, segment.highestBefore + 1 - segment.offset)
    let end = min(midnight + Milliseconds.perDay, segment.end, segment.lowestAfter + 1 - segment.offset)
    return PlainDay(
      date: CivilDate(dayNumber: Int32(truncatingIfNeeded: day)),
      start: Instant(millisecondsSince1970: first), end: Instant(millisecondsSince1970: end),
      midnight: Instant(millisecondsSince1970: midnight))
  }
}
