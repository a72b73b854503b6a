/// What is the same in every stored state; `StoredState.md` describes the form byte by byte.
package enum StoredForm {
  /// "TBst".
  static let magic: [UInt8] = [0x54, 0x42, 0x73, 0x74]
  /// What this engine writes, and the latest that it reads.
  static let version: UInt8 = 1
  static let checksumLength = 4

  /// Instants and spans lie within so many milliseconds of 1970 and of zero, some 8,900 years: what an
  /// engine does with a time that was stored can then not overflow.
  static let farthest: Int64 = 1 << 48
  /// Local days lie within so many days of 1970-01-01.
  static let farthestDay: Int32 = 1 << 22

  /// The parts of a state, in their order; each at most once.
  package enum Part: UInt8, CaseIterable, Sendable {
    case names = 1
    case reminders = 2
    case gateway = 3
    /// Of a half that stores in a form of its own.
    case other = 4
  }
}

/// The cyclic redundancy check of Ethernet, zip and PNG (polynomial 0xEDB88320, reflected): finds every
/// change of up to 32 neighbouring bits.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
  }
}

extension Bucket {
  /// Its number in a stored state.
  var storedCode: UInt8 {
    switch self {
    case .critical: 0
    case .user: 1
    case .standard: 2
    }
  }
}

extension UInt32 {
  /// The most that a counter reaches: one less than what stands for "no cap".
  package static let fullCount = UInt32.max - 1

  /// Counts one more; a counter that is full stays so.
  package mutating func countUp() {
    if self < Self.fullCount { self += 1 }
  }
}
