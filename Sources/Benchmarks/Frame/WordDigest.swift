/// FNV-1a over 64-bit words: by it contestants see that they came to the same.
struct WordDigest: Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }
}
