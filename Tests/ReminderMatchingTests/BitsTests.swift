import ReminderMatching
import Testing

@Suite struct BitsTests {
  @Test func `the positions of the bits that are set, ascending`() {
    let few = (0..<64).map { UInt64(1) << UInt64($0) }
    let many = (1...200).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
    for bits in [0, .max] + few + many {
      #expect(Array(Bits(bits)) == (0..<64).filter { bits >> UInt64($0) & 1 == 1 }, "\(bits)")
    }
  }
}
