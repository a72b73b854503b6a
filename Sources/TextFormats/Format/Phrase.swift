import TriggerModel

/// One way to say something: fixed words with slots between them, and what it means.
///
/// `Phrase("open app", .app) { .appOpened($0) }` reads `open app maps`.
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

  /// The same words, read into another type.
  package func map<Other>(_ transform: @escaping (Value) -> Other) -> Phrase<Other> {
    let build = build
    return Phrase<Other>(parts) { slots, reader in build(slots, reader).map(transform) }
  }

  /// As it is shown to an author: `open app APP`.
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

  /// The words of the slots, if the sentence has this phrase's words: a slot takes one word at least and
  /// ends before the phrase's next word, or at the end.
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

  /// The fixed words before the first slot.
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

/// A fixed word, or a slot.
private enum PhrasePart {
  case word(String)
  case slot(name: String, pattern: String)
}

/// The phrases that can stand in one place; the first that fits a sentence is meant.
package struct Grammar<Value> {
  /// What they say: "a trigger".
  package let meaning: String
  package let phrases: [Phrase<Value>]
  /// Where the reference lists them.
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

  /// The word with which each phrase begins, where it is a fixed one.
  package var firstWords: Set<String> { Set(phrases.compactMap(\.head.first)) }

  /// The templates of all phrases, for descriptions.
  package var waysToSayIt: String {
    "Ways to say it: " + phrases.map(\.template).joined(separator: " · ")
  }

  /// The value, or nil after the reader has been told what is wrong.
  package func parse(_ sentence: Words, _ reader: Reader) -> Value? {
    for phrase in phrases {
      if let slots = phrase.match(sentence) { return phrase.build(slots, reader) }
    }
    reader.error(
      "'\(sentence.joined.text)' is not \(meaning)", at: sentence.position, hint: hint(for: sentence))
    return nil
  }

  /// The phrase that begins most like the sentence.
  private func hint(for sentence: Words) -> String? {
    let texts = sentence.texts
    if let first = texts.first?.first, "“”„‘’‚«»".contains(first) {
      return "'\(first)' is not a quote in YAML: write \" or leave it out"
    }
    // All of a phrase is there, and something behind it.
    let whole = phrases.filter { $0.template == $0.head.joined(separator: " ") }.map(\.head)
    if let longest = whole.filter({ texts.starts(with: $0) }).max(by: { $0.count < $1.count }) {
      return "did you mean '\(longest.joined(separator: " "))'?"
    }
    var best: (template: String, distance: Int)?
    for phrase in phrases where !phrase.head.isEmpty {
      let wanted = phrase.head.joined(separator: " ")
      let found = texts.prefix(phrase.head.count).joined(separator: " ")
      // A phrase without slots must be near as a whole, or its first word alone would decide.
      let whole = phrase.template == wanted ? texts.joined(separator: " ") : found
      let distance = NearestNames.distance(wanted, whole)
      guard distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max else { continue }
      best = (phrase.template, distance)
    }
    return best.map { "did you mean '\($0.template)'?" }
      ?? topic.map { "'triggerbench reference \($0)' shows all ways to say it" }
  }
}

/// With a capital first letter.
package func capitalized(_ text: String) -> String {
  text.prefix(1).uppercased() + text.dropFirst()
}
