/// The offsets of one zone from UTC as segments of constant offset, first to last without holes.
///
/// Wall time as a function of the instant climbs steadily within a segment, and jumps up (gap) or down
/// (fold) between segments. Two monotone companions make it invertible: the highest wall time shown
/// so far, and the lowest still to come. Every rule about gaps and folds follows from these two.
@usableFromInline
struct OffsetTable: Sendable {
  @usableFromInline
  struct Segment: Sendable, BitwiseCopyable {
    /// The first instant, in milliseconds since 1970.
    @usableFromInline var start: Int64
    /// The first instant that no longer belongs to it.
    @usableFromInline var end: Int64
    /// Wall time minus instant, in milliseconds.
    @usableFromInline var offset: Int64
    /// The highest wall time shown before this segment, in milliseconds.
    @usableFromInline var highestBefore: Int64 = -farAway
    /// One millisecond less than the lowest wall time shown after this segment.
    @usableFromInline var lowestAfter: Int64 = farAway

    @inlinable @inline(__always)
    func contains(_ milliseconds: Int64) -> Bool {
      milliseconds >= start && milliseconds < end
    }
  }

  /// Beyond every instant in use, and small enough that adding an offset cannot overflow.
  static let farAway = Int64.max / 2

  @usableFromInline let segments: [Segment]
  /// The starts of the segments, side by side for the search.
  @usableFromInline let starts: [Int64]
  /// Dates that the zone left out whole, ascending; empty for nearly all zones.
  let skippedDates: [CivilDate]

  /// - Parameter changes: the offset from UTC in milliseconds that holds from each instant on,
  ///   ascending; each differs from the one before.
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
    self.starts = segments.map(\.start)
    self.skippedDates = segments.dropFirst().flatMap(Self.datesSkipped(before:))
  }

  /// The dates that lie whole in the gap before a segment, if there is one.
  private static func datesSkipped(before segment: Segment) -> [CivilDate] {
    // `highestBefore` is the last millisecond shown: the day after its date is the first candidate.
    let first = segment.highestBefore.floorDivided(by: Milliseconds.perDay) + 1
    let next = (segment.start + segment.offset).floorDivided(by: Milliseconds.perDay)
    return first < next ? (first..<next).map { CivilDate(dayNumber: Int32($0)) } : []
  }

  /// The segment that holds an instant.
  ///
  /// - Complexity: O(log n) in the number of offset changes
  @inlinable
  func segment(at milliseconds: Int64) -> Segment {
    var low = 0
    var length = starts.count
    // Halving without an early exit: a branch predictor would be wrong every other time.
    while length > 1 {
      let half = length / 2
      low = starts[low + half] <= milliseconds ? low + half : low
      length -= half
    }
    return segments[low]
  }

  /// The first instant at which the wall shows at least `wall`: its first occurrence, or the gap's end.
  func firstInstant(showing wall: Int64) -> Int64 {
    let segment = segments[firstIndex { $0.highestBefore >= wall } - 1]
    return max(segment.start, wall - segment.offset)
  }

  /// The last instant at which the wall shows at most `wall`: its last occurrence, or the gap's end.
  func lastInstant(showing wall: Int64) -> Int64 {
    let segment = segments[firstIndex { $0.lowestAfter >= wall }]
    return min(segment.end, wall - segment.offset)
  }

  /// The first segment from which on `isReached` holds, or the number of segments.
  @inline(__always)
  private func firstIndex(where isReached: (Segment) -> Bool) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(segments[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
