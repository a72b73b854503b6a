import TestSupport
import Testing
import TriggerModel

@Suite struct BitCountsTests {
  /// Words at random, some of them again and again, and some taken out between: against plain numbers.
  @Test(arguments: [1, 3, 157]) func `counts as plain numbers do`(words: Int) {
    var random = SplitMix64(seed: UInt64(words))
    var counts = BitCounts(words: words)
    var plain = Array(repeating: Array(repeating: 0, count: 64), count: words)
    #expect(counts.isEmpty)
    for step in 0..<3_000 {
      let word = Int(random.next() % UInt64(words))
      if step % 1_000 == 700 {
        var taken = Array(repeating: 0, count: 64)
        counts.take(word) { taken[$0] = $1 }
        #expect(taken == plain[word])
        plain[word] = Array(repeating: 0, count: 64)
        continue
      }
      let bits = step % 3 == 0 ? random.next() : .max << UInt64(step % 7)
      counts.add(bits, word)
      for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 { plain[word][bit] += 1 }
    }
    var told = Array(repeating: Array(repeating: 0, count: 64), count: words)
    counts.forEach { told[Int($0)][$1] = $2 }
    #expect(told == plain)
    for word in 0..<words {
      for bit in 0..<64 { #expect(counts.count(word, 1 << UInt64(bit)) == plain[word][bit]) }
    }
  }
}
