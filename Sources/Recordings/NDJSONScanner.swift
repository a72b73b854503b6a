package import CivilTime
package import TriggerModel

/// A cursor over one line of JSON, which the caller reads value by value.
///
/// The scanner validates all of RFC 8259: escapes, UTF-8, numbers, separators, and nesting up to
/// ``maximumDepth``. It allocates memory only to report a problem. It does not look ahead. The caller
/// requests a value of a certain type, and receives the value or a ``ScanProblem`` with a position.
///
/// ```swift
/// try scanner.beginObject()
/// while let key = try scanner.nextKey() {
///   if key == "id" { id = try scanner.integer() }
///   else if key == "days" {
///     try scanner.beginArray()
///     while try scanner.nextElement() { days.append(try scanner.integer()) }
///   } else { throw scanner.unknownKey(key, known: ["id", "days"]) }
/// }
/// ```
package struct NDJSONScanner {
  /// The maximum nesting depth of objects and arrays.
  package static let maximumDepth = 64

  /// The type of a value.
  package enum Kind: String {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case truth = "true or false"
    case null = "null"
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  private(set) var position = 0
  /// The byte offset of the last key or value.
  package private(set) var start = 0
  private var depth = 0
  /// Whether the last byte was an opening bracket. No comma is then expected.
  private var isFirst = false

  /// Creates a scanner. The bytes must outlive the scanner and the strings that it returns.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the bytes from this scanner's position to that of another scanner of the same line.
  package func bytes(upTo later: NDJSONScanner) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[position..<max(position, later.position)])
  }

  // MARK: Containers

  /// Reads `{`. Call ``nextKey()`` to read the members.
  package mutating func beginObject() throws(ScanProblem) {
    try open(UInt8(ascii: "{"), .object)
  }

  /// Reads the next key and its colon, and returns the key. The caller must then read the value.
  ///
  /// At the end of the object, reads the closing brace and returns `nil`.
  package mutating func nextKey() throws(ScanProblem) -> JSONText? {
    guard try isFollowed(before: UInt8(ascii: "}")) else { return nil }
    guard byte == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
    let key = try text()
    let keyStart = start
    skipWhitespace()
    guard byte == UInt8(ascii: ":") else { throw unexpected("a colon after the key") }
    position += 1
    start = keyStart
    return key
  }

  /// Reads `[`. Call ``nextElement()`` before each element.
  package mutating func beginArray() throws(ScanProblem) {
    try open(UInt8(ascii: "["), .array)
  }

  /// Returns whether there is another element, which the caller must then read. At the end of the array,
  /// reads the closing bracket and returns `false`.
  package mutating func nextElement() throws(ScanProblem) -> Bool {
    try isFollowed(before: UInt8(ascii: "]"))
  }

  // MARK: Values

  /// Returns the type of the next value without reading it, or `nil` if no value starts here.
  package mutating func peek() -> Kind? {
    skipWhitespace()
    switch byte {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .truth
    case UInt8(ascii: "n"): return .null
    default: return nil
    }
  }

  package mutating func string() throws(ScanProblem) -> JSONText {
    skipWhitespace()
    guard byte == UInt8(ascii: "\"") else { throw unexpected(Kind.string.rawValue) }
    return try text()
  }

  /// Reads a number without rounding it.
  package mutating func decimal() throws(ScanProblem) -> DecimalNumber {
    try scanDecimal()
  }

  /// Reads a finite number.
  package mutating func number() throws(ScanProblem) -> Double {
    let value = try scanDecimal().double
    guard value.isFinite else { throw invalid("the number is too large", remedy: "keep it below 1.8e308") }
    return value
  }

  /// Reads an integer that has neither a decimal point nor an exponent.
  package mutating func integer() throws(ScanProblem) -> Int64 {
    let number = try scanDecimal()
    guard number.isInteger, let value = number.scaled(by: 0) else {
      throw invalid("a whole number was expected", remedy: "write it without point, of at most 18 digits")
    }
    return value
  }

  package mutating func truth() throws(ScanProblem) -> Bool {
    skipWhitespace()
    if take("true") { return true }
    if take("false") { return false }
    throw unexpected(Kind.truth.rawValue)
  }

  package mutating func null() throws(ScanProblem) {
    skipWhitespace()
    guard take("null") else { throw unexpected(Kind.null.rawValue) }
  }

  /// Validates and discards a value of any type.
  package mutating func skipValue() throws(ScanProblem) {
    switch peek() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try string()
    case .number: _ = try scanDecimal()
    case .truth: _ = try truth()
    case .null: try null()
    case nil: throw unexpected("a value")
    }
  }

  /// Throws unless only white space remains.
  package mutating func endOfLine() throws(ScanProblem) {
    skipWhitespace()
    guard position == bytes.count, depth == 0 else { throw unexpected("the end of the line") }
  }

  /// Skips the rest of the line without validation.
  mutating func skipLine() {
    position = bytes.count
    depth = 0
  }

  // MARK: Problems

  /// Returns a problem of the last key or value.
  package func invalid(
    _ message: String, remedy: String, _ code: RecordingError.Code = .value
  ) -> ScanProblem {
    ScanProblem(code, offset: start, message, remedy: remedy)
  }

  /// Returns the problem of an unknown key. The key must be the last one that was read.
  package func unknownKey(_ key: JSONText, known: [String]) -> ScanProblem {
    unknown("key", key, known: known)
  }

  /// Returns the problem of an unknown name. The name must be the last string that was read.
  package func unknown(_ what: String, _ name: JSONText, known: [String]) -> ScanProblem {
    let nearest = NearestNames.of(name.string, among: known)
    let remedy =
      nearest.isEmpty
      ? "known: \(known.joined(separator: ", "))" : "did you mean \(nearest.joined(separator: " or "))?"
    return invalid("unknown \(what) \"\(name.string.prefix(64))\"", remedy: remedy, .unknownName)
  }

  /// Returns the problem of a repeated key. The key must be the last one that was read.
  package func repeatedKey(_ key: JSONText) -> ScanProblem {
    invalid("\"\(key.string.prefix(64))\" is there twice", remedy: "keep one of them", .repeatedName)
  }

  /// Returns the problem of a missing key.
  package func missingKey(_ name: String) -> ScanProblem {
    ScanProblem(.missingName, offset: 0, "\"\(name)\" is missing", remedy: "add it")
  }

  // MARK: Bytes

  /// The next byte, or 0 at the end of the line. Valid JSON contains no zero byte.
  @inline(__always)
  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  private mutating func skipWhitespace() {
    // Usually there is no white space, and the loop ends immediately.
    while position < bytes.count, bytes[position] <= 0x20 {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func open(_ bracket: UInt8, _ kind: Kind) throws(ScanProblem) {
    skipWhitespace()
    guard byte == bracket else { throw unexpected(kind.rawValue) }
    start = position
    guard depth < Self.maximumDepth else {
      throw invalid("nested deeper than \(Self.maximumDepth)", remedy: "flatten it", .syntax)
    }
    depth += 1
    position += 1
    isFirst = true
  }

  /// Reads a comma or the closing bracket. Returns whether another member or element follows.
  private mutating func isFollowed(before closing: UInt8) throws(ScanProblem) -> Bool {
    skipWhitespace()
    if byte == closing, depth > 0 {
      position += 1
      depth -= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard byte == UInt8(ascii: ",") else {
      throw unexpected("a comma or \(Unicode.Scalar(closing))")
    }
    position += 1
    skipWhitespace()
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    start = position
    position += count
    return true
  }

  @inline(__always)
  private mutating func scanDecimal() throws(ScanProblem) -> DecimalNumber {
    skipWhitespace()
    start = position
    guard let number = DecimalNumber.scan(bytes, at: &position, .json) else { throw notANumber() }
    return number
  }

  private mutating func notANumber() -> ScanProblem {
    guard peek() == .number else { return unexpected(Kind.number.rawValue) }
    return invalid(
      "this is not a number", remedy: "write it as 12, -0.5 or 1e3, without leading zeros or plus", .syntax)
  }

  /// Reads a string from its opening quote.
  private mutating func text() throws(ScanProblem) -> JSONText {
    start = position
    let first = position + 1
    var index = first
    var hasEscapes = false
    var seen: UInt8 = 0
    while true {
      guard index < bytes.count else { throw fail(at: index, "the string's closing quote") }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else {
        throw ScanProblem(
          .syntax, offset: index, "a control character inside a string", remedy: "write it as \\u00XX")
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position = index
        try escape()
        index = position
      } else {
        seen |= byte
        index += 1
      }
    }
    position = index + 1
    let slice = UnsafeBufferPointer(rebasing: bytes[first..<index])
    guard seen < 0x80 || String(validating: slice, as: UTF8.self) != nil else {
      throw invalid("the string is not valid UTF-8", remedy: "save the file as UTF-8", .encoding)
    }
    return JSONText(bytes: slice, hasEscapes: hasEscapes)
  }

  /// Reads an escape, or the two escapes of a surrogate pair.
  private mutating func escape() throws(ScanProblem) {
    let begin = position
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      if UTF16.isTrailSurrogate(unit) { throw loneSurrogate(begin) }
      guard UTF16.isLeadSurrogate(unit) else { return }
      guard take("\\"), byte == UInt8(ascii: "u"), UTF16.isTrailSurrogate(try codeUnit()) else {
        throw loneSurrogate(begin)
      }
    default:
      throw ScanProblem(
        .syntax, offset: begin, "an escape that JSON does not have", remedy: "write \\\\ for a backslash")
    }
  }

  private func loneSurrogate(_ offset: Int) -> ScanProblem {
    ScanProblem(
      .syntax, offset: offset, "half of a surrogate pair", remedy: "write both halves, or the character")
  }

  /// Reads the four digits of `uXXXX`.
  private mutating func codeUnit() throws(ScanProblem) -> UInt16 {
    position += 1
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigit(byte) else { throw unexpected("four hexadecimal digits") }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private mutating func fail(at offset: Int, _ wanted: String) -> ScanProblem {
    position = offset
    return unexpected(wanted)
  }

  /// Returns the problem that `wanted` was expected instead of the next byte.
  private func unexpected(_ wanted: String) -> ScanProblem {
    guard position < bytes.count else {
      return ScanProblem(
        .syntax, offset: position, "the line ends where \(wanted) was expected", remedy: "complete the line")
    }
    let byte = bytes[position]
    let found = (0x21...0x7E).contains(byte) ? "\(Unicode.Scalar(byte))" : "byte 0x" + String(byte, radix: 16)
    return ScanProblem(
      .syntax, offset: position, "\(wanted) was expected, not \(found)",
      remedy: "correct the JSON of this line")
  }
}

extension NDJSONScanner {
  /// Reads an unsigned 64-bit integer.
  package mutating func unsigned() throws(ScanProblem) -> UInt64 {
    _ = try decimal()
    var value: UInt64 = 0
    for byte in bytes[start..<position] {
      let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = tens.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, !isTooMuch, !isOver else {
        throw invalid(
          "a whole number was expected, from 0 to 18446744073709551615",
          remedy: "write it without point and sign")
      }
      value = sum
    }
    return value
  }

  /// Reads an instant: an ISO 8601 string with its zone, or an integer of milliseconds since 1970.
  package mutating func instant() throws(ScanProblem) -> Instant {
    if peek() == .number {
      let milliseconds = try integer()
      guard Timestamp.range.contains(milliseconds) else {
        throw invalid("the time is not in the years 1 to 9999", remedy: "write milliseconds since 1970")
      }
      return Instant(millisecondsSince1970: milliseconds)
    }
    let text = try string()
    guard let stamp = Timestamp(text) else {
      throw invalid(
        "\"\(text.string.prefix(64))\" is not a time", remedy: "write it as 2026-03-02T07:00:00Z")
    }
    guard stamp.offset != nil else {
      throw invalid("the time has no zone", remedy: "add Z, or an offset such as +01:00")
    }
    return stamp.instant
  }

  /// Reads a calendar date.
  package mutating func date() throws(ScanProblem) -> CivilDate {
    let text = try string()
    do { return try CivilDate(iso8601: text.string) } catch {
      throw invalid("\"\(text.string.prefix(64))\" is not a date", remedy: "write it as 2026-03-02")
    }
  }
}

/// A string in a line of JSON: the bytes between its quotes, validated but not copied.
///
/// The string is valid only as long as the bytes of the line are.
package struct JSONText: BitwiseCopyable {
  /// The bytes of the line, with escapes.
  package let bytes: UnsafeBufferPointer<UInt8>
  package let hasEscapes: Bool

  /// The string with its escapes resolved.
  package var string: String {
    hasEscapes ? String(decoding: unescaped(), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether the string equals an ASCII literal.
  ///
  /// - Complexity: O(length). Allocates memory only if there are escapes.
  @inline(__always)
  package static func == (text: JSONText, literal: StaticString) -> Bool {
    if text.hasEscapes { return text.string == literal.description }
    let count = literal.utf8CodeUnitCount
    guard text.bytes.count == count else { return false }
    let start = literal.utf8Start
    for index in 0..<count where text.bytes[index] != start[index] { return false }
    return true
  }

  /// Returns the bytes with their escapes resolved. The scanner has validated the escapes.
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

  /// Returns the UTF-16 code unit of the four hexadecimal digits at an index.
  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt16 {
    bytes[index..<index + 4].reduce(0) { $0 << 4 | UInt16(hexadecimalDigit($1) ?? 0) }
  }
}

/// Returns the value of a hexadecimal digit, or `nil` for any other byte.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
