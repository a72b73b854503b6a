/// What is told of an XML document, in its order.
///
/// Bytes are valid during the call only. A line is that of the end of the tag, and looked up only where it is asked for.
protocol XMLHandler {
  /// Whether text matters where the reader is now.
  var isCollecting: Bool { get }
  /// Whether no more is to be told.
  var hasFailed: Bool { get }

  /// An element begins; its name has the prefix that the document gives it.
  mutating func open(
    _ name: UnsafeBufferPointer<UInt8>, _ attributes: some XMLAttributes, line: @autoclosure () -> Int)

  /// The element that was opened last ends.
  mutating func close(line: @autoclosure () -> Int)

  /// A piece of the text inside the element that was opened last, if ``isCollecting``.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>)
}

/// The attributes of an element.
protocol XMLAttributes {
  /// What `read` makes of the value of an attribute; nil where there is none of that name.
  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found?
}

extension [String: String]: XMLAttributes {
  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found? {
    guard var text = self["\(name)"] else { return nil }
    return text.withUTF8(read)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these are the letters of a word.
  func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != word.utf8Start[index] { return false }
    return true
  }

  /// Whether these are `xml` in any case, and what may follow; and a few that nobody begins a name with.
  var beginsWithXML: Bool {
    count >= 3 && self[0] | 0x20 == UInt8(ascii: "x") && self[1] | 0x20 == UInt8(ascii: "m")
      && self[2] | 0x20 == UInt8(ascii: "l")
  }
}
