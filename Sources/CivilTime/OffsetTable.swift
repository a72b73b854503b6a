/// The offsets of a zone from UTC, as contiguous segments of constant offset.
///
/// Local time increases within a segment. Between segments it jumps forward (a gap) or back (a fold). Two
/// monotonic values make the conversion invertible: the highest local time so far, and the lowest local time
/// still to come. All rules about gaps and folds follow from these two values.
@usableFromInline
struct OffsetTable: Sendable {
  @usableFromInline
  struct Segment: Sendable, BitwiseCopyable {
    /// The first instant, in milliseconds since 1970.
    @usableFromInline var start: Int64
    /// The first instant after the segment.
    @usableFromInline var end: Int64
    /// Local time minus UTC, in milliseconds.
    @usableFromInline var offset: Int64
    /// The highest local time before this segment, in milliseconds.
    @usableFromInline var highestBefore: Int64 = -farAway
    /// One millisecond less than the lowest local time after this segment.
    @usableFromInline var lowestAfter: Int64 = farAway

    @inlinable @inline(__always)
    func contains(_ milliseconds: Int64) -> Bool {
      milliseconds >= start && milliseconds < end
    }
  }

  /// A value beyond all instants in use, and small enough that adding an offset cannot overflow.
  static let farAway = Int64.max / 2

  @usableFromInline let segments: [Segment]
  /// The index of the segment at the start of each stretch of 2³³ ms (99 days), from 1970 on. The segment of
  /// an instant in the stretch is this one or one of the next few. A binary search would take 50 ns because
  /// of mispredicted branches.
  @usableFromInline let segmentOfStretch: [UInt16]
  @usableFromInline static let stretchBits: Int64 = 33
  /// The dates that the zone skipped entirely, in ascending order. Empty for nearly all zones.
  let skippedDates: [CivilDate]

  /// - Parameter changes: The instants at which the offset changes, in ascending order, and the new offset
  ///   from UTC in milliseconds. Consecutive offsets must differ.
  init(initialOffset: Int64, changes: [(instant: Int64, offset: Int64)]) {
    var segments = [Segment(start: -Self.farAway, end: Self.farAway, offset: initialOffset)]
    for change in changes {
      segments[segments.count - 1].end = change.instant
      segments.append(Segment(start: change.instant, end: Self.farAway, offset: change.offset))
    }
    for index in segments.indices.dropFirst() {
      let previous = segments[index - 1]
      segments[index].highestBefore = max(previous.highestBefore, previous.end + previous.offset - 1)
    }
    for index in segments.indices.dropLast().reversed() {
      let next = segments[index + 1]
      segments[index].lowestAfter = min(next.lowestAfter, next.start + next.offset - 1)
    }
    self.segments = segments
    self.segmentOfStretch = Self.segmentOfStretch(segments)
    self.skippedDates = segments.dropFirst().flatMap(Self.datesSkipped(before:))
  }

  private static func segmentOfStretch(_ segments: [Segment]) -> [UInt16] {
    let lastChange = segments.count > 1 ? segments[segments.count - 1].start : 0
    var index = 0
    return (0...max(0, lastChange >> stretchBits)).map { stretch in
      while segments[index].end <= stretch << stretchBits { index += 1 }
      return UInt16(index)
    }
  }

  /// Returns the dates that lie entirely within the gap before a segment.
  private static func datesSkipped(before segment: Segment) -> [CivilDate] {
    // `highestBefore` is the last local millisecond before the gap, so the first candidate is the next day.
    let first = segment.highestBefore.floorDivided(by: Milliseconds.perDay) + 1
    let next = (segment.start + segment.offset).floorDivided(by: Milliseconds.perDay)
    return first < next ? (first..<next).map { CivilDate(dayNumber: Int32($0)) } : []
  }

  /// Returns the index of a segment that is not later than that of the instant.
  @inlinable @inline(__always)
  func firstCandidate(at milliseconds: Int64) -> Int {
    let stretch = milliseconds >> Self.stretchBits
    return Int(segmentOfStretch[Int(min(max(stretch, 0), Int64(segmentOfStretch.count - 1)))])
  }

  /// Returns the segment that contains an instant.
  ///
  /// - Complexity: O(1), because a zone changes its offset at most a few times in 99 days.
  @inlinable
  func segment(at milliseconds: Int64) -> Segment {
    var index = firstCandidate(at: milliseconds)
    while segments[index].end <= milliseconds { index += 1 }
    return segments[index]
  }

  /// Returns the first instant at which the local time is at least `wall`. This is its first occurrence or
  /// the end of the gap.
  func firstInstant(showing wall: Int64) -> Int64 {
    // Find the last segment before which the local time was always less than `wall`. Offsets are less than a
    // day.
    var index = firstCandidate(at: wall - Milliseconds.perDay)
    while index + 1 < segments.count, segments[index + 1].highestBefore < wall { index += 1 }
    return max(segments[index].start, wall - segments[index].offset)
  }

  /// Returns the last instant at which the local time is at most `wall`. This is its last occurrence or the
  /// end of the gap.
  func lastInstant(showing wall: Int64) -> Int64 {
    // Find the first segment after which the local time is always greater than `wall`.
    var index = firstCandidate(at: wall - Milliseconds.perDay)
    while segments[index].lowestAfter < wall { index += 1 }
    return min(segments[index].end, wall - segments[index].offset)
  }
}
