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

/// Each line that has no effect is warned about where it stands.
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

  @Test func `what has no effect is named with its line and its cause`() throws {
    let lines = [
      ("lock", "it is so already"), ("unplug", "it is so already"), ("focus off", "it is so already"),
      ("location always", "it is so already"), ("exit shop", "it is so already"),
      ("precise location on", "it is so already"), ("airplane mode off", "it is so already"),
      ("clear notifications", "there is nothing of the kind to be seen"),
      ("tap a", "there is nothing of the kind to be seen"), ("leave", "our app is not in front"),
      ("notifications authorized", "it is so already"), ("set clock +0 s", "it is so already"),
      ("travel to Europe/Berlin", "it is so already"), ("power on", "it is so already"),
    ]
    for (line, cause) in lines {
      #expect(
        try warnings("  - 08:00 \(line)") == ["  - 08:00 \(line) this happened without effect: \(cause)"])
    }
    #expect(try warnings("  - 08:00 plug in\n  - 09:00 focus on\n  - 10:00 unlock").isEmpty)
  }

  @Test func `what is removed need not have had all that is known of its kind`() throws {
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

  @Test func `a line that repeats is named once, with how often it had none`() throws {
    #expect(
      try warnings("  - every day 12:00 plug in") == [
        "  - every day 12:00 plug in this happened 2 times without effect: it is so already"
      ])
  }

  @Test func `every count of a run is found at lines`() throws {
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
