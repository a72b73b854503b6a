/// A JSON value whose objects keep the order in which they were written.
package indirect enum JSONValue: Hashable, Sendable {
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
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  /// The text in one line.
  package var line: String {
    switch self {
    case .array(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ": " + $0.value.line }.joined(separator: ", ") + "}"
    default: text
    }
  }

  private func write(to text: inout String, indent: Int) {
    switch self {
    case .string(let value): text += Self.quoted(value)
    case .integer(let value): text += String(value)
    case .number(let value):
      text += value == value.rounded() && value.magnitude < 1e15 ? String(Int(value)) : String(value)
    case .truth(let value): text += String(value)
    case .array(let items):
      Self.write(items, between: ("[", "]"), to: &text, indent: indent) { item, text in
        item.write(to: &text, indent: indent + 1)
      }
    case .object(let members):
      Self.write(members, between: ("{", "}"), to: &text, indent: indent) { member, text in
        text += Self.quoted(member.key) + ": "
        member.value.write(to: &text, indent: indent + 1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: (String, String), to text: inout String, indent: Int,
    _ body: (Element, inout String) -> Void
  ) {
    guard !elements.isEmpty else {
      text += brackets.0 + brackets.1
      return
    }
    text += brackets.0
    for (position, element) in elements.enumerated() {
      text += position == 0 ? "\n" : ",\n"
      text += String(repeating: "  ", count: indent + 1)
      body(element, &text)
    }
    text += "\n" + String(repeating: "  ", count: indent) + brackets.1
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
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
