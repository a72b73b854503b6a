/// The reason that ``PlainXML`` stops reading.
enum XMLStop: Error {
  /// The piece ends in the middle of a token.
  case incomplete
  /// Foundation's parser must read the file, which may be malformed.
  case unusual
}

/// The bytes of the current piece. A zero byte follows them.
///
/// This type is small, and separate from the reader's mutable state, so that access to a byte does not copy
/// the reader.
struct XMLText: BitwiseCopyable {
  private let base: UnsafePointer<UInt8>
  /// The number of bytes.
  var end = 0

  init(base: UnsafePointer<UInt8>) { self.base = base }

  subscript(index: Int) -> UInt8 { base[index] }

  func stop(at index: Int) -> XMLStop { index >= end ? .incomplete : .unusual }

  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  func hasPrefix(_ text: StaticString, at index: Int) throws(XMLStop) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount where self[index + offset] != text.utf8Start[offset] {
      if index + offset >= end { throw .incomplete }
      return false
    }
    return true
  }

  func expect(_ text: StaticString, at index: inout Int) throws(XMLStop) {
    guard try hasPrefix(text, at: index) else { throw .unusual }
    index += text.utf8CodeUnitCount
  }

  /// Returns the length in bytes of the character at an index. Throws if XML does not allow the character.
  func length(at index: Int) throws(XMLStop) -> Int {
    let first = self[index]
    switch first {
    case 0x09, 0x0A, 0x20..<0x80: return 1
    case 0x0D:
      // For a single carriage return, Foundation's parser reports a line feed but does not count a line.
      guard self[index + 1] == 0x0A else { throw stop(at: index + 1) }
      return 1
    case 0xC2..<0xF5:
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard index + length <= end else { throw .incomplete }
      guard let text = String(validating: bytes(index..<index + length), as: UTF8.self) else {
        throw .unusual
      }
      if text == "\u{FFFE}" || text == "\u{FFFF}" { throw .unusual }
      return length
    default: throw stop(at: index)
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Skips white space. Returns `false` if there is none.
  func skipSpaces(_ index: inout Int) throws(XMLStop) -> Bool {
    let start = index
    while Self.isSpace(self[index]) { index += try length(at: index) }
    return index > start
  }

  /// Reads `=` and a quoted value. Returns the bytes of the value, and whether it contains references.
  func value(_ index: inout Int) throws(XMLStop) -> (bytes: UnsafeBufferPointer<UInt8>, hasReferences: Bool) {
    _ = try skipSpaces(&index)
    try expect("=", at: &index)
    _ = try skipSpaces(&index)
    let quote = self[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw stop(at: index) }
    index += 1
    let start = index
    var hasReferences = false
    while self[index] != quote {
      switch self[index] {
      case UInt8(ascii: "<"): throw .unusual
      case UInt8(ascii: "&"):
        hasReferences = true
        index += try reference(at: index).length
      default: index += try length(at: index)
      }
    }
    index += 1
    return (bytes(start..<index - 1), hasReferences)
  }

  /// Returns the index of the next end marker.
  func place(of end: StaticString, from start: Int) throws(XMLStop) -> Int {
    let first = end.utf8Start[0]
    var index = start
    while true {
      let byte = self[index]
      if byte == first, try hasPrefix(end, at: index) { return index }
      if byte >= 0x20, byte < 0x80 {
        index += 1
      } else {
        index += try length(at: index)
      }
    }
  }

  /// Returns the end of a run of text: the next `<` or `&`, or, outside the root element, also the end of the
  /// file.
  func endOfText(from start: Int, isInside: Bool) throws(XMLStop) -> Int {
    var index = start
    while true {
      let byte = self[index]
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: "&"): return index
      case UInt8(ascii: ">"):
        if index >= start + 2, self[index - 1] == UInt8(ascii: "]"), self[index - 2] == UInt8(ascii: "]") {
          throw .unusual
        }
        index += 1
      case 0x20..<0x80: index += 1
      case 0 where index == end && !isInside: return index
      default: index += try length(at: index)
      }
    }
  }

  /// Reads a name of ASCII letters, digits and `-._`, with an optional prefix.
  func name(_ index: inout Int) throws(XMLStop) -> XMLName {
    let start = index
    var colon: Int?
    guard isNameStart(self[index]) else { throw stop(at: index) }
    index += 1
    while true {
      if isNamePart(self[index]) {
        index += 1
      } else if self[index] == UInt8(ascii: ":") {
        guard colon == nil, isNameStart(self[index + 1]) else { throw stop(at: index + 1) }
        colon = index - start
        index += 1
      } else {
        break
      }
    }
    guard index - start <= XMLName.lengthLimit else { throw .unusual }
    return XMLName(bytes: bytes(start..<index), colon: colon)
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  private func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  func reference(at index: Int) throws(XMLStop) -> XMLReference {
    guard let reference = XMLReference(bytes(index..<end)) else {
      throw stop(at: index + XMLReference.lengthLimit)
    }
    return reference
  }
}

/// A name in a tag.
struct XMLName {
  /// The maximum length of a name in bytes. The limit of libxml2 is 50,000.
  static let lengthLimit = 1_000

  let bytes: UnsafeBufferPointer<UInt8>
  /// The index of the colon after the prefix, or `nil` if there is no prefix.
  let colon: Int?

  var prefix: UnsafeBufferPointer<UInt8>? { colon.map { UnsafeBufferPointer(rebasing: bytes[..<$0]) } }

  /// The name without its prefix.
  var local: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[(colon.map { $0 + 1 } ?? 0)...])
  }
}

/// The attributes of one element, in order.
struct PlainXMLAttributes: XMLAttributes {
  struct Attribute {
    let name: XMLName
    let value: UnsafeBufferPointer<UInt8>
    let hasReferences: Bool
    /// Whether the attribute is `xmlns="…"` or `xmlns:x="…"`.
    var declaresNamespace: Bool { (name.prefix ?? name.bytes).isWord("xmlns") }
  }

  /// The maximum number of attributes. It is low, because the search for duplicates takes quadratic time.
  private static let limit = 32

  private(set) var list: [Attribute] = []

  mutating func removeAll() { list.removeAll(keepingCapacity: true) }

  /// Appends an attribute. Returns `false` if there are too many attributes, or if this one may be a
  /// duplicate. Two names with different prefixes but the same local name may be duplicates, because both
  /// prefixes may represent the same namespace.
  mutating func append(
    _ name: XMLName, _ value: (bytes: UnsafeBufferPointer<UInt8>, hasReferences: Bool)
  ) -> Bool {
    guard list.count < Self.limit else { return false }
    for other in list where (other.name.colon == nil) == (name.colon == nil) {
      if other.name.local.elementsEqual(name.local) { return false }
    }
    list.append(Attribute(name: name, value: value.bytes, hasReferences: value.hasReferences))
    return true
  }

  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found? {
    for attribute in list where attribute.name.bytes.isWord(name) {
      guard attribute.hasReferences else { return read(attribute.value) }
      return XMLReference.resolved(attribute.value).withUnsafeBufferPointer(read)
    }
    return nil
  }
}

/// The value of an `xmlns` attribute.
enum XMLNamespace {
  /// Returns whether the value is an address that libxml2 accepts and does not reserve. If the declaration
  /// has a prefix, the value may also be a plain word.
  static func isPlain(_ value: UnsafeBufferPointer<UInt8>, hasPrefix: Bool) -> Bool {
    let text = String(decoding: value, as: UTF8.self)
    guard !text.hasPrefix("http://www.w3.org/XML/"), !text.hasPrefix("http://www.w3.org/2000/xmlns") else {
      return false
    }
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) } ?? ""
    let rest = value[scheme.utf8.count...]
    guard hasPrefix || !scheme.isEmpty, let first = rest.first, first != UInt8(ascii: "/") else {
      return false
    }
    return rest.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

/// A character that is written as a reference, for example `&lt;` or `&#xE4;`.
struct XMLReference {
  /// The maximum length of a reference in bytes.
  static let lengthLimit = 16

  private let scalar: Unicode.Scalar
  /// The length from `&` to `;` in bytes.
  let length: Int

  /// Reads the reference at the start of the text. Returns `nil` unless it is one of XML's five entities, or
  /// the number of a character that XML allows.
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

  /// The character in UTF-8.
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
    // The standard library also accepts a sign, which XML does not allow, so all characters must be digits.
    guard let text = String(validating: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self),
      text.allSatisfy(\.isHexDigit),
      let number = UInt32(text, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
    else { return nil }
    switch number {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: return scalar
    default: return nil
    }
  }

  /// Returns the text with its references replaced by the characters.
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
