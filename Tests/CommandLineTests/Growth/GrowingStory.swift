/// A scenario in parts that can grow separately.
struct GrowingStory {
  var title = "Growth"
  var days = 2
  /// The top-level keys other than reminders, with their contents.
  var declarations: [String] = []
  var reminders = ["a: {when: unlock, notify: {title: A, bucket: user}}"]
  var timeline = ["08:00 unlock"]
  var expect = ["fires >= 0"]
  /// The additional files, by name.
  var files: [(name: String, text: String)] = []

  /// Returns numbered names such as r0 and r1.
  static func names(_ prefix: String, _ count: Int) -> [String] { (0..<count).map { "\(prefix)\($0)" } }

  /// Returns a YAML list on one line.
  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

  /// Adds a declaration with one line for each entry.
  mutating func declare(_ key: String, _ entries: [String]) {
    declarations.append(([key + ":"] + entries.map { "  " + $0 }).joined(separator: "\n"))
  }

  /// Adds reminders named r0, r1 and so on.
  mutating func remind(_ count: Int, when: String = "unlock") {
    reminders += Self.names("r", count).map { "\($0): {when: \(when), notify: {title: R}}" }
  }

  /// Adds facts named f0, f1 and so on.
  mutating func know(_ count: Int) { declare("facts", Self.names("f", count).map { "\($0): 1" }) }

  /// The total size of the scenario and its files in bytes.
  var byteCount: Int { files.reduce(text.utf8.count) { $0 + $1.text.utf8.count } }

  var text: String {
    """
    kind: scenario
    version: 1
    title: \(title)
    start: 2026-03-02T07:00
    zone: UTC
    for: \(days) days
    \(declarations.joined(separator: "\n"))
    reminders:
    \(reminders.map { "  " + $0 }.joined(separator: "\n"))
    timeline:
    \(timeline.map { "  - " + $0 }.joined(separator: "\n"))
    expect:
    \(expect.map { "  - " + $0 }.joined(separator: "\n"))

    """
  }
}
