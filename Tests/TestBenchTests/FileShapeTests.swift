import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import TestBench

/// Tests that explanations express edits in the form in which the file states its declarations.
@Suite struct FileShapeTests {
  private static func story(_ reminders: String) -> String {
    """
    kind: scenario
    version: 1
    title: Forms
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    items:
      plant: {attributes: {watered: instant}, list: {basil: {}, fern: {}}}
    reminders:
    \(reminders)
    policy: {quietHours: none}
    timeline: [08:00 unlock]
    expect: [fires >= 0]

    """
  }

  /// Returns the edits in words. Checks that the edited file has the same meaning as its long form with the
  /// same edits.
  private func made(_ reminders: String, _ edits: [ScenarioEdit]) throws -> [String] {
    let text = Self.story(reminders)
    let program = try Program(try Scenario(text: text, file: "story.yaml"))
    let document = EditableDocument(try ScenarioDocument.write(program.scenario))
    let after = document.edited(edits)
    guard
      case .scenario(let edited, _) = ScenarioDocument.read(
        after, file: "story.yaml", fileExists: { _ in true })
    else {
      Issue.record("the edits make no scenario")
      return []
    }
    let made = SourceLayout(program).adapted(edits, document, EditableDocument(after), edited)
    let written = try #require(try EditedText(text).scenario(with: made), "\(made)")
    #expect(written.withoutSources == edited.withoutSources, "\(made)")
    return made.map(\.words)
  }

  private static func write(_ keys: String..., as value: JSONValue) -> ScenarioEdit {
    .write(["reminders"] + keys, value)
  }

  @Test func `a key is inserted into a mapping, and a short form is rewritten`() throws {
    let milk = "  milk: {when: unlock, if: [after 16:00, charging], notify: Buy milk}"
    #expect(
      try made(milk, [Self.write("milk", "if", as: "charging")]) == [
        "write reminders: {milk: {if: charging}}"
      ])
    #expect(
      try made(
        milk,
        [Self.write("milk", "notify", "bucket", as: "user"), Self.write("milk", "notify", "priority", as: 0)])
        == ["write reminders: {milk: {notify: {title: Buy milk, bucket: user, priority: 0}}}"])
    #expect(
      try made(milk, [.leaveOut(["reminders", "milk", "if"], .array([]))])
        == ["leave out reminders: {milk: {if: [after 16:00, charging]}}"])
    #expect(
      try made(
        milk,
        [
          .write(["policy", "quietHours", "from"], "10:00"), .write(["policy", "quietHours", "to"], "11:00"),
        ])
        == [#"write policy: {quietHours: {from: 10:00, to: 11:00}}"#])
  }

  @Test func `a sentence is rewritten as a whole in its place`() throws {
    let edits = [
      Self.write("bread", "if", as: "charging"), Self.write("bread", "notify", "bucket", as: "user"),
    ]
    let sentence = "Remind me to buy bread when I unlock my phone, while charging (bucket user)"
    #expect(
      try made("  bread: Remind me to buy bread when I unlock my phone after 18:00", edits)
        == [#"write reminders: {bread: "\#(sentence)"}"#])
    #expect(
      try made(
        "  - Remind me to call mum when I unlock my phone\n  - bread: Remind me to buy bread when I unlock my phone",
        edits) == [#"write in the list of reminders, in place of line 10: - bread: "\#(sentence)""#])
    #expect(
      try made(
        "  - Remind me to call mum when I unlock my phone after 18:00",
        [.leaveOut(["reminders", "call-mum", "if"], .array([]))])
        == [
          "write in the list of reminders, in place of line 9: - Remind me to call mum when I unlock my phone"
        ])
  }

  @Test func `a reminder of a template gets an entry of its own`() throws {
    let edits = [Self.write("water for basil", "if", as: "on day")]
    let template = "  water: {for: each plant, when: unlock, if: after 16:00, notify: 'Water the {plant}'}"
    #expect(try made(template, edits) == ["write reminders: {water for basil: {if: on day}}"])
    #expect(
      try made(template, [Self.write("water for basil", "notify", "bucket", as: "user")])
        == [
          "write reminders: {water for basil: {notify: {title: Water the basil, bucket: user, type: water, priority: 100}}}"
        ])
    #expect(
      try made(
        "  - water: 'Remind me to water {plant} when I unlock my phone after 16:00, for each plant'", edits)
        == ["add to the list of reminders: - water for basil: {if: on day}"])
  }

  @Test func `a declaration of a template or a pack cannot be removed from the file`() throws {
    let text = Self.story(
      "  water: {for: each plant, when: unlock, if: after 16:00, notify: 'Water the {plant}'}")
    let program = try Program(try Scenario(text: text, file: "story.yaml"))
    let id = try #require(program.reminders.reminder(named: "water for basil"))
    let instant = program.scenario.start + .minutes(60)
    let answer = try #require(try Explainer(program).explain(id, at: instant))
    guard case .edits(let edits) = answer.change else {
      Issue.record("\(answer.change)")
      return
    }
    #expect(try EditedText(text).fires(id, at: instant, with: edits), "\(edits)")
    #expect(edits.map(\.text) == ["reminders: {water for basil: {if: after 08:00}}"])
  }
}
