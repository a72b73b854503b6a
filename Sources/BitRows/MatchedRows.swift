/// The rows that change when entries match that fire once, or once a day.
public struct MatchedRows {
  @usableFromInline let eligible: UnsafeMutablePointer<UInt64>
  public let open: UnsafeMutablePointer<UInt64>
  @usableFromInline let live: UnsafeMutablePointer<UInt64>
  @usableFromInline let armed: UnsafeMutablePointer<UInt64>
  @usableFromInline let once: UnsafePointer<UInt64>
  /// Words in each.
  public let count: Int

  /// - Parameter once: Those that fire once.
  @inlinable @inline(__always)
  public init(
    eligible: UnsafeMutablePointer<UInt64>, open: UnsafeMutablePointer<UInt64>,
    live: UnsafeMutablePointer<UInt64>, armed: UnsafeMutablePointer<UInt64>, once: UnsafePointer<UInt64>,
    count: Int
  ) {
    (self.eligible, self.open, self.live) = (eligible, open, live)
    (self.armed, self.once, self.count) = (armed, once, count)
  }

  /// Entries of one word wait no longer.
  @inlinable @inline(__always)
  public func useUp(_ fired: UInt64, _ word: Int) {
    open[word] &= ~fired
    eligible[word] &= ~fired
    live[word] &= ~fired
    armed[word] &= ~(fired & once[word])
  }
}

/// Which of eight words of a row have bits, or of as many as there are: bit *i* for the one that is *i* after the first.
///
/// Without a branch for each word: which have can hardly be foretold.
@inlinable @inline(__always)
public func filledWords(_ row: UnsafePointer<UInt64>, from word: Int, count: Int) -> UInt64 {
  let words = min(count &- word, 8)
  if words == 8, EightWords(at: row + word).isNone { return 0 }
  var filled: UInt64 = 0
  for place in 0..<words { filled |= (row[word &+ place] == 0 ? 0 : 1) &<< UInt64(place) }
  return filled
}
