import Testing

@testable import Benchmarks

/// Approximately normal noise with a given standard deviation: the sum of twelve uniform draws, minus six.
struct NoiseSource {
  var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(state: seed) }

  mutating func normal(mean: Double = 0, deviation: Double = 1) -> Double {
    let sum = (0..<12).reduce(0.0) { sum, _ in sum + generator.unit() }
    return mean + deviation * (sum - 6)
  }
}

@Suite struct ComparisonStatisticsTests {
  @Test func `the median ignores outliers`() {
    #expect(RatioInterval.median([5]) == 5)
    #expect(RatioInterval.median([3, 1, 2]) == 2)
    #expect(RatioInterval.median([-1_000, 1, 3, 1_000]) == 2)
  }

  @Test func `percent and logRatio are inverse functions`() {
    for percent in [-20, -1, 0, 0.5, 3, 50] {
      #expect(abs(RatioInterval.percent(RatioInterval.logRatio(percent: percent)) - percent) < 1e-9)
    }
  }

  @Test func `the interval of equal pairs has no width, and an interval is reproducible`() {
    let certain = RatioInterval(logRatios: [Double](repeating: 0.03, count: 12))
    #expect(certain.low == 0.03 && certain.high == 0.03)
    #expect(certain.pValue < 0.01)
    let some = [0.01, -0.02, 0.015, 0.003, -0.001, 0.02, 0.01, -0.01]
    #expect(RatioInterval(logRatios: some) == RatioInterval(logRatios: some))
    #expect(RatioInterval(logRatios: some.map(-)).pValue > 0.05)
  }

  @Test(arguments: [12, 30])
  func `the interval contains the true value`(pairs: Int) {
    var covered = 0
    var wrong = 0
    for experiment in 0..<400 {
      var noise = NoiseSource(seed: UInt64(experiment * 7 + 1))
      let interval = RatioInterval(
        logRatios: (0..<pairs).map { _ in noise.normal(mean: 0.02, deviation: 0.01) }, resamples: 400)
      if interval.low <= 0.02 && interval.high >= 0.02 { covered += 1 }
      let nothing = RatioInterval(
        logRatios: (0..<pairs).map { _ in noise.normal(deviation: 0.01) }, resamples: 400)
      if nothing.pValue <= 0.05 { wrong += 1 }
    }
    #expect((348...400).contains(covered), "\(covered) of 400 cover; 95 % are 380")
    #expect(wrong <= 52, "\(wrong) of 400 are false positives; 5 % are 20")
  }

  /// Up to a quarter of the pairs may have any value without moving the interval.
  @Test func `disturbed pairs do not move the interval of the median`() {
    var noise = NoiseSource(seed: 3)
    var ratios = (0..<24).map { _ in noise.normal(mean: 0.03, deviation: 0.005) }
    for index in 0..<3 { ratios[index] = 2 }
    let interval = RatioInterval(logRatios: ratios)
    #expect(interval.low > 0.02 && interval.high < 0.05)
  }

  @Test func `Holm's correction tests p-values in ascending order`() {
    #expect(Holm.significant([0.01, 0.04, 0.03, 0.005]) == [true, false, false, true])
    #expect(Holm.significant([0.04]) == [true])
    #expect(Holm.significant([0.06, 0.001]) == [false, true])
    #expect(Holm.significant([]) == [])
    #expect(Holm.significant([Double](repeating: 0.02, count: 3)) == [false, false, false])
  }

  @Test func `a block cancels out drift`() {
    let block = Block(a: [100, 103.0301], b: [102.01, 101])
    #expect(abs(block.logRatio) < 1e-12, "a drift of 1 % per run cancels out")
    #expect(abs(RatioInterval.percent(block.selfLogRatio * 2.0.squareRoot()) - 3.0301) < 1e-9)
  }
}
