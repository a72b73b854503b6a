import Foundation
import Testing

/// Tests that the stored state of the scheduler can be printed and restored.
@Suite(.timeLimit(.minutes(10))) struct StateTests {
  private static let story = """
    kind: scenario
    version: 1
    title: Two days of training
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    reminders:
      trainingDay: {when: unlock, repeat: always, notify: Train}
      engagement: {when: charging starts, repeat: always, notify: Come back}
    policy: {lifetimeCap: {trainingDay: 3}, minimumInterval: 1 h}
    timeline: [10:00 unlock, 12:00 plug in, 13:00 unplug, next day 10:00 unlock]
    expect: [fires >= 1]

    """

  /// Returns the output without its comment lines.
  private static func counters(_ outcome: Tool.Outcome) -> String {
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  @Test func `the state can be printed for a local time or for the end`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "story.yaml")
    let noon = try await folder.run("state", "story.yaml", "--at", "2026-03-02 11:00")
    #expect(noon.code == 0 && noon.errors.isEmpty)
    #expect(
      Self.counters(noon) == "ft.reminder.dailyCount.2026-03-02 1\nft.reminder.training_day.sentCount 1\n")
    let end = try await folder.run("state", "story.yaml")
    #expect(
      Self.counters(end) == """
        ft.reminder.dailyCount.2026-03-02 2
        ft.reminder.dailyCount.2026-03-03 1
        ft.reminder.engagement.sentCount 1
        ft.reminder.training_day.sentCount 2

        """)
    #expect(try await folder.run("state", "story.yaml", "--at", "2026-03-02 07:00").output.isEmpty)
  }

  @Test func `the JSON state can be stored and is then printed unchanged`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "story.yaml")
    let printed = try await folder.run("state", "story.yaml", "--json").output
    let later = Self.story.replacing("2026-03-02T07:00", with: "2026-03-03T12:00")
      .replacing("10:00 unlock, 12:00 plug in, 13:00 unplug, next day 10:00 unlock", with: "13:00 unlock")
      .replacing("for: 2 days\n", with: "for: 2 days\nstored: \(printed)")
    try folder.write(later, to: "later.yaml")
    #expect(
      try await folder.run("state", "later.yaml", "--at", "2026-03-03 12:00", "--json").output == printed)
    let after = try await folder.run("state", "later.yaml").output
    #expect(after.contains("ft.reminder.training_day.sentCount 3\n"))
    #expect(after.contains("ft.reminder.dailyCount.2026-03-03 2\n"))
    #expect(try await folder.run("run", "later.yaml").code == 0)
  }

  @Test func `the help and the output list the caps that counters do not restore`() async throws {
    let folder = try Folder()
    try folder.write(Self.story, to: "story.yaml")
    let lost = ["lapseCap", "typeDailyCap", "typeWeeklyCap", "criticalDailyCap", "minimumInterval"]
    let help = try await folder.run("help", "state").output
    let output = try await folder.run("state", "story.yaml").output
    for cap in lost { #expect(help.contains(cap) && output.contains(cap), "\(cap)") }
  }

  @Test func `types with the same key, and a time outside the scenario, are errors`() async throws {
    let folder = try Folder()
    try folder.write(Self.story.replacing("engagement:", with: "training_day:"), to: "shared.yaml")
    let shared = try await folder.run("state", "shared.yaml")
    #expect(shared.code == 1)
    #expect(
      shared.errors.hasPrefix("shared.yaml:9:3: error: the types 'trainingDay' and 'training_day' are both"))
    try folder.write(Self.story, to: "story.yaml")
    #expect(try await folder.run("state", "story.yaml", "--at", "2026-03-09 08:00").code == 1)
    #expect(try await folder.run("state", "story.yaml", "--at", "noon").code == 64)
  }
}
