import Scenarios
import Testing
import TextFormats

/// Tests the closed lists of words in patterns. Schemas list these words so that editors can suggest them.
@Suite struct ClosedWordsTests {
  @Test(arguments: [
    ("on|off", ["on", "off"], []),
    ("none|\\d+", ["none"], ["\\d+"]),
    ("charging|not +charging", ["charging", "not charging"], []),
    ("open +app +(?:a|b)|open", ["open"], ["open +app +(?:a|b)"]),
    ("a\\.b|[|]x", ["a.b"], ["[|]x"]),
    ("(?:a|b)|c+", [], ["(?:a|b)", "c+"]),
  ])
  func `closed words are separated from open patterns`(pattern: String, words: [String], rest: [String]) {
    let closed = ClosedWords(pattern)
    #expect(closed.words == words)
    #expect(closed.rest == rest)
  }

  /// A schema must list closed words as an enumeration, because editors cannot complete a pattern.
  @Test func `no pattern of the schema is only a list of words`() {
    func patterns(_ value: JSONValue) -> [String] {
      switch value {
      case .object(let members):
        members.flatMap { member -> [String] in
          if member.key == "pattern", case .string(let text) = member.value { return [text] }
          return patterns(member.value)
        }
      case .array(let items): items.flatMap(patterns)
      default: []
      }
    }
    let all = patterns(ScenarioSchema.json)
    #expect(all.count > 50)
    for pattern in Set(all) {
      let inner = pattern.hasPrefix("^(?:") ? String(pattern.dropFirst(4).dropLast(2)) : pattern
      #expect(!ClosedWords(inner).rest.isEmpty, "\(pattern)")
    }
  }
}
