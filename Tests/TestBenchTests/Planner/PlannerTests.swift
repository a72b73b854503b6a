import CivilTime
import PlatformRuns
import RandomScenarios
import Simulation
import Statistics
import TestSupport
import Testing
import TriggerModel

/// Tests which requests an app adds when the system limits pending requests.
@Suite struct PlannerTests {
  /// A schedule at a fixed time on some weekdays, or on one day of the year.
  private struct Planned {
    var name: String
    var minute: Int
    /// The days of the run on which the schedule is due, counted from Monday 2026-03-02.
    var days: [Int]
    var ahead: Int
    var when: String
  }

  private static let length = 30

  private static func planned(_ name: String, _ random: inout SplitMix64) -> Planned {
    // Avoid the five minutes in which the app may be open, and the hour that a clock change skips.
    let minute = Int.random(in: 16..<96, using: &random) * 15 + 7
    let ahead = Int.random(in: 1...5, using: &random)
    let time = "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    if Bool.random(using: &random) {
      let weekday = Int.random(in: 0..<7, using: &random)
      let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
      return Planned(
        name: name, minute: minute, days: Array(stride(from: weekday, to: 4 * Self.length, by: 7)),
        ahead: ahead, when: "every \(names[weekday]) \(time) ahead \(ahead)")
    }
    let every = Int.random(in: 1...3, using: &random) == 1
    let day = Int.random(in: 0..<Self.length, using: &random)
    if every {
      return Planned(
        name: name, minute: minute, days: Array(0..<4 * Self.length), ahead: ahead,
        when: "every day \(time) ahead \(ahead)")
    }
    // Day 0 is 2 March.
    let (month, date) = day < 30 ? (3, day + 2) : (4, day - 29)
    return Planned(
      name: name, minute: minute, days: [day], ahead: 1,
      when: "yearly on 0\(month)-\(date < 10 ? "0" : "")\(date) at \(time) ahead 1")
  }

  @Test(arguments: 0..<40)
  func `the requests that are due first are added, as in a simple planner`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) &+ 77)
    let capacity = Int.random(in: 1...12, using: &random)
    var plans: [Planned] = []
    for index in 0..<Int.random(in: 2...14, using: &random) {
      plans.append(Self.planned("r\(index)", &random))
    }
    // The app plans at its first launch and at each opening. Times are in minutes from the start of day 0.
    var runs = [7 * 60]
    var line: [String] = []
    for day in 0..<Self.length where Int.random(in: 0..<4, using: &random) == 0 {
      let hour = Int.random(in: 8...22, using: &random)
      runs.append((day * 24 + hour) * 60)
      line.append("day \(day + 1) \(hour < 10 ? "0" : "")\(hour):00 open")
      line.append("day \(day + 1) \(hour < 10 ? "0" : "")\(hour):05 leave")
    }
    func text(_ plans: [Planned]) -> String {
      """
      for: \(Self.length) days
      profile: ios
      knobs: {pendingCapacity: \(capacity)}
      policy: {quietHours: none}
      reminders:
      \(plans.map { "  \($0.name): {when: \"\($0.when)\", repeat: always, notify: {title: T, bucket: user}}" }
        .joined(separator: "\n"))
      timeline: [07:01 background refresh off\(line.map { ", " + $0 }.joined())]
      expect: [fires >= 0]
      """
    }
    let run = try PlatformRun(text(plans))
    #expect(run.accounts.contradictions.isEmpty, "\(run.accounts.contradictions)")
    #expect(run.accounts.total.lost[.pendingLimit] == 0, "the system threw something away")
    let fired = Set(
      run.accounts.fires.map { "\(plans[$0.request.reminder.index].name) \(Self.minute($0.moment))" })
    #expect(fired == Self.obvious(plans, runs, capacity), "seed \(seed): \(text(plans))")
    // Requests beyond the limit are reported, regardless of the order of declarations.
    let lost = run.accounts.endings.filter { $0.kind == .lost }
    #expect(lost.allSatisfy { $0.reason == .pendingLimit })
    let told = Set(lost.map { "\(plans[$0.reminder.index].name) \(Self.minute($0.moment))" })
    #expect(
      Self.obvious(plans, runs, capacity, hasRoom: false).isSubset(of: told), "seed \(seed): \(text(plans))")
    let reversed = Array(plans.reversed())
    let other = try PlatformRun(text(reversed))
    #expect(
      fired
        == Set(
          other.accounts.fires.map { "\(reversed[$0.request.reminder.index].name) \(Self.minute($0.moment))" }
        ))
  }

  private static func minute(_ moment: Moment) -> Int {
    // The instant is 2026-03-02T00:00 in Berlin. Clocks go forward on 29 March.
    let start = (try? Instant(iso8601: "2026-03-01T23:00:00Z")) ?? .distantPast
    let minutes = Int((moment.wall - start).milliseconds / 60_000)
    return minutes >= 27 * 1440 + 120 ? minutes + 60 : minutes
  }

  /// Returns the expected deliveries. At each run, the app requests the next occurrences of each reminder, up
  /// to its declared number. The earliest ones that fit are added.
  ///
  /// - Parameter hasRoom: `false` to return the occurrences that do not fit.
  private static func obvious(
    _ plans: [Planned], _ runs: [Int], _ capacity: Int, hasRoom: Bool = true
  ) -> Set<String> {
    var shown: Set<String> = []
    for (index, run) in runs.enumerated() {
      var wanted: [(at: Int, name: String)] = []
      for plan in plans {
        let times = plan.days.map { $0 * 1440 + plan.minute }.filter { $0 > run }
        wanted += times.prefix(plan.ahead).map { ($0, plan.name) }
      }
      wanted.sort { ($0.at, $0.name) < ($1.at, $1.name) }
      // The run starts at 07:00 and lasts a number of whole days.
      let until = index + 1 < runs.count ? runs[index + 1] : Self.length * 1440 + 420
      for (at, name) in hasRoom ? wanted.prefix(capacity) : wanted.dropFirst(capacity) where at < until {
        shown.insert("\(name) \(at)")
      }
    }
    return shown
  }

  @Test(arguments: 0..<40)
  func `schedules, lapses and repeating requests share the limit in any order of declaration`(seed: Int)
    throws
  {
    var random = SplitMix64(seed: UInt64(seed) &+ 1_234)
    let capacity = Int.random(in: 1...8, using: &random)
    var reminders: [(name: String, when: String)] = []
    for index in 0..<Int.random(in: 3...14, using: &random) {
      let time = "\(Int.random(in: 10...21, using: &random)):\(Int.random(in: 10...59, using: &random))"
      let days = (1...3).map { $0 * Int.random(in: 1...3, using: &random) + $0 }
      let when =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: "every day \(time) ahead \(Int.random(in: 1...4, using: &random))"
        case 1: "closed for \(days[0]), \(days[0] + days[1]) days at \(time)"
        default: "every day \(time) ahead repeating"
        }
      reminders.append(("r\(index)", when))
    }
    var line: [String] = []
    for day in 2..<Self.length where Int.random(in: 0..<6, using: &random) == 0 {
      line.append("day \(day) 08:00 open, day \(day) 08:05 leave")
    }
    func play(_ reminders: [(name: String, when: String)]) throws -> Set<String> {
      let run = try PlatformRun(
        """
        for: \(Self.length) days
        profile: ios
        knobs: {pendingCapacity: \(capacity)}
        policy: {quietHours: none}
        reminders:
        \(reminders.map { "  \($0.name): {when: \"\($0.when)\", repeat: always, notify: {title: T, bucket: user}}" }
          .joined(separator: "\n"))
        timeline: [07:01 background refresh off\(line.map { ", " + $0 }.joined())]
        expect: [fires >= 0]
        """)
      #expect(run.accounts.contradictions.isEmpty, "seed \(seed): \(run.accounts.contradictions)")
      #expect(run.accounts.total.lost[.pendingLimit] == 0, "seed \(seed): the system threw something away")
      return Set(
        run.accounts.fires.map { "\(reminders[$0.request.reminder.index].name) \(Self.minute($0.moment))" })
    }
    let fired = try play(reminders)
    #expect(fired == (try play(reminders.reversed())), "seed \(seed)")
    #expect(fired == (try play(reminders.shuffled(using: &random))), "seed \(seed)")
  }

  @Test func `a left-out request precedes a later lapse and follows requests that are due before it`() throws
  {
    try PlatformRun(
      """
      for: 9 days
      profile: ios
      knobs: {pendingCapacity: 1}
      policy: {quietHours: none}
      reminders:
        dentist: {when: on 2026-03-06 at 12:00 ahead 1, notify: {title: D, bucket: user}}
        lapse: {when: closed for 3 days at 12:00, notify: {title: L, bucket: user}}
      timeline: [07:01 background refresh off, day 3 08:00 open, day 3 08:05 leave]
      expect: [dentist fires once, lapse never]
      """
    ).expectSound()
    try PlatformRun(
      """
      for: 6 days
      profile: ios
      knobs: {pendingCapacity: 2}
      policy: {quietHours: none}
      reminders:
        a: {when: every day 10:00 ahead 1, repeat: always, notify: {title: A, bucket: user}}
        b: {when: every day 11:00 ahead 1, repeat: always, notify: {title: B, bucket: user}}
        r: {when: every sunday 18:00 ahead repeating, repeat: always, notify: {title: R, bucket: user}}
      timeline:
        - 07:01 background refresh off
        - every day at 08:00 from day 2 open
        - every day at 08:05 from day 2 leave
      expect: [a fires 6 times, b fires 6 times, r never]
      """
    ).expectSound()
  }

  @Test func `the app keeps room for a snooze and for a request at the end of quiet hours`() throws {
    let run = try PlatformRun(
      """
      for: 4 days
      profile: ios
      knobs: {pendingCapacity: 2}
      reminders:
        pill: {when: every day 21:30 ahead 2, repeat: always, notify: {title: Pill, bucket: user}}
        note: {when: fact late changes, notify: {title: Note, bucket: user}}
      facts: {late: false}
      timeline: [21:35 open, 21:36 snooze pill for 20 min, 21:37 leave, 22:30 open, 22:31 set late = true, 22:32 force quit]
      expect:
        - pill fires once at 21:56 on day 1
        - note fires once at 07:00 on day 2
        - pill fires once at 21:30 on day 2
      """)
    run.expectSound()
    #expect(run.accounts.total.lost[.pendingLimit] == 0)
  }

  @Test func `a request that the person cancelled frees no room until the app is opened`() throws {
    try PlatformRun(
      """
      for: 5 days
      profile: ios
      knobs: {pendingCapacity: 2}
      reminders:
        a: {when: every day 10:00 ahead 1, repeat: always, notify: {title: A, bucket: user}}
        b: {when: every day 11:00 ahead 1, repeat: always, notify: {title: B, bucket: user}}
        c: {when: every day 12:00 ahead 1, repeat: always, notify: {title: C, bucket: user}}
      timeline: [07:01 background refresh off, 08:00 open, 08:01 cancel all, 08:02 leave, day 3 09:00 open, day 3 09:01 leave]
      expect: [{exact: [a at 10:00 on day 3, b at 11:00 on day 3]}]
      """
    ).expectSound()
  }

  @Test func `without a planner, the app adds every due request, and the system evicts some`()
    throws
  {
    for (planner, lost) in [("on", 0), ("off", 3)] {
      let run = try PlatformRun(
        """
        for: 8 days
        profile: ios
        planner: \(planner)
        knobs: {pendingCapacity: 2}
        reminders: {r: {when: every day 10:00 ahead 5, repeat: always, notify: {title: T, bucket: user}}}
        timeline: [07:30 unlock]
        expect: [fires = 2]
        """)
      run.expectSound("\(planner)")
      #expect(run.accounts.total.lost[.pendingLimit] == lost)
    }
  }
}

/// Tests that a request deferred to the end of quiet hours is delivered then, whether or not the app is
/// running.
@Suite struct ReleaseRunTests {
  private func run(_ line: String, _ expectations: String, condition: String = "") throws -> PlatformRun {
    try PlatformRun(
      """
      for: 2 days
      profile: ios
      facts: {wanted: true}
      reminders:
        note: {when: fact wanted changes, if: [wanted is true], notify: {title: Note, bucket: user}}
        walk: {when: unlock, \(condition)notify: {title: Walk, bucket: user}}
      timeline: [\(line)]
      expect: [\(expectations)]
      """)
  }

  @Test func `the deferred request of a force-quit app is delivered at 07:00`() throws {
    try run(
      "22:20 open, 22:30 unlock, 22:31 force quit",
      "walk is deferred by quietHours until 07:00 once, walk fires once at 07:00 on day 2"
    ).expectSound()
  }

  @Test func `a deferred request with a failed condition is withdrawn if the app runs first`() throws {
    try run(
      "22:20 open, 22:30 unlock, 22:31 leave, day 2 06:30 open, day 2 06:31 set wanted = false, day 2 06:32 leave",
      "walk never, walk is lost to staleAtRelease once at 06:31 on day 2",
      condition: "if: [wanted is true], "
    ).expectSound()
    // The app does not observe that the fact changes, so the system delivers the pending request.
    try run(
      "22:20 open, 22:30 unlock, 22:31 force quit, day 2 06:31 set wanted = false",
      "walk fires once at 07:00 on day 2", condition: "if: [wanted is true], "
    ).expectSound()
  }

  @Test func `a deferred stage of a lapse is not evicted, even on a journey`() throws {
    let run = try PlatformRun(
      whole: """
        kind: scenario
        version: 1
        title: little room
        start: 2026-03-02T21:30
        zone: Pacific/Apia
        knobs: {pendingCapacity: 1}
        facts: {done: 2026-03-02T20:30}
        reminders:
          a: {when: every monday 10:45 ahead repeating, notify: A}
          b: {when: closed for 2 days at 22:30, repeat: daily, notify: {title: B, bucket: user}}
          c: {when: 1 h after done, notify: {title: C, bucket: critical}}
          e: {when: 2 h before done, notify: E}
        timeline: [+10h30m travel to Europe/Lisbon]
        expect: [b is deferred by quietHours until 07:00 once]
        """)
    run.expectSound()
  }

  @Test func `a condition that cannot hold at the release prevents the deferral`() throws {
    try run(
      "22:20 open, 22:30 unlock, 22:31 leave, day 2 08:00 open, day 2 08:01 leave",
      "walk never, walk is lost to staleAtRelease once on day 2", condition: "if: [after 20:00], "
    ).expectSound()
  }
}
