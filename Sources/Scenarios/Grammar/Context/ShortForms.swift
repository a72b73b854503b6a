package import TextFormats

extension Format {
  /// Returns a read-only format for text that a function parses. Values are written in another form.
  ///
  /// - Parameter meaning: A description of the expected text, for messages.
  package static func shortForm(
    _ meaning: String, schema: @autoclosure @escaping () -> JSONValue,
    read: @escaping (_ words: Words, _ node: Node, _ reader: Reader) -> Value?
  ) -> Format {
    .readOnly(
      schema: { _ in schema() },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected \(meaning), not \(node.kindName)", at: node.position)
          return nil
        }
        return read(Words(text, of: node), node, reader)
      })
  }

  /// Returns a format of mappings with exactly one of several keys.
  static func oneKey(_ doc: String, of alternatives: [Alternative<Value>]) -> Format {
    let keys = alternatives.map(\.key)
    return .object(doc) { fields in
      let values = alternatives.map { $0.ask(fields) }
      fields.exactlyOne(of: keys)
      return values.lazy.compactMap(\.self).first
    }
  }
}

/// One of several keys of a mapping. Exactly one of them must be present.
struct Alternative<Whole> {
  let key: String
  /// Reads the key. Returns the value if the key is present.
  let ask: (Fields<Whole>) -> Whole?

  /// Creates an alternative whose key contains one part of the value.
  ///
  /// - Parameters:
  ///   - make: Returns the value for a part.
  ///   - part: Returns the part of a value, or `nil` for values of other alternatives.
  init<Part>(
    _ key: String, _ format: @autoclosure @escaping () -> Format<Part>, _ doc: String,
    make: @escaping (Part) -> Whole, from part: @escaping (Whole) -> Part?
  ) {
    self.key = key
    ask = { fields in fields.optional(key, format(), doc, from: part).map(make) }
  }
}
