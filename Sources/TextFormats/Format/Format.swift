import TriggerModel

/// The syntax of one kind of value in a file. A format reads the value, describes it for the schema, and
/// writes its long form.
///
/// Each part of a scenario is declared once, as a format. That declaration serves as decoder, encoder and
/// JSON Schema. If ``write`` can write a value, ``read`` returns an equal value.
package struct Format<Value> {
  /// Returns the schema of the values that ``read`` accepts.
  package let schema: (SchemaBook) -> JSONValue
  /// Returns the value, or reports an error and returns `nil`.
  package let read: (Node, Reader) -> Value?
  /// Returns the long form of the value, with a key for each part. If the value has no long form, reports
  /// that to the writer.
  package let write: (Value, Writer) -> JSONValue

  package init(
    schema: @escaping (SchemaBook) -> JSONValue, read: @escaping (Node, Reader) -> Value?,
    write: @escaping (Value, Writer) -> JSONValue
  ) {
    self.schema = schema
    self.read = read
    self.write = write
  }

  /// Creates a format for a short form, which can be read but not written. The corresponding long form is
  /// written instead.
  package static func readOnly(
    schema: @escaping (SchemaBook) -> JSONValue, read: @escaping (Node, Reader) -> Value?
  ) -> Format {
    Format(schema: schema, read: read, write: { _, writer in writer.problem("this has no long form") })
  }
}

extension Format {
  /// Creates a format for a scalar that an atom parses.
  package static func scalar(_ atom: Atom<Value>) -> Format {
    Format(
      schema: { _ in atom.schema },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty || atom.allowsEmpty else {
          reader.error("expected \(atom.meaning), not \(node.kindName)", at: node.position)
          return nil
        }
        return atom.parse(Word(text, at: node.position(ofScalar: 0)), reader)
      },
      write: atom.write)
  }

  /// Creates a format for a sentence that must match one of several phrases.
  package static func sentence(_ grammar: Grammar<Value>) -> Format {
    readOnly(
      schema: { _ in grammar.schema },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected \(grammar.meaning), not \(node.kindName)", at: node.position)
          return nil
        }
        return grammar.parse(Words(text, of: node), reader)
      })
  }

  /// Creates a format for a list of values. Reads all items. Each must be valid.
  package static func list<Item>(of item: Format<Item>, minimum: Int = 0) -> Format where Value == [Item] {
    Format(
      schema: { book in
        var schema: [JSONValue.Member] = [.init("type", "array"), .init("items", item.schema(book))]
        if minimum > 0 { schema.append(.init("minItems", .integer(minimum))) }
        return .object(schema)
      },
      read: { node, reader in
        guard case .sequence(let nodes) = node.content else {
          var hint: String?
          if case .scalar(let text) = node.content, text.contains(",") {
            hint = "put brackets around it: [\(text)]"
          }
          reader.error("expected a list, not \(node.kindName)", at: node.position, hint: hint)
          return nil
        }
        guard nodes.count >= minimum else {
          reader.error("the list is empty", at: node.position)
          return nil
        }
        var good: [Item] = []
        var isGood = true
        for node in nodes {
          let (value, isWithdrawn) = reader.item { item.read(node, reader) }
          if isWithdrawn { continue }
          if let value { good.append(value) } else { isGood = false }
        }
        return isGood ? good : nil
      },
      write: { items, writer in
        if items.count < minimum { writer.problem("the list is empty") }
        return .array(items.map { item.write($0, writer) })
      })
  }

  /// Creates a format for a single value or a list of values.
  package static func oneOrMore<Item>(of item: Format<Item>, minimum: Int = 1) -> Format
  where Value == [Item] {
    let list = Format.list(of: item, minimum: minimum)
    return Format(
      schema: { book in ["anyOf": [item.schema(book), list.schema(book)]] },
      read: { node, reader in
        if case .sequence = node.content { return list.read(node, reader) }
        let (value, isWithdrawn) = reader.item { item.read(node, reader) }
        return isWithdrawn ? [] : value.map { [$0] }
      },
      write: list.write)
  }

  /// Creates a format with a short form as a string and a long form with keys. Both are created on first use,
  /// because creating a grammar takes longer than reading a value.
  package static func short(
    _ short: @autoclosure @escaping () -> Format, orLong long: @autoclosure @escaping () -> Format
  ) -> Format {
    let (short, long) = (LazyFormat(short), LazyFormat(long))
    return Format(
      schema: { book in ["anyOf": [short.value.schema(book), long.value.schema(book)]] },
      read: { node, reader in
        if case .mapping = node.content { return long.value.read(node, reader) }
        return short.value.read(node, reader)
      },
      write: { value, writer in long.value.write(value, writer) })
  }

  /// Creates a format for a mapping from names to values, in the order of the file. If an error was reported
  /// in a row, the value of the row is `nil`. `NAME: none` removes a name that a pack declares.
  package static func table<Item>(of item: Format<Item>, names: Atom<String> = .newName, minimum: Int = 0)
    -> Format
  where Value == [TableRow<Item>] {
    Format(
      schema: { book in
        [
          "type": "object", "propertyNames": ["pattern": .string("^(?:\(names.pattern))$")],
          "additionalProperties": ["anyOf": [item.schema(book), ["const": .string(Node.withdrawal)]]],
          "minProperties": .integer(minimum),
        ]
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content else {
          reader.error("expected a mapping from names to values, not \(node.kindName)", at: node.position)
          return nil
        }
        guard entries.count >= minimum else {
          reader.error("the mapping is empty", at: node.position)
          return nil
        }
        return entries.compactMap { entry in
          if entry.isWithdrawal {
            reader.withdraw(entry)
            return nil
          }
          let mark = reader.mark
          let (row, isWithdrawn) = reader.item { () -> TableRow<Item>? in
            let name = names.parse(Word(entry.key, at: entry.keyPosition), reader)
            let value = item.read(entry.value, reader)
            return name.map { TableRow(name: $0, position: entry.keyPosition, value: value) }
          }
          if row?.value == nil, !isWithdrawn, entry.value.isWithdrawal, !reader.packs.isEmpty {
            reader.takeBack(to: mark)
            reader.error(
              "no pack declares '\(entry.key)' here, so 'none' removes nothing",
              at: entry.keyPosition,
              hint: NearestNames.hint(for: entry.key, among: entries.filter(\.isOfPack).map(\.key)))
          }
          return isWithdrawn ? nil : row
        }
      },
      write: { rows, writer in
        if rows.count < minimum { writer.problem("the mapping is empty") }
        return .object(
          rows.map { row in
            let value = row.value.map { value in writer.under(row.name) { item.write(value, writer) } }
            return .init(row.name, value ?? writer.problem("'\(row.name)' has no value"))
          })
      })
  }

  /// Returns a format with the same syntax but another type of value. The body may report an error and return
  /// `nil`. `back` is the inverse of the body.
  package func map<Other>(
    _ body: @escaping (Value, Node, Reader) -> Other?, back: @escaping (Other, Writer) -> Value
  ) -> Format<Other> {
    Format<Other>(
      schema: schema,
      read: { node, reader in
        guard let value = read(node, reader) else { return nil }
        return body(value, node, reader)
      },
      write: { other, writer in write(back(other, writer), writer) })
  }

  /// Returns a format that accepts only valid values. The body returns a valid value, or reports an error and
  /// returns `nil`.
  package func checked(_ body: @escaping (Value, Node, Reader) -> Value?) -> Format {
    map(body, back: { value, _ in value })
  }

  /// Returns a format whose writer reports a problem if a file cannot represent the whole value.
  package func writing(_ problem: @escaping (Value) -> String?) -> Format {
    Format(
      schema: schema, read: read,
      write: { value, writer in
        if let problem = problem(value) { writer.problem(problem) }
        return write(value, writer)
      })
  }

  /// Moves the schema to a named definition and leaves a reference in its place. All formats with the same
  /// name must be identical, because a reader uses the first one for all.
  package func named(_ name: String) -> Format {
    let first = NamedFormat<Value>()
    return Format(
      schema: { book in book.reference(to: name) { schema(book) } },
      read: { node, reader in
        let format = first.format ?? reader.once(name) { self }
        first.format = format
        return format.read(node, reader)
      }, write: write)
  }
}

extension Format {
  /// Creates a format for a value and its position.
  package static func located<Inner: Sendable>(_ format: Format<Inner>) -> Format
  where Value == Located<Inner> {
    format.map({ value, node, _ in Located(value, at: node.position) }, back: { located, _ in located.value })
  }
}

extension Node.Entry {
  /// Whether the entry is from a pack, or overrides a value from a pack.
  fileprivate var isOfPack: Bool { overridden != nil || keyPosition.file != 0 && !value.isWithdrawal }
}

/// The first format that a reader used for a name.
private final class NamedFormat<Value> {
  @exclusivity(unchecked) var format: Format<Value>?
}

/// A format that is created on first use. It stores no generic value, because each access to one would look
/// up the type's layout.
private final class LazyFormat<Value> {
  private let make: () -> Format<Value>
  @exclusivity(unchecked) private var made: Format<Value>?

  init(_ make: @escaping () -> Format<Value>) { self.make = make }

  var value: Format<Value> {
    if let made { return made }
    let new = make()
    made = new
    return new
  }
}

/// A name and its value in a table.
package struct TableRow<Item> {
  package var name: String
  package var position: SourcePosition
  /// The value, or `nil` if an error was reported in it.
  package var value: Item?

  package init(name: String, position: SourcePosition, value: Item? = nil) {
    self.name = name
    self.position = position
    self.value = value
  }
}

extension TableRow: Equatable where Item: Equatable {}
extension TableRow: Sendable where Item: Sendable {}

/// The definitions of a schema, to which formats add their descriptions.
package final class SchemaBook {
  /// The prefix of all references.
  package static let path = "#/$defs/"

  private var definitions: [JSONValue.Member] = []

  package init() {}

  /// Returns a reference to a definition. Creates the definition on first use.
  package func reference(to name: String, _ definition: () -> JSONValue) -> JSONValue {
    if !definitions.contains(where: { $0.key == name }) {
      let slot = definitions.count
      definitions.append(.init(name, true))
      definitions[slot].value = definition()
    }
    return ["$ref": .string(Self.path + name)]
  }

  /// The definitions so far, sorted by name.
  package var all: JSONValue {
    .object(definitions.sorted { $0.key < $1.key })
  }
}
