import SimulationKernel

/// SplitMix64 (Steele, Lea, Flood 2014): a generator for workloads and resampling, the same everywhere.
package struct SplitMix64 {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= RandomKey.gamma
    return RandomKey.mix64(state)
  }

  /// 0 ≤ x < 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number from 0 up to but not including a bound that is far below 2^53.
  package mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
}
