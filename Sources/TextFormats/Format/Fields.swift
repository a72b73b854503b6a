import TriggerModel

/// What the schema says of a key.
private struct Question {
  var key: String
  var schema: JSONValue
  var isRequired: Bool
}

/// The formats of a mapping's keys, each made when it is first read.
private final class KeyFormats {
  /// By the number of the question.
  @exclusivity(unchecked) private var made: [AnyFormat?] = []

  func format<Value>(_ number: Int, _ make: () -> Format<Value>) -> Format<Value> {
    while made.count <= number { made.append(nil) }
    // A checked cast would look up the type of the object anew.
    if let known = made[number], known.value == ObjectIdentifier(Value.self) {
      return unsafeDowncast(known, to: FormatBox<Value>.self).format
    }
    let new = make()
    made[number] = FormatBox(new)
    return new
  }
}

/// A format as an object.
private class AnyFormat {
  /// The type of its values.
  let value: ObjectIdentifier

  init(of value: ObjectIdentifier) { self.value = value }
}

private final class FormatBox<Value>: AnyFormat {
  let format: Format<Value>

  init(_ format: Format<Value>) {
    self.format = format
    super.init(of: ObjectIdentifier(Value.self))
  }
}

/// What the keys of a mapping are asked for. It stands outside of ``Fields``, which is generic: each look at it would have
/// to find out its layout.
private enum FieldsUse {
  case reading([Node.Entry], Reader)
  case describing(SchemaBook)
  case writing(Writer)
}

/// The keys of one mapping, which is a value's long form.
///
/// A format's body asks for its keys by name. When a file is read they come from the file; when the schema is
/// made there is no file, every answer is nil, and the questions themselves are recorded; when a value is
/// written every answer is nil as well, and each question writes its part of the whole. A body therefore asks
/// for all its keys before it looks at the answers.
package final class Fields<Whole> {
  private let use: FieldsUse
  /// While it is described.
  fileprivate var questions: [Question] = []
  /// The keys that were asked for, while a file is read.
  @exclusivity(unchecked) private var asked: [String] = []
  /// nil: a format may be another one in the next mapping.
  private let formats: KeyFormats?
  /// What has been written.
  fileprivate private(set) var members: [JSONValue.Member] = []
  /// Required keys that are not there.
  @exclusivity(unchecked) private var missing: [(key: String, doc: String)] = []
  private var choice: (keys: [String], isRequired: Bool)?
  /// Where the mapping begins.
  package let position: SourcePosition
  /// What is written.
  private let whole: (() -> Whole)?

  package convenience init(_ entries: [Node.Entry], at position: SourcePosition, _ reader: Reader) {
    self.init(entries, at: position, reader, nil)
  }

  fileprivate init(
    _ entries: [Node.Entry], at position: SourcePosition, _ reader: Reader, _ formats: KeyFormats?
  ) {
    use = .reading(entries, reader)
    self.position = position
    self.formats = formats
    whole = nil
    asked.reserveCapacity(16)
  }

  /// For describing.
  package init(_ book: SchemaBook) {
    use = .describing(book)
    position = .start
    formats = nil
    whole = nil
  }

  /// For writing.
  package init(writing whole: Whole, _ writer: Writer) {
    use = .writing(writer)
    position = .start
    formats = nil
    // As it is, it would have the size of all objects of this type looked up again and again.
    self.whole = { whole }
  }

  /// A key that may be missing; its value is nil then, and also when it is wrong.
  ///
  /// - Parameter part: What is written under the key; nil: the key is left out.
  @inlinable
  package func optional<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String, from part: (Whole) -> Value?
  ) -> Value? {
    hasAnswer(key) ? ask(key, format, doc, isRequired: false, from: part) : nil
  }

  /// A key that must be there.
  ///
  /// - Parameter part: What is written under the key; nil where the whole has no such part, which is a problem
  ///   of whoever made it.
  package func required<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String, from part: (Whole) -> Value?
  ) -> Value? {
    if hasAnswer(key) { return ask(key, format, doc, isRequired: true, from: part) }
    missing.append((key, doc))
    return nil
  }

  /// Says that exactly one of these keys, or at most one, must be there; the one that is. Of several that
  /// could be written the first is.
  @discardableResult
  package func exactlyOne(of keys: [String], orNone: Bool = false) -> String? {
    choice = (keys, !orNone)
    guard case .reading(let entries, let reader) = use else {
      keepFirst(of: keys, orNone: orNone)
      return nil
    }
    let present = entries.filter { keys.contains($0.key) }
    if present.count > 1 {
      reader.error(
        "'\(present[1].key)' cannot stand beside '\(present[0].key)'", at: present[1].keyPosition,
        hint: "keep one of them")
      return nil
    }
    if present.isEmpty, !orNone {
      let unknown = entries.first { !asked.contains($0.key) }
      // A misspelt key is reported as unknown; that one of these is missing follows from it.
      if unknown == nil {
        reader.error("one of the keys \(keys.joined(separator: ", ")) is missing", at: position)
      }
    }
    return present.first?.key
  }

  private func keepFirst(of keys: [String], orNone: Bool) {
    guard let writer else { return }
    let first = members.first { keys.contains($0.key) }?.key
    members.removeAll { $0.key != first && keys.contains($0.key) }
    if first == nil, !orNone { writer.problem("no file can say this") }
  }

  /// Where a key's value stands, or the mapping when the key is missing.
  package func position(of key: String) -> SourcePosition {
    entry(key)?.value.position ?? position
  }

  /// Who reads the file; nil while the schema is made, and while a value is written.
  package var reader: Reader? {
    if case .reading(_, let reader) = use { reader } else { nil }
  }

  /// Who writes the value; nil while a file is read, and while the schema is made.
  package var writer: Writer? {
    if case .writing(let writer) = use { writer } else { nil }
  }

  package func isPresent(_ key: String) -> Bool { entry(key) != nil }

  /// Reports a contradiction between keys.
  package func error(_ message: String, at key: String? = nil, hint: String? = nil) {
    reader?.error(message, at: key.map { position(of: $0) } ?? position, hint: hint)
  }

  private func entry(_ key: String) -> Node.Entry? {
    guard case .reading(let entries, _) = use else { return nil }
    return entries.first { $0.key == key }
  }

  /// Whether there is anything to do for a key that is asked for. Most keys are not there, and a caller that knows the
  /// type of the value has none to make then.
  @usableFromInline
  package func hasAnswer(_ key: String) -> Bool {
    guard case .reading(let entries, _) = use else { return true }
    asked.append(key)
    return entries.contains { $0.key == key }
  }

  /// A format is made only where it is needed.
  @usableFromInline
  package func ask<Value>(
    _ key: String, _ format: () -> Format<Value>, _ doc: String, isRequired: Bool,
    from part: (Whole) -> Value?
  ) -> Value? {
    switch use {
    case .reading(_, let reader):
      guard let entry = entry(key) else { return nil }
      let mark = reader.mark
      let value = made(format).read(entry.value, reader)
      if value == nil { reader.lose(key, since: mark.diagnostics) }
      return value
    case .describing(let book):
      let schema = format().schema(book).described(as: capitalized(doc))
      questions.append(Question(key: key, schema: schema, isRequired: isRequired))
      return nil
    case .writing(let writer):
      if let value = whole.flatMap({ part($0()) }) {
        members.append(.init(key, writer.under(key) { format().write(value, writer) }))
      } else if isRequired {
        writer.problem("there is nothing to write under '\(key)'")
      }
      return nil
    }
  }

  /// The format of the key that was asked for last.
  private func made<Value>(_ format: () -> Format<Value>) -> Format<Value> {
    formats?.format(asked.count - 1, format) ?? format()
  }

  /// Reports the keys that nobody asked for, and those that are missing. A misspelt key is only the
  /// former.
  package func reportWrongKeys() {
    guard case .reading(let entries, let reader) = use else { return }
    var meant: Set<String> = []
    for entry in entries where !asked.contains(entry.key) {
      let near = NearestNames.likely(entry.key, among: asked)
      if let near {
        meant.insert(near)
        reader.lose(near)
      }
      // In `{at: 52.52, 13.405}` the value before it has been refused already.
      if reader.hasErrors, Double(entry.key) != nil, case .scalar("") = entry.value.content { continue }
      reader.error(
        "unknown key '\(entry.key)'", at: entry.keyPosition,
        hint: near.map { "did you mean '\($0)'?" } ?? "known here: " + asked.joined(separator: ", "))
    }
    reportMissingKeys(except: meant)
  }

  /// Reports the required keys that are not there.
  package func reportMissingKeys(except others: Set<String> = []) {
    for (key, doc) in missing where !others.contains(key) {
      reader?.error("the key '\(key)' is missing", at: position, hint: "it is \(doc)")
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

extension JSONValue {
  /// A key's own description is more to the point than that of its values, which stays as a comment: it says how
  /// they are written, and in which units.
  package func described(as doc: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let comment = self["$comment"] ?? self["description"]
    return .object(
      [.init("description", .string(doc))] + (comment.map { [.init("$comment", $0)] } ?? [])
        + members.filter { $0.key != "description" && $0.key != "$comment" })
  }
}

extension Format {
  /// A mapping with fixed keys. The body asks for every key, whatever the answers, and then builds the
  /// value; each question says which part of the value stands under its key.
  ///
  /// - Parameter keepsFormats: Of a mapping that is read thousands of times: the format of a key is made once. No key's
  ///   format may depend on what stands under another one then.
  package static func object(
    _ doc: String, keepsFormats: Bool = false, _ body: @escaping (Fields<Value>) -> Value?
  ) -> Format {
    let formats = keepsFormats ? KeyFormats() : nil
    return Format(
      schema: { book in
        let fields = Fields<Value>(book)
        _ = body(fields)
        return fields.schema(doc)
      },
      read: { node, reader in
        guard case .mapping(let entries) = node.content else {
          let keys = Fields<Value>(SchemaBook())
          _ = body(keys)
          reader.error(
            "expected a mapping, not \(node.kindName)", at: node.position,
            hint: "its keys are " + keys.questions.map(\.key).joined(separator: ", "))
          return nil
        }
        let fields = Fields<Value>(entries, at: node.position, reader, formats)
        let errors = reader.errorCount
        let value = body(fields)
        fields.reportWrongKeys()
        // A value that was read beside a wrong key is not what its author meant.
        return reader.errorCount == errors && !reader.isAboutWithdrawn ? value : nil
      },
      write: { value, writer in
        let fields = Fields(writing: value, writer)
        _ = body(fields)
        return .object(fields.members)
      })
  }
}
