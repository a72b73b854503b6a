/// Searches the prolog of an XML file for reasons to reject the file.
///
/// Foundation's parser drops a document type definition silently, so this type searches for one. The parser
/// also accepts encodings that could hide a definition, so this type rejects such encodings.
struct XMLProlog {
  enum Finding: Equatable {
    case documentType(line: Int)
    case encoding(String, line: Int)
  }

  /// The first reason to reject the file, or `nil` if there is none.
  private(set) var objection: Finding?
  /// The declared encoding if it has single bytes beyond ASCII, otherwise `nil`.
  private(set) var singleByteEncoding: String?

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The number of bytes per code unit.
  private var width = 1
  private var low = 0
  private var position = 0
  private var line = 1

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    skipByteOrderMark()
    while objection == nil {
      skipWhitespace()
      if starts(with: "<?") {
        readInstruction()
      } else if starts(with: "<!--") {
        skip(behind: "-->")
      } else {
        if starts(with: "<!DOCTYPE") { objection = .documentType(line: line) }
        return
      }
    }
  }

  /// Returns a code unit, or `nil` at the end of the file. Returns 0xFF for any code unit beyond ASCII,
  /// because only ASCII is relevant.
  private func unit(_ offset: Int) -> UInt8? {
    let start = position + offset * width
    guard start + width <= bytes.count else { return nil }
    let other = width == 2 ? bytes[start + 1 - low] : 0
    let value = bytes[start + (width == 2 ? low : 0)]
    return other == 0 && value < 0x80 ? value : 0xFF
  }

  private mutating func skipByteOrderMark() {
    let start = Array(bytes.prefix(3))
    if start == [0xEF, 0xBB, 0xBF] {
      position = 3
    } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [UInt8(ascii: "<"), 0]) {
      width = 2
      position = start[0] == 0xFF ? 2 : 0
    } else if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0, UInt8(ascii: "<")]) {
      width = 2
      low = 1
      position = start[0] == 0xFE ? 2 : 0
    }
  }

  private func starts(with text: StaticString) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where unit(index) != text.utf8Start[index] { return false }
    return true
  }

  private mutating func advance() {
    if unit(0) == UInt8(ascii: "\n") { line += 1 }
    position += width
  }

  private mutating func skipWhitespace() {
    while let unit = unit(0), unit == 0x20 || (0x09...0x0D).contains(unit) { advance() }
  }

  private mutating func skip(behind end: StaticString) {
    while unit(0) != nil, !starts(with: end) { advance() }
    position = min(position + end.utf8CodeUnitCount * width, bytes.count)
  }

  /// Reads `<? … ?>`. If it is an XML declaration, it may specify an encoding.
  private mutating func readInstruction() {
    let isDeclaration =
      starts(with: "<?xml ") || starts(with: "<?xml\t") || starts(with: "<?xml\n")
      || starts(with: "<?xml\r")
    let start = line
    var text: [UInt8] = []
    while let unit = unit(0), !starts(with: "?>") {
      if isDeclaration, text.count < 1_000 { text.append(unit) }
      advance()
    }
    skip(behind: "?>")
    guard isDeclaration, let name = Self.encoding(in: text) else { return }
    if Self.hasSingleBytes(name) { singleByteEncoding = name }
    if !Self.isSupported(name) { objection = .encoding(name, line: start) }
  }

  private static func encoding(in declaration: [UInt8]) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let key = text.firstRange(of: "encoding") else { return nil }
    let value = text[key.upperBound...].drop { $0 == "=" || $0.isWhitespace }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  /// Returns whether the encoding is UTF-16 or a superset of ASCII.
  private static func isSupported(_ name: String) -> Bool {
    hasSingleBytes(name)
      || ["utf-8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii"].contains(name.lowercased())
  }

  private static func hasSingleBytes(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("iso-8859-") || name.hasPrefix("windows-125")
  }
}
