/// The text of one file: valid UTF-8, with a table of its lines.
package struct SourceText: Hashable, Sendable {
  /// The file's name as it was given; diagnostics begin with it.
  package let file: String
  package let text: String
  private let lines: [Substring]

  /// Scenarios are read by people: a larger file is a recording in the wrong place.
  package static let byteLimit = 4 * 1_024 * 1_024

  package init(file: String, text: String) {
    self.file = file
    self.text = text
    lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  /// Reads a file's bytes; a byte order mark is skipped.
  ///
  /// Throws the one diagnostic that says why they are not a text: too large, or the first byte that is
  /// not UTF-8.
  package init(file: String, bytes: [UInt8]) throws(Diagnostic) {
    guard bytes.count <= Self.byteLimit else {
      throw Self.tooLarge(file: file, bytes: UInt64(bytes.count))
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      let valid = Self.longestValidPrefix(of: content)
      let before = SourceText(file: file, text: valid)
      let byte = content[content.startIndex + valid.utf8.count]
      throw Diagnostic(
        "the file is not UTF-8: unexpected byte 0x\(String(byte, radix: 16, uppercase: true))", file: file,
        at: before.endPosition, hint: "save it as UTF-8", excerpt: before.line(Int(before.endPosition.line)))
    }
    self.init(file: file, text: text)
  }

  static func tooLarge(file: String, bytes: UInt64) -> Diagnostic {
    Diagnostic(
      "the file is too large: \(bytes) bytes, the limit is \(byteLimit)", file: file,
      hint: "put recordings into files of their own and name them in the time line")
  }

  /// A line without its end, counted from 1.
  package func line(_ number: Int) -> String? {
    slice(ofLine: number).map { String($0) }
  }

  /// The same, without a copy.
  func slice(ofLine number: Int) -> Substring? {
    lines.indices.contains(number - 1) ? lines[number - 1] : nil
  }

  /// Just behind the last character.
  package var endPosition: SourcePosition {
    SourcePosition(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
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
