/// Writes JSON values as bytes, which is several times as fast as appending to a string.
struct JSONWriter {
  /// A function that receives one piece of the bytes at a time.
  typealias Receiver = ([UInt8]) throws -> Void

  /// The number of bytes at which a piece is passed to the receiver.
  private static let pieceLength = 1 << 20

  /// The bytes that have not yet been passed to the receiver.
  private var bytes: [UInt8] = []
  /// The number of bytes that have been passed to the receiver.
  private var passedOn = 0
  /// The lists that were written. If several rows contain the same list, they share its storage. The writer
  /// then recognises the list by its address and copies the text.
  private var written: [Place: Written] = [:]
  /// Whether the current value is released as soon as it is written. Other lists may then reuse its address.
  private var isTemporary = false

  /// The address and the indentation of a list. The address identifies the list while the value that is being
  /// written retains it.
  private struct Place: Hashable {
    var address: UnsafeRawPointer
    var indent: Int
  }

  private enum Written {
    /// The range of the list's text, as offsets from the first byte that was written.
    case range(Range<Int>)
    /// The text of the list, kept because its range has already been passed to the receiver.
    case bytes([UInt8])
  }

  /// Writes a value and a line feed.
  static func write(_ value: JSONValue, _ take: Receiver) rethrows {
    var writer = JSONWriter()
    try writer.write(value, indent: 0, take)
    writer.bytes.append(UInt8(ascii: "\n"))
    try take(writer.bytes)
  }

  private mutating func write(_ value: JSONValue, indent: Int, _ take: Receiver) rethrows {
    switch value {
    case .string(let value): bytes.append(quoting: value)
    case .integer(let value): bytes.append(Int64(value))
    case .number(let value): bytes.append(value)
    case .truth(let value): bytes += (value ? "true" : "false").utf8
    case .array(let items):
      try write(items, between: ("[", "]"), indent: indent, take) { item, writer in
        try writer.write(item, indent: indent + 1, take)
      }
    case .rows(let rows):
      let isWithinRows = isTemporary
      isTemporary = true
      defer { isTemporary = isWithinRows }
      try writeElements(of: rows, between: ("[", "]"), indent: indent, take) { row, writer in
        try writer.write(row, indent: indent + 1, take)
      }
    case .object(let members):
      try write(members, between: ("{", "}"), indent: indent, take) { member, writer in
        writer.bytes.append(quoting: member.key)
        writer.bytes += ": ".utf8
        try writer.write(member.value, indent: indent + 1, take)
      }
    }
  }

  private mutating func write<Element>(
    _ elements: [Element], between brackets: (Unicode.Scalar, Unicode.Scalar), indent: Int, _ take: Receiver,
    _ body: (Element, inout JSONWriter) throws -> Void
  ) rethrows {
    let place = elements.withUnsafeBytes { $0.baseAddress }.map { Place(address: $0, indent: indent) }
    let known = place.flatMap { written[$0] }
    if let known, let text = text(of: known) { return bytes.append(contentsOf: text) }
    let start = passedOn + bytes.count
    try writeElements(of: elements, between: brackets, indent: indent, take, body)
    let range = start..<passedOn + bytes.count
    // Writing a short list again is as fast as copying it.
    guard let place, !isTemporary, range.count > 100 else { return }
    written[place] = known == nil ? .range(range) : text(of: .range(range)).map(Written.bytes)
  }

  private mutating func writeElements<Elements: Collection>(
    of elements: Elements, between brackets: (Unicode.Scalar, Unicode.Scalar), indent: Int, _ take: Receiver,
    _ body: (Elements.Element, inout JSONWriter) throws -> Void
  ) rethrows {
    bytes.append(UInt8(ascii: brackets.0))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(indent: indent + 1)
      try body(element, &self)
      if bytes.count >= Self.pieceLength {
        try take(bytes)
        passedOn += bytes.count
        bytes.removeAll(keepingCapacity: true)
      }
    }
    if !elements.isEmpty { breakLine(indent: indent) }
    bytes.append(UInt8(ascii: brackets.1))
  }

  /// Returns the bytes of a list, or `nil` if some of them have already been passed to the receiver.
  private func text(of written: Written) -> [UInt8]? {
    switch written {
    case .bytes(let bytes): return bytes
    case .range(let range):
      if range.lowerBound < passedOn { return nil }
      return Array(bytes[range.lowerBound - passedOn..<range.upperBound - passedOn])
    }
  }

  private mutating func breakLine(indent: Int) {
    bytes.append(UInt8(ascii: "\n"))
    var rest = 2 * indent
    while rest > 0 {
      Self.spaces.withUTF8Buffer { bytes.append(contentsOf: $0.prefix(rest)) }
      rest -= Self.spaces.utf8CodeUnitCount
    }
  }

  private static let spaces: StaticString = "                                "
}

extension [UInt8] {
  /// Appends a string as a JSON string in quotation marks.
  package mutating func append(quoting string: String) {
    append(UInt8(ascii: "\""))
    defer { append(UInt8(ascii: "\"")) }
    var string = string
    // Most strings need no escapes.
    let isPlain = string.withUTF8 { text in
      for byte in text {
        guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
          return false
        }
      }
      append(contentsOf: text)
      return true
    }
    if isPlain { return }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\"".utf8
      case "\\": self += "\\\\".utf8
      case "\n": self += "\\n".utf8
      case "\t": self += "\\t".utf8
      case "\r": self += "\\r".utf8
      // YAML parsers, which read JSON too, would reject these characters or treat some of them as line ends.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        self += ("\\u" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits).utf8
      default: self += String(scalar).utf8
      }
    }
  }
}

/// Appends numbers digit by digit, without a temporary string.
extension [UInt8] {
  package mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  package mutating func append(_ number: UInt64) {
    if number < 10 { return append(UInt8(ascii: "0") + UInt8(number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = 20
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Appends the shortest text that parses as an equal number.
  package mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude < 1e15 {
      append(Int64(number))
    } else {
      append(contentsOf: number.description.utf8)
    }
  }
}
