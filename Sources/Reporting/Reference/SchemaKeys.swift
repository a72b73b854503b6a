import TextFormats

/// The keys that a schema knows, with what they mean, as indented lines.
struct SchemaKeys {
  private let definitions: JSONValue
  private(set) var lines: [String] = []

  /// - Parameter definitions: What `$ref` leads to; those with a topic of their own are not repeated.
  init(_ definitions: JSONValue) { self.definitions = definitions }

  /// Definitions that are topics, by name.
  static let topics = [
    "trigger": "triggers", "condition": "conditions", "expectation": "expect", "timelineEntry": "timeline",
    "gate": "gates", "fact": "facts", "reminder": "reminders",
  ]

  /// Adds the keys below a value, deeper by one step for each mapping.
  ///
  /// - Parameter topic: The one that is being written: its definition is taken apart, the others' are named.
  mutating func add(_ schema: JSONValue, depth: Int = 1, of topic: String? = nil) {
    let schema = resolved(schema, of: topic)
    if case .object(let properties)? = schema["properties"] {
      let required = texts(schema["required"])
      for property in properties {
        addKey(property, depth, isRequired: required.contains(property.key), of: topic)
      }
    }
    for choice in ["anyOf", "oneOf"] {
      if case .array(let items)? = schema[choice] {
        for item in items { add(item, depth: depth, of: topic) }
      }
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
    if let doc = text(value["description"]) { line += ": \(doc)" }
    append(line)
    let doc = text(value["description"])
    let values = Self.values(value).filter { $0.lowercased() != doc?.lowercased() }
    let inOne = values.joined(separator: ", or ")
    // Several long ones are read one by one.
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

  /// What a value may be, in words.
  private static func values(_ schema: JSONValue) -> [String] {
    if case .array(let words)? = schema["enum"] {
      return [words.map { word($0) }.joined(separator: " | ")]
    }
    if schema["type"] == "boolean" { return ["true | false"] }
    if let word = schema["const"] { return [self.word(word)] }
    if case .string(let reference)? = schema["$ref"] {
      let name = String(reference.dropFirst(SchemaBook.path.count))
      return topics[name].map { ["see the topic \($0)"] } ?? []
    }
    if case .string(let comment)? = schema["$comment"] { return [comment] }
    for choice in ["anyOf", "oneOf"] {
      if case .array(let items)? = schema[choice] {
        return items.flatMap(values).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      }
    }
    if let items = schema["items"] { return values(items).map { "a list of: \($0)" } }
    if let named = schema["additionalProperties"], named != false {
      // That each can be taken away again, the topic of packs says of all of them.
      let each = values(named).filter { $0 != withdrawal }
      if each.isEmpty { return ["by name"] }
      return each.map { ($0.hasPrefix("by name") ? "by name, then " : "by name: ") + $0 }
    }
    if schema["properties"] == nil, case .string(let text)? = schema["description"] { return [text] }
    return []
  }

  /// In place of a row of any table.
  private static let withdrawal = "none"

  private static func word(_ value: JSONValue) -> String {
    if case .string(let text) = value { text } else { value.text }
  }

  private func resolved(_ schema: JSONValue, of topic: String?) -> JSONValue {
    guard case .string(let reference)? = schema["$ref"] else { return schema }
    let name = String(reference.dropFirst(SchemaBook.path.count))
    return Self.topics[name].map { $0 == topic } ?? true ? definitions[name] ?? true : true
  }

  private func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private func texts(_ value: JSONValue?) -> [String] {
    if case .array(let items)? = value { items.compactMap(text) } else { [] }
  }
}
