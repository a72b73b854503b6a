import SimulationKernel
import Testing
import TriggerModel

@testable import Scenarios

@Suite struct UnlockSeriesTests {
  private let keys = HabitKeys(person: 7, seed: 1)

  private func gaps(_ rate: Double, ofDay day: Int, _ count: Int) -> [Int64] {
    var luck = UnlockSeries(rate, length: .minutes(2), gapName: 1, lengthName: 2).day(day, keys)
    return (0..<count).map { _ in
      defer { luck.advance() }
      return luck.nextGap()
    }
  }

  /// However often somebody unlocks the phone in a day, the next day is another.
  @Test func `no day has the luck of another`() {
    let (first, second) = (gaps(1, ofDay: 0, 5_000), gaps(1, ofDay: 1, 5_000))
    #expect(first.dropFirst(4_096).elementsEqual(second.prefix(904)) == false)
    #expect(zip(first, second).count { $0 == $1 } < 50)
  }

  /// The mean of 5,000 exponential gaps is within five standard errors of what it should be.
  @Test(arguments: [(60.0, 60.0), (240, 15), (10_000, 15)])
  func `nobody unlocks the phone more often than the table says`(rate: Double, seconds: Double) {
    // A gap is cut to whole seconds.
    let mean = Double(gaps(rate, ofDay: 3, 5_000).reduce(0, +)) / 5_000 + 0.5
    #expect(abs(mean - seconds) < 5 * seconds / 5_000.squareRoot() + 0.1)
  }

  @Test func `a use ends before the next one begins`() {
    var luck = UnlockSeries(10_000, length: .hours(1), gapName: 1, lengthName: 2).day(0, keys)
    for second in 0..<1_000 as Range<Int64> {
      let (lock, next) = luck.use(at: second)
      #expect(second < lock && lock + 2 <= next && next >= second + 10)
      luck.advance()
    }
  }

  @Test func `who never unlocks it waits longer than a life`() {
    #expect(gaps(0, ofDay: 0, 3).allSatisfy { $0 == 1_000_000_000 })
  }
}
