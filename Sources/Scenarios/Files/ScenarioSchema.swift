import ScenarioModel
package import TextFormats

/// The JSON Schemas of scenario files and packs, for editors and other tools.
///
/// The schemas are generated from the formats that parse the files, so keys and words always match. A schema
/// cannot express some rules, such as whether a name is declared or a date exists. Only `triggerbench check`
/// verifies them.
package enum ScenarioSchema {
  /// The schema of scenario files, draft 2020-12.
  package static var json: JSONValue { json("TriggerBench scenario", nil as ExtendedFile<Never>?) }

  /// Returns the schema of scenario files with an additional section, draft 2020-12.
  package static func json<Section>(_ title: String, _ extended: ExtendedFile<Section>?) -> JSONValue {
    let book = SchemaBook()
    let whole = Format<Scenario>.scenario.schema(book)
    let left = extended?.without ?? []
    let all = properties(of: whole).filter { !left.contains($0.key) }.map { member -> JSONValue.Member in
      guard let extended, member.key == "kind" else { return member }
      return .init(
        "kind",
        ["description": .string("What this file is: \(extended.kind)"), "const": .string(extended.kind)])
    }
    let own = extended.map { extended in
      JSONValue.Member(extended.key, extended.format.schema(book).described(as: extended.doc))
    }
    let sections = all.filter { !isStory($0.key) }
    // With `include`, declarations may be partial: a scenario may change a single key of a pack's reminder.
    let partial = sections.map {
      JSONValue.Member($0.key, ["anyOf": [PartialSchema.of($0.value), ["const": .string(Node.withdrawal)]]])
    }
    let required = strings(whole["required"]).filter { !left.contains($0) }
    let described = all.map { member -> JSONValue.Member in
      if isStory(member.key) { return member }
      return .init(member.key, .object([.init("description", member.value["description"] ?? "")]))
    }
    let definitions = members(of: book.all)
    let partialDefinitions = definitions.map {
      JSONValue.Member(PartialSchema.name($0.key), PartialSchema.of($0.value))
    }
    return document(
      title,
      [
        .init("type", "object"), .init("description", whole["description"] ?? ""),
        .init("properties", .object(described + [own].compactMap(\.self))),
        .init("additionalProperties", false),
        .init(
          "required",
          .array((required.filter(isStory) + [own?.key].compactMap(\.self)).map(JSONValue.string))),
        .init("if", ["required": ["include"]]), .init("then", ["properties": .object(partial)]),
        .init(
          "else",
          [
            "required": .array(required.filter { !isStory($0) }.map(JSONValue.string)),
            "properties": .object(sections),
          ]),
      ], definitions + partialDefinitions)
  }

  /// The schema of packs, draft 2020-12.
  package static var pack: JSONValue {
    let book = SchemaBook()
    let whole = Format<Scenario>.scenario.schema(book)
    let head: [JSONValue.Member] = [
      .init("kind", PackHeader.kind.schema(book).described(as: "What this file is: pack"))
    ]
    let sections = properties(of: whole).filter { $0.key != "kind" && !PackHeader.storyKeys.contains($0.key) }
    return document(
      "TriggerBench pack",
      [
        .init("type", "object"), .init("description", "Declarations that several scenarios have in common"),
        .init("properties", .object(head + sections)), .init("additionalProperties", false),
        .init("required", ["kind", "version", "title"]),
      ], members(of: book.all))
  }

  /// Returns whether a key is allowed in scenarios but not in packs.
  private static func isStory(_ key: String) -> Bool {
    PackHeader.storyKeys.contains(key) || PackHeader.headKeys.contains(key)
  }

  /// Returns a schema document, including the definitions to which it refers directly or indirectly.
  private static func document(
    _ title: String, _ body: [JSONValue.Member], _ definitions: [JSONValue.Member]
  ) -> JSONValue {
    var needed: Set<String> = []
    var open = references(in: .object(body))
    while let name = open.popLast() {
      guard needed.insert(name).inserted, let definition = definitions.first(where: { $0.key == name }) else {
        continue
      }
      open += references(in: definition.value)
    }
    return .object(
      [
        .init("$schema", "https://json-schema.org/draft/2020-12/schema"), .init("title", .string(title)),
      ] + body + [.init("$defs", .object(definitions.filter { needed.contains($0.key) }))])
  }

  /// Returns the names of the definitions to which a schema refers.
  private static func references(in schema: JSONValue) -> [String] {
    switch schema {
    case .object(let members):
      members.flatMap { member -> [String] in
        if member.key == "$ref", case .string(let text) = member.value {
          return [String(text.dropFirst(SchemaBook.path.count))]
        }
        return references(in: member.value)
      }
    case .array(let items): items.flatMap(references)
    default: []
    }
  }

  private static func properties(of schema: JSONValue) -> [JSONValue.Member] {
    members(of: schema["properties"] ?? .object([]))
  }

  private static func members(of value: JSONValue) -> [JSONValue.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  private static func strings(_ value: JSONValue?) -> [String] {
    guard case .array(let items)? = value else { return [] }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

/// Relaxes schemas for partial declarations by removing requirements.
private enum PartialSchema {
  private static let demands: Set<String> = ["required", "minProperties"]

  static func name(_ definition: String) -> String { definition + ".part" }

  static func of(_ schema: JSONValue) -> JSONValue {
    switch schema {
    case .object(let members): .object(members.compactMap(of))
    case .array(let items): .array(items.map(of))
    default: schema
    }
  }

  private static func of(_ member: JSONValue.Member) -> JSONValue.Member? {
    if demands.contains(member.key) || isChoiceOfKeys(member) { return nil }
    // The members of 'properties' are keys of the file, not schema keywords.
    if member.key == "properties", case .object(let properties) = member.value {
      return .init(member.key, .object(properties.map { .init($0.key, of($0.value)) }))
    }
    if member.key == "$ref", case .string(let path) = member.value {
      return .init(member.key, .string(name(path)))
    }
    return .init(member.key, of(member.value))
  }

  /// Returns whether the member is a `oneOf` whose options do nothing but require keys.
  private static func isChoiceOfKeys(_ member: JSONValue.Member) -> Bool {
    guard member.key == "oneOf", case .array(let items) = member.value else { return false }
    return items.allSatisfy { $0["required"] != nil }
  }
}
