import TextFormats

/// A word or a quoted text in a sentence.
struct SentenceToken {
  /// The text without quotes and without a trailing comma or semicolon.
  var text: String
  /// The number of Unicode scalars before the text of the token, including an opening quote.
  var offset: Int
  /// The number of Unicode scalars up to the end of the token, including a closing quote but no trailing
  /// comma.
  var end: Int
  var isQuoted = false
  /// The trailing comma or semicolon, or `nil` if there is none.
  var mark: Character?

  var hasComma: Bool { mark == "," }
  /// The word, or `nil` for a quoted text, which is never a keyword.
  var word: String? { isQuoted ? nil : text }
  var isNumber: Bool { !isQuoted && text.first.map { $0.isASCII && $0.isNumber } ?? false }
}

/// A sentence, split into words, quoted texts, and the brackets around its details.
struct SentenceTokens {
  private let scalars: [Unicode.Scalar]
  private(set) var tokens: [SentenceToken] = []
  /// The offset of an unclosed quote, or `nil` if there is none.
  private(set) var openQuote: Int?

  private static let closingQuotes: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "\u{201C}": "\u{201D}"]

  /// Splits a sentence.
  ///
  /// - Complexity: O(*n*), where *n* is the number of characters.
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var end = scalars.count
    while end > 0, scalars[end - 1].properties.isWhitespace { end -= 1 }
    // The full stop at the end does not belong to a word.
    if end > 0, scalars[end - 1] == "." { end -= 1 }
    var at = 0
    var depth = 0
    while at < end {
      if scalars[at].properties.isWhitespace {
        at += 1
      } else if let closing = Self.closingQuotes[scalars[at]] {
        at = quoted(from: at, to: end, closing)
      } else if scalars[at] == "(" {
        tokens.append(SentenceToken(text: "(", offset: at, end: at + 1))
        depth += 1
        at += 1
      } else {
        at = plain(from: at, to: end, &depth)
      }
    }
  }

  /// Returns the part of the sentence that a range of tokens covers.
  func source(_ range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[first.offset..<last.end])
    return String(text)
  }

  /// - Returns: The offset after the quote.
  private mutating func quoted(from start: Int, to end: Int, _ closing: Unicode.Scalar) -> Int {
    var at = start + 1
    while at < end, scalars[at] != closing { at += scalars[at] == "\\" ? 2 : 1 }
    guard at < end else {
      openQuote = openQuote ?? start
      return end
    }
    var inner = String.UnicodeScalarView()
    inner.append(contentsOf: scalars[(start + 1)..<at])
    var token = SentenceToken(text: QuotedText.read(String(inner)), offset: start + 1, end: at + 1)
    token.isQuoted = true
    at += 1
    if at < end, scalars[at] == "," || scalars[at] == ";" {
      token.mark = Character(scalars[at])
      at += 1
    }
    tokens.append(token)
    return at
  }

  private mutating func plain(from start: Int, to end: Int, _ depth: inout Int) -> Int {
    var at = start
    var balance = 0
    while at < end, !scalars[at].properties.isWhitespace {
      if scalars[at] == "(" { balance += 1 }
      if scalars[at] == ")" {
        // The closing bracket of the details is a separate token.
        if balance == 0, depth > 0 { break }
        balance -= 1
      }
      at += 1
    }
    if at > start {
      var last = at
      let mark = Character(scalars[at - 1])
      let hasMark = mark == "," || mark == ";"
      if hasMark { last -= 1 }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[start..<last])
      tokens.append(
        SentenceToken(text: String(text), offset: start, end: last, mark: hasMark ? mark : nil))
    }
    if at < end, scalars[at] == ")" {
      tokens.append(SentenceToken(text: ")", offset: at, end: at + 1))
      depth -= 1
      at += 1
    }
    return at
  }
}

/// Creates nodes from the words of a sentence. Each word keeps its column in the file, so that errors are
/// reported at the right position.
struct SentenceText {
  private let node: Node

  init(_ node: Node) { self.node = node }

  /// A word of the text. It is either a word of the sentence or a replacement for one.
  struct Piece {
    var text: String
    /// The offset of the word in the sentence, or `nil` to place it before the next word with an offset.
    var offset: Int?
  }

  func position(_ token: SentenceToken) -> SourcePosition { node.position(ofScalar: token.offset) }

  /// Returns a node with the tokens and their trailing commas.
  func scalar(_ tokens: ArraySlice<SentenceToken>) -> Node {
    scalar(
      tokens.enumerated().map { index, token in
        let isLast = index == tokens.count - 1
        return Piece(
          text: token.text + (token.mark.map { isLast ? "" : String($0) } ?? ""), offset: token.offset)
      })
  }

  /// Returns a node with the text of the pieces.
  ///
  /// - Complexity: O(*n*) in the number of characters of all pieces and gaps.
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

  /// Returns a node with a text that occurs at an offset of the sentence.
  func text(_ text: String, at offset: Int) -> Node {
    Node(
      content: .scalar(text), position: node.position(ofScalar: offset),
      textOffset: node.textOffset.map { _ in 0 })
  }

  /// Returns a node with a text that does not occur in the sentence. All of its errors are reported at one
  /// offset.
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
