import TextFormats

/// A word of a sentence, or a text between quotes.
struct SentenceToken {
  /// Without quotes, and without the comma or semicolon behind it.
  var text: String
  /// Characters before it in the sentence, counted as Unicode scalars; for a quoted one, before its text.
  var offset: Int
  /// Characters up to its end, its quotes included and its comma not.
  var end: Int
  var isQuoted = false
  /// A comma or a semicolon stands behind it.
  var mark: Character?

  var hasComma: Bool { mark == "," }
  /// Nil for a quoted text, which is never a word of the grammar.
  var word: String? { isQuoted ? nil : text }
  var isNumber: Bool { !isQuoted && text.first.map { $0.isASCII && $0.isNumber } ?? false }
}

/// A sentence as words, texts between quotes, and the brackets around its closing part.
struct SentenceTokens {
  private let scalars: [Unicode.Scalar]
  private(set) var tokens: [SentenceToken] = []
  /// Where a quote begins that does not end.
  private(set) var openQuote: Int?

  private static let closingQuotes: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "\u{201C}": "\u{201D}"]

  /// - Complexity: O(*n*), the characters of the text.
  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var end = scalars.count
    while end > 0, scalars[end - 1].properties.isWhitespace { end -= 1 }
    // The full stop of the sentence belongs to no word.
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

  /// The characters of some tokens as they stand in the sentence.
  func source(_ range: Range<Int>) -> String {
    guard let first = tokens[range].first, let last = tokens[range].last else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[first.offset..<last.end])
    return String(text)
  }

  /// - Returns: Where to go on.
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
        // The bracket that ends the closing part is a token of its own.
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
