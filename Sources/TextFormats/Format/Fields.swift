import TriggerModel

/// A requested key with its schema.
private struct KeyRequest {
  var key: String
  var schema: JSONValue
  var isRequired: Bool
}

/// The formats of a mapping's keys. Each is created on first use.
private final class KeyFormats {
  /// The formats in the order in which the body requests their keys.
  @exclusivity(unchecked) private var made: [AnyFormat?] = []

  func format<Value>(_ number: Int, _ make: () -> Format<Value>) -> Format<Value> {
    while made.count <= number { made.append(nil) }
    // A checked cast would look up the object's type on every use.
    if let known = made[number], known.value == ObjectIdentifier(Value.self) {
      return unsafeDowncast(known, to: FormatBox<Value>.self).format
    }
    let new = make()
    made[number] = FormatBox(new)
    return new
  }
}

/// The type-erased base class of boxed formats.
private class AnyFormat {
  /// The type of the format's values.
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

/// The purpose for which a body requests keys. It is declared outside the generic type ``Fields``, because
/// each access would otherwise look up that type's layout.
private enum FieldAccessMode {
  case reading([Node.Entry], Reader)
  case describing(SchemaBook)
  case writing(Writer)
}

/// The keys of a mapping, which is the long form of a value.
///
/// A format's body requests its keys by name, for one of three purposes:
///
/// - Reading: the values are from the file.
/// - Describing, for the schema: every value is `nil`, and the requests are recorded.
/// - Writing: every value is `nil`, and each request writes its part.
///
/// A body must therefore request all of its keys before it examines their values.
package final class Fields<Whole> {
  private let use: FieldAccessMode
  /// The keys that the body requested while describing.
  fileprivate var requests: [KeyRequest] = []
  /// The keys that the body requested while reading a file.
  @exclusivity(unchecked) private var requestedKeys: [String] = []
  /// The cached formats, or `nil` if the format of a key may differ between mappings.
  private let formats: KeyFormats?
  /// The members written so far.
  fileprivate private(set) var members: [JSONValue.Member] = []
  /// The required keys that are missing.
  @exclusivity(unchecked) private var missing: [(key: String, doc: String)] = []
  private var choice: (keys: [String], isRequired: Bool)?
  /// The start of the mapping.
  package let position: SourcePosition
  /// The value to write, or `nil` for other purposes.
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
    requestedKeys.reserveCapacity(16)
  }

  /// Creates the fields that describe a mapping for the schema.
  package init(_ book: SchemaBook) {
    use = .describing(book)
    position = .start
    formats = nil
    whole = nil
  }

  /// Creates the fields for writing a value.
  package init(writing whole: Whole, _ writer: Writer) {
    use = .writing(writer)
    position = .start
    formats = nil
    // A stored generic value would need a lookup of its size at each access; a closure does not.
    self.whole = { whole }
  }

  /// Requests an optional key. Returns `nil` if the key is missing or its value is invalid.
  ///
  /// - Parameter part: Returns the value to write under the key, or `nil` to omit the key.
  @inlinable
  package func optional<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String, from part: (Whole) -> Value?
  ) -> Value? {
    hasAnswer(key) ? ask(key, format, doc, isRequired: false, from: part) : nil
  }

  /// Requests a required key.
  ///
  /// - Parameter part: Returns the value to write under the key. If it returns `nil`, an error in the value
  ///   is reported.
  package func required<Value>(
    _ key: String, _ format: @autoclosure () -> Format<Value>, _ doc: String, from part: (Whole) -> Value?
  ) -> Value? {
    if hasAnswer(key) { return ask(key, format, doc, isRequired: true, from: part) }
    missing.append((key, doc))
    return nil
  }

  /// Requires exactly one of these keys, or at most one if `orNone` is true. Returns the key that is present.
  /// When writing, keeps only the first of these keys that has a value.
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
        "'\(present[1].key)' cannot be combined with '\(present[0].key)'", at: present[1].keyPosition,
        hint: "keep one of them")
      return nil
    }
    if present.isEmpty, !orNone {
      let unknown = entries.first { !requestedKeys.contains($0.key) }
      // A misspelled key was already reported as unknown, which explains the missing key.
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
    if first == nil, !orNone { writer.problem("this cannot be written in a file") }
  }

  /// Returns the position of a key's value, or the position of the mapping if the key is missing.
  package func position(of key: String) -> SourcePosition {
    entry(key)?.value.position ?? position
  }

  /// The reader, or `nil` if the fields are used for another purpose.
  package var reader: Reader? {
    if case .reading(_, let reader) = use { reader } else { nil }
  }

  /// The writer, or `nil` if the fields are used for another purpose.
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

  /// Records that a key is requested, and returns whether ``ask(_:_:_:isRequired:from:)`` must process it.
  /// Most keys are missing from the file, and the caller then returns `nil` immediately.
  @usableFromInline
  package func hasAnswer(_ key: String) -> Bool {
    guard case .reading(let entries, _) = use else { return true }
    requestedKeys.append(key)
    return entries.contains { $0.key == key }
  }

  /// Reads, describes or writes the value of a key. Creates the key's format only if necessary.
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
      requests.append(KeyRequest(key: key, schema: schema, isRequired: isRequired))
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

  /// Returns the format of the key that was requested last.
  private func made<Value>(_ format: () -> Format<Value>) -> Format<Value> {
    formats?.format(requestedKeys.count - 1, format) ?? format()
  }

  /// Reports unknown and missing keys. Reports a misspelled key only as unknown. All other unknown keys count
  /// as a single mistake: they probably replace the missing keys, or belong to another kind of value.
  package func reportWrongKeys() {
    guard case .reading(let entries, let reader) = use else { return }
    var meant: Set<String> = []
    var unknown: [Node.Entry] = []
    for entry in entries where !requestedKeys.contains(entry.key) {
      let near = NearestNames.likely(entry.key, among: requestedKeys)
      if let near {
        meant.insert(near)
        reader.lose(near)
      }
      // The previous value was already rejected, for example in `{at: 52.52, 13.405}`.
      if reader.hasErrors, Double(entry.key) != nil, case .scalar("") = entry.value.content { continue }
      if let near {
        reader.error("unknown key '\(entry.key)'", at: entry.keyPosition, hint: "did you mean '\(near)'?")
      } else {
        unknown.append(entry)
      }
    }
    guard let first = unknown.first else { return reportMissingKeys(except: meant) }
    let keys = unknown.map { "'\($0.key)'" }.joined(separator: ", ")
    let lost = missing.map(\.key).filter { !meant.contains($0) }.map { "'\($0)'" }
    reader.error(
      "unknown \(unknown.count == 1 ? "key" : "keys") \(keys)", at: first.keyPosition,
      hint: (lost.isEmpty ? "" : "missing here: \(lost.joined(separator: ", ")); ")
        + "known here: " + requestedKeys.joined(separator: ", "))
  }

  /// Reports the required keys that are missing.
  package func reportMissingKeys(except others: Set<String> = []) {
    for (key, doc) in missing where !others.contains(key) {
      reader?.error("the key '\(key)' is missing", at: position, hint: "it is \(doc)")
    }
  }

  /// Returns the schema of the mapping from the recorded requests.
  package func schema(_ doc: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", "object"), .init("description", .string(doc)),
      .init("properties", .object(requests.map { .init($0.key, $0.schema) })),
      .init("additionalProperties", false),
    ]
    let required = requests.filter(\.isRequired).map { JSONValue.string($0.key) }
    if !required.isEmpty { members.append(.init("required", .array(required))) }
    if let choice, choice.isRequired {
      let alternatives = choice.keys.map { JSONValue.object([.init("required", .array([.string($0)]))]) }
      members.append(.init("oneOf", .array(alternatives)))
    }
    return .object(members)
  }
}

extension JSONValue {
  /// Returns the schema with the key's own description, which is more specific. The original description
  /// becomes a comment, because it explains the syntax and the units.
  package func described(as doc: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let comment = self["$comment"] ?? self["description"]
    return .object(
      [.init("description", .string(doc))] + (comment.map { [.init("$comment", $0)] } ?? [])
        + members.filter { $0.key != "description" && $0.key != "$comment" })
  }
}

extension Format {
  /// Creates a format for a mapping with fixed keys. The body first requests every key, whatever the values,
  /// and then builds the value. Each request states which part of the value to write under its key.
  ///
  /// - Parameter keepsFormats: Whether to create each key's format only once. Pass `true` for mappings that
  ///   are read thousands of times. The format of a key must then not depend on the value of another key.
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
            hint: "its keys are " + keys.requests.map(\.key).joined(separator: ", "))
          return nil
        }
        let fields = Fields<Value>(entries, at: node.position, reader, formats)
        let errors = reader.errorCount
        let value = body(fields)
        fields.reportWrongKeys()
        // A mapping with an invalid key probably does not say what its author meant, so it has no value.
        return reader.errorCount == errors && !reader.isAboutWithdrawn ? value : nil
      },
      write: { value, writer in
        let fields = Fields(writing: value, writer)
        _ = body(fields)
        return .object(fields.members)
      })
  }
}
