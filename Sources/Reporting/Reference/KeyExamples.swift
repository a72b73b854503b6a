import DeviceSimulation
import Scenarios
import TestBench
import TextFormats
import TriggerModel

/// Generates an example of each key of a scenario from its schema.
///
/// The examples use the names that ``ReferenceStory`` declares. A test lays each example over that story and
/// runs the result.
struct KeyExamples {
  private let definitions: JSONValue

  init(_ definitions: JSONValue) {
    self.definitions = definitions
  }

  /// Returns the example of a key from the root of the file, or `nil` if the schema does not determine one.
  ///
  /// - Parameter schema: The schema of the first key.
  func example(of key: ReferenceKey, in schema: JSONValue) -> JSONValue? {
    let root = Self.roots[key.path[0]] ?? [key.path[0]]
    if key.path[0] == "knobs", let name = key.path.last { return knob(name) }
    let ends = ReferenceStory.mappings.filter { end, _ in
      key.name == end || key.name.hasSuffix(end.hasPrefix(".") ? end : "." + end)
    }
    let mapping = ends.max { $0.key.count < $1.key.count }
    let written = mapping.flatMap { Self.parsed($0.value) }
    return value(schema, key.path.dropFirst(), root, written).map {
      root.reversed().reduce($0) { .object([.init($1, $0)]) }
    }
  }

  private static func parsed(_ text: String) -> JSONValue? {
    (try? YAMLDocument(SourceText(file: "example", text: text)).root).map { JSONValue($0) }
  }

  /// Returns the example of a knob: its value in a profile that has it.
  private func knob(_ name: String) -> JSONValue? {
    for profile in [PlatformProfile.ios, .android] {
      guard let rule = profile.rules.first(where: { $0.key == name }) else { continue }
      let knob: JSONValue = .object([.init(name, .string("\(rule.value)"))])
      return .object([.init("profile", .string(profile.name)), .init("knobs", knob)])
    }
    return nil
  }

  /// The keys that lead to the values of topics whose names are not keys.
  private static let roots = [
    "triggers": ["reminders", "pills", "when"], "conditions": ["reminders", "pills", "if"],
  ]

  /// Returns a value that contains a key.
  ///
  /// - Parameters:
  ///   - path: The keys that lead to the key within the value.
  ///   - place: The keys that lead to the value.
  ///   - written: The innermost mapping, or `nil` to generate it.
  private func value(
    _ schema: JSONValue, _ path: ArraySlice<String>, _ place: [String], _ written: JSONValue?
  ) -> JSONValue? {
    guard let key = path.first else { return sample(schema, place) }
    let schema = resolved(schema)
    if let property = schema["properties"]?[key] {
      if let written, path.count == 1 { return written }
      return value(property, path.dropFirst(), place + [key], written).map {
        mapping(schema, with: .init(key, $0), place)
      }
    }
    if key == ReferenceKey.anyName, let values = schema["additionalProperties"], values != false {
      let name = Self.name(in: place, of: written)
      return value(values, path.dropFirst(), place + [name], written).map { .object([.init(name, $0)]) }
    }
    for part in ["anyOf", "oneOf"].flatMap({ schema[$0]?.elements ?? [] }) {
      if let value = value(part, path, place, written) { return value }
    }
    return schema["items"].flatMap { value($0, path, place, written) }.map { .array([$0]) }
  }

  /// Returns a mapping of the required keys and of one other key, in their order.
  private func mapping(_ schema: JSONValue, with member: JSONValue.Member?, _ place: [String]) -> JSONValue {
    if let member, let others = ReferenceStory.neighbours["\(place.last ?? "").\(member.key)"],
      case .object(let members)? = Self.parsed(others)
    {
      return .object(members + [member])
    }
    var required = schema["required"]?.elements.compactMap(\.stringValue) ?? []
    let choice = (schema["oneOf"]?.elements ?? []).compactMap { $0["required"]?.elements.first?.stringValue }
    if let first = choice.first, !choice.contains(member?.key ?? "") { required.append(first) }
    return .object(
      (schema["properties"]?.members ?? []).compactMap { property in
        if let member, property.key == member.key { return member }
        guard required.contains(property.key) else { return nil }
        return sample(property.value, place + [property.key]).map { .init(property.key, $0) }
      })
  }

  /// Returns a valid value.
  private func sample(_ schema: JSONValue, _ place: [String]) -> JSONValue? {
    if let reference = schema["$ref"]?.stringValue {
      let name = String(reference.dropFirst(SchemaBook.path.count))
      if let sentence = Self.sentences[name] { return .string(sentence) }
    }
    let schema = resolved(schema)
    if let words = schema["enum"]?.elements { return words.last { $0 != .string(Node.withdrawal) } }
    if schema["type"] == "boolean" { return true }
    if let word = schema["const"] { return word }
    let words = schema["$comment"]?.stringValue ?? schema["description"]?.stringValue ?? ""
    if let word = Self.word(in: words) { return word }
    let parts = ["anyOf", "oneOf"].flatMap { schema[$0]?.elements ?? [] }
    for part in parts where part["const"] != .string(Node.withdrawal) {
      if let value = sample(part, place) { return value }
    }
    if let items = schema["items"] { return sample(items, place).map { .array([$0]) } }
    if schema["properties"] != nil { return mapping(schema, with: nil, place) }
    if let values = schema["additionalProperties"], values != false {
      let name = Self.name(in: place, of: nil)
      return sample(values, place + [name]).map { .object([.init(name, $0)]) }
    }
    return nil
  }

  /// Returns the name under which an example declares.
  private static func name(in place: [String], of written: JSONValue?) -> String {
    if written?["as"] != nil { return "trial" }
    return written?["for"] != nil ? "feed" : names[place[0]] ?? "shopping"
  }

  /// The names under which examples declare, by section.
  private static let names = [
    "facts": "mood", "places": "shop", "reminders": "pills", "items": "plant", "plans": "paid",
    "devices": "tablet", "consumers": "lists", "milestones": "tenVisits", "surfaces": "insights",
    "edits": "milk", "activeReminders": "basic",
  ]

  private static let sentences = [
    "trigger": "unlock", "condition": "charging", "expectation": "milk fires once",
    "timelineEntry": "08:10 unlock",
  ]

  /// Returns a value that its description names: after "such as", a declared name, or a number in a range.
  private static func word(in text: String) -> JSONValue? {
    if let name = declared.first(where: { text.hasPrefix($0.key) })?.value { return .string(name) }
    if let range = text.firstRange(of: "such as ") {
      var word = text[range.upperBound...]
      if word.hasPrefix("'") { return .string(String(word.dropFirst().prefix { $0 != "'" })) }
      if word.hasPrefix("[") { return nil }
      for end in [", ", " or ", "; ", " and "] {
        if let range = word.firstRange(of: end) { word = word[..<range.lowerBound] }
      }
      return .string(String(word))
    }
    let numbers = text.split { !$0.isNumber && $0 != "-" && $0 != "." }.compactMap { Double($0) }
    guard text.hasPrefix("a whole number from") || text.hasPrefix("a number from"), numbers.count >= 2 else {
      return nil
    }
    return .integer(max(Int(numbers[0]), 1))
  }

  private static let declared: KeyValuePairs = [
    "the name of a fact": "visits", "the name of a reminder": "milk",
    "the name of a notification type": "shopping", "the name of a place": "shop",
    "the name of an app": "maps",
    "the name of a surface": "insights", "the name of a source of facts": "health",
    "the name of a device": "tablet", "the name of a product": "monthly", "a text": "Buy milk",
    "a name: a letter": "shopping", "days: day": "weekday", "a battery level": "80 %",
    "a number of notifications, or none": "2", "a scheme": "app",
  ]

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let reference = schema["$ref"]?.stringValue else { return schema }
    return definitions[String(reference.dropFirst(SchemaBook.path.count))] ?? true
  }
}
