public import TriggerModel

/// Finds occurrences for instants that are close to each other.
///
/// A cursor caches the last result. Finding the next occurrence then usually takes only a comparison, or a
/// division if the recurrence is daily at one time.
public struct RecurrenceCursor: Sendable {
  /// The recurrence.
  public let recurrence: Recurrence
  /// The zone of its local dates and times: the recurrence's own, or the one passed to the initializer.
  public let zone: Zone
  @usableFromInline var days: DailyOccurrences?
  /// The last result and the instant of its search. There are no occurrences between them.
  @usableFromInline var asked = Instant.distantFuture
  @usableFromInline var found = Instant.distantPast

  /// Creates a cursor without a cached result.
  public init(_ recurrence: Recurrence, in zone: Zone) {
    self.recurrence = recurrence
    self.zone = recurrence.zone ?? zone
  }

  /// Returns the first occurrence at or after an instant, like ``Recurrence/next(atOrAfter:in:)``.
  @inlinable @inline(__always)
  public mutating func next(atOrAfter instant: Instant) -> Instant? {
    if let next = days?.next(atOrAfter: instant) { return next }
    if instant >= asked, instant <= found { return found }
    return search(instant)
  }

  @usableFromInline @inline(never)
  mutating func search(_ instant: Instant) -> Instant? {
    let next = recurrence.next(atOrAfter: instant, in: zone)
    guard let next else { return nil }
    (asked, found) = (instant, next)
    days = recurrence.dailyOccurrences(in: zone.segment(at: next))
    return next
  }
}

/// The occurrences of a daily recurrence at one time, while the offset from UTC is constant. They are exactly
/// 24 hours apart.
@usableFromInline
struct DailyOccurrences: Sendable, BitwiseCopyable {
  /// The instant of one occurrence, in milliseconds since 1970. The other properties have the same unit.
  @usableFromInline let anchor: Int64
  /// The instant after which the occurrences are known.
  @usableFromInline let after: Int64
  /// The instant before which the occurrences are known.
  @usableFromInline let end: Int64

  /// Returns the first occurrence at or after an instant, or `nil` if it is outside the known range.
  @inlinable @inline(__always)
  func next(atOrAfter instant: Instant) -> Instant? {
    let asked = instant.millisecondsSince1970
    guard asked > after, asked < end else { return nil }
    let days = (asked - anchor + Milliseconds.perDay - 1) / Milliseconds.perDay
    let next = anchor + days * Milliseconds.perDay
    return next < end ? Instant(millisecondsSince1970: next) : nil
  }
}

extension Recurrence {
  /// The end of fast results: two days before the end of the calendar, so that they are valid for every
  /// offset.
  private static let end: Int64 = 253_402_128_000_000

  /// Returns the occurrences in a segment of constant offset, or `nil` if the recurrence is not a plain daily
  /// one at one time.
  @inline(__always)
  func dailyOccurrences(in segment: OffsetTable.Segment) -> DailyOccurrences? {
    guard frequency == .daily, interval == 1, shift == 0, notBefore == nil, count == nil, minutes.count == 1,
      until == nil, details == nil
    else { return nil }
    let wall = Int64(start.dayNumber) * Milliseconds.perDay + Int64(minutes[0]) * Milliseconds.perMinute
    let anchor = wall - segment.offset
    // An occurrence within a gap is moved to the start of the segment. In a fold, the first of two
    // occurrences is used.
    let after = max(segment.start, segment.highestBefore - segment.offset, anchor - 1)
    return DailyOccurrences(anchor: anchor, after: after, end: min(segment.end, Self.end))
  }
}

/// Steps of weeks, months or years from an instant, in the calendar of a zone.
///
/// Each step has the same day and time of day. In a month without that day, the step is on the last day.
/// Later months use the original day again.
package struct CalendarSteps: Sendable {
  private let recurrence: Recurrence
  private let zone: Zone
  /// The time within the minute, which a recurrence cannot represent.
  private let withinMinute: TimeSpan

  /// - Parameter frequency: Any frequency except `once`.
  package init(_ frequency: Recurrence.Frequency, every interval: Int = 1, from start: Instant, in zone: Zone)
  {
    let local = zone.local(at: start)
    let minute = Int(local.millisecondOfDay) / 60_000
    recurrence = Recurrence(start: local.date, minute: minute, frequency: frequency, interval: interval)
    withinMinute = TimeSpan(milliseconds: Int64(local.millisecondOfDay) % 60_000)
    self.zone = zone
  }

  /// Returns the first step after an instant, or `nil` beyond the end of the calendar.
  package func next(after instant: Instant) -> Instant? {
    recurrence.next(atOrAfter: instant - withinMinute + .minutes(1), in: zone).map { $0 + withinMinute }
  }
}
