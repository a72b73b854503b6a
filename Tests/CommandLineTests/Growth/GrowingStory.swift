/// A scenario of parts, of which one grows.
struct GrowingStory {
  var title = "Growth"
  var days = 2
  /// Declarations besides the reminders, each a key of the file with what belongs to it.
  var declarations: [String] = []
  var reminders = ["a: {when: unlock, notify: {title: A, bucket: user}}"]
  var timeline = ["08:00 unlock"]
  var expect = ["fires >= 0"]
  /// Files beside it, by name.
  var files: [(name: String, text: String)] = []

  /// Names such as r0, r1 and so on.
  static func names(_ prefix: String, _ count: Int) -> [String] { (0..<count).map { "\(prefix)\($0)" } }

  /// A list in one line.
  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ", ") + "]" }

  /// A declaration with one line for each of its entries.
  mutating func declare(_ key: String, _ entries: [String]) {
    declarations.append(([key + ":"] + entries.map { "  " + $0 }).joined(separator: "\n"))
  }

  /// As many further reminders, r0 and so on.
  mutating func remind(_ count: Int, when: String = "unlock") {
    reminders += Self.names("r", count).map { "\($0): {when: \(when), notify: {title: R}}" }
  }

  /// As many facts, f0 and so on.
  mutating func know(_ count: Int) { declare("facts", Self.names("f", count).map { "\($0): 1" }) }

  /// Of all its files.
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
