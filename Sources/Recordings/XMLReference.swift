/// A character that is written as `&lt;` or `&#xE4;`.
struct XMLReference {
  /// Longer than any.
  static let lengthLimit = 16

  private let scalar: Unicode.Scalar
  /// Bytes, from `&` to `;`.
  let length: Int

  /// Reads what begins with `&`; nil if it is none of the five names of XML and no number of a character that XML has.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    let text = UnsafeBufferPointer(rebasing: text.prefix(Self.lengthLimit))
    guard let end = text.firstIndex(of: UInt8(ascii: ";")), end > 1 else { return nil }
    let name = UnsafeBufferPointer(rebasing: text[1..<end])
    guard let scalar = name[0] == UInt8(ascii: "#") ? Self.numbered(name.dropFirst()) : Self.named(name)
    else {
      return nil
    }
    self.scalar = scalar
    length = end + 1
  }

  /// In UTF-8.
  var bytes: [UInt8] { Array(String(scalar).utf8) }

  private static func named(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    if name.isWord("lt") { return "<" }
    if name.isWord("gt") { return ">" }
    if name.isWord("amp") { return "&" }
    if name.isWord("quot") { return "\"" }
    return name.isWord("apos") ? "'" : nil
  }

  private static func numbered(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == UInt8(ascii: "x")
    // No sign, which the standard library would take.
    guard let text = String(validating: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self),
      text.allSatisfy(\.isHexDigit),
      let number = UInt32(text, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
    else { return nil }
    switch number {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: return scalar
    default: return nil
    }
  }

  /// A text with the characters in place of what stands for them.
  static func resolved(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "&"),
        let reference = XMLReference(UnsafeBufferPointer(rebasing: text[index...]))
      {
        bytes += reference.bytes
        index += reference.length
      } else {
        bytes.append(text[index])
        index += 1
      }
    }
    return bytes
  }
}
