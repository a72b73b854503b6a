import ReminderMatching
@testable import TestBench
import Foundation
import ReminderEngine
import ScenarioModel
import Simulation
import Statistics
import Testing
import TriggerEngine
import TriggerModel

/// Explanations agree with the accounts of the same run.
@Suite struct ExplainerTests {
  /// - Parameter minutes: Since the start, 07:00 of 2 March.
  private func explain(_ reminder: String, after minutes: Int64, _ story: String) throws -> Explainer.Answer {
    let run = try PlatformRun(story)
    run.expectSound()
    let id = try #require(run.program.reminders.reminder(named: reminder))
    return try #require(
      try Explainer(run.program).explain(id, at: run.program.scenario.start + .minutes(minutes)))
  }

  @Test("a trigger that the app was not told of is a loss, with its cause")
  func untold() throws {
    let answer = try explain(
      "a", after: 120,
      """
      profile: ios
      reminders: {a: {when: charging starts, notify: A}}
      timeline: [08:00 open, 08:30 force quit, 09:00 plug in, 09:30 unlock]
      expect: [fires = 0]
      """)
    #expect(answer.happened.count == 1)
    #expect(answer.happened.first?.hasPrefix("due, and the app did not know: ") == true)
    #expect(answer.happened.first?.hasSuffix(" at 2026-03-02 09:00") == true)
    #expect(
      answer.smallestChange == "write reminders: {a: {when: [charging starts, on 2026-03-02 09:00 ahead 1]}}")
  }

  @Test("a lost trigger has the cause that the report has")
  func sameCause() throws {
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

  @Test("of a reminder that fired, what became of the plan for a later occurrence is not told")
  func planned() throws {
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

  @Test("what is pending is said, and what was superseded is not for anybody to lift")
  func pending() throws {
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
    #expect(answer.happened.contains { $0.contains("planned for this time, and lost: ") })
    guard case .edits = answer.change else {
      Issue.record("\(answer.smallestChange)")
      return
    }
  }

  @Test("an app that slept through its time is told so, and the cure")
  func sleep() throws {
    let story = """
      for: 2 days
      profile: ios
      reminders: {a: {when: every day 20:00, notify: {title: A, bucket: user}}}
      timeline: [08:00 open, 08:30 force quit]
      expect: [fires = 0]
      """
    let answer = try explain("a", after: 780, story)
    #expect(answer.happened == ["due, and the app slept through it: notWoken at 2026-03-02 20:00"])
    #expect(answer.smallestChange == "write reminders: {a: {when: every day 20:00 ahead 1}}")
  }

  @Test("truth and belief are told apart")
  func truthAndBelief() throws {
    let answer = try explain(
      "a", after: 240,
      """
      profile: ios
      reminders: {a: {when: open, if: charging, notify: {title: A, bucket: user}}}
      timeline: [08:00 open, 08:30 force quit, 09:00 plug in]
      expect: [fires = 0]
      """)
    #expect(answer.conditions.map(\.holds) == [false])
    #expect(answer.conditions.map(\.holdsInTruth) == [true])
  }

  @Test("what a reminder had its turn for, or came too late for, is said of it")
  func spent() throws {
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
    #expect(fired.happened == ["trigger seen, no request: alreadyFired at 2026-03-02 10:00"])
    #expect(fired.explanation.status == .alreadyFired)
    #expect(fired.lastFire == "2026-03-02 08:00")
    #expect(fired.smallestChange == "write reminders: {a: {repeat: always}}")
    let expired = try explain("b", after: 180, story)
    #expect(expired.happened == ["trigger seen, no request: expired at 2026-03-02 10:00"])
    #expect(expired.explanation.status == .expired)
    #expect(expired.smallestChange.hasPrefix("write reminders: {b: {expires: "))
  }

  @Test("the cap that stands in the way is named, with what used it up")
  func usedUp() throws {
    let answer = try explain(
      "a", after: 180,
      """
      policy: {minimumInterval: 4 h}
      reminders: {a: {when: charging starts, notify: A}, b: {when: unlock, notify: B}}
      timeline: [08:00 unlock, 10:00 plug in]
      expect: [b fires once, a is denied by minimumInterval once]
      """)
    #expect(answer.usedUp == ["minimumInterval: b at 2026-03-02 08:00"])
    #expect(answer.smallestChange == "write policy: {minimumInterval: 0 s}")
  }

  @Test("a time is the one that the phone's clock shows, on a date or a day of the story")
  func clock() throws {
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
    // A clock that is set forward does not show this.
    #expect(try run.program.instant(written: "2026-03-02 10:30") == start + .hours(2))
    // At nine that is eleven the clock is set to eight: a time that is shown twice is the first of them.
    #expect(try run.program.instant(written: "day 2 10:30") == start + .hours(25) + .minutes(30))
    #expect(try run.program.instant(written: "2026-03-03T08:00:00-01:00") == start + .hours(25))
    #expect(try run.program.instant(written: "day 3 05:00") == start + .hours(53))
    #expect(throws: (any Error).self) { try run.program.instant(written: "day 0 10:00") }
  }

  @Test("an age is told as an age")
  func age() throws {
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

@Suite("Explanations of an engine of one's own")
struct OwnEngineExplanationTests {
  /// The built-in engine under another type, whose decisions may be others.
  private struct OwnEngine: EngineUnderTest {
    var engine: BuiltInEngine
    /// Nobody ever gets what the engine decides on.
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

  @Test("what happened is what that engine did, and what held is said all the same")
  func own() throws {
    let scenario = try Scenario(text: Self.text)
    let at = scenario.start + .minutes(90)
    let fired = try #require(try scenario.explanation(of: "milk", at: at))
    #expect(fired.hasPrefix("fired at 2026-03-02 08:30"), "\(fired)")
    let denied = try #require(
      try scenario.explanation(of: "milk", at: at) { OwnEngine(engine: $0.builtInEngine, deniesAll: true) })
    #expect(denied.contains("dailyCap"), "\(denied)")
    // After a process has ended and another has begun.
    let later = try #require(
      try scenario.explanation(of: "milk", at: scenario.start + .hours(4)) {
        OwnEngine(engine: $0.builtInEngine, deniesAll: true)
      })
    // Nobody gets anything from that engine, whatever the file says.
    #expect(later.contains("change: impossible"), "\(later)")
    #expect(try scenario.explanation(of: "butter", at: at) == nil)
  }

  @Test("the built-in engine beside itself says the same")
  func beside() throws {
    let folder = PlatformRun.folder.appendingPathComponent("scenarios").path
    for scenario in try Scenario.all(in: folder) where scenario.end - scenario.start <= .days(1) {
      let at = min(scenario.start + .hours(10), scenario.end - .minutes(1))
      for reminder in scenario.reminders.prefix(1) {
        let name = reminder.declaration.id
        let alone = try scenario.explanation(of: name, at: at)
        let beside = try scenario.explanation(of: name, at: at) { OwnEngine(engine: $0.builtInEngine) }
        #expect(alone == beside, "\(scenario.file): \(name)")
      }
    }
  }
}
