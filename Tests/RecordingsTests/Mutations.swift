/// Seeded damage to a file: bytes changed, dropped, doubled or cut off.
struct Mutations: Sequence, IteratorProtocol {
  private let original: [UInt8]
  private var state: UInt64
  private var left: Int

  init(of original: [UInt8], seed: UInt64, count: Int) {
    self.original = original
    state = seed
    left = count
  }

  /// Bytes that mean something to one of the formats.
  private static let marks = Array("\"\\<>&;,:{}[]/-.e+0 \n\r\t=!?T\u{0}".utf8) + [0xFF, 0xC0, 0x80, 0xED]

  /// splitmix64
  private mutating func draw(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ z >> 31) >> 11) % Swift.max(bound, 1)
  }

  mutating func next() -> [UInt8]? {
    guard left > 0 else { return nil }
    left -= 1
    var bytes = original
    for _ in 0...draw(4) where !bytes.isEmpty {
      let at = draw(bytes.count)
      switch draw(6) {
      case 0: bytes[at] = UInt8(draw(256))
      case 1: bytes[at] = Self.marks[draw(Self.marks.count)]
      case 2: bytes.insert(Self.marks[draw(Self.marks.count)], at: at)
      case 3: bytes.removeSubrange(at..<Swift.min(at + 1 + draw(8), bytes.count))
      case 4:
        bytes.insert(contentsOf: bytes[at..<Swift.min(at + 1 + draw(40), bytes.count)], at: draw(bytes.count))
      default: if draw(4) == 0 { bytes.removeSubrange(at...) }
      }
    }
    return bytes
  }
}
