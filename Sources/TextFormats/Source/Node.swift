/// A value of a YAML document, with its place in the text.
///
/// Scalars keep their text: what `012`, `no` or `22:00` mean is decided by the format that reads them,
/// never by YAML.
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
    /// What a pack says in its place; nil when none does.
    package var overridden: Node?

    package init(key: String, keyPosition: SourcePosition, value: Node, overridden: Node? = nil) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
      self.overridden = overridden
    }

    /// It takes away a name that a pack declares.
    package var isWithdrawal: Bool { overridden != nil && value.isWithdrawal }
  }

  package var content: Content
  /// For an alias: where its anchor stands.
  package var position: SourcePosition
  /// How far to the right of ``position`` the first character of the text is: 1 for a quoted scalar, nil
  /// where text and source may differ from column to column.
  package var textOffset: Int?

  package init(content: Content, position: SourcePosition, textOffset: Int? = nil) {
    self.content = content
    self.position = position
    self.textOffset = textOffset
  }

  /// The position of a character of the scalar's text, or of the node when that cannot be said.
  package func position(ofScalar offset: Int) -> SourcePosition {
    guard let textOffset else { return position }
    return position.advanced(by: textOffset + offset)
  }

  /// The value under a key of a mapping.
  package subscript(key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// What it is, for messages.
  package var kindName: String {
    switch content {
    case .scalar(""): "nothing"
    case .scalar: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
