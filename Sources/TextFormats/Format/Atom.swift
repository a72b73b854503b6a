import TriggerModel

/// The smallest thing that a file can say: a time of day, a duration, a name.
///
/// The same atom reads a word of a sentence and the value of a key, so both mean the same.
package struct Atom<Value> {
  /// Stands for it in the templates of phrases: `TIME`.
  package let name: String
  /// What it is, with an example: "a time of day such as 08:10".
  package let meaning: String
  /// A regular expression of the texts that may be one, without anchors.
  package var pattern: String { makePattern() }
  private let makePattern: () -> String
  /// JSON types beside text that YAML may take it for; nil: any scalar.
  package var jsonTypes: [String]? = ["string"]
  package var allowsEmpty = false
  /// The value, or nil after the reader has been told what is wrong.
  package let parse: (Word, Reader) -> Value?
  /// What ``parse`` takes for the value.
  package let write: (Value, Writer) -> JSONValue

  package init(
    name: String, meaning: String, pattern: @autoclosure @escaping () -> String,
    jsonTypes: [String]? = ["string"], allowsEmpty: Bool = false,
    write: @escaping (Value, Writer) -> JSONValue,
    parse: @escaping (Word, Reader) -> Value?
  ) {
    self.name = name
    self.meaning = meaning
    makePattern = pattern
    self.jsonTypes = jsonTypes
    self.allowsEmpty = allowsEmpty
    self.write = write
    self.parse = parse
  }

  package var schema: JSONValue {
    .fitting(pattern, description: meaning, types: jsonTypes)
  }

  /// The same words, read into another type; `back` undoes it.
  package func map<Other>(
    _ transform: @escaping (Value, Word, Reader) -> Other?, back: @escaping (Other, Writer) -> Value
  ) -> Atom<Other> {
    let (parse, write, pattern) = (parse, write, makePattern)
    return Atom<Other>(
      name: name, meaning: meaning, pattern: pattern(), jsonTypes: jsonTypes, allowsEmpty: allowsEmpty,
      write: { other, writer in write(back(other, writer), writer) },
      parse: { word, reader in parse(word, reader).flatMap { transform($0, word, reader) } })
  }

  /// The same values and no others than the body lets pass, which reports what is wrong with the rest.
  package func checked(_ body: @escaping (Value, Word, Reader) -> Value?) -> Atom {
    map(body, back: { value, _ in value })
  }
}

extension Atom {
  /// Writes an atom that stands in sentences only: a long form says the same with keys.
  package static func onlyInSentences(_ value: Value, _ writer: Writer) -> JSONValue {
    writer.problem("this stands in sentences only")
  }

  /// An atom whose parse function tells values from others; the message is made from its meaning.
  ///
  /// - Parameter hint: What the author of a text that is none may have meant.
  package static func simple(
    _ name: String, _ meaning: String, pattern: @autoclosure @escaping () -> String,
    jsonTypes: [String]? = ["string"], hint: @escaping (String) -> String? = { _ in nil },
    write: @escaping (Value, Writer) -> JSONValue, _ parse: @escaping (String) -> Value?
  ) -> Atom {
    Atom(name: name, meaning: meaning, pattern: pattern(), jsonTypes: jsonTypes, write: write) {
      word, reader in
      guard let value = parse(word.text) else {
        reader.error("'\(word.text)' is not \(meaning)", at: word.position, hint: hint(word.text))
        return nil
      }
      return value
    }
  }

  /// One of a closed list of words; of two words for the same the first is written.
  package static func choice(
    _ name: String, _ meaning: String, _ values: [(String, Value)], jsonTypes: [String] = ["string"]
  ) -> Atom where Value: Equatable & SendableMetatype {
    let words = values.map(\.0)
    return Atom(
      name: name, meaning: meaning, pattern: words.map(escaped).joined(separator: "|"), jsonTypes: jsonTypes,
      write: { value, writer in
        guard let word = values.first(where: { $0.1 == value })?.0 else {
          return writer.problem("there is no word for \(value)")
        }
        return .string(word)
      }
    ) { word, reader in
      guard let value = values.first(where: { $0.0 == word.text })?.1 else {
        // YAML's other words for a truth value.
        let yes = ["yes", "true", "on"]
        let no = ["no", "false", "off"]
        let likely =
          words.first { yes.contains($0) && yes.contains(word.text.lowercased()) }
          ?? words.first { no.contains($0) && no.contains(word.text.lowercased()) }
          ?? NearestNames.likely(word.text, among: words)
        reader.error(
          "'\(word.text)' is not \(meaning)", at: word.position,
          hint: likely.map { "did you mean '\($0)'?" }
            ?? (words.allSatisfy(meaning.contains) ? nil : "it is one of " + words.joined(separator: ", ")))
        return nil
      }
      return value
    }
  }

  package static func escaped(_ word: String) -> String {
    word.map { ".^$*+?()[]{}|\\/".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
