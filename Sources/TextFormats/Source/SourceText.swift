import TriggerModel

/// The text of a file: valid UTF-8, with a table of its lines.
package struct SourceText: Hashable, Sendable {
  /// The name of the file as the user stated it. Diagnostics start with it.
  package let file: String
  package let text: String
  /// The byte range of each line, without its line end.
  private let lines: [Range<Int>]
  /// Whether messages may quote the text. If the text does not declare a kind that the tool knows, it may be
  /// an unrelated file that contains secrets.
  package let isOurs: Bool

  /// The maximum size of a file in bytes, enough for hundreds of thousands of reminders. A larger file is
  /// probably a recording.
  package static let byteLimit = 64 * 1_024 * 1_024

  /// Creates a text that messages may quote.
  package init(file: String, text: String) { self.init(file: file, text: text, isOurs: true) }

  private init(file: String, text: String, isOurs: Bool) {
    self.file = file
    self.isOurs = isOurs
    var text = text
    lines = text.withUTF8(Self.lines)
    self.text = text
  }

  /// Decodes the bytes of a file and removes a byte order mark.
  ///
  /// - Parameter isOurs: Whether messages may quote the text, or `nil` to decide by the kind that the text
  ///   declares.
  /// - Throws: A diagnostic if the file is too large or is not valid UTF-8.
  package init(file: String, bytes: [UInt8], isOurs: Bool? = nil) throws(Diagnostic) {
    guard bytes.count <= Self.byteLimit else {
      throw Self.tooLarge(file: file, bytes: UInt64(bytes.count))
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      let valid = Self.longestValidPrefix(of: content)
      let before = SourceText(file: file, text: valid, isOurs: isOurs ?? Self.declaresKind(valid))
      let byte = content[content.startIndex + valid.utf8.count]
      throw Diagnostic(
        "the file is not UTF-8: unexpected byte 0x\(String(byte, radix: 16, uppercase: true))", file: file,
        at: before.endPosition, hint: "save it as UTF-8",
        excerpt: before.excerpt(Int(before.endPosition.line)))
    }
    self.init(file: file, text: text, isOurs: isOurs ?? Self.declaresKind(text))
  }

  /// Returns the lines of UTF-8 text. Positions in YAML count these line ends: a line feed, a carriage
  /// return, a carriage return with a line feed, U+0085, U+2028 and U+2029.
  private static func lines(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var (start, index) = (0, 0)
    while index < bytes.count {
      let length = lineEndLength(bytes[index...])
      if length > 0 {
        lines.append(start..<index)
        start = index + length
      }
      index += max(1, length)
    }
    return lines + [start..<bytes.count]
  }

  /// Returns the length in bytes of the line end that these bytes start with, or 0 if there is none.
  private static func lineEndLength(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    switch bytes[bytes.startIndex] {
    case 0x0A: 1
    case 0x0D: bytes.dropFirst().first == 0x0A ? 2 : 1
    case 0xC2: bytes.starts(with: [0xC2, 0x85]) ? 2 : 0
    case 0xE2: bytes.starts(with: [0xE2, 0x80, 0xA8]) || bytes.starts(with: [0xE2, 0x80, 0xA9]) ? 3 : 0
    default: 0
    }
  }

  /// The kinds of files that people write for this tool.
  package static let kinds = ["scenario", "pack", "population", "experiment"]

  /// Returns whether the text declares one of ``kinds``, possibly misspelled, for example `kind: scenario`.
  private static func declaresKind(_ text: String) -> Bool {
    // A file declares its kind near its start.
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

  /// Returns an error at a position, with an excerpt of its line.
  func error(_ message: String, at position: SourcePosition, hint: String? = nil) -> Diagnostic {
    Diagnostic(message, file: file, at: position, hint: hint, excerpt: excerpt(Int(position.line)))
  }

  package static func tooLarge(file: String, bytes: UInt64) -> Diagnostic {
    Diagnostic(
      "the file is too large: \(bytes) bytes, the limit is \(byteLimit)", file: file,
      hint: "put recordings into files of their own and name them in the time line")
  }

  /// Returns the line with a number from 1, without its line end, or `nil` if there is no such line.
  package func line(_ number: Int) -> String? {
    slice(ofLine: number).map { String($0) }
  }

  /// Returns a line that a message can quote, or `nil` if messages may not quote this text.
  package func excerpt(_ number: Int) -> String? { isOurs ? line(number) : nil }

  /// Returns the line that ``line(_:)`` returns, without copying it.
  func slice(ofLine number: Int) -> Substring? {
    guard lines.indices.contains(number - 1) else { return nil }
    let line = lines[number - 1]
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    return text[index(line.lowerBound)..<index(line.upperBound)]
  }

  /// Returns the string index of a position, or `nil` if the text has no such position.
  package func index(of position: SourcePosition) -> String.Index? {
    guard let line = slice(ofLine: Int(position.line)) else { return nil }
    let scalars = line.unicodeScalars
    return scalars.index(scalars.startIndex, offsetBy: Int(position.column) - 1, limitedBy: scalars.endIndex)
  }

  /// The position after the last character of the text.
  package var endPosition: SourcePosition {
    SourcePosition(line: lines.count, column: (slice(ofLine: lines.count)?.unicodeScalars.count ?? 0) + 1)
  }

  /// Returns the position of the Unicode scalar at an offset from the start of the text.
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

/// The texts of one document: its own file, followed by the packs that it includes.
package struct SourceFiles: Hashable, Sendable {
  package private(set) var texts: [SourceText]
  /// The files that the document may refer to, or `nil` if it may refer to any file.
  package var reach: ReachableFiles?

  package init(_ own: SourceText) {
    texts = [own]
  }

  /// The document's own file.
  package var own: SourceText { texts[0] }

  /// Adds the text of a pack.
  /// - Returns: The file number to use in positions within the pack.
  package mutating func append(_ text: SourceText) -> UInt16 {
    texts.append(text)
    return UInt16(texts.count - 1)
  }

  /// Returns the name of the file that contains a position.
  package func name(of position: SourcePosition) -> String { texts[Int(position.file)].file }

  /// Returns a diagnostic with the line at the position. Without a position, the diagnostic is about the
  /// whole document.
  package func diagnostic(
    _ message: String, severity: Diagnostic.Severity = .error, at position: SourcePosition?,
    hint: String? = nil
  ) -> Diagnostic {
    let text = texts[Int(position?.file ?? 0)]
    return Diagnostic(
      message, severity: severity, file: text.file, at: position, hint: hint,
      excerpt: position.flatMap { text.excerpt(Int($0.line)) })
  }
}
