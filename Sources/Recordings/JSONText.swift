/// A string of a JSON line: the bytes between its quotes, checked but not copied.
///
/// Valid as long as the bytes of the line are.
package struct JSONText: BitwiseCopyable {
  /// As written, escapes included.
  package let bytes: UnsafeBufferPointer<UInt8>
  package let hasEscapes: Bool

  /// The text that is meant.
  package var string: String {
    hasEscapes ? String(decoding: unescaped(), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the text is this ASCII literal.
  ///
  /// - Complexity: O(length); allocates only when there are escapes
  @inline(__always)
  package static func == (text: JSONText, literal: StaticString) -> Bool {
    if text.hasEscapes { return text.string == literal.description }
    let count = literal.utf8CodeUnitCount
    guard text.bytes.count == count else { return false }
    let start = literal.utf8Start
    for index in 0..<count where text.bytes[index] != start[index] { return false }
    return true
  }

  /// Replaces the escapes, which the scanner has found to be well formed.
  private func unescaped() -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var units = [Self.unit(bytes, index + 2)]
        if UTF16.isLeadSurrogate(units[0]) {
          units.append(Self.unit(bytes, index + 8))
          index += 6
        }
        result.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
        index += 4
      case let other: result.append(other)
      }
      index += 2
    }
    return result
  }

  /// The four hexadecimal digits at an index, as a UTF-16 code unit.
  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt16 {
    bytes[index..<index + 4].reduce(0) { $0 << 4 | UInt16(hexadecimalDigit($1) ?? 0) }
  }
}

/// 0 … 15; nil if the byte is not a hexadecimal digit.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
