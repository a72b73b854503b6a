public import TriggerModel

/// Occurrences that come every day at one time, as long as the offset from UTC stays: a day apart.
@usableFromInline
struct SteadyDays: Sendable, BitwiseCopyable {
  /// One of them, in milliseconds since 1970, as all that follows. The others are whole days from it.
  @usableFromInline let anchor: Int64
  /// For instants after this one they say what comes next, and only for those.
  @usableFromInline let after: Int64
  /// They come before this instant only.
  @usableFromInline let end: Int64

  /// The first at or after an instant; nil where they do not say.
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
  /// Two days before the calendar's end, so that no offset matters.
  private static let end: Int64 = 253_402_128_000_000

  /// What comes while an offset holds; nil where that is not every day at one time.
  @inline(__always)
  func steadyDays(in segment: OffsetTable.Segment) -> SteadyDays? {
    guard frequency == .daily, interval == 1, shift == 0, notBefore == nil, count == nil, minutes.count == 1
    else { return nil }
    let wall = Int64(start.dayNumber) * Milliseconds.perDay + Int64(minutes[0]) * Milliseconds.perMinute
    let anchor = wall - segment.offset
    // What a gap swallowed comes at the beginning of the segment; in a fold the first of two counts.
    let after = max(segment.start, segment.highestBefore - segment.offset, anchor - 1)
    return SteadyDays(anchor: anchor, after: after, end: min(segment.end, Self.end))
  }
}
