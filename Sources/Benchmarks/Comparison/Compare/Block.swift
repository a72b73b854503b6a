import TriggerModel

/// Four runs beside each other in time: A B B A, or B A A B, so that a drift hits both alike.
struct Block: Hashable, Sendable {
  /// Nanoseconds per event of A's two runs, in order.
  var a: [Double]
  var b: [Double]

  /// B's time by A's.
  var logRatio: Double { (log(b[0]) + log(b[1]) - log(a[0]) - log(a[1])) / 2 }

  /// A's second time by its first: what the machine shows where nothing is different. A difference of two
  /// runs varies by the square root of 2 more than that of the means of two, so it is divided by this.
  var logRatioOfItself: Double { (log(a[1]) - log(a[0])) / 2.0.squareRoot() }

  private func log(_ time: Double) -> Double { DeterministicMath.log(max(time, 1e-3)) }
}

/// What a number of blocks say about one row.
package struct Look: Hashable, Sendable {
  /// B against A.
  package var change: RatioInterval
  /// A against A, from the same runs.
  package var itself: RatioInterval
  package var blocks: Int

  init(_ blocks: [Block]) {
    change = RatioInterval(logRatios: blocks.map(\.logRatio))
    itself = RatioInterval(logRatios: blocks.map(\.logRatioOfItself), seed: 2)
    self.blocks = blocks.count
  }

  package init(change: RatioInterval, itself: RatioInterval, blocks: Int) {
    self.change = change
    self.itself = itself
    self.blocks = blocks
  }

  /// Of fewer blocks the bootstrap's intervals are too narrow to say anything.
  package static let leastBlocks = 12

  /// A change smaller than this cannot be told from none on this machine at this time.
  package var noiseFloor: Double { itself.farEnd }
}
