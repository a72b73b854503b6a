import TriggerModel

/// The text of one file: valid UTF-8, with a table of its lines.
package struct SourceText: Hashable, Sendable {
  /// The file's name as it was given; diagnostics begin with it.
  package let file: String
  package let text: String
  /// Where each line begins and ends, in bytes, without what ends it.
  private let lines: [Range<Int>]
  /// Whether messages may show lines of it: a text that does not say to be of one of the tool's kinds may be
  /// anything, and a secret.
  package let isOurs: Bool

  /// Hundreds of thousands of reminders: a larger file is a recording in the wrong place.
  package static let byteLimit = 64 * 1_024 * 1_024

  /// A text of the tool's own.
  package init(file: String, text: String) { self.init(file: file, text: text, isOurs: true) }

  private init(file: String, text: String, isOurs: Bool) {
    self.file = file
    self.isOurs = isOurs
    var text = text
    lines = text.withUTF8(Self.lines)
    self.text = text
  }

  /// Reads a file's bytes; a byte order mark is skipped.
  ///
  /// Throws the one diagnostic that says why they are not a text: too large, or the first byte that is
  /// not UTF-8.
  ///
  /// - Parameter isOurs: Whether messages may show it; nil: if it says to be of one of the tool's kinds.
  package init(file: String, bytes: [UInt8], isOurs: Bool? = nil) throws(Diagnostic) {
    guard bytes.count <= Self.byteLimit else {
      throw Self.tooLarge(file: file, bytes: UInt64(bytes.count))
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      let valid = Self.longestValidPrefix(of: content)
      let before = SourceText(file: file, text: valid, isOurs: isOurs ?? Self.saysToBeOurs(valid))
      let byte = content[content.startIndex + valid.utf8.count]
      throw Diagnostic(
        "the file is not UTF-8: unexpected byte 0x\(String(byte, radix: 16, uppercase: true))", file: file,
        at: before.endPosition, hint: "save it as UTF-8",
        excerpt: before.excerpt(Int(before.endPosition.line)))
    }
    self.init(file: file, text: text, isOurs: isOurs ?? Self.saysToBeOurs(text))
  }

  /// The lines of a text of UTF-8. What ends one is what YAML has, as its positions count them all: a line feed, a
  /// carriage return or both, U+0085, U+2028 and U+2029.
  private static func lines(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      let length = lengthOfEnd(bytes[index...])
      if length > 0 {
        lines.append(start..<index)
        start = index + length
      }
      index += max(1, length)
    }
    return lines + [start..<bytes.count]
  }

  /// How many bytes the end of a line has that these begin with; 0: none.
  private static func lengthOfEnd(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    switch bytes[bytes.startIndex] {
    case 0x0A: 1
    case 0x0D: bytes.dropFirst().first == 0x0A ? 2 : 1
    case 0xC2: bytes.starts(with: [0xC2, 0x85]) ? 2 : 0
    case 0xE2: bytes.starts(with: [0xE2, 0x80, 0xA8]) || bytes.starts(with: [0xE2, 0x80, 0xA9]) ? 3 : 0
    default: 0
    }
  }

  /// The kinds of files that people write for the tool.
  package static let kinds = ["scenario", "pack", "population", "experiment"]

  /// Whether `kind: scenario` stands in it, or what may be a slip of the pen for that.
  private static func saysToBeOurs(_ text: String) -> Bool {
    // It stands at the head of a file.
    var rest = Substring(text.utf8.prefix(65_536))
    while let found = rest.firstRange(of: "kind") {
      rest = rest[found.upperBound...]
      let behind = rest.prefix(40).drop { "\"' ".contains($0) }
      guard behind.first == ":" else { continue }
      let word = behind.dropFirst().drop { "\"' \n\r".contains($0) }.prefix { $0.isLetter }
      if kinds.contains(where: { NearestNames.distance(String(word), $0) <= 2 }) { return true }
    }
    return false
  }

  package static func tooLarge(file: String, bytes: UInt64) -> Diagnostic {
    Diagnostic(
      "the file is too large: \(bytes) bytes, the limit is \(byteLimit)", file: file,
      hint: "put recordings into files of their own and name them in the time line")
  }

  /// A line without its end, counted from 1.
  package func line(_ number: Int) -> String? {
    slice(ofLine: number).map { String($0) }
  }

  /// A line to show in a message; nil when the text is none of the tool's.
  package func excerpt(_ number: Int) -> String? { isOurs ? line(number) : nil }

  /// The same as ``line(_:)``, without a copy.
  func slice(ofLine number: Int) -> Substring? {
    guard lines.indices.contains(number - 1) else { return nil }
    let line = lines[number - 1]
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    return text[index(line.lowerBound)..<index(line.upperBound)]
  }

  /// Where a position is in the text; nil when it has no such place.
  package func index(of position: SourcePosition) -> String.Index? {
    guard let line = slice(ofLine: Int(position.line)) else { return nil }
    let scalars = line.unicodeScalars
    return scalars.index(scalars.startIndex, offsetBy: Int(position.column) - 1, limitedBy: scalars.endIndex)
  }

  /// Just behind the last character.
  package var endPosition: SourcePosition {
    SourcePosition(line: lines.count, column: (slice(ofLine: lines.count)?.unicodeScalars.count ?? 0) + 1)
  }

  /// The position of the scalar at an offset, counted in Unicode scalars from 0.
  package func position(ofScalar offset: Int) -> SourcePosition {
    let scalars = text.unicodeScalars
    let end =
      scalars.index(scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex) ?? scalars.endIndex
    return SourceText(file: file, text: String(text[..<end])).endPosition
  }

  private static func longestValidPrefix(of bytes: ArraySlice<UInt8>) -> String {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var valid = String.UnicodeScalarView()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      valid.append(scalar)
    }
    return String(valid)
  }
}
