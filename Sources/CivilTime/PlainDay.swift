public import TriggerModel

/// A stretch of one local day in which the wall runs steadily and no fold is near: local time within it is
/// one subtraction.
public struct PlainDay: Hashable, Sendable, BitwiseCopyable {
  /// The local date.
  public var date: CivilDate
  /// That of the date.
  public var weekday: Weekday
  /// The first instant that belongs to it.
  public var start: Instant
  /// The first instant that no longer does.
  public var end: Instant
  /// When the wall would have shown 00:00 at the offset that holds; not always within the stretch.
  public var midnight: Instant

  /// Its weekday follows from the date.
  @inlinable
  public init(date: CivilDate, start: Instant, end: Instant, midnight: Instant) {
    self.date = date
    weekday = date.weekday
    self.start = start
    self.end = end
    self.midnight = midnight
  }

  /// Whether an instant is within the stretch, which is half-open.
  @inlinable @inline(__always)
  public func contains(_ instant: Instant) -> Bool {
    instant >= start && instant < end
  }

  /// Quarter of an hour of the day, 0…95, within the stretch.
  @inlinable @inline(__always)
  public func quarter(at instant: Instant) -> Int32 {
    let passed = instant.millisecondsSince1970 &- midnight.millisecondsSince1970
    return Int32(UInt32(truncatingIfNeeded: passed) / 900_000)
  }

  /// Minute of the day, 0…1,439, within the stretch.
  @inlinable @inline(__always)
  public func minute(at instant: Instant) -> Int {
    Int(UInt32(truncatingIfNeeded: (instant - midnight).milliseconds) / 60_000)
  }
}

extension ZoneCursor {
  /// The stretch that holds an instant; nil within a fold, where ``WindowHands`` differ.
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
