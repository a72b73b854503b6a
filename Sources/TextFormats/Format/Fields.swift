import TriggerModel

/// The keys of one mapping.
///
/// A format's body asks for its keys by name. When a file is read they come from the file; when the
/// schema is made there is no file, every answer is nil, and the questions themselves are recorded. A
/// body therefore asks for all its keys before it looks at the answers.
package final class Fields {
  fileprivate struct Question {
    var key: String
    var schema: JSONValue
    var isRequired: Bool
  }

  /// nil while the schema is made.
  private let file: (entries: [Node.Entry], reader: Reader)?
  private let book: SchemaBook
  fileprivate var questions: [Question] = []
  /// Required keys that are not there.
  private var missing: [(key: String, doc: String)] = []
  private var choice: (keys: [String], isRequired: Bool)?
  /// Where the mapping begins.
  package let position: SourcePosition

  package init(_ entries: [Node.Entry], at position: SourcePosition, _ reader: Reader) {
    file = (entries, reader)
    book = SchemaBook()
    self.position = position
  }

  /// For describing.
  package init(_ book: SchemaBook) {
    file = nil
    self.book = book
    position = .start
  }

  /// A key that may be missing; its value is nil then, and also when it is wrong.
  package func optional<Value>(_ key: String, _ format: Format<Value>, _ doc: String) -> Value? {
    ask(key, format, doc, isRequired: false)
  }

  /// A key that must be there.
  package func required<Value>(_ key: String, _ format: Format<Value>, _ doc: String) -> Value? {
    if file != nil, entry(key) == nil { missing.append((key, doc)) }
    return ask(key, format, doc, isRequired: true)
  }

  /// Says that exactly one of these keys, or at most one, must be there; the one that is.
  @discardableResult
  package func exactlyOne(of keys: [String], orNone: Bool = false) -> String? {
    choice = (keys, !orNone)
    guard let file else { return nil }
    let present = file.entries.filter { keys.contains($0.key) }
    if present.count > 1 {
      file.reader.error(
        "'\(present[1].key)' cannot stand beside '\(present[0].key)'", at: present[1].keyPosition,
        hint: "keep one of them")
      return nil
    }
    if present.isEmpty, !orNone {
      let unknown = file.entries.first { entry in !questions.contains { $0.key == entry.key } }
      // A misspelt key is reported as unknown; that one of these is missing follows from it.
      if unknown == nil {
        file.reader.error("one of the keys \(keys.joined(separator: ", ")) is missing", at: position)
      }
    }
    return present.first?.key
  }

  /// Where a key's value stands, or the mapping when the key is missing.
  package func position(of key: String) -> SourcePosition {
    entry(key)?.value.position ?? position
  }

  /// Who reads the file; nil while the schema is made.
  package var reader: Reader? { file?.reader }

  package func isPresent(_ key: String) -> Bool { entry(key) != nil }

  /// Reports a contradiction between keys.
  package func error(_ message: String, at key: String? = nil, hint: String? = nil) {
    file?.reader.error(message, at: key.map { position(of: $0) } ?? position, hint: hint)
  }

  private func entry(_ key: String) -> Node.Entry? {
    file?.entries.first { $0.key == key }
  }

  private func ask<Value>(_ key: String, _ format: Format<Value>, _ doc: String, isRequired: Bool) -> Value? {
    guard let file else {
      let schema = Self.describe(format.schema(book), as: capitalized(doc))
      questions.append(Question(key: key, schema: schema, isRequired: isRequired))
      return nil
    }
    questions.append(Question(key: key, schema: true, isRequired: isRequired))
    return entry(key).flatMap { format.read($0.value, file.reader) }
  }

  /// A key's own description is more to the point than that of its values.
  package static func describe(_ schema: JSONValue, as doc: String) -> JSONValue {
    guard case .object(let members) = schema else { return schema }
    return .object([.init("description", .string(doc))] + members.filter { $0.key != "description" })
  }

  /// Reports the keys that nobody asked for, and those that are missing. A misspelt key is only the
  /// former.
  package func reportWrongKeys() {
    guard let file else { return }
    let known = questions.map(\.key)
    var meant: Set<String> = []
    for entry in file.entries where !known.contains(entry.key) {
      let near = NearestNames.likely(entry.key, among: known)
      if let near { meant.insert(near) }
      file.reader.error(
        "unknown key '\(entry.key)'", at: entry.keyPosition,
        hint: near.map { "did you mean '\($0)'?" } ?? "known here: " + known.joined(separator: ", "))
    }
    reportMissingKeys(except: meant)
  }

  /// Reports the required keys that are not there.
  package func reportMissingKeys(except others: Set<String> = []) {
    for (key, doc) in missing where !others.contains(key) {
      file?.reader.error("the key '\(key)' is missing", at: position, hint: "it is \(doc)")
    }
  }

  /// The description of the mapping, made of the recorded questions.
  package func schema(_ doc: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", "object"), .init("description", .string(doc)),
      .init("properties", .object(questions.map { .init($0.key, $0.schema) })),
      .init("additionalProperties", false),
    ]
    let required = questions.filter(\.isRequired).map { JSONValue.string($0.key) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    if let choice, choice.isRequired {
      let alternatives = choice.keys.map { JSONValue.object([.init("required", .array([.string($0)]))]) }
      members.append(.init("oneOf", .array(alternatives)))
    }
    return .object(members)
  }
}

extension Format {
  /// A mapping with fixed keys. The body asks for every key, whatever the answers, and then builds the
  /// value.
  package static func object(_ doc: String, _ body: @escaping (Fields) -> Value?) -> Format {
    Format(
      schema: { book in
        let fields = Fields(book)
        _ = body(fields)
        return fields.schema(doc)
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content else {
          let keys = Fields(SchemaBook())
          _ = body(keys)
          reader.error(
            "expected a mapping, not \(node.kindName)", at: node.position,
            hint: "its keys are " + keys.questions.map(\.key).joined(separator: ", "))
          return nil
        }
        let fields = Fields(entries, at: node.position, reader)
        let errors = reader.errorCount
        let value = body(fields)
        fields.reportWrongKeys()
        // A value that was read beside a wrong key is not what its author meant.
        return reader.errorCount == errors && !reader.isAboutWithdrawn ? value : nil
      })
  }
}
