import ReminderMatching
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests that an explanation suggests changes to the author's file, even if the reader has expanded its plans
/// and actions to other declarations.
@Suite struct AuthoredChangeTests {
  /// Returns the suggested change in words. Checks that the reminder fires if the change is applied to the
  /// file.
  ///
  /// - Parameter minutes: The number of minutes after the start, which is 10:00 on 2 March.
  private func change(_ reminder: String, after minutes: Int64, _ story: String) throws -> String {
    let head = "kind: scenario\nversion: 1\ntitle: test\nstart: 2026-03-02T10:00\nzone: Europe/Berlin\n"
    let text = head + story + "\nexpect: [fires >= 0]\n"
    let program = try Program(try Scenario(text: text, file: "story.yaml"))
    let id = try #require(program.reminders.reminder(named: reminder))
    let instant = program.scenario.start + .minutes(minutes)
    let answer = try #require(try Explainer(program).explain(id, at: instant))
    guard case .edits(let edits) = answer.change else { return answer.smallestChange }
    #expect(
      try EditedText(text).fires(id, at: instant, or: answer.firesAt, with: edits),
      "\(answer.smallestChange)")
    return answer.smallestChange
  }

  @Test func `a change is found if a step of a subscription has no effect`() throws {
    #expect(
      try change(
        "b", after: 9 * 1_440 + 500,
        """
        include: context
        for: 30 days
        reminders: {b: {when: unlock, if: after 18:00, notify: {title: B, bucket: user}}}
        timeline:
          - 10:00 buy monthly
          - day 3 10:00 renewal fails
          - day 4 10:00 renewal recovers
          - day 10 12:00 unlock
        """) == "add to the time line: - 2026-03-11 18:20 unlock")
  }

  @Test func `a change neither states nor removes a plan's conditions`() throws {
    let reminder = "{when: unlock, if: after 18:00, notify: {title: A, bucket: user}}"
    #expect(
      try change(
        "a", after: 60,
        """
        include: context
        for: 4 days
        reminders: {a: \(reminder)}
        timeline: [11:00 unlock]
        """) == "write reminders: {a: {if: after 11:00}}")
  }

  @Test func `a change includes another plan if the plan is one of two obstacles`() throws {
    #expect(
      try change(
        "a", after: 780,
        """
        include: context
        for: 4 days
        reminders: {a: {when: charging starts, notify: A}}
        timeline: [23:00 plug in]
        """)
        == "add to the time line: - 2026-03-02 22:59 set plan = paid; and write policy: {quietHours: 23:15-07:00}"
    )
  }

  @Test func `a change may complete a reminder that counts from a fact`() throws {
    let story = """
      for: 14 days
      facts: {w: 2026-02-26T18:00}
      reminders: {basil: {when: 7 days after w at 09:00, notify: {title: A, bucket: user}}}
      timeline: [day 4 10:00 complete basil]
      """
    let change = try change("basil", after: 4 * 1_440, story)
    #expect(change.contains("at 10:00") && change.contains("09:59 set w = 2026-02-27"), "\(change)")
  }

  @Test func `a change may set the fact from which a reminder counts`() throws {
    #expect(
      try change(
        "water for basil", after: 4 * 1_440 - 60,
        """
        include: plants
        for: 14 days
        items: {plant: {list: {basil: {fullName: Basil, room: kitchen, watered: 2026-02-26T18:00}}}}
        timeline: [day 4 10:00 complete water for basil, day 5 08:00 open]
        """
      ).hasPrefix("add to the time line: - 2026-03-06 08:59 set basil.watered = 2026-02-27 09:00"))
  }

  @Test func `the repetition depends on the changed triggers if the file does not state it`()
    throws
  {
    for (schedule, isSaid) in [("", false), (", repeat: always", true)] {
      let change = try change(
        "basil", after: 30,
        """
        for: 14 days
        facts: {w: 2026-02-23T10:05}
        reminders: {basil: {when: 7 days after w at 10:10\(schedule), notify: {title: A, bucket: user}}}
        timeline: [10:00 complete basil, 10:30 complete basil]
        """)
      #expect(change.contains("fact w changes") == isSaid, "\(change)")
    }
  }
}
