/// Why reading byte by byte does not go on.
enum XMLStop: Error {
  /// The piece ends within what is being read.
  case incomplete
  /// The file is not as plain as that, or it is wrong.
  case unusual
}

/// The piece of a document that is looked at: what stands at a place of it. A zero stands behind its end.
///
/// Small, and apart from what changes as it is read, so that no look at a byte copies the reader.
struct XMLText: BitwiseCopyable {
  private let base: UnsafePointer<UInt8>
  /// How many bytes are there.
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

  /// The bytes of the character at a place, which XML must have.
  func length(at index: Int) throws(XMLStop) -> Int {
    let first = self[index]
    switch first {
    case 0x09, 0x0A, 0x20..<0x80: return 1
    case 0x0D:
      // Alone it would be told of as a line feed, but not counted as one.
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

  /// Passes over white space; false if there is none.
  func skipSpaces(_ index: inout Int) throws(XMLStop) -> Bool {
    let start = index
    while Self.isSpace(self[index]) { index += try length(at: index) }
    return index > start
  }

  /// What stands between quotes behind `=`, and whether characters of it are written as references.
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

  /// Where the characters that end something are, from a place on.
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

  /// The end of a run of text: the next `<` or `&`, or behind the root element the end of the file.
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

  /// A name of ASCII letters, digits and `-._`, with a prefix or without.
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
