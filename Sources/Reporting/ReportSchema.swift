import TextFormats

/// The JSON Schema of the report's document: what a reader may rely on within a version. Here are the words
/// that its parts are described with.
package enum ReportSchema {
  static func object(
    _ required: [(String, JSONValue)], optional: [(String, JSONValue)] = []
  ) -> JSONValue {
    [
      "type": "object", "required": .array(required.map { .string($0.0) }),
      "properties": .object((required + optional).map { .init($0.0, $0.1) }),
    ]
  }

  static let evidence = choice(["instrumented", "declared", "assumed"])

  static func members(of value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  static func array(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/" + name)] }

  static func choice(_ names: [String]) -> JSONValue { ["enum": .array(names.map { .string($0) })] }

  static func string(_ description: String? = nil) -> JSONValue { typed("string", description) }

  static func integer(_ description: String? = nil) -> JSONValue { typed("integer", description) }

  /// A whole number from 0 on.
  static func count(_ description: String? = nil) -> JSONValue {
    .object(members(of: typed("integer", description)) + [.init("minimum", 0)])
  }

  static func described(_ description: String, _ schema: JSONValue) -> JSONValue {
    .object(members(of: schema) + [.init("description", .string(description))])
  }

  static func typed(_ type: String, _ description: String?) -> JSONValue {
    .object(
      [.init("type", .string(type))] + (description.map { [.init("description", .string($0))] } ?? []))
  }
}
