import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioSamples
import Testing
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios
@testable import TextFormats

/// Tests items, and the reminders that templates create for them.
@Suite struct ItemTests {
  private static let pack = """
    kind: pack
    version: 1
    title: A plant app
    items:
      plant:
        attributes: {room: [kitchen, bedroom], watered: instant, thirsty: false, latin: text}
    reminders:
      water:
        for: each plant
        when: [7 days after plant.watered at 09:00, fact plant.thirsty changes]
        if: plant.room = kitchen
        withdraw: plant.room = bedroom
        notify: {title: 'Water {plant} ({plant.latin})', link: 'app://plants/{plant}'}

    """

  private static func story(_ timeline: String, expect: String = "fires >= 0") -> String {
    """
    kind: scenario
    version: 1
    title: Plants
    include: plants.yaml
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 30 days
    items:
      plant:
        list:
          basil: {room: kitchen, watered: 2026-03-01T18:00, latin: Ocimum}
          fern: {latin: Tracheophyta, thirsty: true}
    timeline:
      - 07:30 open
    \(timeline)
    expect:
      - \(expect)

    """
  }

  private func outcome(_ text: String) -> ScenarioFile.Outcome {
    ScenarioFile.read(
      Array(text.utf8), file: "s.yaml", fileExists: { _ in false },
      packFile: { name throws(Diagnostic) in PackBytes(name: name, bytes: Array(Self.pack.utf8)) })
  }

  private func scenario(_ text: String) throws -> Scenario {
    try outcome(text).get()
  }

  @Test func `attributes of items are facts, and each item has a reminder`() throws {
    let scenario = try scenario(
      Self.story("  - '08:00 add plant ivy {room: bedroom, watered: now, latin: Hedera}'"))
    #expect(
      scenario.facts.map(\.name)
        == ["basil", "fern", "ivy"].flatMap { ["\($0).room", "\($0).watered", "\($0).thirsty"] })
    let initial = scenario.facts.map(\.initial)
    #expect(initial[3].isMissing && initial[4].isMissing && initial[5] == .truth(true))
    #expect(initial[0] == scenario.facts[0].names.firstIndex(of: "kitchen").map { .name($0) })
    // These facts are unknown until the time line adds the item.
    #expect(initial[6...].filter { !$0.isMissing }.isEmpty)

    let reminders = scenario.reminders.map(\.declaration)
    #expect(reminders.map(\.id) == ["water for basil", "water for fern", "water for ivy"])
    #expect(reminders.map(\.isCreatedLater) == [false, false, true])
    #expect(reminders.map(\.notification.type) == ["water", "water", "water"])
    #expect(
      reminders.map(\.notification.copy[0].title)
        == ["Water basil (Ocimum)", "Water fern (Tracheophyta)", "Water ivy (Hedera)"])
    #expect(reminders[1].notification.link == "app://plants/fern")
    #expect(reminders[1].conditions == [.fact(FactCondition(.value("fern.room"), .equal, [.name(0)]))])
    #expect(reminders[2].triggers.contains { $0.countsFrom == "ivy.watered" })
  }

  @Test func `adding an item sets its facts and creates its reminders, and removal reverses both`() throws {
    let scenario = try scenario(
      Self.story(
        """
          - 'day 2 08:00 add plant ivy {room: bedroom, watered: now, latin: Hedera}'
          - day 3 08:00 remove plant ivy
          - {at: day 4 08:00, do: ['add plant ivy {room: kitchen}', complete water for ivy]}
        """))
    func fact(_ name: String) -> FactID { FactID(scenario.facts.firstIndex { $0.name == name } ?? -1) }
    let ivy = ReminderID(2)
    #expect(
      scenario.timeline.entries[1].actions == [
        .event(.fact(fact("ivy.room"), .name(1))), .setToNow(fact("ivy.watered")),
        .event(.fact(fact("ivy.thirsty"), .truth(false))), .event(.create(ivy)),
      ])
    #expect(
      scenario.timeline.entries[2].actions == [
        .delete(ivy), .event(.fact(fact("ivy.room"), .missing)),
        .event(.fact(fact("ivy.watered"), .missing)), .event(.fact(fact("ivy.thirsty"), .missing)),
      ])
    #expect(scenario.timeline.entries[3].actions.first == .event(.fact(fact("ivy.room"), .name(0))))
    #expect(scenario.timeline.entries[3].actions.last == .complete(ReminderID(2), fact("ivy.watered")))
  }

  @Test func `a document contains the facts and reminders of items and templates`() throws {
    let scenario = try scenario(
      Self.story(
        """
          - 'day 2 08:00 add plant ivy {room: bedroom, watered: now, latin: Hedera}'
          - day 3 08:00 remove plant basil
          - day 4 08:00 snooze water for fern for 2 h
          - day 5 08:00 tap water for fern
        """, expect: "water for basil fires at most once between 08:00 and 10:00"))
    let document = try ScenarioDocument.write(scenario)
    let outcome = ScenarioDocument.read(Array(document.text.utf8), file: "s.yaml") { _ in true }
    let again = try outcome.get()
    #expect(again.withoutSources == scenario.withoutSources)
  }

  @Test func `a pack's template creates no reminders without items, and its errors are reported once`()
    throws
  {
    #expect(PackFile.read(Array(Self.pack.utf8), file: "plants.yaml").problems == [])
    let wrong = Self.pack.replacing("thirsty changes", with: "thirsty chnges")
    let outcome = ScenarioFile.read(
      Array(Self.story("").utf8), file: "s.yaml", fileExists: { _ in false },
      packFile: { name throws(Diagnostic) in PackBytes(name: name, bytes: Array(wrong.utf8)) })
    #expect(outcome.problems.count == 1, "\(outcome.problems)")
  }

  @Test(arguments: [
    ("", []),
    ("\n  - 09:00 create milk", ["'milk' exists already"]),
    ("\n  - 09:00 cancel milk\n  - 10:00 create milk\n  - 11:00 delete milk\n  - 12:00 create milk", []),
    ("\n  - 09:00 edit milk to later\n  - 10:00 create milk", ["'milk' exists already"]),
  ])
  func `creating an existing reminder causes a warning`(lines: String, warnings: [String]) {
    let found = read(Sample.timeline("08:10 unlock" + lines).text)
    #expect(found.problems == [])
    #expect(found.warnings.count == warnings.count)
    for (warning, wanted) in zip(found.warnings, warnings) { #expect(warning.contains(wanted)) }
  }

  @Test func `a name of three words is recognised in every sentence`() throws {
    var sample = Sample(
      reminders: """
        reminders:
          milk: {when: unlock, notify: Buy milk}
          milk for anna: {when: unlock, notify: Buy milk for Anna}
        """)
    sample.timeline = """
      timeline:
        - 08:10 unlock
        - 08:20 snooze milk for 2 h
        - 08:30 snooze milk for anna for 3 h
        - 08:40 ignore milk for anna
      """
    sample.expect = """
      expect:
        - milk for anna fires once at 08:10
        - only: [milk, milk for anna]
        - exact: [milk at 08:10, milk for anna at 08:10]
        - milk for anna tapThrough >= 0 %
      """
    let outcome = read(sample.text)
    let scenario = try outcome.get()
    let (milk, anna) = (ReminderID(0), ReminderID(1))
    #expect(scenario.timeline.entries[1].actions == [.event(.snooze(milk, for: .hours(2)))])
    #expect(scenario.timeline.entries[2].actions == [.event(.snooze(anna, for: .hours(3)))])
    #expect(scenario.timeline.entries[3].actions == [.event(.ignore(anna))])
    guard case .fires(anna, .exactly(1), _) = scenario.expectations[0].claim else {
      Issue.record("\(scenario.expectations[0])")
      return
    }
  }
}
