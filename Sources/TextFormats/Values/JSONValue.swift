/// A JSON value. Objects keep the order of their members.
package enum JSONValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  /// A finite number.
  case number(Double)
  case truth(Bool)
  case array([JSONValue])
  /// A large array, whose elements are created one at a time while it is written.
  case rows(JSONRows)
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value for a key of an object, or `nil` if there is no such key.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The value as text, indented by two spaces per level, without a final line feed.
  package var text: String {
    var bytes: [UInt8] = []
    write { bytes += $0 }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  /// Writes ``text`` and a line feed in pieces. The text may have hundreds of megabytes, so it is never in
  /// memory as a whole.
  package func write(_ take: ([UInt8]) throws -> Void) rethrows { try JSONWriter.write(self, take) }

  /// The value as text on one line.
  package var line: String {
    switch self {
    case .array(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .rows(let rows): JSONValue.array(rows.map { $0 }).line
    case .object(let members):
      "{" + members.map { JSONValue.string($0.key).text + ": " + $0.value.line }.joined(separator: ", ") + "}"
    default: text
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

/// A JSON array that creates each element when it is accessed. Stored elements would take much more memory
/// than the data that they are created from.
package struct JSONRows: RandomAccessCollection, Sendable {
  package let endIndex: Int
  private let make: @Sendable (Int) -> JSONValue

  /// - Parameter make: Returns the element at an index. It must return an equal element each time.
  package init(count: Int, make: @escaping @Sendable (Int) -> JSONValue) {
    endIndex = count
    self.make = make
  }

  package var startIndex: Int { 0 }
  package subscript(index: Int) -> JSONValue { make(index) }
}

extension JSONRows: Hashable {
  package static func == (a: JSONRows, b: JSONRows) -> Bool { a.elementsEqual(b) }

  package func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}
