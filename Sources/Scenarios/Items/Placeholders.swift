import TextFormats
import TriggerModel

/// A word in braces, such as `{plant.room}`. In the texts of a template, it represents a value of the item.
struct Placeholder {
  /// The word without its braces.
  let name: Substring
  /// The range of the word and its braces.
  let range: Range<Substring.Index>

  /// Returns the first word in braces, or `nil` if there is none. Other braces belong to the text.
  static func first(in text: Substring) -> Placeholder? {
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
  /// A text that people see, or a link. A template fills its placeholders before the text is parsed, so a
  /// word that is still in braces has no value.
  static var shownText: Format {
    let text = Format.scalar(.text)
    return Format(
      schema: text.schema,
      read: { node, reader in
        let value = text.read(node, reader)
        if !reader.names.allowsPlaceholders, let value, let left = Placeholder.first(in: value[...]) {
          let offset = value.unicodeScalars.distance(from: value.startIndex, to: left.name.startIndex)
          reader.reportUnfilled(String(left.name), at: node.position(ofScalar: offset))
        }
        return value
      },
      write: { value, writer in
        Placeholder.first(in: value[...]) == nil
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
        : "texts cannot show a fact; write the words that people see, without braces")
    error("'{\(name)}' stands for nothing here", at: position, hint: hint)
  }
}
