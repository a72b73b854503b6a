/// The demonstration of a rule: a short scenario whose outcome differs between values of the rule.
package struct RuleStory: Hashable, Sendable {
  /// The key of the rule.
  package let key: String
  package let profile: String
  /// Overrides of other rules that isolate the effect of this rule, in the syntax of a scenario.
  package let knobs: [String]
  /// Additional declarations of the scenario, in the syntax of a scenario.
  package let declarations: [String]
  package let timeline: [String]
  /// The compared values of the rule, each with an expectation that holds only for that value.
  package let cases: [Case]

  package struct Case: Hashable, Sendable {
    package let value: String
    package let expectation: String
  }

  init(
    _ key: String, on profile: String = "android", knobs: [String] = [], _ declarations: String...,
    timeline: [String], _ cases: KeyValuePairs<String, String>
  ) {
    self.key = key
    self.profile = profile
    self.knobs = knobs
    self.declarations = declarations
    self.timeline = timeline
    self.cases = cases.map { Case(value: $0.key, expectation: $0.value) }
  }

  /// The declarations and the time line in one line of text.
  package var line: String {
    (declarations + [timeline.joined(separator: ", ")]).joined(separator: "; ")
  }

  /// Returns a scenario file that sets the rule to a value.
  package func scenario(under value: String, expecting expectation: String) -> String {
    """
    kind: scenario
    version: 1
    title: \(key)
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 3 days
    profile: \(profile)
    knobs: {\((knobs + ["\(key): \(value)"]).joined(separator: ", "))}
    \(declarations.joined(separator: "\n"))
    timeline:
    \(timeline.map { "  - \($0)" }.joined(separator: "\n"))
    expect:
      - \(expectation)

    """
  }
}

extension PlatformRules {
  /// Returns the demonstration of a rule in a profile, or `nil` if there is none.
  package static func story(of key: String, _ profile: String) -> RuleStory? {
    stories.first { $0.key == key && $0.profile == profile }
  }
}
