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
  /// What they were at first; where nothing was left already then, the words that went before.
  private let whole: ArraySlice<Word>
  private let start: SourcePosition

  /// Splits a scalar of a document.
  package init(_ text: String, of node: Node) {
    words = Self.split(text, of: node)[...]
    whole = words
    start = words.first?.position ?? node.position
  }

  private init(_ words: ArraySlice<Word>, after before: Words) {
    self.words = words
    whole = words.isEmpty ? before.whole : words
    start = words.first?.position ?? before.start
  }

  /// The whole sentence, for messages about something that is missing from it.
  package var sentence: Word { whole.isEmpty ? Word("", at: start) : Self.join(whole) }

  private static func split(_ text: String, of node: Node) -> [Word] {
    var words: [Word] = []
    words.reserveCapacity(8)
    var text = text
    let isPlain = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      var start = 0
      while start < bytes.count {
        guard !isSpace(bytes[start]) else {
          start += 1
          continue
        }
        let end = bytes[start...].firstIndex(where: isSpace) ?? bytes.count
        let word = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        words.append(Word(word, at: node.position(ofScalar: start)))
        start = end
      }
      return true
    }
    return isPlain ? words : splitByScalars(text, of: node)
  }

  /// ASCII's part of what Unicode calls white space.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func splitByScalars(_ text: String, of node: Node) -> [Word] {
    var words: [Word] = []
    let scalars = text.unicodeScalars
    var (offset, start, begin) = (0, 0, scalars.startIndex)
    for index in scalars.indices {
      if scalars[index].properties.isWhitespace {
        if begin < index {
          words.append(Word(String(scalars[begin..<index]), at: node.position(ofScalar: start)))
        }
        (begin, start) = (scalars.index(after: index), offset + 1)
      }
      offset += 1
    }
    if begin < scalars.endIndex {
      words.append(Word(String(scalars[begin...]), at: node.position(ofScalar: start)))
    }
    return words
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
    return Words(joined[...], after: self)
  }

  /// Where it begins.
  package var position: SourcePosition { (words.first ?? sentence).position }

  /// All words as one.
  package var joined: Word { words.isEmpty ? sentence : Self.join(words) }

  /// Where this word stands, counted from 0.
  package func firstIndex(of text: String, from first: Int = 0) -> Int? {
    words.dropFirst(first).firstIndex { $0.text == text }.map { $0 - words.startIndex }
  }

  /// Takes the first word.
  package mutating func next() -> Word? { words.popFirst() }

  /// Takes these words if they come next.
  package mutating func take(_ texts: String...) -> Bool {
    guard words.count >= texts.count, words.prefix(texts.count).elementsEqual(texts, by: { $0.text == $1 })
    else {
      return false
    }
    words = words.dropFirst(texts.count)
    return true
  }

  /// Takes this word if it comes next.
  package mutating func take(_ text: String) -> Bool {
    guard let first = words.first, first.text == text else { return false }
    words = words.dropFirst()
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
    Words(words.dropFirst(count), after: self)
  }

  package func prefix(_ count: Int) -> Words {
    Words(words.prefix(count), after: self)
  }

  package func suffix(_ count: Int) -> Words {
    Words(words.suffix(count), after: self)
  }

  /// Splits the sentence before each of the keywords: the part before the first of them, and the others
  /// without their keyword.
  ///
  /// - Parameter first: words before this position, counted from 0, are no keywords.
  package func clauses(
    at keywords: [String], from first: Int = 0
  ) -> (head: Words, clauses: [(keyword: Word, body: Words)]) {
    let starts = words.indices.dropFirst(first).filter { keywords.contains(words[$0].text) }
    let head = Words(words[..<(starts.first ?? words.endIndex)], after: self)
    let ends = starts.dropFirst() + [words.endIndex]
    let clauses = zip(starts, ends).map { start, end in
      (
        keyword: words[start],
        body: Words(words[(start + 1)..<end], after: Words(words[start...start], after: self))
      )
    }
    return (head, clauses)
  }

  private static func join(_ words: ArraySlice<Word>) -> Word {
    if words.count == 1, let word = words.first { return word }
    return Word(words.map(\.text).joined(separator: " "), at: words.first?.position ?? .start)
  }
}

extension Substring {
  /// Whether it ends in a backslash that is not one of a pair.
  fileprivate var hasOddBackslashes: Bool { reversed().prefix { $0 == "\\" }.count % 2 == 1 }
}
