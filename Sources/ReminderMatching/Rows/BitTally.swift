/// How many bits are set in a row. Where eight words are added at a time they are added up as binary digits of 128
/// numbers first, so that only one word of four is counted bit by bit.
public struct BitTally {
  @usableFromInline var units = SIMD2<UInt64>.zero
  @usableFromInline var ones = TwoWords.none
  @usableFromInline var twos = TwoWords.none
  @usableFromInline var fours = SIMD2<UInt64>.zero

  /// Nothing was added.
  @inlinable @inline(__always)
  public init() {}

  @inlinable @inline(__always)
  mutating func add(_ words: EightWords) {
    let first = Self.carry(&ones, words.pairs.0, words.pairs.1)
    let second = Self.carry(&ones, words.pairs.2, words.pairs.3)
    fours &+= Self.carry(&twos, first, second).bitCounts
  }

  /// Adds two words to a digit.
  /// - Returns: What goes to the next digit.
  @inlinable @inline(__always)
  static func carry(_ digit: inout TwoWords, _ a: TwoWords, _ b: TwoWords) -> TwoWords {
    let either = digit ^ a
    let both = digit & a
    digit = either ^ b
    return both | either & b
  }

  /// The bits of all that was added.
  ///
  /// - Parameter words: So many were.
  @inlinable @inline(__always)
  public func count(ofWords words: Int) -> Int32 {
    let sum =
      words < 8 ? units : units &+ ones.bitCounts &+ twos.bitCounts &<< 1 &+ fours &<< 2
    return Int32(truncatingIfNeeded: sum[0] &+ sum[1])
  }
}
