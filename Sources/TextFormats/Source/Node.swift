/// A value of a YAML document with its position in the text.
///
/// Scalars keep their text. The format that reads a scalar, and not YAML, determines the meaning of `012`,
/// `no` or `22:00`.
package struct Node: Sendable {
  package enum Content: Sendable {
    case scalar(String)
    case sequence([Node])
    case mapping([Entry])
  }

  package struct Entry: Sendable {
    package var key: String
    package var keyPosition: SourcePosition
    package var value: Node
    /// The value in a pack that this entry overrides, or `nil` if there is none.
    package var overridden: Node?

    package init(key: String, keyPosition: SourcePosition, value: Node, overridden: Node? = nil) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
      self.overridden = overridden
    }

    /// Whether the entry removes a name that a pack declares.
    package var isWithdrawal: Bool { overridden != nil && value.isWithdrawal }
  }

  package var content: Content
  /// The position of the value in the text. An alias has the position of its anchor.
  package var position: SourcePosition
  /// The distance from ``position`` to the first character of the scalar, which is 1 for a quoted scalar.
  /// `nil` if the characters of the scalar and of the file may not correspond one to one.
  package var textOffset: Int?

  package init(content: Content, position: SourcePosition, textOffset: Int? = nil) {
    self.content = content
    self.position = position
    self.textOffset = textOffset
  }

  /// Returns the position of a character in the scalar, or the position of the node if the former is unknown.
  package func position(ofScalar offset: Int) -> SourcePosition {
    guard let textOffset else { return position }
    return position.advanced(by: textOffset + offset)
  }

  /// The value for a key of a mapping, or `nil` if there is no such key.
  package subscript(key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The kind of the node, as text for messages.
  package var kindName: String {
    switch content {
    case .scalar(""): "nothing"
    case .scalar: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

extension Node {
  /// Creates a node from a JSON value. Scalars become strings, and all positions are the start of the
  /// document.
  package init(_ value: JSONValue) {
    self.init(content: Content(value), position: .start)
  }
}

extension Node.Content {
  fileprivate init(_ value: JSONValue) {
    self =
      switch value {
      case .string(let text): .scalar(text)
      case .integer, .number, .truth: .scalar(value.text)
      case .array(let items): .sequence(items.map { Node($0) })
      case .rows(let rows): .sequence(rows.map { Node($0) })
      case .object(let members):
        .mapping(
          members.map { Node.Entry(key: $0.key, keyPosition: .start, value: Node($0.value)) })
      }
  }
}
