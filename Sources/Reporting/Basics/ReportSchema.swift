import TextFormats

/// The JSON Schema of `report.json`. Every report of the same version satisfies it.
package enum ReportSchema {
  static func object(
    _ required: [(String, JSONValue)], optional: [(String, JSONValue)] = []
  ) -> JSONValue {
    [
      "type": "object", "required": .strings(required.map(\.0)),
      "properties": .object((required + optional).map { .init($0.0, $0.1) }),
    ]
  }

  /// Returns the schema of an object that has one key for each field.
  static func object<Subject>(of fields: [ReportField<Subject>]) -> JSONValue {
    object(required(fields), optional: optional(fields))
  }

  static func required<Subject>(_ fields: [ReportField<Subject>]) -> [(String, JSONValue)] {
    fields.filter { !$0.isOptional }.map { ($0.key, $0.schema) }
  }

  static func optional<Subject>(_ fields: [ReportField<Subject>]) -> [(String, JSONValue)] {
    fields.filter(\.isOptional).map { ($0.key, $0.schema) }
  }

  static let evidence = choice(["instrumented", "declared", "assumed"])

  static func array(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  /// Returns the schema of an array of objects that have one key for each field.
  static func array<Subject>(of fields: [ReportField<Subject>]) -> JSONValue { array(object(of: fields)) }

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/" + name)] }

  static func choice(_ names: [String]) -> JSONValue { ["enum": .strings(names)] }

  static func string(_ description: String? = nil) -> JSONValue { typed("string", description) }

  static func integer(_ description: String? = nil) -> JSONValue { typed("integer", description) }

  /// Returns the schema of a nonnegative integer.
  static func count(_ description: String? = nil) -> JSONValue {
    .object(integer(description).members + [.init("minimum", 0)])
  }

  static func described(_ description: String, _ schema: JSONValue) -> JSONValue {
    .object(schema.members + [.init("description", .string(description))])
  }

  static func typed(_ type: String, _ description: String?) -> JSONValue {
    .present(["type": .string(type), "description": description.map(JSONValue.string)])
  }
}

/// One key of an object in `report.json`, with the schema of its value and a closure that returns the value.
///
/// The same list of fields generates both the schema and the document, so they cannot disagree.
struct ReportField<Subject>: Sendable {
  let key: String
  let schema: JSONValue
  /// Whether the object omits the key when the value is `nil`.
  let isOptional: Bool
  let value: @Sendable (Subject) -> JSONValue?
}

extension ReportField {
  /// Returns this field for an object that contains this field's subject as a part.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Subject) -> ReportField<Whole> {
    let value = value
    return ReportField<Whole>(key: key, schema: schema, isOptional: isOptional) { value(part($0)) }
  }

  /// Returns a required field whose value has the given schema.
  static func value(
    _ key: String, _ schema: JSONValue, _ value: @escaping @Sendable (Subject) -> JSONValue
  ) -> Self {
    Self(key: key, schema: schema, isOptional: false, value: value)
  }

  /// Returns a field that the object omits when the value is `nil`.
  static func optional(
    _ key: String, _ schema: JSONValue, _ value: @escaping @Sendable (Subject) -> JSONValue?
  ) -> Self {
    Self(key: key, schema: schema, isOptional: true, value: value)
  }

  static func text(
    _ key: String, _ value: @escaping @Sendable (Subject) -> String, _ description: String? = nil
  ) -> Self {
    .value(key, ReportSchema.string(description)) { .string(value($0)) }
  }

  /// Returns a field whose value is a word from a closed list.
  static func choice(
    _ key: String, _ words: [String], _ value: @escaping @Sendable (Subject) -> String
  ) -> Self {
    .value(key, ReportSchema.choice(words)) { .string(value($0)) }
  }

  static func optionalText(
    _ key: String, _ value: @escaping @Sendable (Subject) -> String?, _ description: String? = nil
  ) -> Self {
    .optional(key, ReportSchema.string(description)) { value($0).map(JSONValue.string) }
  }

  /// Returns a field whose value is a nonnegative integer.
  static func count(
    _ key: String, _ value: @escaping @Sendable (Subject) -> Int, _ description: String? = nil
  ) -> Self {
    .value(key, ReportSchema.count(description)) { .integer(value($0)) }
  }

  static func integer(
    _ key: String, _ value: @escaping @Sendable (Subject) -> Int, _ description: String? = nil
  ) -> Self {
    .value(key, ReportSchema.integer(description)) { .integer(value($0)) }
  }

  static func truth(
    _ key: String, _ value: @escaping @Sendable (Subject) -> Bool, _ description: String? = nil
  ) -> Self {
    .value(key, ReportSchema.typed("boolean", description)) { .truth(value($0)) }
  }

  /// Returns a field whose value is an array of strings.
  static func texts(
    _ key: String, _ value: @escaping @Sendable (Subject) -> [String], _ description: String? = nil
  ) -> Self {
    .value(key, ReportSchema.array(ReportSchema.string(description))) { .strings(value($0)) }
  }

  /// Returns a field whose value is an array of objects.
  static func list<Element>(
    _ key: String, of fields: [ReportField<Element>],
    _ value: @escaping @Sendable (Subject) -> [Element]
  ) -> Self {
    .value(key, ReportSchema.array(of: fields)) { .array(value($0).map { JSONValue($0, fields) }) }
  }
}

extension JSONValue {
  /// Creates an object that has one key for each field.
  init<Subject>(_ subject: Subject, _ fields: [ReportField<Subject>]) {
    self = .object(fields.compactMap { field in field.value(subject).map { Member(field.key, $0) } })
  }

  /// Returns an object without the members whose value is `nil`.
  static func present(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The string, or `nil` if the value is not a string.
  var stringValue: String? { if case .string(let text) = self { text } else { nil } }

  /// The elements of an array, or no elements if the value is not an array.
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  /// The members of an object, or no members if the value is not an object.
  var members: [Member] { if case .object(let members) = self { members } else { [] } }

  static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

  static func count(_ number: some BinaryInteger) -> JSONValue { .integer(Int(number)) }

  /// Creates an integer from a floating-point number.
  ///
  /// - Parameter number: A number without a fractional part.
  static func count(_ number: Double) -> JSONValue { .integer(Int(number)) }
}
