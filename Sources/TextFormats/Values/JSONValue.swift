/// A JSON value whose objects keep the order in which they were written.
package enum JSONValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  /// Finite.
  case number(Double)
  case truth(Bool)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value of a key of an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, indented by two spaces a level, without a final end of line.
  package var text: String {
    var bytes: [UInt8] = []
    write(to: &bytes, indent: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text in one line.
  package var line: String {
    switch self {
    case .array(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { JSONValue.string($0.key).text + ": " + $0.value.line }.joined(separator: ", ") + "}"
    default: text
    }
  }

  /// Writes bytes: appending to a text piece by piece takes several times as long.
  private func write(to bytes: inout [UInt8], indent: Int) {
    switch self {
    case .string(let value): Self.write(quoted: value, to: &bytes)
    case .integer(let value): bytes.append(Int64(value))
    case .number(let value): bytes.append(value)
    case .truth(let value): bytes += (value ? "true" : "false").utf8
    case .array(let items):
      Self.write(items, between: ("[", "]"), to: &bytes, indent: indent) { item, bytes in
        item.write(to: &bytes, indent: indent + 1)
      }
    case .object(let members):
      Self.write(members, between: ("{", "}"), to: &bytes, indent: indent) { member, bytes in
        Self.write(quoted: member.key, to: &bytes)
        bytes += ": ".utf8
        member.value.write(to: &bytes, indent: indent + 1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: (Unicode.Scalar, Unicode.Scalar), to bytes: inout [UInt8],
    indent: Int, _ body: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: brackets.0))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine(in: &bytes, indent: indent + 1)
      body(element, &bytes)
    }
    if !elements.isEmpty { breakLine(in: &bytes, indent: indent) }
    bytes.append(UInt8(ascii: brackets.1))
  }

  private static func breakLine(in bytes: inout [UInt8], indent: Int) {
    bytes.append(UInt8(ascii: "\n"))
    var rest = 2 * indent
    while rest > 0 {
      spaces.withUTF8Buffer { bytes.append(contentsOf: $0.prefix(rest)) }
      rest -= spaces.utf8CodeUnitCount
    }
  }

  private static let spaces: StaticString = "                                "

  private static func write(quoted string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    var string = string
    // Nearly all texts are as they are.
    let isPlain = string.withUTF8 { text in
      for byte in text {
        guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
          return false
        }
      }
      bytes.append(contentsOf: text)
      return true
    }
    if isPlain { return }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": bytes += "\\\"".utf8
      case "\\": bytes += "\\\\".utf8
      case "\n": bytes += "\\n".utf8
      case "\t": bytes += "\\t".utf8
      case "\r": bytes += "\\r".utf8
      // The last of these YAML, which reads JSON too, would take for the end of a line, or refuse.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        bytes += ("\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits).utf8
      default: bytes += String(scalar).utf8
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .truth(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
