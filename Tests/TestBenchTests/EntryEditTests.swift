import Testing
import TriggerModel

@testable import TestBench

/// The entries of a time line of which an explanation tries each.
@Suite struct EntryEditTests {
  /// A phone and an app of which everything can be said.
  private static let story = """
    for: 3 days
    profile: android
    facts:
      visits: 0
      steps: {kind: number, initial: 20, source: health}
      mood: [low, high]
    places:
      home: {at: [52.50, 13.39], radius: 100 m}
    apps: [maps]
    reminders:
      a:
        when: [unlock, enter home, charging starts, open app maps, fact visits changes]
        if: [charging, inside home, visits > 2, mood is high]
        notify: A
    edits:
      a: {shorter: {when: unlock, notify: B}}
    timeline: [08:00 unlock]
    expect: [fires >= 0]
    """

  /// What a grammar does not know would be tried in vain for ever.
  @Test func `each can be read`() throws {
    let candidates = try PolicyEditTests.candidates(Self.story, after: .hours(30))
    let edits =
      candidates.phoneEntries + candidates.lastResorts + candidates.fittingEntries
      + candidates.triggeringEntries
      + candidates.preparedTriggers.flatMap(\.self) + candidates.sufficient.flatMap(\.self)
    let entries = edits.filter { if case .add = $0 { true } else { false } }.distinct
    #expect(entries.count > 60)
    for entry in entries where candidates.program(with: [entry]) == nil { Issue.record("\(entry.words)") }
  }
}
