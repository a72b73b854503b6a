/// A name as it stands in a tag.
struct XMLName {
  /// The XML parser takes 50,000 bytes.
  static let lengthLimit = 1_000

  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the colon is that ends the prefix.
  let colon: Int?

  var prefix: UnsafeBufferPointer<UInt8>? { colon.map { UnsafeBufferPointer(rebasing: bytes[..<$0]) } }

  /// What follows the prefix.
  var local: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[(colon.map { $0 + 1 } ?? 0)...])
  }
}

/// The attributes of one element, in their order.
struct PlainXMLAttributes: XMLAttributes {
  struct Attribute {
    let name: XMLName
    let value: UnsafeBufferPointer<UInt8>
    let hasReferences: Bool
    /// `xmlns="…"` or `xmlns:x="…"`.
    var declaresNamespace: Bool { (name.prefix ?? name.bytes).isWord("xmlns") }
  }

  /// Looking for doubles takes quadratic time; nobody writes as many.
  private static let limit = 32

  private(set) var list: [Attribute] = []

  mutating func removeAll() { list.removeAll(keepingCapacity: true) }

  /// False if there are too many, or there is one that it might be the same as: with prefixes, of the same name behind them.
  mutating func append(
    _ name: XMLName, _ value: (bytes: UnsafeBufferPointer<UInt8>, hasReferences: Bool)
  ) -> Bool {
    guard list.count < Self.limit else { return false }
    for other in list where (other.name.colon == nil) == (name.colon == nil) {
      if other.name.local.elementsEqual(name.local) { return false }
    }
    list.append(Attribute(name: name, value: value.bytes, hasReferences: value.hasReferences))
    return true
  }

  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found? {
    for attribute in list where attribute.name.bytes.isWord(name) {
      guard attribute.hasReferences else { return read(attribute.value) }
      return XMLReference.resolved(attribute.value).withUnsafeBufferPointer(read)
    }
    return nil
  }
}

/// What stands behind `xmlns=`.
enum XMLNamespace {
  /// Whether it is an address that the XML parser has no objection to, and not one that it keeps for itself; behind a
  /// prefix it may also be a word.
  static func isPlain(_ value: UnsafeBufferPointer<UInt8>, hasPrefix: Bool) -> Bool {
    let text = String(decoding: value, as: UTF8.self)
    guard !text.hasPrefix("http://www.w3.org/XML/"), !text.hasPrefix("http://www.w3.org/2000/xmlns") else {
      return false
    }
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) } ?? ""
    let rest = value[scheme.utf8.count...]
    guard hasPrefix || !scheme.isEmpty, let first = rest.first, first != UInt8(ascii: "/") else {
      return false
    }
    return rest.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
