package import ScenarioModel
package import TextFormats
import TriggerModel

/// Things of one kind, such as plants: a file says what is known of each, and speaks of all of them at once.
package struct ItemKind {
  /// In the singular: `plant`.
  package var name: String
  package let attributes: [ItemAttribute]
  /// Where each stands, by its name.
  private let places: [String: Int]
  /// Those of the file, and then those that the time line adds.
  package var items: [Item] = []

  package init(name: String, attributes: [ItemAttribute]) {
    self.name = name
    self.attributes = attributes
    places = Dictionary(attributes.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  package func attribute(_ name: String) -> ItemAttribute? { places[name].map { attributes[$0] } }
}

extension ItemKind {
  /// Nothing of that name is known of its items.
  package func reportUnknown(attribute word: Word, _ reader: Reader) {
    reader.error(
      "unknown attribute '\(word.text)' of \(name)", at: word.position,
      hint: NearestNames.hint(for: word.text, among: attributes.map(\.name))
        ?? "declare it under 'items', '\(name)', 'attributes'")
  }
}

/// What is known of each item of a kind.
package struct ItemAttribute {
  package var name: String
  /// Of what kind the fact is, and its value where an item says none; nil: it is a text, which templates alone use.
  package var fact: FactDeclaration?
  /// Its values come and go, as rooms do: what one leaves that is deleted takes this value.
  package var onDelete: String?

  package init(name: String, fact: FactDeclaration?, onDelete: String? = nil) {
    self.name = name
    self.fact = fact
    self.onDelete = onDelete
  }
}

/// One thing. What is known of it are facts by its name: `basil.watered`.
package struct Item {
  package var name: String
  /// Where it is declared, or added first.
  package var position: SourcePosition
  /// What the file says of its attributes.
  package var values: [String: Word]
  /// It is not there from the start.
  package var isAddedLater: Bool
  /// What templates have made of it.
  package var reminders: [String] = []

  package init(name: String, at position: SourcePosition, values: [String: Word], isAddedLater: Bool) {
    self.name = name
    self.position = position
    self.values = values
    self.isAddedLater = isAddedLater
  }

  /// The name of one of its facts.
  package func fact(_ attribute: String) -> String { "\(name).\(attribute)" }
}

/// What a time line says of an item that it adds: `add plant ivy {room: kitchen}`.
package struct ItemAddition {
  package var kind: Word
  package var name: Word
  /// By attribute, in order.
  package var values: [(attribute: Word, value: Word)]

  /// The words behind `add`; nil where they are no such thing.
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

  /// The additions of a document's time line. What is wrong with one is found when the time line is read.
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
