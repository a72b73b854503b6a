/// How often each bit of some words was set: binary numbers that stand upright, so that a word is added to 64 of
/// them at once, mostly in two steps.
package struct BitCounts: Sendable {
  /// The lowest digits of all numbers, a word for 64 of them, then the next ones, and so on: as many as the largest
  /// number needs.
  @usableFromInline var digits: [UInt64] = []
  @usableFromInline let wordCount: Int

  /// As many digits as there are at first: a few hundred events are counted without another allocation.
  private static let firstLength = 8

  /// Nothing is allocated before something is counted.
  package init(words: Int) { wordCount = words }

  /// Whether nothing was ever counted.
  @inlinable
  package var isEmpty: Bool { digits.isEmpty }

  /// Counts each bit of a word once more.
  ///
  /// - Complexity: O(1) on average
  @inlinable @inline(__always)
  package mutating func add(_ bits: UInt64, _ word: Int) {
    precondition(word >= 0 && word < wordCount, "a word that is counted")
    if digits.isEmpty { grow() }
    // At once: whether the array is shared is asked for each of its elements otherwise.
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

  /// What all digits cannot hold is the first of more.
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

  /// How often a bit was set.
  ///
  /// - Parameter bit: As a word with that bit alone.
  package func count(_ word: Int, _ bit: UInt64) -> Int {
    var (count, weight) = (0, 1)
    for place in places(of: word) {
      if digits[place] & bit != 0 { count += weight }
      weight <<= 1
    }
    return count
  }

  /// Takes the counts of a word out: calls the body for every bit that was ever set.
  package mutating func take(_ word: Int, _ body: (_ bit: Int, _ count: Int) -> Void) {
    forEach(in: word, body)
    for place in places(of: word) where digits[place] != 0 { digits[place] = 0 }
  }

  /// Calls the body for every bit that was ever set, word after word.
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

  /// The digits of a word, from the lowest.
  private func places(of word: Int) -> StrideTo<Int> {
    stride(from: word, to: digits.count, by: max(1, wordCount))
  }
}
