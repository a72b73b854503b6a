/// The rows that change when entries match that fire once, or once a day.
public struct MatchedRows {
  @usableFromInline let live: UnsafeMutablePointer<UInt64>
  @usableFromInline let armed: UnsafeMutablePointer<UInt64>
  @usableFromInline let once: UnsafePointer<UInt64>

  /// The rows of one bucket: who waits, who waits again on another day, and who fires once.
  @inlinable @inline(__always)
  public init(
    live: UnsafeMutablePointer<UInt64>, armed: UnsafeMutablePointer<UInt64>, once: UnsafePointer<UInt64>
  ) {
    (self.live, self.armed, self.once) = (live, armed, once)
  }

  /// Entries of one word wait no longer.
  @inlinable @inline(__always)
  public func useUp(_ fired: UInt64, _ word: Int) {
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
  var place = word &+ words
  while place > word {
    place &-= 1
    // The highest bit of a number or of its opposite, unless it is zero: compared with that, it would be a branch.
    filled = filled &<< 1 | (row[place] | (0 &- row[place])) &>> 63
  }
  return filled
}
