import TextFormats
import TriggerModel

/// The keys of a schema and their meanings as indented lines.
struct SchemaKeys {
  private let definitions: JSONValue
  private(set) var lines: [String] = []

  /// - Parameter definitions: The definitions that `$ref` refers to. A definition with a topic of its own is
  ///   not expanded.
  init(_ definitions: JSONValue) { self.definitions = definitions }

  /// The topics of definitions, by the definition's name.
  static let topics = [
    "trigger": "triggers", "condition": "conditions", "expectation": "expect", "timelineEntry": "timeline",
    "gate": "gates", "fact": "facts", "reminder": "reminders",
  ]

  /// Adds the keys of a value, indented by one more level for each nested mapping.
  ///
  /// - Parameter topic: The current topic, whose definition is expanded. All other topics are only named.
  mutating func add(_ schema: JSONValue, depth: Int = 1, of topic: String? = nil) {
    let schema = resolved(schema, of: topic)
    let required = schema["required"]?.elements.compactMap(\.stringValue) ?? []
    for property in schema["properties"]?.members ?? [] {
      addKey(property, depth, isRequired: required.contains(property.key), of: topic)
    }
    for choice in ["anyOf", "oneOf"] {
      for item in schema[choice]?.elements ?? [] { add(item, depth: depth, of: topic) }
    }
    if let items = schema["items"] { add(items, depth: depth, of: topic) }
    if let values = schema["additionalProperties"], values != false {
      add(values, depth: depth, of: topic)
    }
  }

  private mutating func addKey(
    _ property: JSONValue.Member, _ depth: Int, isRequired: Bool, of topic: String?
  ) {
    let indent = String(repeating: "  ", count: depth)
    let value = property.value
    var line = "\(indent)\(property.key)\(isRequired ? " (required)" : "")"
    let doc = value["description"]?.stringValue
    if let doc { line += ": \(doc)" }
    append(line)
    let values = Self.values(value).filter { $0.lowercased() != doc?.lowercased() }
    let inOne = values.joined(separator: ", or ")
    // A long list has one value per line.
    if inOne.count > 200 {
      for (index, value) in values.enumerated() { append("\(indent)    \(index == 0 ? "" : "or ")\(value)") }
    } else if !inOne.isEmpty {
      append("\(indent)    \(inOne)")
    }
    add(value, depth: depth + 1, of: topic)
  }

  mutating func note(_ line: String) { append("  " + line) }

  private mutating func append(_ line: String) {
    if lines.last != line { lines.append(line) }
  }

  /// Returns the allowed values in words.
  private static func values(_ schema: JSONValue) -> [String] {
    if case .array(let words)? = schema["enum"] {
      return [words.map { word($0) }.joined(separator: " | ")]
    }
    if schema["type"] == "boolean" { return ["true | false"] }
    if let word = schema["const"] { return [self.word(word)] }
    if let reference = schema["$ref"]?.stringValue {
      let name = String(reference.dropFirst(SchemaBook.path.count))
      return topics[name].map { ["see the topic \($0)"] } ?? []
    }
    if let comment = schema["$comment"]?.stringValue { return [comment] }
    for choice in ["anyOf", "oneOf"] {
      if case .array(let items)? = schema[choice] {
        return items.flatMap(values).distinct
      }
    }
    if let items = schema["items"] { return values(items).map { "a list of: \($0)" } }
    if let named = schema["additionalProperties"], named != false {
      // This value is omitted, because the topic `pack` states that every declaration can be withdrawn.
      let each = values(named).filter { $0 != withdrawal }
      if each.isEmpty { return ["by name"] }
      return each.map { ($0.hasPrefix("by name") ? "by name, then " : "by name: ") + $0 }
    }
    if schema["properties"] == nil, let text = schema["description"]?.stringValue { return [text] }
    return []
  }

  /// The value that withdraws a declaration of a pack.
  private static let withdrawal = "none"

  private static func word(_ value: JSONValue) -> String { value.stringValue ?? value.text }

  private func resolved(_ schema: JSONValue, of topic: String?) -> JSONValue {
    guard let reference = schema["$ref"]?.stringValue else { return schema }
    let name = String(reference.dropFirst(SchemaBook.path.count))
    return Self.topics[name].map { $0 == topic } ?? true ? definitions[name] ?? true : true
  }
}
