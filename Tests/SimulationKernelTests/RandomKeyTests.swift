import SimulationKernel
import Testing

@Suite struct RandomKeyTests {
  private let key = RandomKey(seed: 42, person: 7, purpose: .response)

  private func mean(_ count: UInt64, _ value: (UInt64) -> Double) -> Double {
    (0..<count).reduce(0) { $0 + value($1) } / Double(count)
  }

  /// The expected values are from an independent program. They must not change, because recorded results
  /// depend on them.
  @Test func `draws equal the recorded values`() {
    #expect(key.draw(0) == 0x3AAB_3749_775D_84E5)
    #expect(key.draw(1) == 0xB3E0_4473_D24E_7F17)
    #expect(RandomKey(seed: 0, person: 0, purpose: .device).draw(0) == 0xA706_DD2F_4D19_7E6F)
    #expect(
      RandomKey(seed: 1, person: 1_000_000, device: 3, purpose: .place).draw(.max) == 0xC87F_3793_3436_BFD6)
  }

  @Test func `draws do not depend on their order`() {
    let forwards = (0..<1_000).map { key.draw($0) }
    let backwards = (0..<1_000).reversed().map { key.draw($0) }
    #expect(forwards == backwards.reversed())
    #expect(RandomKey(seed: 42, person: 7, device: 0, purpose: .response).draw(500) == forwards[500])
  }

  /// Keys that differ in any part have different draws.
  @Test func `different keys have different draws`() {
    var seen: Set<UInt64> = []
    var made = 0
    for seed in 0..<4 as Range<UInt64> {
      for person in 0..<64 as Range<UInt64> {
        for device in 0..<3 as Range<UInt32> {
          for purpose in RandomPurpose.allCases {
            let key = RandomKey(seed: seed, person: person, device: device, purpose: purpose)
            for occurrence in 0..<16 as Range<UInt64> {
              seen.insert(key.draw(occurrence))
              made += 1
            }
          }
        }
      }
    }
    #expect(seen.count == made)
  }

  /// Both across occurrences and across persons.
  @Test func `every bit is set in half of the draws`() {
    let count = 20_000
    for alongPersons in [false, true] {
      var ones = [Int](repeating: 0, count: 64)
      for n in 0..<UInt64(count) {
        let bits =
          alongPersons ? RandomKey(seed: 1, person: n, purpose: .habit).draw(0) : key.draw(n)
        for bit in 0..<64 where bits >> UInt64(bit) & 1 == 1 { ones[bit] += 1 }
      }
      // The tolerance is five standard deviations of a fair coin.
      for (bit, count) in ones.enumerated() { #expect(abs(count - 10_000) < 354, "bit \(bit)") }
    }
  }

  @Test func `numbers below a bound are uniform and never reach it`() {
    var counts = [Int](repeating: 0, count: 7)
    for n in 0..<70_000 as Range<UInt64> { counts[Int(key.below(7, n))] += 1 }
    for (value, count) in counts.enumerated() { #expect(abs(count - 10_000) < 500, "\(value)") }
    #expect((0..<100).allSatisfy { key.below(1, $0) == 0 })
    #expect((0..<100).allSatisfy { key.below(.max, $0) < .max })
  }

  @Test func `a chance occurs with its stated probability`() {
    let hits = (0..<100_000).filter { key.chance(partsPerMillion: 250_000, $0) }.count
    #expect(abs(hits - 25_000) < 700)
    #expect(!(0..<1_000).contains { key.chance(partsPerMillion: 0, $0) })
    #expect((0..<1_000).allSatisfy { key.chance(partsPerMillion: 1_000_000, $0) })
  }

  @Test func `unit numbers are uniform in [0, 1)`() {
    #expect((0..<10_000).allSatisfy { (0..<1).contains(key.unit($0)) })
    #expect(abs(mean(100_000) { key.unit($0) } - 0.5) < 0.005)
  }

  @Test func `the exponential distribution has its mean`() {
    let count: UInt64 = 200_000
    #expect((0..<count).allSatisfy { key.exponential(mean: 1, $0) >= 0 })
    #expect(abs(mean(count) { key.exponential(mean: 60, $0) } - 60) < 0.7)
    // P(X > mean) = 1 / e.
    let above = (0..<count).filter { key.exponential(mean: 60, $0) > 60 }.count
    #expect(abs(Double(above) / Double(count) - 0.36788) < 0.006)
    #expect(key.exponential(mean: 0, 3) == 0)
  }

  @Test func `the normal distribution has its mean and standard deviation`() {
    let count: UInt64 = 200_000
    #expect(abs(mean(count) { key.normal($0) }) < 0.012)
    #expect(abs(mean(count) { key.normal(mean: 5, standardDeviation: 2, $0) } - 5) < 0.024)
    #expect(
      abs(
        mean(count) {
          let x = key.normal($0)
          return x * x
        } - 1) < 0.016)
    for (bound, share) in [(1.0, 0.68269), (2, 0.95450), (3, 0.99730)] {
      let inside = (0..<count).filter { abs(key.normal($0)) < bound }.count
      #expect(abs(Double(inside) / Double(count) - share) < 0.006, "within \(bound)")
    }
  }

  @Test func `the log-normal distribution has its median`() {
    let count: UInt64 = 100_000
    let below = (0..<count).filter { key.logNormal(median: 48, sigma: 2.5, $0) < 48 }.count
    #expect(abs(Double(below) / Double(count) - 0.5) < 0.008)
    #expect((0..<count).allSatisfy { key.logNormal(median: 48, sigma: 2.5, $0) > 0 })
  }
}
