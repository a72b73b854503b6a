import NotificationGateway
import PlatformRuns
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests the cap cases of the conformance list with scenarios and their reports.
@Suite struct CapConformanceTests {
  @Test func `case 24: two deliveries within 24 hours under a daily cap of one are reported`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      policy: {dailyCap: 1}
      reminders: {a: {when: unlock, repeat: always, notify: A}}
      timeline: [21:59 unlock, next day 07:00 unlock]
      expect: [a fires 2 times]
      """)
    run.expectSound()
    let audit = CapAudit(run.program, run.accounts)
    #expect(audit.mostIn24Hours == 2 && audit.exceeded.isEmpty)
    #expect(audit.rows.first == CapCounts.Row(cap: .dailyCap, limit: 1, most: 1, over: 0))
  }

  @Test func `case 39: a critical delivery starts an interval only if the scope is 'all'`() throws {
    for (scope, outcome) in [("standard", "a fires once"), ("all", "a is denied by minimumInterval once")] {
      let run = try PlatformRun(
        """
        policy: {minimumIntervalScope: \(scope)}
        reminders:
          a: {when: charging starts, notify: A}
          c: {when: unlock, notify: {title: C, bucket: critical}}
        timeline: [10:00 unlock, 11:00 plug in]
        expect: [c fires once, \(outcome)]
        """)
      run.expectSound("\(scope)")
    }
  }

  @Test func `case 47: a reinstall resets some counts and keeps others`() throws {
    for (kept, outcomes) in [
      ("", ["fires 2 times", "fires 2 times"]),
      ("keptThroughReinstall: account, ", ["is denied by lifetimeCap once at 15:00", "fires 2 times"]),
      (
        "lifetimeSurvivesReinstall: true, ",
        ["is denied by lifetimeCap once at 15:00", "is denied by lifetimeCap once at 15:00"]
      ),
    ] {
      let run = try PlatformRun(
        """
        policy: {\(kept)lifetimeCap: {account: 1, tips: 1}, minimumInterval: 0 s}
        reminders:
          account: {when: unlock, repeat: always, notify: A}
          tips: {when: unlock, repeat: always, notify: B}
        timeline: [10:00 unlock, 12:00 reinstall, 15:00 unlock]
        expect: [account \(outcomes[0]), tips \(outcomes[1])]
        """)
      run.expectSound("\(kept)")
    }
  }

  @Test func `caps by month and by rolling days hold in a scenario`() throws {
    let run = try PlatformRun(
      """
      for: 45 days
      policy: {minimumInterval: 0 s, typeDailyCap: none, monthlyCap: 12, rollingCap: 4 in 7 days, typeRollingCaps: {a: 1 in 3 days}}
      reminders:
        a: {when: every day 09:00, notify: A}
        b: {when: every day 17:00, notify: B}
      expect:
        - a is denied by typeRollingCap on day 2
        - b is denied by rollingCap on day 4
        - b fires once on day 8
        - b is denied by monthlyCap on 2026-03-31
        - a fires on 2026-04-01
        - beyondCaps = 0
      """)
    run.expectSound()
    let rows = CapAudit(run.program, run.accounts).rows
    for (cap, limit) in [(Reason.monthlyCap, 12), (.rollingCap, 4), (.typeRollingCap, 1)] {
      #expect(
        rows.first { $0.cap == cap } == CapCounts.Row(cap: cap, limit: limit, most: limit, over: 0), "\(cap)")
    }
  }

  @Test(arguments: [("ideal", ""), ("ideal", " ahead 8"), ("ios", " ahead 8")])
  func `quiet hours of the weekend end later`(profile: String, ahead: String) throws {
    let run = try PlatformRun(
      """
      for: 8 days
      profile: \(profile)
      policy: {quietHours: {weekday: 22:00-07:00, weekend: 23:00-10:00}, minimumInterval: none}
      reminders:
        tip: {when: every day 08:00\(ahead), notify: {title: T, bucket: user}}
        late: {when: every day 22:30\(ahead), notify: {title: L, bucket: user}}
      timeline: [07:01 open, 07:02 leave]
      expect:
        - late fires once between 22:30 and 23:00 on 2026-03-06
        - tip fires once between 10:00 and 11:00 on 2026-03-07
        - late fires once between 22:30 and 23:00 on 2026-03-07
        - tip fires once between 10:00 and 11:00 on 2026-03-08
        - late never on 2026-03-08         # that of Sunday evening is deferred to Monday
        - late fires once between 07:00 and 07:30 on 2026-03-09
        - tip fires once between 08:00 and 09:00 on 2026-03-09
      """)
    run.expectSound("\(profile)\(ahead)")
  }

  @Test(arguments: ["", " ahead 1"])
  func `a type that bypasses quiet hours is delivered in them, and others wait`(ahead: String) throws {
    for bucket in Bucket.allCases {
      let run = try PlatformRun(
        """
        policy: {quietHours: 22:00-07:00, quietAction: defer, minimumInterval: none, criticalDailyCap: none, criticalBypassesQuietHours: false,
          bypassQuietHours: oven}
        reminders:
          oven: {when: "on 2026-03-03 at 01:30\(ahead)", notify: {title: O, bucket: \(bucket.name)}}
          news: {when: "on 2026-03-03 at 01:45\(ahead)", notify: {title: N, bucket: \(bucket.name)}}
        for: 2 days
        timeline: [20:01 open, 20:02 leave]
        expect:
          - oven fires once at 01:30 on day 2
          - news fires once at 07:00 on day 2
        """)
      run.expectSound("\(bucket)")
    }
  }

  @Test func `a fixed instant that a journey moves into quiet hours stays if its type bypasses them`() throws
  {
    for (bypass, outcome) in [("", "07:00 on day 2"), (", bypassQuietHours: oven", "22:30 on day 1")] {
      let run = try PlatformRun(
        """
        policy: {quietHours: 22:00-07:00, minimumInterval: none\(bypass)}
        reminders: {oven: {when: 30 min after baked ahead 1, notify: {title: O, bucket: user}}}
        facts: {baked: 2026-03-02T18:00}
        for: 2 days
        timeline: [08:00 open, 08:01 leave, 12:00 travel to Asia/Karachi]
        expect: [oven fires once at \(outcome)]
        """)
      run.expectSound(Comment(rawValue: bypass))
    }
  }

  @Test func `a weekly cap of five holds in a scenario`() throws {
    let run = try PlatformRun(
      """
      for: 14 days
      policy: {typeWeeklyCaps: {a: 5}, weekStart: sunday}
      reminders: {a: {when: every day 17:00, notify: A}}
      expect:
        - a fires 11 times               # Monday to Friday, Sunday to Thursday, and the last Sunday
        - a is denied by typeWeeklyCap once on day 6
        - a fires once on day 7
        - a is denied by typeWeeklyCap 3 times
      """)
    run.expectSound()
    let weekly = CapAudit(run.program, run.accounts).rows.first { $0.cap == .typeWeeklyCap }
    #expect(weekly == CapCounts.Row(cap: .typeWeeklyCap, limit: 5, most: 5, over: 0))
  }

  @Test func `case 84: delayed counters exceed the cap, and the audit counts the excess`() throws {
    func run(_ lag: String) throws -> PlatformRun {
      try PlatformRun(
        """
        policy: {dailyCap: 1, typeDailyCap: none, minimumInterval: 0 s\(lag)}
        reminders: {a: {when: unlock, repeat: always, notify: A}}
        timeline: [10:00 unlock, 10:05 unlock, 10:09 unlock, 10:10 unlock, 12:00 unlock]
        expect: [requests = 5]
        """)
    }
    let usual = try run("")
    usual.expectSound()
    #expect(usual.accounts.appeared.count == 1)
    #expect(CapAudit(usual.program, usual.accounts).exceeded.isEmpty)
    let lagging = try run(", counterLag: 10 min")
    lagging.expectSound()
    #expect(lagging.accounts.total.denied[.dailyCap] == 2)
    #expect(
      CapAudit(lagging.program, lagging.accounts).exceeded == [
        CapCounts.Row(cap: .dailyCap, limit: 1, most: 3, over: 2)
      ])
  }

  @Test func `case 83: violations of device caps and of person caps are both reported`() throws {
    func run(_ caps: String, _ timeline: String, expect: String) throws -> (PlatformRun, CapAudit) {
      let run = try PlatformRun(
        """
        devices: {tablet: {}}
        sync: {caps: \(caps), delay: 2 s}
        policy: {dailyCap: 1, typeDailyCap: none, minimumInterval: 0 s}
        reminders:
          a: {when: unlock, notify: A}
          b: {when: unlock, notify: {title: B, type: other}}
        timeline: [\(timeline)]
        expect: [\(expect)]
        """)
      run.expectSound("\(caps)")
      return (run, CapAudit(run.program, run.accounts))
    }
    let both = "10:00 unlock, on tablet 10:10 unlock"
    let (_, each) = try run(
      "device", both, expect: "a fires 2 times, b is denied by dailyCap 2 times, beyondCaps = 1")
    #expect(each.beyond.map(\.untold) == [1] && each.beyondOnDevices == 0)
    let (_, person) = try run(
      "person", both,
      expect: "a fires once, a is denied by dailyCap once, b is denied by dailyCap 2 times, beyondCaps = 0")
    #expect(person.beyond.isEmpty && person.beyondOnDevices == 0)
    // The tablet is offline, so it is not notified of the other device's notification.
    let (offline, beyond) = try run(
      "person", "on tablet 09:00 airplane mode on, \(both)",
      expect: "a fires 2 times, b is denied by dailyCap 2 times, beyondCaps = 1, a beyondCaps = 1")
    #expect(beyond.beyond.map(\.untold) == [1] && beyond.beyond.map(\.cap) == [.dailyCap])
    #expect(beyond.beyond.map(\.fire.device) == [1] && beyond.beyondOnDevices == 0)
    #expect(offline.accounts.sync.sharedDeliveries.isEmpty)
  }

  @Test func `stored counters are loaded before the run starts`() throws {
    let run = try PlatformRun(
      """
      policy: {lifetimeCap: {trainingDay: 3}, minimumInterval: 0 s}
      reminders:
        trainingDay: {when: unlock, repeat: always, notify: A}
        b: {when: unlock, repeat: always, notify: B}
        a: {when: unlock, repeat: always, notify: C}
      stored:
        ft.reminder.dailyCount.2026-03-02: 2
        ft.reminder.training_day.sentCount: 3
      timeline: [10:00 unlock]
      expect:
        - trainingDay is denied by lifetimeCap
        - a fires once
        - b is denied by dailyCap once
      """)
    run.expectSound()
    let entries = try run.program.storedState(at: run.program.end)
    #expect(
      entries.map { "\($0.key) \($0.value)" } == [
        "ft.reminder.a.sentCount 1", "ft.reminder.dailyCount.2026-03-02 3",
        "ft.reminder.training_day.sentCount 3",
      ])
    let begin = try run.program.storedState(at: run.program.scenario.start)
    #expect(begin.map(\.value) == [2, 3])
  }
}
