import PlatformRuns
import RandomScenarios
import Recordings
import ScenarioModel
import Statistics
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench

/// Tests that each line without effect has a warning at its own position.
@Suite struct IneffectiveLineTests {
  private func warnings(_ timeline: String) throws -> [String] {
    let run = try PlatformRun(
      """
      for: 3 days
      places: {shop: {at: [52.52, 13.4], radius: 150 m}}
      reminders: {a: {when: unlock, notify: x}}
      timeline:
      \(timeline)
      expect: [fires >= 0]
      """)
    let count = run.accounts.ignored.values.reduce(0, +)
    #expect(run.result.warnings.isEmpty == (count == 0))
    return run.result.warnings.map { "\($0.excerpt ?? "?") \($0.message)" }
  }

  @Test func `a line without effect is reported with its line and cause`() throws {
    let lines = [
      ("lock", "this is already the case"), ("unplug", "this is already the case"),
      ("focus off", "this is already the case"),
      ("location always", "this is already the case"), ("exit shop", "this is already the case"),
      ("precise location on", "this is already the case"), ("airplane mode off", "this is already the case"),
      ("clear notifications", "nothing of this kind is visible"),
      ("tap a", "nothing of this kind is visible"), ("leave", "the app under test is not in the foreground"),
      ("notifications authorized", "this is already the case"),
      ("set clock +0 s", "this is already the case"),
      ("travel to Europe/Berlin", "this is already the case"), ("power on", "this is already the case"),
    ]
    for (line, cause) in lines {
      #expect(
        try warnings("  - 08:00 \(line)") == ["  - 08:00 \(line) this happened without effect: \(cause)"])
    }
    #expect(try warnings("  - 08:00 plug in\n  - 09:00 focus on\n  - 10:00 unlock").isEmpty)
  }

  @Test func `an item that lacks some attributes of its kind can be removed`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      items:
        plant:
          attributes: {watered: instant, fertilized: instant}
          list: {basil: {watered: 2026-02-24T18:00}}
      reminders:
        water: {for: each plant, when: 7 days after plant.watered at 09:00, notify: x}
      timeline:
        - day 2 10:00 remove plant basil
      expect: [fires >= 0]
      """)
    #expect(run.result.warnings.isEmpty)
  }

  @Test func `a repeated line is reported once, with the number of its events without effect`() throws {
    #expect(
      try warnings("  - every day 12:00 plug in") == [
        "  - every day 12:00 plug in this happened 2 times without effect: this is already the case"
      ])
  }

  @Test func `the events without effect equal the sum over all lines`() throws {
    for seed in 0..<40 {
      var random = SplitMix64(seed: UInt64(seed))
      let words = [
        "lock", "unlock", "plug in", "unplug", "focus on", "focus off", "enter shop", "exit shop",
        "open", "leave", "tap a", "dismiss a", "power off", "power on", "at shop", "at [52.5, 13.4]",
      ]
      let lines = (0..<25).map { "  - +\($0 * 60 + 1)m \(random.one(of: words))" }
      let run = try PlatformRun(
        """
        for: 3 days
        places: {shop: {at: [52.52, 13.4], radius: 150 m}}
        reminders: {a: {when: unlock, repeat: always, notify: {title: x, bucket: user}}}
        timeline:
        \(lines.joined(separator: "\n"))
        expect: [fires >= 0]
        """)
      #expect(run.result.warnings.count == run.accounts.ignored.values.reduce(0, +), "seed \(seed)")
    }
  }
}
