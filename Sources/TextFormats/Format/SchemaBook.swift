/// Collects the named definitions of a JSON Schema while formats describe themselves.
package final class SchemaBook {
  /// What a reference begins with.
  package static let path = "#/$defs/"

  private var definitions: [JSONValue.Member] = []

  package init() {}

  /// A reference to a definition, which is made on first use.
  package func reference(to name: String, _ definition: () -> JSONValue) -> JSONValue {
    if !definitions.contains(where: { $0.key == name }) {
      let slot = definitions.count
      definitions.append(.init(name, true))
      definitions[slot].value = definition()
    }
    return ["$ref": .string(Self.path + name)]
  }

  /// The definitions made so far, by name.
  package var all: JSONValue {
    .object(definitions.sorted { $0.key < $1.key })
  }
}
