/// One or more words of a file that are read as one value, and where they begin.
package struct Word {
  package var text: String
  package var position: SourcePosition

  package init(_ text: String, at position: SourcePosition) {
    self.text = text
    self.position = position
  }
}

/// A sentence of a file, split at spaces.
package struct Words {
  package private(set) var words: ArraySlice<Word>
  /// The whole sentence, for messages about something that is missing from it.
  package let sentence: Word

  /// Splits a scalar of a document.
  package init(_ text: String, of node: Node) {
    var words: [Word] = []
    var current = ""
    var start = 0
    for (offset, scalar) in text.unicodeScalars.enumerated() {
      if scalar.properties.isWhitespace {
        if !current.isEmpty { words.append(Word(current, at: node.position(ofScalar: start))) }
        current = ""
      } else {
        if current.isEmpty { start = offset }
        current.unicodeScalars.append(scalar)
      }
    }
    if !current.isEmpty { words.append(Word(current, at: node.position(ofScalar: start))) }
    self.words = words[...]
    sentence = Word(words.map(\.text).joined(separator: " "), at: words.first?.position ?? node.position)
  }

  private init(_ words: ArraySlice<Word>, after sentence: Word) {
    self.words = words
    self.sentence = words.isEmpty ? sentence : Self.join(words)
  }

  package var isEmpty: Bool { words.isEmpty }
  package var count: Int { words.count }
  package var first: Word? { words.first }
  package var texts: [String] { words.map(\.text) }

  /// The same sentence, in which two words with the joint between them are one word, if they are something together.
  package func joining(around joint: String, where isOne: (String) -> Bool) -> Words {
    guard words.contains(where: { $0.text == joint }) else { return self }
    var joined: [Word] = []
    var rest = words
    while let word = rest.popFirst() {
      if rest.count >= 2, rest[rest.startIndex].text == joint {
        let run = Self.join(([word] + rest.prefix(2))[...])
        if isOne(run.text) {
          joined.append(run)
          rest = rest.dropFirst(2)
          continue
        }
      }
      joined.append(word)
    }
    return Words(joined[...], after: sentence)
  }

  /// All words as one.
  package var joined: Word { words.isEmpty ? sentence : Self.join(words) }

  /// Takes the first word.
  package mutating func next() -> Word? { words.popFirst() }

  /// Takes these words if they come next.
  package mutating func take(_ texts: String...) -> Bool {
    guard words.count >= texts.count, words.prefix(texts.count).map(\.text) == texts else { return false }
    words = words.dropFirst(texts.count)
    return true
  }

  /// Takes the first `count` words as one.
  package mutating func take(_ count: Int) -> Word {
    defer { words = words.dropFirst(count) }
    return Self.join(words.prefix(count))
  }

  /// Takes a text between double quotes, of however many words. Nil: none comes next, or it does not end.
  package mutating func takeQuoted() -> Word? {
    guard let first, first.text.hasPrefix("\"") else { return nil }
    for count in 1...words.count {
      let run = Self.join(words.prefix(count)).text.dropFirst()
      guard run.hasSuffix("\""), !run.dropLast().hasOddBackslashes else { continue }
      words = words.dropFirst(count)
      return Word(QuotedText.read(String(run.dropLast())), at: first.position)
    }
    return nil
  }

  /// The words from a position on, counted from 0.
  package func dropFirst(_ count: Int) -> Words {
    Words(words.dropFirst(count), after: sentence)
  }

  package func prefix(_ count: Int) -> Words {
    Words(words.prefix(count), after: sentence)
  }

  package func suffix(_ count: Int) -> Words {
    Words(words.suffix(count), after: sentence)
  }

  /// Splits the sentence before each of the keywords: the part before the first of them, and the others
  /// without their keyword.
  ///
  /// - Parameter first: words before this position, counted from 0, are no keywords.
  package func clauses(
    at keywords: [String], from first: Int = 0
  ) -> (head: Words, clauses: [(keyword: Word, body: Words)]) {
    let starts = words.indices.dropFirst(first).filter { keywords.contains(words[$0].text) }
    let head = Words(words[..<(starts.first ?? words.endIndex)], after: sentence)
    let ends = starts.dropFirst() + [words.endIndex]
    let clauses = zip(starts, ends).map { start, end in
      (keyword: words[start], body: Words(words[(start + 1)..<end], after: words[start]))
    }
    return (head, clauses)
  }

  private static func join(_ words: ArraySlice<Word>) -> Word {
    Word(words.map(\.text).joined(separator: " "), at: words.first?.position ?? .start)
  }
}

extension Substring {
  /// Whether it ends in a backslash that is not one of a pair.
  fileprivate var hasOddBackslashes: Bool { reversed().prefix { $0 == "\\" }.count % 2 == 1 }
}
