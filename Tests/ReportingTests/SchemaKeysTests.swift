import Testing
import TextFormats

@testable import Reporting

/// The lines that tell which keys a schema knows.
@Suite struct SchemaKeysTests {
  private static let definitions: JSONValue = [
    "window": ["description": "A window", "properties": ["from": ["description": "its begin"]]],
    "fact": ["description": "A fact", "properties": ["unit": ["description": "what it counts"]]],
  ]

  private static func reference(_ name: String) -> JSONValue { .string(SchemaBook.path + name) }

  private static func lines(_ properties: JSONValue, required: JSONValue = [], of topic: String? = nil)
    -> [String]
  {
    var keys = SchemaKeys(definitions)
    keys.add(["properties": properties, "required": required], of: topic)
    return keys.lines
  }

  @Test func `a key has what it means, what it may be in words, and the keys below it`() {
    let lines = Self.lines(
      [
        "at": [
          "description": "when",
          "anyOf": [
            ["description": "a time of day"], ["description": "nothing", "enum": ["none", "never"]],
            ["description": "A moment", "properties": ["day": ["type": "boolean"]]],
          ],
        ],
        "places": ["description": "where", "items": ["description": "a place"]],
      ], required: ["at"])
    #expect(
      lines == [
        "  at (required): when", "      a time of day, or none | never", "    day", "        true | false",
        "  places: where", "      a list of: a place",
      ])
  }

  @Test func `what a definition holds is told where it is used, but for that of another topic`() {
    let properties: JSONValue = [
      "quiet": ["description": "when it is quiet", "$ref": Self.reference("window")],
      "score": ["description": "how much", "$ref": Self.reference("fact")],
    ]
    let own = ["  quiet: when it is quiet", "    from: its begin"]
    let other = ["  score: how much", "      see the topic facts"]
    #expect(Self.lines(properties) == own + other)
    #expect(Self.lines(properties, of: "facts") == own + other + ["    unit: what it counts"])
  }
}
