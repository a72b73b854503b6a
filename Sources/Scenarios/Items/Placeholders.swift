import TextFormats
import TriggerModel

/// A word in braces. In the texts of a template, `{plant.room}` represents a value of the item. In the title
/// and the body of a notification, `{left}` represents the value of the fact `left`.
package struct Placeholder {
  /// The word without its braces.
  package let name: Substring
  /// The range of the word and its braces.
  package let range: Range<Substring.Index>

  /// Returns the text with the values of its placeholders. A placeholder without a value remains.
  package static func filled(_ text: String, _ value: (Substring) -> String?) -> String {
    var result = ""
    var rest = text[...]
    while let placeholder = first(in: rest) {
      result += rest[..<placeholder.range.lowerBound]
      result += value(placeholder.name) ?? String(rest[placeholder.range])
      rest = rest[placeholder.range.upperBound...]
    }
    return result + rest
  }

  /// Returns the first placeholder for which `isKnown` is `false`, or `nil` if there is none.
  static func first(in text: String, unless isKnown: (String) -> Bool) -> Placeholder? {
    var rest = text[...]
    while let placeholder = first(in: rest) {
      if !isKnown(String(placeholder.name)) { return placeholder }
      rest = rest[placeholder.range.upperBound...]
    }
    return nil
  }

  /// Returns the first word in braces, or `nil` if there is none. Other braces belong to the text.
  package static func first(in text: Substring) -> Placeholder? {
    var rest = text
    while let open = rest.firstIndex(of: "{") {
      rest = rest[rest.index(after: open)...]
      let name = rest.prefix(while: isOfName)
      if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" {
        return Placeholder(name: name, range: open..<rest.index(after: name.endIndex))
      }
    }
    return nil
  }

  static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_.-".contains(character)
  }
}

extension Format<String> {
  /// A text of a notification, which can contain the values of facts.
  static var shownText: Format { text { $0 } }

  /// A link, or a text that does not depend on facts.
  static var constantText: Format { text { _ in false } }

  /// A template fills its placeholders before the text is parsed, so the name of a fact is the only word that
  /// can still be in braces.
  ///
  /// - Parameter allows: Given whether the word names a fact, returns whether it is valid.
  private static func text(_ allows: @escaping @Sendable (Bool) -> Bool) -> Format {
    let text = Format.scalar(.text)
    return Format(
      schema: text.schema,
      read: { node, reader in
        let value = text.read(node, reader)
        if !reader.names.allowsPlaceholders, let value,
          let left = Placeholder.first(
            in: value, unless: { allows(reader.names.facts.position(of: $0) != nil) })
        {
          let offset = value.unicodeScalars.distance(from: value.startIndex, to: left.name.startIndex)
          reader.reportUnfilled(String(left.name), at: node.position(ofScalar: offset))
        }
        return value
      },
      write: { value, writer in
        Placeholder.first(in: value, unless: { allows(writer.known.fact(named: $0) != nil) }) == nil
          ? text.write(value, writer)
          : writer.problem("the text has a word in braces, which stands for nothing")
      })
  }
}

extension Reader {
  /// Reports a word in braces outside a template.
  fileprivate func reportUnfilled(_ name: String, at position: SourcePosition) {
    let kind = names.itemKinds.first { name == $0.name || name.hasPrefix($0.name + ".") }?.name
    let hint =
      kind.map { "the reminder needs 'for: each \($0)'" }
      ?? (names.facts.position(of: name) == nil
        ? "write the words that people see, without braces"
        : "only the title and the body of a notification can show a fact")
    error("'{\(name)}' stands for nothing here", at: position, hint: hint)
  }
}
