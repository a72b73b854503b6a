/// SplitMix64 (Steele, Lea, Flood 2014): a generator for workloads and resampling, the same everywhere.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// 0 ≤ x < 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A whole number from 0 up to but not including a bound that is far below 2^53.
  mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
}
