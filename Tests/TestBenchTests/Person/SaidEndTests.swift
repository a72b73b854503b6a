import DeviceSimulation
import PlatformRuns
import Testing

@testable import Simulation

/// A tap brings our app to the front until something takes it away: what a story says of that, and what is left to the
/// phone's own time.
@Suite struct SaidEndTests {
  /// Whether what comes after each tap says when our app goes, in the order of the taps.
  private static func ends(_ timeline: [String]) throws -> [Bool] {
    let program = try PlatformRun.program(
      """
      for: 1 day
      profile: ios
      apps: [maps]
      devices: {tablet: {profile: ios}}
      reminders: {a: {when: unlock, notify: A}}
      timeline: [\(timeline.joined(separator: ", "))]
      expect: [requests >= 0]

      """)
    return program.events.compactMap { event in
      if case .tap = event.event { event.isEndSaid } else { nil }
    }
  }

  @Test func `the end is said by the next thing that happens to the app in front`() throws {
    let stories: [(timeline: [String], ends: [Bool])] = [
      (["08:00 tap a"], [false]), (["08:00 tap a", "08:10 leave"], [true]),
      (["08:00 tap a", "08:01 lock", "08:02 plug in", "08:10 force quit"], [true]),
      (["08:00 tap a", "08:10 open app maps"], [true]), (["08:00 tap a", "08:10 power off"], [true]),
      (["08:00 tap a", "08:10 open", "08:20 leave"], [false]),
      (["08:00 tap a", "08:10 tap a", "08:20 leave"], [false, true]),
      (["08:00 tap a", "08:10 leave", "08:20 tap a"], [true, false]),
      (["08:00 tap a", "on tablet 08:10 leave"], [false]),
      (["08:00 tap a", "on tablet 08:05 tap a", "08:10 leave"], [true, false]),
    ]
    for (timeline, ends) in stories { #expect(try Self.ends(timeline) == ends, "\(timeline)") }
  }
}
