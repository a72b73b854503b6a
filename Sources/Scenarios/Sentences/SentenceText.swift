import TextFormats

/// Words of a sentence as a text of their own, each in the column where its author wrote it, so that what is wrong
/// with one is shown there.
struct SentenceText {
  private let node: Node

  /// - Parameter node: The sentence.
  init(_ node: Node) { self.node = node }

  /// A word of the text: one of the sentence, or one that another of the grammar's words stands for.
  struct Piece {
    var text: String
    /// Where it is in the sentence; nil: before the next that is.
    var offset: Int?
  }

  func position(_ token: SentenceToken) -> SourcePosition { node.position(ofScalar: token.offset) }

  /// The words with the commas behind them.
  func scalar(_ tokens: ArraySlice<SentenceToken>) -> Node {
    scalar(
      tokens.enumerated().map { index, token in
        let isLast = index == tokens.count - 1
        return Piece(
          text: token.text + (token.mark.map { isLast ? "" : String($0) } ?? ""), offset: token.offset)
      })
  }

  /// - Complexity: O(*n*), the characters of all pieces and between them.
  func scalar(_ pieces: [Piece]) -> Node {
    var offsets = pieces.map(\.offset)
    var next: Int?
    for index in pieces.indices.reversed() {
      if offsets[index] == nil {
        offsets[index] = next.map { $0 - pieces[index].text.unicodeScalars.count - 1 }
      }
      next = offsets[index] ?? next
    }
    let base = offsets.first.flatMap { $0 } ?? 0
    var text = ""
    var length = 0
    for (piece, offset) in zip(pieces, offsets) {
      let gap = max(length == 0 ? 0 : 1, (offset ?? 0) - base - length)
      text += String(repeating: " ", count: gap) + piece.text
      length += gap + piece.text.unicodeScalars.count
    }
    return self.text(text, at: base)
  }

  /// A text that begins at a character of the sentence.
  func text(_ text: String, at offset: Int) -> Node {
    Node(
      content: .scalar(text), position: node.position(ofScalar: offset),
      textOffset: node.textOffset.map { _ in 0 })
  }

  /// A text of which single characters may stand elsewhere.
  func loose(_ text: String, at offset: Int) -> Node {
    Node(content: .scalar(text), position: node.position(ofScalar: offset))
  }

  func entry(_ key: String, _ value: Node) -> Node.Entry {
    Node.Entry(key: key, keyPosition: value.position, value: value)
  }

  func list(_ nodes: [Node]) -> Node {
    Node(content: .sequence(nodes), position: nodes.first?.position ?? node.position)
  }

  func mapping(_ entries: [Node.Entry]) -> Node {
    Node(content: .mapping(entries), position: node.position)
  }
}
