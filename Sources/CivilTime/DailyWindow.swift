public import TriggerModel

/// Where an instant stands for every daily window at once, in local minutes since 1970-01-01T00:00.
///
/// Outside a fold both hands show the wall's minute. Within a fold they tell first occurrences from
/// last ones, so that one comparison decides a window whatever its edges are.
public struct WindowHands: Hashable, Sendable, BitwiseCopyable {
  /// The highest minute shown up to the instant. In the second pass of a fold it stands still: what
  /// the first pass began does not begin again.
  public var start: Int64
  /// The lowest minute still to be ended after the instant. In the first pass of a fold it stands one
  /// minute below the fold: whatever ends within the fold ends in the second pass.
  public var end: Int64

  /// Both in local minutes since 1970-01-01T00:00.
  @inlinable
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }
}

/// A part of every local day, half-open: from the first occurrence of `from` to the last of `to`, in a
/// gap its end.
public struct DailyWindow: Hashable, Sendable, BitwiseCopyable {
  /// Minute of the day, 0…1,439, at which it begins.
  public var from: Int
  /// Minute of the day, 0…1,439, at which it ends: of the next day when less than `from`. A window with
  /// `from == to` is empty.
  public var to: Int

  /// Both in minutes of the day, 0…1,439.
  @inlinable
  public init(from: Int, to: Int) {
    precondition(0..<1_440 ~= from && 0..<1_440 ~= to, "a daily window is given in minutes 0…1,439")
    self.from = from
    self.to = to
  }

  /// It holds at no time: it ends where it begins.
  @inlinable
  public var isEmpty: Bool { from == to }

  /// Minutes on the wall, 0…1,439; a day with a gap or a fold makes it shorter or longer.
  @inlinable
  public var length: Int { (to - from).floorRemainder(by: 1_440) }

  /// Whether the window holds at the instant of these hands.
  @inlinable
  public func contains(_ hands: WindowHands) -> Bool {
    // The latest window that has begun; earlier ones end no later. An empty one needs its own word:
    // in a fold its start comes before its end.
    let begun = hands.start - (hands.start - Int64(from)).floorRemainder(by: minutesPerDay)
    return hands.end < begun + Int64(length) && !isEmpty
  }

  /// The window that holds the instant, or nil. Where a fold lets two days' windows overlap, the later.
  ///
  /// - Complexity: O(1)
  public func interval(containing instant: Instant, in zone: Zone) -> Range<Instant>? {
    let hands = zone.hands(at: instant)
    guard contains(hands) else { return nil }
    return bounds(day: dayBegun(hands), in: zone)
  }

  /// The day number of the latest window that has begun.
  private func dayBegun(_ hands: WindowHands) -> Int64 {
    (hands.start - Int64(from)).floorDivided(by: minutesPerDay)
  }

  /// The window that begins on a day, or nil when a gap swallows it.
  private func bounds(day: Int64, in zone: Zone) -> Range<Instant>? {
    let begin = day * minutesPerDay + Int64(from)
    let opening = zone.instant(ofLocalMinute: begin, .first)
    let closing = zone.instant(ofLocalMinute: begin + Int64(length), .last)
    return opening < closing ? opening..<closing : nil
  }
}
