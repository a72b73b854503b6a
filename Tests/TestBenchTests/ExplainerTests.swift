import CivilTime
import Foundation
import Journal
import PlatformRuns
import RandomScenarios
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestSupport
import Testing
import TriggerEngine
import TriggerModel

@testable import TestBench

/// Tests that explanations agree with the accounts of the same run.
@Suite struct ExplainerTests {
  /// - Parameter minutes: The number of minutes after the start, which is 07:00 on 2 March.
  private func explain(_ reminder: String, after minutes: Int64, _ story: String) throws -> Explainer.Answer {
    let run = try PlatformRun(story)
    run.expectSound()
    let id = try #require(run.program.reminders.reminder(named: reminder))
    return try #require(
      try Explainer(run.program).explain(id, at: run.program.scenario.start + .minutes(minutes)))
  }

  @Test func `an explanation reports an unobserved trigger as a loss, with its cause`() throws {
    let answer = try explain(
      "a", after: 120,
      """
      profile: ios
      reminders: {a: {when: charging starts, notify: A}}
      timeline: [08:00 open, 08:30 force quit, 09:00 plug in, 09:30 unlock]
      expect: [fires = 0]
      """)
    #expect(answer.happened.count == 1)
    #expect(answer.happened.first?.hasPrefix("due, but the app did not observe it: ") == true)
    #expect(answer.happened.first?.hasSuffix(" at 2026-03-02 09:00") == true)
    #expect(
      answer.smallestChange
        == "write reminders: {a: {when: [charging starts, every day at 09:00 ahead 1]}}")
  }

  @Test func `the suggested change removes the obstacle instead of snoozing an earlier fire`() throws {
    let answer = try explain(
      "a", after: 1_440 + 300,
      """
      for: 3 days
      places: {shop: {at: [52.52, 13.4], radius: 150 m}}
      reminders: {a: {when: enter shop, if: after 16:00, repeat: always, notify: A}}
      timeline: [17:00 enter shop, 18:00 exit shop]
      expect: [fires = 1]
      """)
    let changes = answer.smallestChange
    #expect(changes.contains("enter shop") && !changes.contains("snooze"), "\(changes)")
    #expect(changes.contains("reminders: {a: {if:") || changes.contains("leave out"), "\(changes)")
  }

  @Test func `the explanation of a lost trigger has the same cause as the report`() throws {
    let story = """
      for: 3 days
      profile: ios
      reminders: {a: {when: charging starts, repeat: always, notify: A}}
      timeline:
        - 08:00 open
        - 08:30 force quit
        - every day 09:00 plug in
        - every day 20:00 unplug
      expect: [fires = 0]
      """
    let run = try PlatformRun(story)
    let counted = try run.account("a").notObserved
    var explained: [String: Int] = [:]
    for day in 0..<3 {
      let answer = try explain("a", after: Int64(day) * 1_440 + 120, story)
      for (cause, _) in counted where answer.happened.contains(where: { $0.contains(": \(cause) at ") }) {
        explained[cause, default: 0] += 1
      }
    }
    #expect(!counted.isEmpty && explained == counted)
  }

  @Test func `the explanation of a fired reminder omits the plan of a later occurrence`() throws {
    let answer = try explain(
      "a", after: 1_440 + 420,
      """
      for: 3 days
      facts: {onboarding: 2026-03-02T06:00}
      reminders: {a: {when: every day 14:00 ahead 1, if: days since onboarding < 2, notify: A}}
      timeline: [12:00 lock]
      expect: [a fires twice, requests = 2]
      """)
    #expect(answer.happened == ["fired at 2026-03-03 14:00"])
    #expect(answer.smallestChange == "none: it fired")
  }

  @Test func `an explanation mentions a pending request, and needs no change for a superseded one`() throws {
    let story = """
      for: 8 days
      policy: {lapseCap: {engagement: 1}}
      reminders:
        engagement: {when: closed for 3 days at 18:00, notify: {title: Come back, type: engagement}}
      timeline: [08:00 open, day 3 08:00 open]
      expect: [requests >= 0]
      """
    let answer = try explain("engagement", after: 3 * 1_440 + 660, story)
    #expect(answer.pending != nil)
    #expect(answer.lastFire == nil)
    #expect(answer.happened.contains { $0.contains("planned for 2026-03-05 18:00, and lost: ") })
    guard case .edits = answer.change else {
      Issue.record("\(answer.smallestChange)")
      return
    }
  }

  @Test func `the explanation of a missed wake-up includes a remedy`() throws {
    let story = """
      for: 2 days
      profile: ios
      reminders: {a: {when: every day 20:00, notify: {title: A, bucket: user}}}
      timeline: [08:00 open, 08:30 force quit]
      expect: [fires = 0]
      """
    let answer = try explain("a", after: 780, story)
    #expect(answer.happened == ["due, but the app was not woken: notWoken at 2026-03-02 20:00"])
    #expect(answer.smallestChange == "write reminders: {a: {when: every day at 20:00 ahead 1}}")
  }

  @Test func `an explanation distinguishes truth from observation`() throws {
    let answer = try explain(
      "a", after: 120,
      """
      profile: ios
      reminders: {a: {when: charging starts, if: charging, notify: {title: A, bucket: user}}}
      timeline: [08:00 open, 08:30 force quit, 09:00 plug in]
      expect: [fires = 0]
      """)
    #expect(answer.conditions.map(\.holds) == [false])
    #expect(answer.conditions.map(\.holdsInTruth) == [true])
  }

  @Test func `an explanation reports that a reminder is spent or expired`() throws {
    let story = """
      reminders:
        a: {when: unlock, notify: {title: A, bucket: user}}
        b: {when: unlock, repeat: always, expires: 2026-03-02T09:00, notify: {title: B, bucket: user}}
        c: {when: unlock, notify: {title: C, bucket: user}}
        d: {when: unlock, notify: {title: D, bucket: user}}
      timeline: [07:30 cancel c, 08:00 unlock, 10:00 unlock, 11:00 edit d to again, 11:30 unlock]
      edits: {d: {again: {when: unlock, notify: {title: D, bucket: user, type: d}}}}
      expect:
        - a is not requested because alreadyFired twice
        - b is not requested because expired twice
        - c is not requested because alreadyFired 0 times
        - d is not requested because alreadyFired once at 10:00
        - d fires twice
      """
    let fired = try explain("a", after: 180, story)
    #expect(fired.happened == ["trigger observed, no request: alreadyFired at 2026-03-02 10:00"])
    #expect(fired.explanation.status == .alreadyFired)
    #expect(fired.lastFire == "2026-03-02 08:00")
    #expect(fired.smallestChange == "write reminders: {a: {repeat: always}}")
    let expired = try explain("b", after: 180, story)
    #expect(expired.happened == ["trigger observed, no request: expired at 2026-03-02 10:00"])
    #expect(expired.explanation.status == .expired)
    #expect(expired.smallestChange.hasPrefix("write reminders: {b: {expires: "))
  }

  @Test func `an explanation names the binding cap and the notifications that used it up`() throws {
    let answer = try explain(
      "a", after: 180,
      """
      policy: {minimumInterval: 4 h}
      reminders: {a: {when: charging starts, notify: A}, b: {when: unlock, notify: B}}
      timeline: [08:00 unlock, 10:00 plug in]
      expect: [b fires once, a is denied by minimumInterval once]
      """)
    #expect(answer.usedUp == ["minimumInterval: b at 2026-03-02 08:00"])
    #expect(answer.smallestChange == "write policy: {minimumInterval: 2 h}")
  }

  /// A notification counts towards a cap only if it has the same day, week, bucket, type, lapse, installation
  /// and device, as far as the cap depends on them.
  @Test(
    "a cap is used up by the notifications that it counts",
    arguments: [
      ("dailyCap: 1", "", "a", "11 09:00", ["dailyCap: o at 2026-03-11 08:30"]),
      ("typeDailyCap: 1", "", "a", "11 10:00", ["typeDailyCap: a at 2026-03-11 09:00"]),
      ("typeWeeklyCaps: {t: 1}", "", "a", "11 09:00", ["typeWeeklyCap: a at 2026-03-10 09:00"]),
      ("criticalDailyCap: 1", "", "c", "11 09:40", ["criticalDailyCap: c at 2026-03-11 08:45"]),
      (
        "lifetimeCap: {t: 2}", "", "u", "11 08:00",
        ["lifetimeCap: a at 2026-03-07 09:00", "lifetimeCap: a at 2026-03-10 09:00"]
      ),
      (
        "lifetimeCap: {t: 1}", "day 7 09:00 reinstall", "u", "11 08:00",
        ["lifetimeCap: a at 2026-03-10 09:00"]
      ),
      (
        "lifetimeCap: {t: 1}, lifetimeSurvivesReinstall: true", "day 7 09:00 reinstall", "a", "10 09:00",
        ["lifetimeCap: a at 2026-03-07 09:00"]
      ),
      ("lapseCap: {t: 1}", "day 7 09:00 open", "u", "11 08:00", ["lapseCap: a at 2026-03-10 09:00"]),
      ("minimumInterval: 4 h", "", "a", "11 09:00", ["minimumInterval: o at 2026-03-11 08:30"]),
      (
        "minimumInterval: 4 h, minimumIntervalScope: all", "", "a", "11 09:00",
        ["minimumInterval: o at 2026-03-11 08:30", "minimumInterval: c at 2026-03-11 08:45"]
      ),
    ])
  func countedByCaps(
    _ cap: String, _ line: String, _ reminder: String, _ time: String, _ usedUp: [String]
  ) throws {
    let caps = ["dailyCap", "typeDailyCap", "criticalDailyCap", "minimumInterval"]
    let others = caps.filter { !cap.contains("\($0): ") }.map { "\($0): none" }
    let run = try PlatformRun(
      """
      for: 10 days
      places: {shop: {at: [52.52, 13.4], radius: 150 m}}
      devices: {tablet: {profile: ideal}}
      sync: {delay: 10 s}
      policy: {\(([cap] + others).joined(separator: ", ")), criticalPreempts: false}
      reminders:
        a: {when: unlock, repeat: always, notify: {title: A, type: t}}
        o: {when: enter shop, repeat: always, notify: {title: O, type: o}}
        c: {when: exit shop, repeat: always, notify: {title: C, type: c, bucket: critical}}
        u: {when: charging starts, repeat: always, notify: {title: U, type: t, bucket: user}}
      timeline:
        - 2026-03-07 09:00 unlock
        - 2026-03-10 09:00 unlock
        - on tablet 2026-03-10 10:00 unlock
        - 2026-03-11 08:00 plug in
        - on tablet 2026-03-11 08:10 enter shop
        - 2026-03-11 08:30 enter shop
        - 2026-03-11 08:45 exit shop
        - 2026-03-11 09:00 unlock
        - 2026-03-11 09:30 enter shop
        - 2026-03-11 09:40 exit shop
        - 2026-03-11 10:00 unlock
      \(line.isEmpty ? "" : "  - \(line)")
      expect: [requests >= 0]
      """)
    run.expectSound()
    let id = try #require(run.program.reminders.reminder(named: reminder))
    let instant = try run.program.instant(written: "2026-03-\(time)")
    let answer = try #require(try Explainer(run.program).explain(id, at: instant))
    #expect(answer.usedUp == usedUp, "\(answer.happened)")
  }

  /// On the first day, the phone has been notified of the tablet's notifications. On the third day, it has
  /// not.
  @Test func `another device's notification counts only if the device was notified of it`() throws {
    let file = Repository.scenarios.appendingPathComponent("caps-of-a-person.yaml")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    func usedUp(_ reminder: String, at time: String, cap: Int) throws -> [String]? {
      let run = try PlatformRun(
        whole: text.replacing("dailyCap: 2", with: "dailyCap: \(cap)").replacing(
          #/expect:(.|\n)*/#, with: "expect: [requests >= 0]\n"))
      let id = try #require(run.program.reminders.reminder(named: reminder))
      return try Explainer(run.program).explain(id, at: run.program.instant(written: time))?.usedUp
    }
    let (phone, tablet) = ("dailyCap: unlocked at 2026-03-02 09:00", "dailyCap: unlocked at 2026-03-02 12:00")
    #expect(try usedUp("plugged", at: "day 1 15:00", cap: 2) == [phone, tablet])
    let own = "dailyCap: unlocked at 2026-03-04 09:00"
    #expect(try usedUp("plugged", at: "day 3 15:00", cap: 1) == [own])
  }

  @Test func `a time refers to the phone's clock, on a date or on a day of the run`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      reminders: {a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}}
      timeline: [09:00 set clock +2 h, 10:00 unlock, day 2 09:00 set clock -1 h, day 2 12:00 travel to America/New_York]
      expect: [a fires once at 12:00]
      """)
    run.expectSound()
    let start = run.program.scenario.start
    #expect(try run.program.instant(written: "2026-03-02 12:00") == start + .hours(3))
    #expect(try run.program.instant(written: "day 1 12:00") == start + .hours(3))
    #expect(try run.program.instant(written: "2026-03-02 08:00") == start + .hours(1))
    // Setting the clock forward would not reveal this error.
    #expect(try run.program.instant(written: "2026-03-02 10:30") == start + .hours(2))
    // The clock is set from 11:00 to 08:00. A repeated local time resolves to its first occurrence.
    #expect(try run.program.instant(written: "day 2 10:30") == start + .hours(25) + .minutes(30))
    #expect(try run.program.instant(written: "2026-03-03T08:00:00-01:00") == start + .hours(25))
    #expect(try run.program.instant(written: "day 3 05:00") == start + .hours(53))
    #expect(throws: (any Error).self) { try run.program.instant(written: "day 0 10:00") }
  }

  @Test func `a printed time can be parsed, even before the start in the west and on a changed clock`()
    throws
  {
    let stories = [
      ("Asia/Tokyo", "[09:00 travel to America/New_York, 2026-03-01 20:00 unlock]", "2026-03-01 20:00"),
      ("Asia/Tokyo", "[09:00 set clock -3 h, +2h30m unlock]", "2026-03-02 06:30"),
      ("UTC", "[09:00 power off, 10:00 set clock +1 h, 14:00 power on, 14:30 unlock]", "2026-03-02 14:30"),
      ("UTC", "[09:00 set clock +1 h, 14:30 unlock]", "2026-03-02 15:30"),
      (
        "UTC",
        "[09:00 power off, 10:00 set clock +1 h, 14:00 power on, 14:10 travel to Asia/Tokyo, 23:30 unlock]",
        "2026-03-02 23:30"
      ),
    ]
    for (zone, timeline, time) in stories {
      let run = try PlatformRun(
        whole: """
          kind: scenario
          version: 1
          title: test
          start: 2026-03-02T07:00
          zone: \(zone)
          for: 1 day
          policy: {quietHours: none}
          reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}
          timeline: \(timeline)
          expect: [a fires once]
          """)
      run.expectSound("\(timeline)")
      let fire = try #require(run.accounts.appeared.first)
      #expect(RunWords(run.program).time(fire.moment) == time)
      #expect(try run.program.instant(written: time) == fire.instant, "\(timeline)")
    }
  }

  @Test func `the explanation of a daily fact uses its value at the end of the day`() throws {
    let story = """
      for: 2 days
      facts: {planned: {initial: false, endOfDay: false}}
      reminders: {a: {when: every day 10:00, if: planned is true, notify: {title: A, bucket: user}}}
      timeline: [09:00 set planned = true]
      expect: [a fires once at 10:00 on day 1, a never on day 2]
      """
    #expect(try explain("a", after: 180, story).conditions.map(\.known) == ["planned is true"])
    let next = try explain("a", after: 1_440 + 180, story).conditions
    #expect(next.map(\.known) == ["planned is false"] && next.map(\.holds) == [false])
  }

  @Test func `the explanation of an event missed for lack of location permission includes a remedy`()
    throws
  {
    let story = """
      profile: ios
      phone: {location: whenInUse}
      places: {shop: {at: [52.52, 13.405], radius: 150 m}}
      reminders: {a: {when: enter shop, notify: {title: A, bucket: user}}}
      timeline: [10:00 enter shop]
      expect: [fires = 0]
      """
    let answer = try explain("a", after: 180, story)
    #expect(
      answer.happened == [
        "due, but the location permission keeps the app from observing it: permission at 2026-03-02 10:00"
      ])
    #expect(
      answer.smallestChange.hasPrefix(
        "add to the time line: - 2026-03-02 09:59 location always; it then fires at 2026-03-02 10:0"))
    let fires = story.replacing("fires = 0", with: "a fires at least once at 10:00")
    #expect(
      try PlatformRun(fires).result.expectations[0].reasons == answer.happened, "the run says the same")
  }

  @Test func `an explanation reports the outcome of a due reminder in the same words as the run`() throws {
    let head = "policy: {quietHours: none}\nprofile: ios\n"
    let woken = """
      \(head)reminders: {a: {when: every day 10:00, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave]
      """
    let denied = """
      \(head)phone: {notifications: denied}
      reminders: {a: {when: every day 10:00 ahead 3, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave]
      """
    let full = """
      for: 3 days
      \(head)planner: off
      knobs: {pendingCapacity: 2, pendingEviction: lastAdded}
      reminders: {a: {when: every day 10:00 ahead 4, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave]
      """
    let off = """
      \(head)reminders: {a: {when: every day 10:00 ahead 3, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, 09:00 power off, 12:00 power on, 12:10 unlock]
      """
    let later = try Regex(#"^due at 2026-03-02 10:00, and fired at 2026-03-02 1\d:.*$"#)
    let planned = try Regex(#"^planned for 2026-03-02 10:00, and .* at 2026-03-02 07:00.*$"#)
    for (story, words) in [(woken, later), (off, later), (denied, planned), (full, planned)] {
      let told = try explain("a", after: 180, story + "\nexpect: [fires >= 0]").happened
      #expect(told.count == 1 && told.first?.wholeMatch(of: words) != nil, "\(story): \(told)")
      let run = try PlatformRun(story + "\nexpect: [a fires at least 9 times at 10:00 on day 1]")
      #expect(run.accounts.contradictions.isEmpty)
      // An explanation prints whole seconds.
      #expect(run.result.expectations[0].reasons.map { $0.replacing(#/\.\d{3}$/#, with: "") } == told)
    }
  }

  @Test func `every due reminder is explained unless its request is pending or deferred`()
    throws
  {
    var dues = 0
    var kinds: [String: Int] = [:]
    for seed in 1...150 as ClosedRange<UInt64> {
      var story = StoryToExplain(seed: seed)
      let outcome = ScenarioFile.read(
        Array(story.text().utf8), file: "story.yaml", fileExists: { _ in false })
      guard case .scenario(let scenario, _) = outcome,
        let program = try? Program(scenario)
      else { continue }
      let all = scenario.reminders.indices.map { ReminderID($0) }
      var sinks = TeeSink(RunAccounts(program, keepsMissesOf: Set(all)), RecordingSink())
      var world = World(program: program, engine: program.makeEngine())
      world.run(into: &sinks)
      sinks.first.close()
      let words = RunWords(program)
      for record in sinks.second.records {
        guard case .due(let id, _, _) = record.body else { continue }
        dues += 1
        let own = sinks.first.appeared.filter { $0.request.reminder == id.reminder }
        if own.contains(where: { $0.instant == record.instant }) { continue }
        let told = words.outcomes(of: id.reminder, in: sinks.first) {
          $0.instant.map { $0 == record.instant } ?? ($0.moment.wall == record.moment.wall)
        }
        for line in told {
          for kind in ["due at", "planned for", "due, and", "denied by", "no request"]
          where line.contains(kind) {
            kinds[kind, default: 0] += 1
          }
        }
        let account = sinks.first.reminders[id.reminder.index]
        #expect(
          !told.isEmpty || account.pending + account.held > 0,
          "story \(seed), \(scenario.reminders[id.reminder.index].declaration.id) at \(record.instant.iso8601)"
        )
      }
    }
    #expect(dues > 50 && kinds.count >= 4 && (kinds["due at"] ?? 0) > 0, "\(dues) \(kinds)")
  }

  @Test func `a change is found at the start of a run, and at an instant with other events`() throws {
    for when in ["on 2026-03-02 07:00", "charging starts"] {
      let answer = try explain(
        "a", after: 0,
        """
        reminders:
          a: {when: \(when), notify: {title: A, bucket: user}}
          b: {when: open, notify: {title: B, bucket: user}}
        timeline: [07:00 open]
        expect: [b fires once at 07:00]
        """)
      guard case .edits(let edits) = answer.change else {
        Issue.record("\(answer.smallestChange)")
        continue
      }
      #expect(edits.count == 1, "\(edits)")
    }
  }

  @Test func `an explanation evaluates conditions at the trigger and suggests a minimal edit`() throws {
    let answer = try explain(
      "a", after: 420,
      """
      facts: {score: {kind: number}, signals: {kind: number}}
      reminders:
        a:
          when: [fact score changes, fact signals changes]
          if: [score >= 80, "signals >= 2 else lowConfidence", "age(score) <= 6 h else staleData", "age(signals) <= 6 h else lowConfidence"]
          repeat: daily
          notify: {title: A}
      timeline:
        - 08:00 set signals = 2
        - 14:00:01 set score = 80
      expect: [a is not requested because lowConfidence once at 14:00:01]
      """)
    #expect(answer.local == "2026-03-02 14:00")
    #expect(answer.conditions.map(\.holds) == [true, true, true, false])
    #expect(answer.conditions.map(\.known).last == "age(signals) is 6 h 1 s")
    guard case .edits(let edits) = answer.change else {
      Issue.record("\(answer.smallestChange)")
      return
    }
    #expect(edits.count == 1 && edits.first?.words.contains("signals = 2") == true, "\(edits)")
  }

  @Test func `an age is printed as an age`() throws {
    let answer = try explain(
      "a", after: 240,
      """
      facts: {x: number}
      reminders: {a: {when: unlock, if: age(x) <= 2 h, notify: A}}
      timeline: [08:00 set x = 3, 11:00 unlock]
      expect: [fires = 0]
      """)
    #expect(answer.conditions.map(\.known) == ["age(x) is 3 h"])
  }
}

@Suite("Explanations of another engine")
struct OwnEngineExplanationTests {
  /// An engine that wraps the built-in engine and can change its decisions.
  private struct OwnEngine: EngineUnderTest {
    var engine: BuiltInEngine
    /// Whether the engine denies every request.
    var deniesAll = false

    mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
      engine.launch(launch, into: &effects)
    }
    mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
      engine.open(store, into: &effects)
    }
    mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
      engine.process(event, into: &effects)
    }
    mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
      var own: [EngineEffect] = []
      let hasMore = engine.settle(at: moment, into: &own)
      effects += deniesAll ? own.compactMap(Self.denied) : own
      return hasMore
    }
    func storedState() -> [UInt8] { engine.storedState() }

    private static func denied(_ effect: EngineEffect) -> EngineEffect? {
      switch effect {
      case .add: nil
      case .decided(let request, _):
        .decided(request, Decision(outcome: .deny, reason: .dailyCap, blockers: ReasonSet(.dailyCap)))
      default: effect
      }
    }
  }

  private static let text = """
    kind: scenario
    version: 1
    title: Milk
    start: 2026-03-02T07:00
    zone: UTC
    profile: ideal
    reminders:
      milk: {when: unlock, if: charging, repeat: always, notify: {title: Milk, bucket: user}}
    timeline: [08:00 plug in, 08:30 unlock, 09:00 terminate, 10:00 unplug, 11:00 unlock]
    expect: [fires >= 0]
    """

  @Test func `an explanation combines the other engine's events with the built-in conditions`() throws {
    let scenario = try Scenario(text: Self.text)
    let at = scenario.start + .minutes(90)
    let fired = try #require(try scenario.explanation(of: "milk", at: at))
    #expect(fired.hasPrefix("fired at 2026-03-02 08:30"), "\(fired)")
    let denied = try #require(
      try scenario.explanation(of: "milk", at: at) { OwnEngine(engine: $0.builtInEngine, deniesAll: true) })
    #expect(denied.contains("dailyCap"), "\(denied)")
    // By then, the first process has ended, and a second one is running.
    let later = try #require(
      try scenario.explanation(of: "milk", at: scenario.start + .hours(4)) {
        OwnEngine(engine: $0.builtInEngine, deniesAll: true)
      })
    // This engine denies every request, so no change to the file makes the reminder fire.
    #expect(later.contains("change: impossible"), "\(later)")
    #expect(try scenario.explanation(of: "butter", at: at) == nil)
  }

  @Test func `the built-in engine has the same explanation when it runs as another engine`() throws {
    let folder = Repository.scenarios.path
    for scenario in try Scenario.all(in: folder) where scenario.end - scenario.start <= .days(1) {
      let at = min(scenario.start + .hours(10), scenario.end - .minutes(1))
      for reminder in scenario.reminders.prefix(1) {
        let name = reminder.declaration.id
        let builtIn = try scenario.explanation(of: name, at: at)
        let other = try scenario.explanation(of: name, at: at) { OwnEngine(engine: $0.builtInEngine) }
        #expect(builtIn == other, "\(scenario.file): \(name)")
      }
    }
  }
}
