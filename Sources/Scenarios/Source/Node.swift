/// A value of a YAML document, with its place in the text.
///
/// Scalars keep their text: what `012`, `no` or `22:00` mean is decided by the format that reads them,
/// never by YAML.
struct Node: Sendable {
  enum Content: Sendable {
    case scalar(String)
    case sequence([Node])
    case mapping([Entry])
  }

  struct Entry: Sendable {
    var key: String
    var keyPosition: SourcePosition
    var value: Node
    /// What a pack says in its place; nil when none does.
    var overridden: Node?

    /// It takes away a name that a pack declares.
    var isWithdrawal: Bool { overridden != nil && value.isWithdrawal }
  }

  var content: Content
  /// For an alias: where its anchor stands.
  var position: SourcePosition
  /// How far to the right of ``position`` the first character of the text is: 1 for a quoted scalar, nil
  /// where text and source may differ from column to column.
  var textOffset: Int?

  /// The position of a character of the scalar's text, or of the node when that cannot be said.
  func position(ofScalar offset: Int) -> SourcePosition {
    guard let textOffset else { return position }
    return position.advanced(by: textOffset + offset)
  }

  /// The value under a key of a mapping.
  subscript(key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// What it is, for messages.
  var kindName: String {
    switch content {
    case .scalar(""): "nothing"
    case .scalar: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
