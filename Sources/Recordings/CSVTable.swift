/// A table of comma-separated values (RFC 4180) with a header. It is read row by row, without copying.
///
/// A field may be in quotes. It may then contain commas, line breaks and doubled quotes. Lines end with LF or
/// CRLF. A byte order mark and blank lines are skipped.
struct CSVTable {
  /// One field of a row: its bytes without the quotes.
  struct Field {
    let bytes: UnsafeBufferPointer<UInt8>
    /// Whether the field contains `""`, which represents `"`.
    let hasDoubledQuotes: Bool

    var text: String {
      let text = String(decoding: bytes, as: UTF8.self)
      return hasDoubledQuotes ? text.replacing("\"\"", with: "\"") : text
    }

    var number: DecimalNumber? { DecimalNumber(bytes, .lenient) }

    /// The value as an integer. Forms such as `3.0` are allowed.
    var integer: Int? {
      guard let number, let floor = number.scaled(by: 0), Double(floor) == number.double else { return nil }
      return Int(floor)
    }
  }

  let file: String
  private(set) var header: [String] = []
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var line = 1

  /// Creates a table and reads its header. The bytes must outlive the table.
  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(RecordingError) {
    self.bytes = bytes
    self.file = file
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var fields: [Field] = []
    guard try nextRow(&fields) != nil else {
      throw RecordingError(.empty, file: file, "the file is empty", remedy: "use a table with a header")
    }
    header = fields.map(\.text)
  }

  /// Returns the index of the column with the first of these names that the header contains. Throws if the
  /// header does not contain any.
  func column(_ names: String...) throws(RecordingError) -> Int {
    for name in names {
      if let index = header.firstIndex(of: name) { return index }
    }
    let wanted = names.joined(separator: " or ")
    throw RecordingError(
      .missingName, file: file, line: 1, "there is no column \(wanted)",
      remedy: isRecognizable
        ? "the header has \(header.joined(separator: ", "))" : "name a table that AWARE has exported")
  }

  /// Whether the header has a column of AWARE. Messages do not show any other header, because the file may be
  /// confidential.
  private var isRecognizable: Bool {
    header.contains {
      ["timestamp", "time", "device_id"].contains($0) || $0.hasPrefix("battery_") || $0.hasPrefix("screen_")
    }
  }

  /// Returns the index of a column, or `nil` if the table has no such column.
  func optionalColumn(_ name: String) -> Int? { header.firstIndex(of: name) }

  /// Reads the next row into `fields`. Returns its line number, or `nil` at the end of the table.
  ///
  /// - Complexity: O(bytes of the row). The storage of `fields` is reused.
  mutating func nextRow(_ fields: inout [Field]) throws(RecordingError) -> Int? {
    fields.removeAll(keepingCapacity: true)
    skipBlankLines()
    guard position < bytes.count else { return nil }
    let start = line
    while true {
      fields.append(try nextField())
      guard position < bytes.count else { return start }
      let separator = bytes[position]
      position += 1
      if separator == UInt8(ascii: ",") { continue }
      line += 1
      return start
    }
  }

  private mutating func skipBlankLines() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "\r"): break
      default: return
      }
      position += 1
    }
  }

  /// Reads a field, up to the comma or line feed that ends it.
  private mutating func nextField() throws(RecordingError) -> Field {
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try quotedField() }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ","), bytes[position] != UInt8(ascii: "\n")
    {
      position += 1
    }
    var end = position
    if end > start, bytes[end - 1] == UInt8(ascii: "\r"), !isBeforeComma { end -= 1 }
    return Field(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]), hasDoubledQuotes: false)
  }

  private var isBeforeComma: Bool { position < bytes.count && bytes[position] == UInt8(ascii: ",") }

  private mutating func quotedField() throws(RecordingError) -> Field {
    let openingLine = line
    position += 1
    let start = position
    var hasDoubledQuotes = false
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      if bytes[position] == UInt8(ascii: "\"") {
        guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") else { break }
        hasDoubledQuotes = true
        position += 1
      }
      position += 1
    }
    guard position < bytes.count else {
      throw RecordingError(
        .syntax, file: file, line: openingLine, "a quoted field does not end",
        remedy: "close it with \", and double the quotes inside")
    }
    let field = Field(
      bytes: UnsafeBufferPointer(rebasing: bytes[start..<position]), hasDoubledQuotes: hasDoubledQuotes)
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "\r") { position += 1 }
    guard position == bytes.count || isBeforeComma || bytes[position] == UInt8(ascii: "\n") else {
      throw RecordingError(
        .syntax, file: file, line: line, "unexpected text after the closing quote of a field",
        remedy: "put a comma after it, and double the quotes inside")
    }
    return field
  }
}
