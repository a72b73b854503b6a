import TextFormats
import TriggerModel

/// A key of a file, as the reference explains it.
package struct ReferenceKey: Sendable {
  /// Stands for a declared name in paths.
  package static let anyName = "NAME"

  /// The keys that lead to it, the outermost first. ``anyName`` stands for a declared name.
  package let path: [String]
  package let isRequired: Bool
  /// The meaning, with the default as its last part: "…; 4 h if missing".
  package let description: String
  /// The allowed values with their units, in words.
  package let values: [String]

  package var name: String { path.joined(separator: ".") }

  /// The meaning without the default.
  package var meaning: String { parts.meaning }

  /// The default in words, or `nil` if the key has none.
  package var fallback: String? { parts.fallback }

  private var parts: (meaning: String, fallback: String?) {
    let (start, end) = ("if missing, ", " if missing")
    var clauses = description.split(separator: "; ").map(String.init)
    let place = clauses.lastIndex { $0.hasPrefix(start) || $0.hasSuffix(end) }
    guard clauses.count > 1, let place else { return (description, nil) }
    let clause = clauses.remove(at: place)
    let fallback = clause.hasPrefix(start) ? clause.dropFirst(start.count) : clause.dropLast(end.count)
    return (clauses.joined(separator: "; "), String(fallback))
  }
}

/// The keys of a schema and their meanings as indented lines. Each key and each group of keys is listed once.
struct SchemaKeys {
  private let definitions: JSONValue
  private(set) var lines: [String] = []
  private(set) var keys: [ReferenceKey] = []
  /// The name of the key under which a group of keys was listed first, by the group's schema.
  private(set) var groups: [String: String]
  /// Returns the example of a key, or `nil` if it has none.
  private let example: (ReferenceKey) -> String?

  /// - Parameters:
  ///   - definitions: The definitions that `$ref` refers to. A definition with a topic of its own is not
  ///     expanded.
  ///   - groups: The groups of keys that other topics list.
  init(
    _ definitions: JSONValue, groups: [String: String] = [:],
    example: @escaping (ReferenceKey) -> String? = { _ in nil }
  ) {
    self.definitions = definitions
    // A few keys such as 'from' and 'to' are easier to read in their place.
    self.groups = groups.filter { $0.key.count > 1_000 }
    self.example = example
  }

  /// The topics of definitions, by the definition's name.
  static let topics = [
    "trigger": "triggers", "condition": "conditions", "expectation": "expect", "timelineEntry": "timeline",
    "gate": "gates", "fact": "facts", "reminder": "reminders",
  ]

  /// Adds the keys of a value, indented by one more level for each nested mapping.
  ///
  /// - Parameters:
  ///   - path: The keys that lead to the value.
  ///   - topic: The current topic, whose definition is expanded. All other topics are only named.
  mutating func add(_ schema: JSONValue, depth: Int = 1, at path: [String] = [], of topic: String? = nil) {
    let members = members(schema, of: topic)
    guard !members.isEmpty else { return }
    let group = members.map { "\($0.path):\($0.schemas.map(\.text))" }.joined(separator: ",")
    if let first = groups[group] {
      return append("\(String(repeating: "  ", count: depth))the keys of '\(first)'")
    }
    groups[group] = path.joined(separator: ".")
    for member in members { add(member, depth, at: path, of: topic) }
  }

  /// A key with its schemas in all alternatives of a value.
  private struct Member {
    /// The key, after ``ReferenceKey/anyName`` for each mapping from names.
    var path: [String]
    var schemas: [JSONValue]
    var isRequired: Bool
  }

  private func members(_ schema: JSONValue, of topic: String?, _ names: [String] = []) -> [Member] {
    let schema = resolved(schema, of: topic)
    let required = schema["required"]?.elements.compactMap(\.stringValue) ?? []
    var found = (schema["properties"]?.members ?? []).map {
      Member(path: names + [$0.key], schemas: [$0.value], isRequired: required.contains($0.key))
    }
    var parts = ["anyOf", "oneOf"].flatMap { schema[$0]?.elements ?? [] }.map { ($0, names) }
    if let items = schema["items"] { parts.append((items, names)) }
    if let values = schema["additionalProperties"], values != false {
      parts.append((values, names + [ReferenceKey.anyName]))
    }
    for (part, names) in parts {
      for member in members(part, of: topic, names) {
        if let place = found.firstIndex(where: { $0.path == member.path }) {
          found[place].schemas = (found[place].schemas + member.schemas).distinct
        } else {
          found.append(member)
        }
      }
    }
    return found
  }

  private mutating func add(_ member: Member, _ depth: Int, at path: [String], of topic: String?) {
    let indent = String(repeating: "  ", count: depth)
    let doc = member.schemas.lazy.compactMap { $0["description"]?.stringValue }.first
    let values = member.schemas.flatMap(Self.values).distinct.filter { $0.lowercased() != doc?.lowercased() }
    let key = ReferenceKey(
      path: path + member.path, isRequired: member.isRequired, description: doc ?? "", values: values)
    keys.append(key)
    let name = member.path.last ?? ""
    append("\(indent)\(name)\(member.isRequired ? " (required)" : "")\(doc.map { ": \($0)" } ?? "")")
    let inOne = values.joined(separator: ", or ")
    // A long list has one value per line.
    if inOne.count > 200 {
      for (index, value) in values.enumerated() { append("\(indent)    \(index == 0 ? "" : "or ")\(value)") }
    } else if !inOne.isEmpty {
      append("\(indent)    \(inOne)")
    }
    if let example = example(key) { append("\(indent)    example: \(example)") }
    add(["anyOf": .array(member.schemas)], depth: depth + 1, at: key.path, of: topic)
  }

  mutating func note(_ line: String) { append("  " + line) }

  private mutating func append(_ line: String) { lines.append(line) }

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
