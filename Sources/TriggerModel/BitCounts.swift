/// Counts how often each bit is set in the added words.
///
/// The counts are bit-sliced binary numbers. Adding a word updates 64 counts at a time, usually in two steps.
package struct BitCounts: Sendable {
  /// The digits of the counts, least significant first. Each digit consists of `wordCount` words, and each
  /// word holds this digit of 64 counts. The largest count determines the number of digits.
  @usableFromInline var digits: [UInt64] = []
  @usableFromInline let wordCount: Int

  /// The initial number of digits, which is enough for a few hundred events.
  private static let firstLength = 8

  /// Creates counts of zero. Memory is allocated only when the first word is added.
  package init(words: Int) { wordCount = words }

  /// Whether nothing has been counted yet.
  @inlinable
  package var isEmpty: Bool { digits.isEmpty }

  /// Adds one to the count of each set bit of a word.
  ///
  /// - Complexity: O(1) on average
  @inlinable @inline(__always)
  package mutating func add(_ bits: UInt64, _ word: Int) {
    precondition(word >= 0 && word < wordCount, "a word that is counted")
    if digits.isEmpty { grow() }
    // Access the array only once, because each element access would check whether the array is shared.
    let rest = digits.withUnsafeMutableBufferPointer { [wordCount] digits in
      var (carry, place) = (bits, word)
      while carry != 0, place < digits.count {
        let digit = digits[place]
        digits[place] = digit ^ carry
        carry &= digit
        place &+= wordCount
      }
      return carry
    }
    if rest != 0 { carry(rest, word) }
  }

  /// Adds more digits for a carry out of the highest digit.
  @inline(never) @usableFromInline
  mutating func carry(_ rest: UInt64, _ word: Int) {
    let place = digits.count + word
    grow()
    digits[place] = rest
  }

  @inline(never) @usableFromInline
  mutating func grow() {
    digits += repeatElement(0, count: digits.isEmpty ? Self.firstLength * wordCount : digits.count)
  }

  /// Returns how often a bit was set.
  ///
  /// - Parameter bit: A word in which only the wanted bit is set.
  package func count(_ word: Int, _ bit: UInt64) -> Int {
    var (count, weight) = (0, 1)
    for place in places(of: word) {
      if digits[place] & bit != 0 { count += weight }
      weight <<= 1
    }
    return count
  }

  /// Calls the body for each bit of a word with a count above 0, and resets the word's counts.
  package mutating func take(_ word: Int, _ body: (_ bit: Int, _ count: Int) -> Void) {
    forEach(in: word, body)
    for place in places(of: word) where digits[place] != 0 { digits[place] = 0 }
  }

  /// Calls the body for each bit with a count above 0, in ascending order of words.
  package func forEach(_ body: (_ word: UInt32, _ bit: Int, _ count: Int) -> Void) {
    for word in 0..<wordCount { forEach(in: word) { body(UInt32(word), $0, $1) } }
  }

  private func forEach(in word: Int, _ body: (_ bit: Int, _ count: Int) -> Void) {
    var rest: UInt64 = 0
    for place in places(of: word) { rest |= digits[place] }
    while rest != 0 {
      let bit = rest.trailingZeroBitCount
      rest &= rest - 1
      body(bit, count(word, 1 << UInt64(bit)))
    }
  }

  /// The indices of a word's digits, least significant first.
  private func places(of word: Int) -> StrideTo<Int> {
    stride(from: word, to: digits.count, by: max(1, wordCount))
  }
}
