public import TriggerModel

/// The position of an instant relative to all daily windows, in local minutes since 1970-01-01T00:00.
///
/// Outside a fold, both hands equal the local minute. Within a fold, they distinguish the first from the last
/// occurrence of a minute, so that the same comparison works for every window.
public struct WindowHands: Hashable, Sendable, BitwiseCopyable {
  /// The highest local minute that has occurred up to the instant. It does not advance in the second pass of
  /// a fold, so that a window that started in the first pass does not start again.
  public var start: Int64
  /// The lowest local minute at which a window can still end after the instant. In the first pass of a fold
  /// it is the minute before the fold, because windows that end within the fold end in the second pass.
  public var end: Int64

  /// Creates hands from local minutes since 1970-01-01T00:00.
  @inlinable
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }
}

/// A part of every local day. It is a half-open range from the first occurrence of `from` to the last
/// occurrence of `to`. If a gap skips one of them, the end of the gap is used instead.
public struct DailyWindow: Hashable, Sendable, BitwiseCopyable {
  /// The minute of the day at which the window starts, 0…1,439.
  public var from: Int
  /// The minute of the day at which the window ends, 0…1,439. If it is less than `from`, the window ends on
  /// the next day. A window with `from == to` is empty.
  public var to: Int

  /// Creates a window from minutes of the day, 0…1,439.
  @inlinable
  public init(from: Int, to: Int) {
    precondition(0..<1_440 ~= from && 0..<1_440 ~= to, "a daily window is given in minutes 0…1,439")
    self.from = from
    self.to = to
  }

  /// Whether the window contains no instant because its start equals its end.
  @inlinable
  public var isEmpty: Bool { from == to }

  /// The length in local minutes, 0…1,439. A gap or a fold makes the window of a day shorter or longer.
  @inlinable
  public var length: Int { (to - from).floorRemainder(by: 1_440) }

  /// Returns whether the window contains the instant of these hands.
  @inlinable
  public func contains(_ hands: WindowHands) -> Bool {
    // Only the latest window that has started matters, because earlier ones end no later. Empty windows need
    // a separate check: within a fold, even their start would precede their end.
    let begun = hands.start - (hands.start - Int64(from)).floorRemainder(by: minutesPerDay)
    return hands.end < begun + Int64(length) && !isEmpty
  }

  /// Returns the window that contains an instant, or `nil` if there is none. If a fold makes the windows of
  /// two days overlap, returns the later one.
  ///
  /// - Complexity: O(1)
  public func interval(containing instant: Instant, in zone: Zone) -> Range<Instant>? {
    let hands = zone.hands(at: instant)
    guard contains(hands) else { return nil }
    return bounds(day: dayBegun(hands), in: zone)
  }

  /// Returns the day number of the latest window that has started.
  private func dayBegun(_ hands: WindowHands) -> Int64 {
    (hands.start - Int64(from)).floorDivided(by: minutesPerDay)
  }

  /// Returns the window that starts on a day, or `nil` if it lies within a gap.
  private func bounds(day: Int64, in zone: Zone) -> Range<Instant>? {
    let begin = day * minutesPerDay + Int64(from)
    let opening = zone.instant(ofLocalMinute: begin, .first)
    let closing = zone.instant(ofLocalMinute: begin + Int64(length), .last)
    return opening < closing ? opening..<closing : nil
  }
}
