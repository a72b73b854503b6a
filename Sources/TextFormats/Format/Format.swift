import TriggerModel

/// How one kind of value is written in a file: it reads the value, describes itself for the schema, and writes
/// the value in its long form.
///
/// Everything that a scenario can say is declared once, as a format; the decoder, the JSON Schema and the
/// encoder are three uses of it. What ``write`` gives ``read`` takes for the same value.
package struct Format<Value> {
  /// Describes the values that ``read`` accepts.
  package let schema: (SchemaBook) -> JSONValue
  /// The value, or nil after the reader has been told what is wrong.
  package let read: (Node, Reader) -> Value?
  /// The value with keys for all its parts. What has no words is the writer's problem.
  package let write: (Value, Writer) -> JSONValue

  package init(
    schema: @escaping (SchemaBook) -> JSONValue, read: @escaping (Node, Reader) -> Value?,
    write: @escaping (Value, Writer) -> JSONValue
  ) {
    self.schema = schema
    self.read = read
    self.write = write
  }

  /// For a short form that has a long one beside it.
  package static func readOnly(
    schema: @escaping (SchemaBook) -> JSONValue, read: @escaping (Node, Reader) -> Value?
  ) -> Format {
    Format(schema: schema, read: read, write: { _, writer in writer.problem("this has no long form") })
  }
}

extension Format {
  /// A word or a text, read by an atom.
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

  /// A sentence: one of several phrases.
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

  /// A list of values of one format; every item is read, and all must be good.
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

  /// One value, or a list of them.
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

  /// A short form that is a text and a long form with keys. Either is made when it is first asked for: a
  /// grammar with its phrases takes longer to make than a value to read.
  package static func short(
    _ short: @autoclosure @escaping () -> Format, orLong long: @autoclosure @escaping () -> Format
  ) -> Format {
    let (short, long) = (MadeFormat(short), MadeFormat(long))
    return Format(
      schema: { book in ["anyOf": [short.value.schema(book), long.value.schema(book)]] },
      read: { node, reader in
        if case .mapping = node.content { return long.value.read(node, reader) }
        return short.value.read(node, reader)
      },
      write: { value, writer in long.value.write(value, writer) })
  }

  /// A mapping from names to values, in the order of the file; the value is nil where it is wrong, which
  /// has been reported. `NAME: none` takes away a name that a pack declares.
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
              "no pack says anything of '\(entry.key)' here, so 'none' takes nothing away",
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

  /// The same values, read into another type. The body may report and return nil; `back` undoes it.
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

  /// The same values and no others than the body lets pass, which reports what is wrong with the rest.
  package func checked(_ body: @escaping (Value, Node, Reader) -> Value?) -> Format {
    map(body, back: { value, _ in value })
  }

  /// The same; a value of which no file can say everything is the writer's problem.
  package func writing(_ problem: @escaping (Value) -> String?) -> Format {
    Format(
      schema: schema, read: read,
      write: { value, writer in
        if let problem = problem(value) { writer.problem(problem) }
        return write(value, writer)
      })
  }

  /// Puts the description into the schema's definitions under a name, and a reference in its place. All
  /// formats of one name are the same, so a reader uses the first of them throughout.
  package func named(_ name: String) -> Format {
    let first = FirstOfName<Value>()
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
  /// A value with its position.
  package static func located<Inner: Sendable>(_ format: Format<Inner>) -> Format
  where Value == Located<Inner> {
    format.map({ value, node, _ in Located(value, at: node.position) }, back: { located, _ in located.value })
  }
}

extension Node.Entry {
  /// A pack says it, or said something else in its place.
  fileprivate var isOfPack: Bool { overridden != nil || keyPosition.file != 0 && !value.isWithdrawal }
}

/// The format that a reader knew by a name first.
private final class FirstOfName<Value> {
  @exclusivity(unchecked) var format: Format<Value>?
}

/// A format that is made when it is first asked for. Not generic over what it holds: each look at it would have to find
/// out its layout.
private final class MadeFormat<Value> {
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

/// A name and what stands under it.
package struct TableRow<Item> {
  package var name: String
  package var position: SourcePosition
  /// nil where it is wrong, which has been reported.
  package var value: Item?

  package init(name: String, position: SourcePosition, value: Item? = nil) {
    self.name = name
    self.position = position
    self.value = value
  }
}

extension TableRow: Equatable where Item: Equatable {}
extension TableRow: Sendable where Item: Sendable {}
