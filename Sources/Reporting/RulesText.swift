package import DeviceSimulation
package import TextFormats

/// The rules of platform profiles, as a table to read and as a document.
package struct RulesText {
  private let profiles: [PlatformProfile]

  package init(_ profiles: [PlatformProfile]) {
    self.profiles = profiles
  }

  package var text: String {
    var lines: [String] = []
    for profile in profiles {
      lines += ["\(profile.name): \(profile.summary)", ""]
      let width = profile.rules.map(\.key.count).max() ?? 0
      for rule in profile.rules {
        let key = rule.key + String(repeating: " ", count: width - rule.key.count)
        let unit = rule.unit.isEmpty ? "" : " \(rule.unit)"
        lines.append("\(rule.id)  \(key)  \(rule.value)\(unit)")
        lines.append("    \(rule.summary)")
        let others =
          rule.alternatives.isEmpty
          ? "" : "; a sweep tries " + rule.alternatives.map { "\($0)" }.joined(separator: ", ")
        lines.append("    \(rule.confidence): \(rule.source)\(others)")
        if let story = PlatformRules.story(of: rule.key, profile.name) {
          let outcomes = story.cases.map { "\($0.value): \($0.expectation)" }
          lines.append("    shown by \(story.line)")
          lines.append("      \(outcomes.joined(separator: "; "))")
        }
      }
      lines.append("")
    }
    lines += notes("under every profile", PlatformRules.builtIn) + [""]
    lines += notes("left out", PlatformRules.leftOut)
    return lines.joined(separator: "\n")
  }

  private func notes(_ title: String, _ notes: [PlatformRules.Note]) -> [String] {
    [title, ""] + notes.flatMap { ["\($0.id)  \($0.summary)", "    \($0.reason)"] }
  }

  package var document: JSONValue {
    func notes(_ notes: [PlatformRules.Note]) -> JSONValue {
      .array(
        notes.map { ["id": .string($0.id), "summary": .string($0.summary), "reason": .string($0.reason)] })
    }
    return [
      "profiles": rules, "underEveryProfile": notes(PlatformRules.builtIn),
      "leftOut": notes(PlatformRules.leftOut),
    ]
  }

  private var rules: JSONValue {
    .array(
      profiles.map { profile in
        [
          "profile": .string(profile.name), "summary": .string(profile.summary),
          "rules": .array(
            profile.rules.map { rule in
              [
                "id": .string(rule.id), "key": .string(rule.key), "value": .string("\(rule.value)"),
                "unit": .string(rule.unit),
                "alternatives": .array(rule.alternatives.map { .string("\($0)") }),
                "source": .string(rule.source), "confidence": .string("\(rule.confidence)"),
                "summary": .string(rule.summary),
                "demonstration": demonstration(of: rule.key, profile.name),
              ]
            }),
        ]
      })
  }

  /// The scenario that shows a rule, once for each value; empty where a test alone shows it.
  private func demonstration(of key: String, _ profile: String) -> JSONValue {
    guard let story = PlatformRules.story(of: key, profile) else { return .array([]) }
    return .array(
      story.cases.map {
        [
          "value": .string($0.value), "expectation": .string($0.expectation),
          "scenario": .string(story.scenario(under: $0.value, expecting: $0.expectation)),
        ]
      })
  }
}
