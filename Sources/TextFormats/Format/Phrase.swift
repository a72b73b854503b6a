import TriggerModel

/// A pattern for sentences: fixed words, slots between them, and a function that builds the value.
///
/// `Phrase("open app", .app) { .appOpened($0) }` parses `open app maps`.
package struct Phrase<Value> {
  fileprivate typealias Part = PhrasePart

  fileprivate let parts: [Part]
  fileprivate let build: ([Word], Reader) -> Value?

  fileprivate init(_ parts: [Part], build: @escaping ([Word], Reader) -> Value?) {
    self.parts = parts
    self.build = build
  }

  package init(_ words: String, _ build: @escaping () -> Value) {
    parts = Self.words(words)
    self.build = { _, _ in build() }
  }

  package init<A>(_ words: String, _ a: Atom<A>, _ more: String = "", _ build: @escaping (A) -> Value?) {
    parts = Self.words(words) + [Self.slot(a)] + Self.words(more)
    self.build = { slots, reader in a.parse(slots[0], reader).flatMap(build) }
  }

  package init<A, B>(
    _ words: String, _ a: Atom<A>, _ more: String, _ b: Atom<B>, _ build: @escaping (A, B) -> Value?
  ) {
    parts = Self.words(words) + [Self.slot(a)] + Self.words(more) + [Self.slot(b)]
    self.build = { slots, reader in
      let first = a.parse(slots[0], reader)
      let second = b.parse(slots[1], reader)
      guard let first, let second else { return nil }
      return build(first, second)
    }
  }

  package init<A, B, C>(
    _ words: String, _ a: Atom<A>, _ more: String, _ b: Atom<B>, _ last: String, _ c: Atom<C>,
    _ build: @escaping (A, B, C) -> Value?
  ) {
    parts =
      Self.words(words) + [Self.slot(a)] + Self.words(more) + [Self.slot(b)] + Self.words(last)
      + [Self.slot(c)]
    self.build = { slots, reader in
      let first = a.parse(slots[0], reader)
      let second = b.parse(slots[1], reader)
      let third = c.parse(slots[2], reader)
      guard let first, let second, let third else { return nil }
      return build(first, second, third)
    }
  }

  /// Returns a phrase with the same words but another type of value.
  package func map<Other>(_ transform: @escaping (Value) -> Other) -> Phrase<Other> {
    let build = build
    return Phrase<Other>(parts) { slots, reader in build(slots, reader).map(transform) }
  }

  /// The phrase in the notation of the reference, for example `open app APP`.
  package var template: String {
    parts.map { part in
      switch part {
      case .word(let word): word
      case .slot(let name, _): name
      }
    }.joined(separator: " ")
  }

  package var pattern: String {
    parts.map { part in
      switch part {
      case .word(let word): Atom<Value>.escaped(word)
      case .slot(_, let pattern): "(?:\(pattern))"
      }
    }.joined(separator: " +")
  }

  /// Returns the words in the slots, or `nil` if the sentence does not match. A slot takes at least one word.
  /// It ends before the next fixed word of the phrase, or at the end of the sentence.
  fileprivate func match(_ sentence: Words) -> [Word]? {
    var rest = sentence
    var slots: [Word] = []
    for (position, part) in parts.enumerated() {
      switch part {
      case .word(let word):
        guard rest.take(word) else { return nil }
      case .slot:
        var length = rest.count
        if position + 1 < parts.count, case .word(let next) = parts[position + 1] {
          guard let end = rest.firstIndex(of: next, from: 1) else { return nil }
          length = end
        }
        guard length > 0 else { return nil }
        slots.append(rest.take(length))
      }
    }
    return rest.isEmpty ? slots : nil
  }

  /// The fixed words that precede the first slot.
  fileprivate var head: [String] {
    parts.prefix { if case .word = $0 { true } else { false } }.map {
      if case .word(let word) = $0 { word } else { "" }
    }
  }

  private static func words(_ text: String) -> [Part] {
    text.split(separator: " ").map { .word(String($0)) }
  }

  private static func slot<A>(_ atom: Atom<A>) -> Part {
    .slot(name: atom.name, pattern: atom.pattern)
  }
}

/// A fixed word or a slot.
private enum PhrasePart {
  case word(String)
  case slot(name: String, pattern: String)
}

/// The phrases that are allowed for one kind of value. The first phrase that matches a sentence applies.
package struct Grammar<Value> {
  /// A description of the value, for example "a trigger".
  package let meaning: String
  package let phrases: [Phrase<Value>]
  /// The topic of `triggerbench reference` that lists the phrases, or `nil` if there is none.
  private let topic: String?

  package init(meaning: String, topic: String? = nil, phrases: [Phrase<Value>]) {
    self.meaning = meaning
    self.topic = topic
    self.phrases = phrases
  }

  package var pattern: String { phrases.map(\.pattern).joined(separator: "|") }

  package var schema: JSONValue {
    .fitting(pattern, description: "\(capitalized(meaning)). \(waysToSayIt)")
  }

  /// The first words of all phrases that start with a fixed word.
  package var firstWords: Set<String> { Set(phrases.compactMap(\.head.first)) }

  /// The templates of all phrases, as text for a description.
  package var waysToSayIt: String {
    "Ways to say it: " + phrases.map(\.template).joined(separator: " · ")
  }

  /// Parses a sentence. If no phrase matches, reports an error and returns `nil`.
  package func parse(_ sentence: Words, _ reader: Reader) -> Value? {
    for phrase in phrases {
      if let slots = phrase.match(sentence) { return phrase.build(slots, reader) }
    }
    reader.error(
      "'\(sentence.joined.text)' is not \(meaning)", at: sentence.position, hint: hint(for: sentence))
    return nil
  }

  /// Returns a hint with the phrase whose start is most similar to the sentence.
  private func hint(for sentence: Words) -> String? {
    let texts = sentence.texts
    if let first = texts.first?.first, "“”„‘’‚«»".contains(first) {
      return "'\(first)' is not a quote in YAML: write \" or leave it out"
    }
    // The sentence may be a complete phrase followed by other words.
    let whole = phrases.filter { $0.template == $0.head.joined(separator: " ") }.map(\.head)
    if let longest = whole.filter({ texts.starts(with: $0) }).max(by: { $0.count < $1.count }) {
      return "did you mean '\(longest.joined(separator: " "))'?"
    }
    var best: (template: String, distance: Int)?
    for phrase in phrases where !phrase.head.isEmpty {
      let wanted = phrase.head.joined(separator: " ")
      let found = texts.prefix(phrase.head.count).joined(separator: " ")
      // A phrase without slots is compared with the whole sentence. Any other phrase is compared with the
      // sentence's first words.
      let whole = phrase.template == wanted ? texts.joined(separator: " ") : found
      let distance = NearestNames.distance(wanted, whole)
      guard distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max else { continue }
      best = (phrase.template, distance)
    }
    return best.map { "did you mean '\($0.template)'?" }
      ?? topic.map { "'triggerbench reference \($0)' shows all ways to say it" }
  }
}

/// Returns a string with its first letter in upper case.
package func capitalized(_ text: String) -> String {
  text.prefix(1).uppercased() + text.dropFirst()
}

/// One or more words of a file that form a single value, with their position.
package struct Word {
  package var text: String
  package var position: SourcePosition

  package init(_ text: String, at position: SourcePosition) {
    self.text = text
    self.position = position
  }
}

/// A sentence of a file, split into words at spaces.
package struct Words {
  package private(set) var words: ArraySlice<Word>
  /// The original words of the sentence. If the sentence is empty, the words before it.
  private let whole: ArraySlice<Word>
  private let start: SourcePosition

  /// Splits the text of a scalar into words.
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

  /// The whole sentence, to quote in a message about missing words.
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

  /// Returns whether a byte is ASCII white space.
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

  /// Returns the sentence with each `joint` and the words around it joined into one word, if they form one
  /// value.
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

  /// The position at which the sentence starts.
  package var position: SourcePosition { (words.first ?? sentence).position }

  /// All words joined into one.
  package var joined: Word { words.isEmpty ? sentence : Self.join(words) }

  /// Returns the index of a word, or `nil` if the sentence does not contain it.
  package func firstIndex(of text: String, from first: Int = 0) -> Int? {
    words.dropFirst(first).firstIndex { $0.text == text }.map { $0 - words.startIndex }
  }

  /// Removes and returns the first word.
  package mutating func next() -> Word? { words.popFirst() }

  /// Removes these words if the sentence starts with them, and returns whether it did.
  package mutating func take(_ texts: String...) -> Bool {
    guard words.count >= texts.count, words.prefix(texts.count).elementsEqual(texts, by: { $0.text == $1 })
    else {
      return false
    }
    words = words.dropFirst(texts.count)
    return true
  }

  /// Removes this word if the sentence starts with it, and returns whether it did.
  package mutating func take(_ text: String) -> Bool {
    guard let first = words.first, first.text == text else { return false }
    words = words.dropFirst()
    return true
  }

  /// Removes the first `count` words, and returns them joined into one word.
  package mutating func take(_ count: Int) -> Word {
    defer { words = words.dropFirst(count) }
    return Self.join(words.prefix(count))
  }

  /// Removes and returns a string in double quotes at the start of the sentence. Returns `nil` if there is
  /// none, or if its closing quote is missing.
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

  /// Returns the words after the first `count` words.
  package func dropFirst(_ count: Int) -> Words {
    Words(words.dropFirst(count), after: self)
  }

  package func prefix(_ count: Int) -> Words {
    Words(words.prefix(count), after: self)
  }

  package func suffix(_ count: Int) -> Words {
    Words(words.suffix(count), after: self)
  }

  /// Splits the sentence before each keyword. Returns the part before the first keyword, and each clause
  /// without its keyword.
  ///
  /// - Parameter first: The index of the first word that may be a keyword.
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
  /// Whether the string ends with an odd number of backslashes.
  fileprivate var hasOddBackslashes: Bool { reversed().prefix { $0 == "\\" }.count % 2 == 1 }
}
