import RandomScenarios
import TestSupport
import Testing

@testable import Statistics

/// What was not told of happenings: the packed table beside a dictionary.
@Suite struct FlawTableTests {
  @Test(arguments: 0..<30) func `it says what a dictionary says`(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var (table, obvious) = (FlawTable(), [Int: String]())
    let names = ["notRunning", "toldLate", "permission"]
    for _ in 0..<30 {
      // Runs of the same, in either direction, whole thousands of them too; or one by one.
      let (start, length) = (random.int(0...6_000), random.chance(50) ? random.int(1...3_000) : 1)
      let flaw = random.chance(90) ? random.one(of: names) : nil
      let numbers = Array(start..<start + length)
      for number in random.chance(50) ? numbers : numbers.reversed() where random.chance(99) || length > 1_500
      {
        table[number] = flaw
        obvious[number] = flaw
      }
    }
    for number in 0...12_000 where table[number] != obvious[number] {
      Issue.record("seed \(seed), \(number)")
    }
    #expect(!obvious.isEmpty)
  }
}
