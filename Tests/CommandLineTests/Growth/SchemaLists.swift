import Foundation

/// The lists and tables that the schema of a scenario has, by name: none can come into the format unseen.
struct SchemaLists {
  /// The last key of its way, with `.*` where it is an entry of a table.
  private(set) var names: Set<String> = []

  /// - Parameter schema: What `triggerbench schema` prints.
  init(_ schema: String) throws {
    look(at: try JSONSerialization.jsonObject(with: Data(schema.utf8)), key: "")
  }

  private mutating func look(at value: Any, key: String) {
    if let several = value as? [Any] { for one in several { look(at: one, key: key) } }
    guard let node = value as? [String: Any] else { return }
    if node["items"] is [String: Any] || node["additionalProperties"] is [String: Any] { names.insert(key) }
    for (word, part) in node {
      switch word {
      case "properties", "$defs":
        for (key, part) in part as? [String: Any] ?? [:] { look(at: part, key: key) }
      case "additionalProperties": look(at: part, key: key + ".*")
      case "items", "anyOf", "oneOf", "allOf", "if", "then", "else": look(at: part, key: key)
      default: break
      }
    }
  }
}
