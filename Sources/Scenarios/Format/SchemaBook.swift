/// Collects the named definitions of a JSON Schema while formats describe themselves.
final class SchemaBook {
  /// What a reference begins with.
  static let path = "#/$defs/"

  private var definitions: [JSONValue.Member] = []

  /// A reference to a definition, which is made on first use.
  func reference(to name: String, _ definition: () -> JSONValue) -> JSONValue {
    if !definitions.contains(where: { $0.key == name }) {
      let slot = definitions.count
      definitions.append(.init(name, true))
      definitions[slot].value = definition()
    }
    return ["$ref": .string(Self.path + name)]
  }

  /// The definitions made so far, by name.
  var all: JSONValue {
    .object(definitions.sorted { $0.key < $1.key })
  }
}
