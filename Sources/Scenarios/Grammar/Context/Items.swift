package import ScenarioModel
package import TextFormats
import TriggerModel

/// A kind of items, such as plants. A file lists the items and declares reminders for all of them.
package struct ItemKind {
  /// The name of the kind in the singular, such as `plant`.
  package var name: String
  package let attributes: [ItemAttribute]
  /// The index of each attribute, keyed by name.
  private let places: [String: Int]
  /// The items of the file, followed by those that the time line adds.
  package var items: [Item] = []

  package init(name: String, attributes: [ItemAttribute]) {
    self.name = name
    self.attributes = attributes
    places = Dictionary(attributes.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  package func attribute(_ name: String) -> ItemAttribute? { places[name].map { attributes[$0] } }
}

extension ItemKind {
  /// Reports an attribute that the kind does not declare.
  package func reportUnknown(attribute word: Word, _ reader: Reader) {
    reader.error(
      "unknown attribute '\(word.text)' of \(name)", at: word.position,
      hint: NearestNames.hint(for: word.text, among: attributes.map(\.name))
        ?? "declare it under 'items', '\(name)', 'attributes'")
  }
}

/// An attribute that every item of a kind has.
package struct ItemAttribute {
  package var name: String
  /// The fact that holds the attribute, or `nil` for text that only templates use. The fact's initial value
  /// is the default for items without a value.
  package var fact: FactDeclaration?
  /// The value that replaces a deleted value of this attribute, or `nil` if values cannot be deleted.
  package var onDelete: String?
}

/// One item. The names of the facts for its attributes begin with its name, as in `basil.watered`.
package struct Item {
  package var name: String
  /// The position at which the item is declared or first added.
  package var position: SourcePosition
  /// The values in the file, keyed by attribute.
  package var values: [String: Word]
  /// Whether the time line adds the item, so that it does not exist at the start.
  package var isAddedLater: Bool
  /// The names of the reminders that templates create for the item.
  package var reminders: [String] = []

  package init(name: String, at position: SourcePosition, values: [String: Word], isAddedLater: Bool) {
    self.name = name
    self.position = position
    self.values = values
    self.isAddedLater = isAddedLater
  }

  /// Returns the name of the fact that holds an attribute of this item.
  package func fact(_ attribute: String) -> String { "\(name).\(attribute)" }
}

/// An item that the time line adds: `add plant ivy {room: kitchen}`.
package struct ItemAddition {
  package var kind: Word
  package var name: Word
  /// The attributes and their values, in the order of the file.
  package var values: [(attribute: Word, value: Word)]

  /// Creates an addition from the words after `add`. Returns `nil` if the words do not have the expected
  /// form.
  package init?(_ word: Word) {
    let text = word.text
    let brace = text.firstIndex(of: "{") ?? text.endIndex
    let names = text[..<brace].split(separator: " ")
    guard names.count == 2 else { return nil }
    func at(_ index: String.Index) -> SourcePosition {
      word.position.advanced(by: text[..<index].unicodeScalars.count)
    }
    kind = Word(String(names[0]), at: at(names[0].startIndex))
    name = Word(String(names[1]), at: at(names[1].startIndex))
    values = []
    if brace == text.endIndex { return }
    guard text.last == "}" else { return nil }
    let inner = text[text.index(after: brace)..<text.index(before: text.endIndex)]
    for pair in inner.split(separator: ",") {
      guard let colon = pair.firstIndex(of: ":") else { return nil }
      let attribute = pair[..<colon].drop { $0 == " " }
      let value = pair[pair.index(after: colon)...].drop { $0 == " " }
      values.append(
        (
          Word(Self.trimmed(attribute), at: at(attribute.startIndex)),
          Word(Self.trimmed(value), at: at(value.startIndex))
        ))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the additions in a document's time line. Mistakes are ignored here and reported when the time
  /// line is read.
  package static func all(in document: Node) -> [ItemAddition] {
    guard document["items"] != nil, let timeline = document["timeline"],
      case .sequence(let entries) = timeline.content
    else {
      return []
    }
    return entries.flatMap { sentences(of: $0) }.compactMap { node in
      guard case .scalar(let text) = node.content else { return nil }
      var words = Words(text, of: node)
      while let word = words.next() {
        if word.text == "add", !words.isEmpty { return ItemAddition(words.joined) }
      }
      return nil
    }
  }

  private static func sentences(of entry: Node) -> [Node] {
    guard case .mapping = entry.content else { return [entry] }
    guard let actions = entry["do"] else { return [] }
    if case .sequence(let list) = actions.content { return list }
    return [actions]
  }
}
