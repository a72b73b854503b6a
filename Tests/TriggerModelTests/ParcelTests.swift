import TestSupport
import Testing

@testable import TriggerModel

@Suite struct ParcelTests {
  @Test func `compressed words decompress to the same words`() {
    var random = SplitMix64(seed: 1)
    let usual: [UInt64] = [
      0, 1, 255, 256, .max, 1 << 63, UInt64(Int64.max), 1_772_000_000_000, 0x0100_0000_0001, 9 << 40,
    ]
    for length in 0..<400 {
      let words = (0..<length).map { _ in
        let word = random.next()
        switch word & 3 {
        case 0: return usual[Int(word >> 8) % usual.count]
        case 1: return random.next() >> (word >> 8 & 63)
        case 2:
          // The word has some nonzero bytes.
          let marks = word >> 8
          return (0..<8).reduce(UInt64(0)) { $0 | (marks >> $1 & 1) * (random.next() & 255) << (8 * $1) }
        default: return random.next()
        }
      }
      let expanded = CompressedWords.decompress(CompressedWords.compress(words))
      #expect(Array(expanded.prefix(length)) == words, "\(length) words")
      #expect(expanded.count == (length + 1) / 2 * 2)
    }
  }

  @Test func `zero and distant instants take half a byte`() {
    let ends = [Instant.distantFuture, .distantPast]
    var parcel = Parcel()
    var list =
      (0..<1_000).map { ends[$0 & 1] } + Array(repeating: Instant(millisecondsSince1970: 0), count: 999)
    parcel.carry(&list)
    // The length takes two additional bytes.
    #expect(CompressedWords.compress(parcel.words).count == 1_000 + 2)
  }

  private struct Things: Packable, Equatable {
    var flag = false
    var instant: Instant?
    private(set) var number = 0.0
    var list: [UInt8] = []
    var pairs: [RequestID]?
    var set: Set<Int64> = []
    var regions = RegionSet()
    var text = ""
    var name: String?

    mutating func pack(in parcel: inout Parcel) {
      parcel.carry(&self, \.flag, \.instant, \.number)
      parcel.carry(&list)
      parcel.carry(&pairs)
      parcel.carry(&set)
      regions.pack(in: &parcel)
      parcel.keep(&text)
      parcel.keep(&name, unless: name == nil)
    }
  }

  @Test func `an unpacked value has the packed state`() {
    let request = RequestID(reminder: ReminderID(7), occurrence: 9)
    let full = Things(
      flag: true, instant: Instant(millisecondsSince1970: 5), number: -0.5, list: [1, 2, 3],
      pairs: [request, request],
      set: [4, -4], regions: [RegionID(3), RegionID(300)], text: "as it is", name: "somebody")
    for things in [full, Things(), Things(list: Array(repeating: 200, count: 77), pairs: [])] {
      for before in [full, Things()] {
        var (packed, parcel) = (things, Parcel())
        packed.pack(in: &parcel)
        // One parcel contains two values.
        packed = full
        packed.pack(in: &parcel)
        var opened = Parcel(opening: parcel.sealed())
        var (unpacked, second) = (before, Things())
        unpacked.name = nil
        unpacked.pack(in: &opened)
        second.pack(in: &opened)
        #expect(unpacked == things)
        #expect(second == full)
      }
    }
  }
}
