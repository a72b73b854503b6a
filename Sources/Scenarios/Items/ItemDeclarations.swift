package import ScenarioModel
package import TextFormats
import TriggerModel

/// Reads the section `items` and declares a fact for each attribute of each item.
package enum ItemDeclarations {
  /// Returns the facts of all items, and registers the kinds of items with the reader.
  ///
  /// A scenario that the tool has written lists these facts under `facts`.
  package static func read(_ fields: Fields<Scenario>) -> [FactDeclaration] {
    let kinds =
      fields.optional(
        "items", .table(of: .itemKind),
        "items by kind, named in the singular: 'for: each plant' makes a reminder for each",
        from: { _ in nil }) ?? []
    guard let reader = fields.reader else { return [] }
    return kinds.flatMap { row in declare(row, reader) }
  }

  private static func declare(_ row: TableRow<ItemKindDeclaration>, _ reader: Reader) -> [FactDeclaration] {
    let written = row.value ?? ItemKindDeclaration(attributes: [], list: [])
    let attributes = written.attributes.map { attribute -> ItemAttribute in
      if let source = attribute.value?.body?.source { reader.names.factSources.append(source) }
      let fact = attribute.value?.body?.declaration(named: attribute.name, at: attribute.position, reader)
      return ItemAttribute(name: attribute.name, fact: fact, onDelete: attribute.value?.onDelete)
    }
    var kind = ItemKind(name: row.name, attributes: attributes)
    var facts: [FactDeclaration] = []
    for item in written.list {
      let values = values(item.value ?? [], of: kind, reader)
      kind.items.append(Item(name: item.name, at: item.position, values: values, isAddedLater: false))
      facts += self.facts(of: kind, at: item.position, reader)
    }
    var known = Set(kind.items.map(\.name))
    for addition in reader.names.additions where addition.kind.text == kind.name {
      let name = addition.name
      if known.contains(name.text) { continue }
      guard Atom<String>.newName.parse(name, reader) != nil else { continue }
      known.insert(name.text)
      let values = Dictionary(addition.values.map { ($0.attribute.text, $0.value) }) { first, _ in first }
      kind.items.append(Item(name: name.text, at: name.position, values: values, isAddedLater: true))
      facts += self.facts(of: kind, at: name.position, reader)
    }
    reader.names.itemKinds.append(kind)
    return facts
  }

  private static func values(_ rows: [TableRow<Word>], of kind: ItemKind, _ reader: Reader) -> [String: Word]
  {
    var values: [String: Word] = [:]
    for row in rows {
      guard kind.attribute(row.name) != nil else {
        kind.reportUnknown(attribute: Word(row.name, at: row.position), reader)
        continue
      }
      values[row.name] = row.value
    }
    return values
  }

  /// Returns the facts of the item that was read last.
  private static func facts(of kind: ItemKind, at position: SourcePosition, _ reader: Reader)
    -> [FactDeclaration]
  {
    guard let item = kind.items.last else { return [] }
    var facts: [FactDeclaration] = []
    for attribute in kind.attributes {
      guard var fact = attribute.fact else { continue }
      fact.name = item.fact(attribute.name)
      if item.isAddedLater {
        fact.initial = .missing
      } else if let word = item.values[attribute.name] {
        guard let value = FactConstants.value(word, of: fact, reader) else { continue }
        fact.initial = value
      }
      guard reader.names.facts.append(fact.name) else {
        reader.error(
          "the fact '\(fact.name)' is declared already", at: position,
          hint: "give the \(kind.name) or the fact another name")
        continue
      }
      reader.names.factDeclarations.append(fact)
      facts.append(fact)
    }
    return facts
  }
}

/// A kind of item, as declared in the file.
struct ItemKindDeclaration {
  var attributes: [TableRow<WrittenAttribute>]
  var list: [TableRow<[TableRow<Word>]>]
}

struct WrittenAttribute {
  /// The fact that stores the attribute, or `nil` for text that only templates use.
  var body: FactBody?
  var onDelete: String?
}

extension Format<ItemKindDeclaration> {
  static var itemKind: Format {
    .object("Things of one kind") { fields in
      let attributes = fields.optional(
        "attributes", .table(of: .attribute, names: .newFactName),
        "the attributes of each item, declared like facts: a kind, a first value, or a list of names; "
          + "or 'text', for texts of templates only", from: { _ in nil })
      let list = fields.optional(
        "list", .table(of: .itemValues),
        "the items at the start, by name, with their attributes; the time line can add more",
        from: { _ in nil })
      return ItemKindDeclaration(attributes: attributes ?? [], list: list ?? [])
    }.named("itemKind")
  }
}

extension Format<WrittenAttribute> {
  /// An attribute: a fact, `text`, or a list of names that can be deleted.
  fileprivate static var attribute: Format {
    let fact = Format<FactBody>.fact
    return .readOnly(
      schema: { book in ["anyOf": [fact.schema(book), deletable.schema(book)]] },
      read: { node, reader in
        if case .scalar("text") = node.content { return WrittenAttribute() }
        if node["onDelete"] != nil { return deletable.read(node, reader) }
        return fact.read(node, reader).map { WrittenAttribute(body: $0) }
      })
  }

  /// Names that can be deleted: `{names: [kitchen, other], onDelete: other}`.
  private static var deletable: Format {
    .object("Names that the person can delete, such as rooms") { fields in
      let names = fields.required(
        "names", .names, "the names that it can take", from: { $0.body?.names ?? [] })
      let onDelete = fields.required(
        "onDelete", .scalar(.newName),
        "the name that replaces a name deleted in the time line, as in 'delete room kitchen'; it cannot be deleted itself",
        from: { $0.onDelete ?? "" })
      guard let names, let onDelete else { return nil }
      if !names.contains(onDelete) {
        fields.error(
          "'\(onDelete)' is not among the names", at: "onDelete",
          hint: NearestNames.hint(for: onDelete, among: names))
        return nil
      }
      return WrittenAttribute(body: FactBody(kind: .name, names: names), onDelete: onDelete)
    }.named("deletableAttribute")
  }
}

extension Format<[TableRow<Word>]> {
  /// The values of an item, keyed by attribute. Empty if the item has none.
  fileprivate static var itemValues: Format {
    let table = Format.table(of: .word)
    return .readOnly(
      schema: { book in ["anyOf": [table.schema(book), ["type": "null"]]] },
      read: { node, reader in
        if case .scalar("") = node.content { return [] }
        return table.read(node, reader)
      })
  }
}
