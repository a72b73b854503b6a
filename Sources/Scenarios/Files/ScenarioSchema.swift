import ScenarioModel
package import TextFormats

/// The JSON Schemas of scenario files and of packs, for editors and other tools.
///
/// They are made by the formats that read the files, so they know the same keys and words. What a schema
/// cannot know (that a name is declared, that a date exists) only `triggerbench check` sees.
package enum ScenarioSchema {
  /// Of scenario files. Draft 2020-12.
  package static var json: JSONValue { json("TriggerBench scenario", nil as WiderFile<Never>?) }

  /// Of files that say what a scenario says, and more. Draft 2020-12.
  package static func json<Section>(_ title: String, _ wider: WiderFile<Section>?) -> JSONValue {
    let book = SchemaBook()
    let whole = Format<Scenario>.scenario.schema(book)
    let left = wider?.without ?? []
    let all = properties(of: whole).filter { !left.contains($0.key) }.map { member -> JSONValue.Member in
      guard let wider, member.key == "kind" else { return member }
      return .init(
        "kind", ["description": .string("What this file is: \(wider.kind)"), "const": .string(wider.kind)])
    }
    let own = wider.map { wider in
      JSONValue.Member(wider.key, wider.format.schema(book).described(as: wider.doc))
    }
    let sections = all.filter { !isStory($0.key) }
    // What a pack brings need not be said again: of a reminder, its time alone can be changed.
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

  /// Of packs. Draft 2020-12.
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

  /// Whether a key is the scenario's alone.
  private static func isStory(_ key: String) -> Bool {
    PackHeader.storyKeys.contains(key) || PackHeader.headKeys.contains(key)
  }

  /// A document with those of the definitions that something in it leads to.
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

  /// The names of the definitions that a schema refers to.
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

/// What is left of a schema where a part of the value stands elsewhere: nothing has to be there.
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
    // Below 'properties' stand an author's words, not a schema's.
    if member.key == "properties", case .object(let properties) = member.value {
      return .init(member.key, .object(properties.map { .init($0.key, of($0.value)) }))
    }
    if member.key == "$ref", case .string(let path) = member.value {
      return .init(member.key, .string(name(path)))
    }
    return .init(member.key, of(member.value))
  }

  /// `oneOf` with nothing but demands in it.
  private static func isChoiceOfKeys(_ member: JSONValue.Member) -> Bool {
    guard member.key == "oneOf", case .array(let items) = member.value else { return false }
    return items.allSatisfy { $0["required"] != nil }
  }
}
