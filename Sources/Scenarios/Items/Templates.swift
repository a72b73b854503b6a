package import TextFormats
import TriggerModel

extension Format {
  /// A table with templates. A row with `for: each KIND` is expanded to one row for each item of that kind.
  /// In the expanded row, the name and facts of the item replace those of the kind. An explicit row with the
  /// name of an expanded row overrides some of its keys.
  package static func tableWithTemplates<Row>(of row: Format<Row>, names: Atom<String>) -> Format
  where Value == [TableRow<Row>] {
    let table = Format.table(of: row, names: names, minimum: 1)
    return Format(
      schema: table.schema,
      read: { node, reader in
        guard case .mapping(let entries) = node.content, entries.contains(where: \.isTemplate) else {
          return table.read(node, reader)
        }
        func read(_ entry: Node.Entry) -> [TableRow<Row>] {
          table.read(Node(content: .mapping([entry]), position: node.position), reader) ?? []
        }
        var single = Dictionary(
          entries.filter { !$0.isTemplate && ReminderName.template(of: $0.key) != $0.key }.map {
            ($0.key, $0)
          },
          uniquingKeysWith: { first, _ in first })
        let made = entries.map { entry in
          entry.isTemplate && !entry.isWithdrawal
            ? Template.rows(of: entry, over: &single, reader, read) : nil
        }
        return zip(entries, made).flatMap { entry, made in
          // A row that overrides no expanded row is an ordinary row.
          made
            ?? (ReminderName.template(of: entry.key) == entry.key || single[entry.key] != nil
              ? read(entry) : [])
        }
      }, write: table.write)
  }
}

extension Node.Entry {
  fileprivate var isTemplate: Bool { value["for"] != nil }
}

/// Expands rows with `for: each KIND`.
private enum Template {
  /// Returns the rows to which a template expands. Reports errors only for the first row.
  ///
  /// - Parameter single: The explicit rows of the file, by name. The rows that override an expanded row are
  ///   removed.
  static func rows<Row>(
    of entry: Node.Entry, over single: inout [String: Node.Entry], _ reader: Reader,
    _ read: (Node.Entry) -> [TableRow<Row>]
  ) -> [TableRow<Row>] {
    guard let kind = kind(of: entry, reader) else { return [] }
    let items = reader.names.itemKinds[kind].items
    if items.isEmpty, entry.keyPosition.file == 0, !reader.scenario.isStandalonePack {
      reader.error(
        "'for: each \(reader.names.itemKinds[kind].name)' makes no reminder, as there is no \(reader.names.itemKinds[kind].name)",
        at: entry.value["for"]?.position ?? entry.keyPosition,
        hint: "list one under 'items', or add one in the time line")
    }
    var rows: [TableRow<Row>] = []
    var isGood = true
    for (index, item) in items.enumerated() {
      let name = ReminderName.made(by: entry.key, of: item.name)
      let mark = reader.mark
      var row = TableRow<Row>(name: name, position: entry.keyPosition, value: nil)
      let own = single.removeValue(forKey: name)
      if isGood {
        var filled = TemplateFiller(kind: reader.names.itemKinds[kind], item: item, reader).filled(entry)
        filled.key = name
        // After an error in the template, errors in its rows would only be consequences of it.
        isGood = reader.mark.errors == mark.errors
        if isGood {
          row = read(own.map { lay($0, over: filled, reader) } ?? filled).first ?? row
          isGood = own != nil || reader.mark.errors == mark.errors
        }
        if isGood, index > 0, own == nil { reader.takeBack(to: mark) }
      }
      // Register the name even if the declaration is invalid.
      reader.names.itemKinds[kind].items[index].reminders.append(name)
      rows.append(row)
    }
    return rows
  }

  /// Returns an expanded row, with the keys of an explicit row merged over it.
  private static func lay(_ own: Node.Entry, over made: Node.Entry, _ reader: Reader) -> Node.Entry {
    var overlay = Overlay(continuing: [])
    let laid = overlay.lay([own], over: [made])[0]
    for loss in overlay.losses {
      reader.warning(
        "'\(loss.key.key)' replaces what the template declares and drops its keys: \(loss.lost.joined(separator: ", "))",
        at: loss.key.value.position, hint: "give only the keys that differ, '\(loss.key.key): {…}'")
    }
    return laid
  }

  /// Returns the index of the kind that a template names.
  private static func kind(of entry: Node.Entry, _ reader: Reader) -> Int? {
    guard let node = entry.value["for"], let name = Format<Word>.eachItem.read(node, reader) else {
      return nil
    }
    let kinds = reader.names.itemKinds.map(\.name)
    guard let index = kinds.firstIndex(of: name.text) else {
      reader.error(
        "unknown kind of items '\(name.text)'", at: name.position,
        hint: NearestNames.hint(for: name.text, among: kinds) ?? "declare it under 'items'")
      return nil
    }
    return index
  }
}

extension Format<Word> {
  /// The value of `for` in a template: `each plant`.
  package static var eachItem: Format {
    .readOnly(
      schema: { _ in
        ["type": "string", "pattern": .string("^each +(?:\(Atom<String>.namePattern))$")]
      },
      read: { node, reader in
        if case .scalar(let text) = node.content {
          var words = Words(text, of: node)
          if words.take("each"), words.count == 1, let name = words.next() { return name }
        }
        reader.error(
          "expected 'each' and a kind of items", at: node.position, hint: "such as 'for: each plant'")
        return nil
      })
  }
}

/// Expands a template for one item.
private struct TemplateFiller {
  let kind: ItemKind
  let item: Item
  let reader: Reader

  /// The keys whose values are sentences, in which an item's facts are written as usual. In other texts,
  /// `{plant}` and `{plant.room}` represent the item's name and attributes.
  private static let sentences: Set<String> = ["when", "if", "withdraw", "criticalIf"]

  init(kind: ItemKind, item: Item, _ reader: Reader) {
    self.kind = kind
    self.item = item
    self.reader = reader
  }

  func filled(_ entry: Node.Entry) -> Node.Entry {
    guard case .mapping(let entries) = entry.value.content else { return entry }
    var rest = entries.filter { $0.key != "for" }.map { filled($0, isSentence: false) }
    if item.isAddedLater, !rest.contains(where: { $0.key == "exists" }) {
      let later = Node(content: .scalar("later"), position: entry.keyPosition)
      rest.append(Node.Entry(key: "exists", keyPosition: entry.keyPosition, value: later))
    }
    var entry = entry
    entry.value.content = .mapping(rest)
    return entry
  }

  private func filled(_ entry: Node.Entry, isSentence: Bool) -> Node.Entry {
    var entry = entry
    entry.value = filled(entry.value, isSentence: isSentence || Self.sentences.contains(entry.key))
    return entry
  }

  private func filled(_ node: Node, isSentence: Bool) -> Node {
    var node = node
    switch node.content {
    case .mapping(let entries): node.content = .mapping(entries.map { filled($0, isSentence: isSentence) })
    case .sequence(let nodes): node.content = .sequence(nodes.map { filled($0, isSentence: isSentence) })
    case .scalar(let text):
      let new = isSentence ? sentence(text, node) : self.text(text, node)
      if new == text { return node }
      node.content = .scalar(new)
      // After the replacement, columns no longer correspond to the file.
      node.textOffset = nil
    }
    return node
  }

  // MARK: Facts in sentences

  /// Returns the sentence with the item's facts instead of the kind's: `basil.watered` for `plant.watered`.
  private func sentence(_ text: String, _ node: Node) -> String {
    let prefix = kind.name + "."
    var result = ""
    var rest = text[...]
    var previous: Character?
    while let character = rest.first {
      if rest.hasPrefix(prefix), previous.map({ !Placeholder.isOfName($0) }) ?? true {
        let attribute = rest.dropFirst(prefix.count).prefix(while: Placeholder.isOfName)
        let offset = text.unicodeScalars.count - rest.unicodeScalars.count + prefix.unicodeScalars.count
        let word = Word(String(attribute), at: node.position(ofScalar: offset))
        if isKnown(word, asFact: true) { result += item.fact(word.text) }
        rest = rest.dropFirst(prefix.count + attribute.count)
        previous = attribute.last
      } else {
        result.append(character)
        previous = character
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private func isKnown(_ word: Word, asFact: Bool) -> Bool {
    guard let attribute = kind.attribute(word.text) else {
      kind.reportUnknown(attribute: word, reader)
      return false
    }
    if asFact, attribute.fact == nil {
      reader.error(
        "'\(word.text)' of \(kind.name) is a text, which conditions cannot use", at: word.position,
        hint: "'{\(kind.name).\(word.text)}' puts it into a title or a body")
      return false
    }
    return true
  }

  // MARK: Texts

  /// Returns the text with the item's name for `{plant}`, and its attributes for `{plant.room}`.
  private func text(_ text: String, _ node: Node) -> String {
    Placeholder.filled(text) { name in
      let offset = text.unicodeScalars.distance(from: text.startIndex, to: name.startIndex)
      return value(Word(String(name), at: node.position(ofScalar: offset)))
    }
  }

  /// Returns the value of a placeholder, or `nil` for a fact, which has no value before the run.
  private func value(_ word: Word) -> String? {
    if word.text == kind.name { return item.name }
    guard word.text.hasPrefix(kind.name + ".") else {
      if reader.names.facts.position(of: word.text) != nil { return nil }
      reader.error(
        "'{\(word.text)}' is not a placeholder here", at: word.position,
        hint: NearestNames.hint(
          for: word.text, among: [kind.name] + kind.attributes.map { "\(kind.name).\($0.name)" })
          ?? "'{\(kind.name)}' is the item's name")
      return ""
    }
    let column = kind.name.unicodeScalars.count + 1
    let attribute = Word(
      String(word.text.dropFirst(kind.name.count + 1)), at: word.position.advanced(by: column))
    guard isKnown(attribute, asFact: false) else { return "" }
    guard let value = item.values[attribute.text] else {
      reader.error(
        "'\(item.name)' has no '\(attribute.text)', but a template uses '{\(word.text)}'",
        at: item.position,
        hint: "add it here, such as '\(attribute.text): …'")
      return ""
    }
    if kind.attribute(attribute.text)?.fact != nil {
      reader.names.factsInTexts.insert(item.fact(attribute.text))
    }
    return value.text
  }
}
