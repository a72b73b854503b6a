/// The elements that are open, and the prefixes that they declare.
struct XMLScope {
  /// Of the XML parser it is 256.
  static let depthLimit = 200

  private(set) var depth = 0
  /// The names of the open elements, one behind the other, and where each ends.
  private var names: [UInt8] = []
  private var ends: [Int] = []
  private var prefixes: [(name: [UInt8], depth: Int)] = []

  /// An element begins; false if it has a prefix that neither it nor one around it declares, or declares one in a way
  /// that the XML parser may object to.
  mutating func open(_ name: XMLName, _ attributes: PlainXMLAttributes) -> Bool {
    depth += 1
    names.append(contentsOf: name.bytes)
    ends.append(names.count)
    for attribute in attributes.list where attribute.declaresNamespace {
      let hasPrefix = attribute.name.colon != nil
      guard XMLNamespace.isPlain(attribute.value, hasPrefix: hasPrefix) else { return false }
      if hasPrefix {
        guard !attribute.name.local.beginsWithXML else { return false }
        prefixes.append((Array(attribute.name.local), depth))
      }
    }
    return declares(name) && attributes.list.allSatisfy { $0.declaresNamespace || declares($0.name) }
  }

  /// Whether the prefix of a name is declared, if it has one.
  private func declares(_ name: XMLName) -> Bool {
    guard let prefix = name.prefix else { return true }
    return prefixes.contains { $0.name.elementsEqual(prefix) }
  }

  /// Ends the element that was opened last; false if it has another name.
  mutating func close(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let end = ends.last else { return false }
    let start = end - name.count
    guard start == (ends.count > 1 ? ends[ends.count - 2] : 0) else { return false }
    for index in name.indices where names[start + index] != name[index] { return false }
    close()
    return true
  }

  /// Ends the element that was opened last.
  mutating func close() {
    ends.removeLast()
    names.removeLast(names.count - (ends.last ?? 0))
    while let last = prefixes.last, last.depth == depth { prefixes.removeLast() }
    depth -= 1
  }
}
