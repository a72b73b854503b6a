import CivilTime
import TriggerModel

/// A cursor over one line of JSON, which the caller reads value by value.
///
/// The scanner checks all of RFC 8259 on the way (escapes, UTF-8, numbers, separators, nesting up to
/// ``maximumDepth``) and allocates nothing unless something is wrong. What it does not do is look
/// ahead: the caller says what it expects, and gets that or a ``ScanProblem`` with the place.
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
  /// How deep objects and arrays may be nested.
  package static let maximumDepth = 64

  /// What a value can be.
  package enum Kind: String {
    case object = "an object"
    case array = "an array"
    case string = "a string"
    case number = "a number"
    case truth = "true or false"
    case null = "null"
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next byte is read.
  private(set) var position = 0
  /// Where the key or value that was read last begins.
  package private(set) var start = 0
  private var depth = 0
  /// True between an opening bracket and what follows it: no comma is due there.
  private var isFirst = false

  /// The bytes must outlive the scanner and what it returns.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The bytes from here to where another scanner of the same line has come.
  package func bytes(upTo later: NDJSONScanner) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[position..<max(position, later.position)])
  }

  // MARK: Containers

  /// Reads `{`; ``nextKey()`` then reads the members.
  package mutating func beginObject() throws(ScanProblem) {
    try open(UInt8(ascii: "{"), .object)
  }

  /// Reads the next key and its colon; the caller must then read the value. nil at the end of the
  /// object, which is read too.
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

  /// Reads `[`; ``nextElement()`` then tells whether there is an element to read.
  package mutating func beginArray() throws(ScanProblem) {
    try open(UInt8(ascii: "["), .array)
  }

  /// True when the caller must read one more element; false at the end of the array, which is read.
  package mutating func nextElement() throws(ScanProblem) -> Bool {
    try isFollowed(before: UInt8(ascii: "]"))
  }

  // MARK: Values

  /// What comes next, without reading it; nil when it is not the beginning of a value.
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

  /// A number as written.
  package mutating func decimal() throws(ScanProblem) -> DecimalNumber {
    try scanDecimal()
  }

  /// A finite number.
  package mutating func number() throws(ScanProblem) -> Double {
    let value = try scanDecimal().double
    guard value.isFinite else { throw invalid("the number is too large", remedy: "keep it below 1.8e308") }
    return value
  }

  /// A number written without point and exponent.
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

  /// Reads a value of any kind and forgets it; it is checked all the same.
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

  /// Checks that nothing but white space is left.
  package mutating func endOfLine() throws(ScanProblem) {
    skipWhitespace()
    guard position == bytes.count, depth == 0 else { throw unexpected("the end of the line") }
  }

  /// Passes over what is left, whatever it is.
  mutating func skipLine() {
    position = bytes.count
    depth = 0
  }

  // MARK: Problems

  /// The key or value that was read last is not acceptable.
  package func invalid(
    _ message: String, remedy: String, _ code: RecordingError.Code = .value
  ) -> ScanProblem {
    ScanProblem(code, offset: start, message, remedy: remedy)
  }

  /// The key that was read last is not known.
  package func unknownKey(_ key: JSONText, known: [String]) -> ScanProblem {
    unknown("key", key, known: known)
  }

  /// The string that was read last is not one of the known names of a `what`.
  package func unknown(_ what: String, _ name: JSONText, known: [String]) -> ScanProblem {
    let nearest = NearestNames.of(name.string, among: known)
    let remedy =
      nearest.isEmpty
      ? "known are \(known.joined(separator: ", "))" : "did you mean \(nearest.joined(separator: " or "))?"
    return invalid("unknown \(what) \"\(name.string.prefix(64))\"", remedy: remedy, .unknownName)
  }

  /// The key that was read last was there before.
  package func repeatedKey(_ key: JSONText) -> ScanProblem {
    invalid("\"\(key.string.prefix(64))\" is there twice", remedy: "keep one of them", .repeatedName)
  }

  /// The object that was read last lacks a key.
  package func missingKey(_ name: String) -> ScanProblem {
    ScanProblem(.missingName, offset: 0, "\"\(name)\" is missing", remedy: "add it")
  }

  // MARK: Bytes

  /// The next byte; 0, which no JSON has, at the end.
  @inline(__always)
  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inline(__always)
  private mutating func skipWhitespace() {
    // Most values follow their comma or colon at once.
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

  /// Whether the object or array goes on; reads the comma that is then due, or the closing bracket.
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

  /// Reads a string of which the opening quote is next.
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

  /// Reads an escape; both halves if it is the first of a surrogate pair.
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

  /// Reads `uXXXX`.
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

  /// Something else stands where `wanted` should.
  private func unexpected(_ wanted: String) -> ScanProblem {
    guard position < bytes.count else {
      return ScanProblem(
        .syntax, offset: position, "the line ends where \(wanted) was expected", remedy: "complete the line")
    }
    let byte = bytes[position]
    let found = (0x21...0x7E).contains(byte) ? "\(Unicode.Scalar(byte))" : "byte 0x" + String(byte, radix: 16)
    return ScanProblem(
      .syntax, offset: position, "\(wanted) was expected, not \(found)", remedy: "mend the JSON of this line")
  }
}
