import TestSupport
import Testing
import TriggerModel

/// Tests sets with any number of regions.
@Suite struct RegionSetTests {
  /// The numbers of regions in the first word and in later words.
  private static let numbers: [UInt32] = [0, 1, 5, 31, 32, 63, 64, 65, 127, 128, 500, 999]

  private static func set(_ bits: Int) -> (set: RegionSet, model: Set<UInt32>) {
    var (set, model) = (RegionSet(), Set<UInt32>())
    for (place, number) in numbers.enumerated() where bits >> place & 1 == 1 {
      set.insert(RegionID(number))
      model.insert(number)
    }
    return (set, model)
  }

  private static func members(_ set: RegionSet) -> [UInt32] { set.regions.map(\.rawValue) }

  @Test func `a region set agrees with the standard library's set`() {
    for first in stride(from: 0, to: 1 << Self.numbers.count, by: 37) {
      let (a, modelA) = Self.set(first)
      #expect(Self.members(a) == modelA.sorted() && a.isEmpty == modelA.isEmpty)
      for second in stride(from: 0, to: 1 << Self.numbers.count, by: 331) {
        let (b, modelB) = Self.set(second)
        #expect(Self.members(a.union(b)) == modelA.union(modelB).sorted())
        #expect(Self.members(a.intersection(b)) == modelA.intersection(modelB).sorted())
        #expect(Self.members(a.symmetricDifference(b)) == modelA.symmetricDifference(modelB).sorted())
        #expect((a == b) == (modelA == modelB))
        #expect(a.symmetricDifference(b).symmetricDifference(b) == a)
      }
    }
  }

  @Test func `a removed region is not a member`() {
    var set = RegionSet()
    for number in Self.numbers { set.insert(RegionID(number)) }
    for number in Self.numbers.reversed() {
      #expect(set.contains(RegionID(number)))
      set.remove(RegionID(number))
      #expect(!set.contains(RegionID(number)))
    }
    #expect(set.isEmpty && set == [] && !set.contains(RegionID(UInt32.max)))
    set.remove(RegionID(7_000))
    #expect(set == RegionSet())
  }
}

/// Tests points with integer coordinates.
@Suite struct PositionTests {
  @Test func `a position is unchanged after encoding it in an event`() {
    for latitude in [-900_000_000, -1, 0, 1, 900_000_000] as [Int32] {
      for longitude in [-1_800_000_000, -1, 0, 1, 1_800_000_000] as [Int32] {
        let position = Position(latitude: latitude, longitude: longitude)
        #expect(Position(bits: position.bits) == position)
        #expect(Position(position.coordinate) == position)
      }
    }
  }
}

@Suite struct BitCountsTests {
  /// The test adds random words, repeats some, resets others, and compares the counts with simple counters.
  @Test(arguments: [1, 3, 157]) func `bit counts agree with simple counters`(words: Int) {
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
