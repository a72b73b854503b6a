import Testing
import TextFormats

@testable import Scenarios

/// Tests the checks that reminders and items exist when the time line refers to them.
@Suite struct ExistenceTests {
  /// Returns the errors of a file, or its warnings if it has no errors.
  private func messages(_ rest: String) -> [String] {
    let text =
      Sample().head + "\nfor: 5 days\n" + rest + (rest.contains("expect:") ? "" : "\nexpect: [fires >= 0]\n")
    return switch read(text) {
    case .scenario(_, let warnings): warnings.map(\.summary)
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    case .otherKind: ["another kind"]
    }
  }

  private func made(later lines: [String], sync: String = "") -> [String] {
    messages(
      """
      devices: {tablet: {profile: ideal}}
      \(sync)
      reminders:
        x: {exists: later, when: every day 18:00 ahead 2, notify: {title: X, bucket: user}}
      edits:
        x: {y: {when: every day 19:00 ahead 2, notify: {title: Y, bucket: user}}}
      timeline:
      \(lines.map { "  - \($0)\n" }.joined())
      """)
  }

  @Test func `deleting, editing or snoozing a missing reminder is reported`() {
    #expect(
      made(later: ["08:00 create x", "08:01 edit x to y", "08:02 snooze x for 1 h", "08:03 delete x"]).isEmpty
    )
    for (line, says) in [
      ("08:01 edit x to y", "'x' does not exist then, so this creates it"),
      ("08:01 snooze x for 1 h", "'x' does not exist then, so it cannot be snoozed"),
      ("08:01 delete x", "'x' does not exist then, so it cannot be deleted"),
    ] {
      let found = made(later: [line])
      #expect(found.count == 1 && found[0].contains(says), "\(found)")
    }
    #expect(made(later: ["08:00 create x", "08:01 delete x", "08:02 edit x to y"]).count == 1)
  }

  @Test func `a synced device knows the reminders that another device created`() {
    let lines = ["08:00 create x", "on tablet 09:00 delete x"]
    #expect(made(later: lines, sync: "sync: {delay: 10 s}").isEmpty)
    #expect(made(later: lines).count == 1)
    // A reminder must not be used before its creation, or after its deletion on the device that created it.
    #expect(
      made(later: lines.reversed().map { $0.replacing("09:00", with: "07:30") }, sync: "sync: {delay: 10 s}")
        .count == 1)
    let again = ["08:00 create x", "08:30 delete x", "08:40 create x", "on tablet 09:00 delete x"]
    #expect(made(later: again, sync: "sync: {delay: 10 s}").isEmpty)
    let ended = ["08:00 create x", "08:30 delete x", "on tablet 09:00 delete x"]
    #expect(made(later: ended, sync: "sync: {delay: 10 s}").count == 1)
  }

  @Test func `an expectation of doubled notifications without sync is reported`() {
    let reminders =
      "devices: {tablet: {profile: ideal}}\nreminders: {a: {when: every day 12:00, notify: A}}\n"
    for expectation in ["doubled = 0", "a doubled = 0", "a is doubled 0 times"] {
      let alone = messages(reminders + "expect: [\(expectation)]")
      #expect(alone.count == 1 && alone[0].contains("the scenario has no sync"), "\(alone)")
      #expect(messages(reminders + "sync: {delay: 10 s}\nexpect: [\(expectation)]").isEmpty)
    }
  }

  private func plants(_ lines: [String], title: String = "Water {plant.fullName}") -> [String] {
    messages(
      """
      items:
        plant:
          attributes: {fullName: text, room: [hall, den], watered: instant}
          list: {basil: {fullName: Basil, room: hall, watered: 2026-02-25T18:00}}
      reminders:
        water: {for: each plant, when: 7 days after plant.watered at 09:00, notify: {title: "\(title)", bucket: user}}
      timeline:
      \(lines.map { "  - '\($0)'\n" }.joined())
      """)
  }

  @Test func `the time line cannot change the texts of an item`() {
    #expect(plants(["08:00 remove plant basil", "08:01 add plant basil"]).isEmpty)
    #expect(
      plants(["08:00 remove plant basil", "08:01 add plant basil {fullName: Basil, room: den}"]).isEmpty)
    let other = plants(["08:00 remove plant basil", "08:01 add plant basil {fullName: Thyme}"])
    #expect(
      other.count == 1 && other[0].contains("'basil' has the fullName 'Basil' in this story already"),
      "\(other)")
    let moved = plants(["08:00 set basil.room = den"], title: "Water {plant.fullName} in the {plant.room}")
    #expect(
      moved.count == 1 && moved[0].contains("is used in a text of a template, which keeps its first value"),
      "\(moved)")
    #expect(plants(["08:00 set basil.room = den"]).isEmpty)
  }
}
