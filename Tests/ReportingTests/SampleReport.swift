import Foundation
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import TextFormats

@testable import Reporting

/// Reports of small scenarios.
enum SampleReport {
  struct NoScenario: Error {}

  static func make(_ scenario: String, file: String = "sample.yaml") throws -> Report {
    let program = try Program(scenario: scenario, file: file)
    let result = ScenarioRun(program, stopwatch: { 0 }).run().result
    return Report(
      suite: SuiteResult(files: [(file, .ran(result))]), command: "triggerbench run \(file)",
      versions: Report.Versions(tool: "test", timeZoneData: "test", geos: "test"))
  }

  /// A scenario with fires, a denial, a released deferral, a failed add, a tap and a failed expectation.
  static let eventful = """
    kind: scenario
    version: 1
    title: Hostile <b>title</b> & | `code`
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    reminders:
      a: {when: unlock, repeat: always, notify: {title: a}}
      b: {when: charging starts, repeat: always, notify: {title: b, bucket: user}}
    timeline:
      - 08:00 unlock
      - 08:05 tap a
      - 09:00 lock
      - 09:30 unlock
      - 22:30 plug in
      - next day 09:00 next add fails
      - day 2 13:00 unplug
      - day 2 13:01 plug in
    expect:
      - a fires once
      - b fires 3 times
      - a is denied by typeDailyCap
    """

  /// A scenario with five gates: one passes, one kills, one is inconclusive, one has the denominator 0, and
  /// one has a figure that is not a share.
  static let gated = """
    kind: scenario
    version: 1
    title: Goals
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 40 days
    facts: {signedIn: false, protein: 10}
    reminders:
      a: {when: every day 10:00, notify: A}
      b: {when: every day 18:00, notify: B}
    gates:
      - tapThrough of a >= 25 %, kill < 10 % after 30 days
      - {name: "the | second", metric: tapThrough, of: b, target: ">= 25 %", kill: "< 10 %", after: 30 days}
      - acknowledgement of b <= 5 %, kill > 90 %
      - routingSuccess >= 99 %
      - lift of protein by a >= 15 %
      - weeklyActive >= 6 %
    timeline:
      - every day 10:05 tap a
      - every day 10:10 leave
      - day 40 18:30 ignore b
    expect:
      - a fires 40 times
    """

  /// A scenario on an iPhone whose app observes few unlocks and charging events. A trip crosses a region.
  static let observed = """
    kind: scenario
    version: 1
    title: Unobserved events
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    profile: ios
    apps: [maps]
    places: {shop: {at: [52.5200, 13.4050], radius: 150 m}}
    reminders:
      a: {when: unlock, repeat: always, notify: {title: a}}
      b: {when: charging starts, repeat: always, notify: {title: b, bucket: user}}
      c: {when: enter shop, repeat: always, notify: {title: c, bucket: user}}
      d: {when: open app maps, repeat: always, notify: {title: d, bucket: user}}
    timeline:
      - 07:30 open
      - 07:31 leave
      - 08:00 unlock
      - 09:30 unlock
      - 10:00 open app maps
      - 10:10 open
      - 10:11 leave
      - 12:00 enter shop
      - 13:00 exit shop
      - 17:00 enter shop
      - 17:00:05 exit shop
      - 22:30 plug in
    expect:
      - requests >= 0
    """

  /// A scenario with permissions, a milestone, a locked surface and analytics.
  static let app = """
    kind: scenario
    version: 1
    title: The app's own actions
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    phone: {notifications: notDetermined}
    facts: {signedIn: false, workouts: 0}
    reminders:
      a: {when: unlock, repeat: always, notify: {title: a, bucket: user}}
    milestones:
      firstWorkout: {when: fact workouts changes, prime: first_workout}
    surfaces:
      insights: {unlockedBy: signedIn is true, benefit: Your weeks}
    analytics: {consent: granted}
    timeline:
      - 08:00 open
      - 08:01 visit insights
      - 08:02 maybe later
      - 08:10 set workouts = 1
      - 08:11 prompt authorized
      - 09:00 unlock
      - 09:05 tap a
      - 10:00 set signedIn = true
      - 11:00 withdraw consent
      - 12:00 unlock
    expect:
      - milestone firstWorkout is reached once
      - surface insights is never dismissed
    """
}

extension Program {
  convenience init(scenario text: String, file: String = "sample.yaml") throws {
    try self.init(Scenario.sample(text, file: file))
  }
}
