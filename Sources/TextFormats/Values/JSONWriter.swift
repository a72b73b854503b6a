/// Writes JSON values as bytes: appending to a text piece by piece takes several times as long.
struct JSONWriter {
  /// Who gets the bytes, a piece at a time.
  typealias Taker = ([UInt8]) throws -> Void

  /// As soon as so many bytes are written they are handed on.
  private static let pieceLength = 1 << 20

  /// Those that were not handed on yet.
  private var bytes: [UInt8] = []
  /// How many were handed on.
  private var handedOn = 0
  /// Lists that were written already. Rows that came to the same share them.
  private var written: [Place: Written] = [:]
  /// What is written now is gone as soon as it is: other lists may come to its place.
  private var isFleeting = false

  /// A list in memory, as long as the value that is written holds it, and how far its text is indented.
  private struct Place: Hashable {
    var address: UnsafeRawPointer
    var indent: Int
  }

  private enum Written {
    /// Counted from the first byte of all.
    case range(Range<Int>)
    /// It came again when its range had been handed on.
    case bytes([UInt8])
  }

  /// Writes a value and an end of line.
  static func write(_ value: JSONValue, _ take: Taker) rethrows {
    var writer = JSONWriter()
    try writer.write(value, indent: 0, take)
    writer.bytes.append(UInt8(ascii: "\n"))
    try take(writer.bytes)
  }

  private mutating func write(_ value: JSONValue, indent: Int, _ take: Taker) rethrows {
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
      let isWithinRows = isFleeting
      isFleeting = true
      defer { isFleeting = isWithinRows }
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
    _ elements: [Element], between brackets: (Unicode.Scalar, Unicode.Scalar), indent: Int, _ take: Taker,
    _ body: (Element, inout JSONWriter) throws -> Void
  ) rethrows {
    let place = elements.withUnsafeBytes { $0.baseAddress }.map { Place(address: $0, indent: indent) }
    let known = place.flatMap { written[$0] }
    if let known, let text = text(of: known) { return bytes.append(contentsOf: text) }
    let start = handedOn + bytes.count
    try writeElements(of: elements, between: brackets, indent: indent, take, body)
    let range = start..<handedOn + bytes.count
    // What is short is written again as fast.
    guard let place, !isFleeting, range.count > 100 else { return }
    written[place] = known == nil ? .range(range) : text(of: .range(range)).map(Written.bytes)
  }

  private mutating func writeElements<Elements: Collection>(
    of elements: Elements, between brackets: (Unicode.Scalar, Unicode.Scalar), indent: Int, _ take: Taker,
    _ body: (Elements.Element, inout JSONWriter) throws -> Void
  ) rethrows {
    bytes.append(UInt8(ascii: brackets.0))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(indent: indent + 1)
      try body(element, &self)
      if bytes.count >= Self.pieceLength {
        try take(bytes)
        handedOn += bytes.count
        bytes.removeAll(keepingCapacity: true)
      }
    }
    if !elements.isEmpty { breakLine(indent: indent) }
    bytes.append(UInt8(ascii: brackets.1))
  }

  /// - Returns: Nil: not all of it is there any more.
  private func text(of written: Written) -> [UInt8]? {
    switch written {
    case .bytes(let bytes): return bytes
    case .range(let range):
      if range.lowerBound < handedOn { return nil }
      return Array(bytes[range.lowerBound - handedOn..<range.upperBound - handedOn])
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
