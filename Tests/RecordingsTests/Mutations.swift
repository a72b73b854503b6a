import TestSupport

/// Damages a file in a reproducible way: changes, drops or repeats bytes, or truncates the file.
struct Mutations: Sequence, IteratorProtocol {
  private let original: [UInt8]
  private var random: SplitMix64
  private var left: Int

  init(of original: [UInt8], seed: UInt64, count: Int) {
    self.original = original
    random = SplitMix64(seed: seed)
    left = count
  }

  /// Bytes with a special meaning in one of the formats.
  private static let marks = Array("\"\\<>&;,:{}[]/-.e+0 \n\r\t=!?T\u{0}".utf8) + [0xFF, 0xC0, 0x80, 0xED]

  mutating func next() -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    var bytes = original
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let at = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[at] = UInt8(random.below(256))
      case 1: bytes[at] = Self.marks[random.below(Self.marks.count)]
      case 2: bytes.insert(Self.marks[random.below(Self.marks.count)], at: at)
      case 3: bytes.removeSubrange(at..<Swift.min(at + 1 + random.below(8), bytes.count))
      case 4:
        bytes.insert(
          contentsOf: bytes[at..<Swift.min(at + 1 + random.below(40), bytes.count)],
          at: random.below(bytes.count))
      default: if random.below(4) == 0 { bytes.removeSubrange(at...) }
      }
    }
    return bytes
  }
}
