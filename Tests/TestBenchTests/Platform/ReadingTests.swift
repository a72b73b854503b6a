import DeviceSimulation
import PlatformRuns
import ScenarioModel
import Statistics
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import TestBench

/// Tests facts that the app may not read, such as health data. The app finds no data and cannot determine the
/// reason.
@Suite struct ReadingTests {
  /// Runs two weeks in which a reminder fires at 10:00 on days without a workout.
  private func week(
    unreadable: Bool = false, whenUnreadable: String = ", whenUnreadable: 0", _ timeline: String
  ) throws -> PlatformRun {
    try PlatformRun(
      """
      for: 7 days
      facts:
        workouts.today: {initial: 0, source: health\(whenUnreadable)}
        steps: {kind: number, source: pedometer}
      phone: {unreadable: \(unreadable ? "health" : "[]")}
      reminders:
        training: {when: every day 10:00, if: workouts.today = 0, repeat: always, notify: Train}
        other: {when: every day 12:00, repeat: always, notify: Other}
      timeline:
        - every day 09:00 set workouts.today = 1
        - every day 23:00 set workouts.today = 0
      \(timeline)
      expect: [fires >= 0]
      """.replacing("{unreadable: []}", with: "{}"))
  }

  @Test func `a readable workout suppresses the reminder`() throws {
    let run = try week("")
    run.expectSound()
    #expect(try run.account("training").requests == 0)
    #expect(run.accounts.total.unfounded == 0)
  }

  @Test func `an unreadable count is treated as zero and causes unfounded requests`() throws {
    let run = try week(unreadable: true, "")
    run.expectSound()
    let training = try run.account("training")
    #expect(training.requests == 7 && training.dueRequests == 0)
    #expect(training.unfounded == 7 && training.unfoundedBecause == ["readingDenied": 7])
    #expect(try run.account("other").unfounded == 0)
  }

  @Test func `a schedule that counts from an unreadable fact makes no request, with this cause`() throws {
    let run = try PlatformRun(
      """
      for: 7 days
      facts: {cycle: {kind: date, initial: 2026-03-06, source: health}}
      phone: {unreadable: health}
      reminders: {cycle: {when: 1 day before cycle at 09:00, notify: Tomorrow}}
      timeline: [08:00 unlock]
      expect: [fires >= 0]
      """)
    run.expectSound()
    let cycle = try run.account("cycle")
    #expect(cycle.requests == 0 && cycle.dueRequests == 1)
    #expect(cycle.notObserved == ["readingDenied": 1])
  }

  @Test func `an unreadable fact that counts as missing fails its condition as stale`() throws {
    let run = try week(unreadable: true, whenUnreadable: "", "  - every day 09:30 set workouts.today = 0")
    run.expectSound()
    let training = try run.account("training")
    #expect(training.requests == 0 && training.dueRequests == 7)
    #expect(training.noRequest[.staleData] == 7)
    #expect(training.notObserved == ["readingDenied": 7])
  }

  @Test func `denying and allowing access affects the app's knowledge but not the truth`() throws {
    let run = try week("  - day 3 08:00 deny reading health\n  - day 5 08:00 allow reading health")
    run.expectSound()
    let training = try run.account("training")
    #expect(training.requests == 2 && training.unfoundedBecause == ["readingDenied": 2])
    // The app observes nothing on days 3 and 4. It observes the changes when access is allowed again.
    var journal = RecordingSink()
    var world = World(program: run.program, engine: run.program.makeEngine())
    world.run(into: &journal)
    let told = journal.records.compactMap { record -> (Instant, Int64)? in
      guard case .observed(let event) = record.body, event.kind == .factChanged else { return nil }
      return (record.instant, event.value)
    }
    let start = run.program.scenario.start
    let denied = start + .hours(2 * 24 + 1)
    let allowed = start + .hours(4 * 24 + 1)
    #expect(told.filter { $0.0 > denied && $0.0 < allowed }.isEmpty)
    let truths = journal.records.count {
      if case .truth(let event) = $0.body { event.kind == .factChanged } else { false }
    }
    #expect(truths == 14)
  }

  @Test func `other sources are unaffected, and a repeated denial is ignored`() throws {
    let run = try week("  - 08:00 deny reading pedometer\n  - 08:10 deny reading pedometer")
    run.expectSound()
    #expect(try run.account("training").requests == 0)
    #expect(run.accounts.ignored == ["alreadySo": 1])
  }

  @Test func `an event that was missed because its fact was unreadable stays missed`() throws {
    let run = try PlatformRun(
      """
      for: 5 days
      facts: {workouts: {initial: 0, source: health}}
      reminders:
        r: {when: ["every day 18:00", fact workouts changes], if: workouts < 1, repeat: always, notify: R}
      timeline: [day 2 08:00 deny reading health, day 4 12:00 allow reading health]
      expect: [r fires once at 12:00 on day 4, r is denied by typeDailyCap once at 18:00 on day 4]
      """)
    run.expectSound()
    let account = try run.account("r")
    #expect(account.notObserved == ["readingDenied": 2], "18:00 of days 2 and 3")
    #expect(account.unfounded == 1 && account.unfoundedBecause.isEmpty, "12:00 of day 4")
  }

  @Test func `a change that becomes readable later is processed late, and only once`() throws {
    let story = """
      facts: {score: {kind: number, source: health}}
      reminders: {a: {when: fact score changes, if: score >= 80, repeat: daily, notify: {title: A}}}
      timeline: [08:01 deny reading health, 08:02 set score = 90, 13:00 allow reading health]
      expect: [a fires once at 13:00]
      """
    let run = try PlatformRun(story)
    run.expectSound()
    let account = try run.account("a")
    #expect(account.dueRequests == 1 && account.requests == 1)
    #expect(account.notObserved.isEmpty && account.unfounded == 0)
    // The app processes only the latest of several changes.
    let other = try PlatformRun(
      story.replacing("set score = 90,", with: "set score = 90, 09:00 set score = 10,")
        .replacing("a fires once at 13:00", with: "a never"))
    other.expectSound()
    #expect(try other.account("a").notObserved == ["readingDenied": 1])
  }

  @Test func `a trigger that is observed late is processed late, even with readable facts`() throws {
    let run = try PlatformRun(
      """
      for: 1 days
      profile: ios
      facts: {workouts: {initial: 0, source: health, whenUnreadable: 0}}
      phone: {unreadable: health}
      reminders:
        r: {when: charging starts, if: workouts < 1, repeat: always, notify: R}
      timeline: [07:10 open, 07:20 leave, 08:00 plug in, 08:30 allow reading health, 09:00 open]
      expect: [r fires at most once]
      """)
    run.expectSound()
    let account = try run.account("r")
    #expect(account.dueRequests == 1 && account.requests + account.notObserved.values.reduce(0, +) == 1)
    #expect(account.unfounded == 0)
  }

  @Test func `the app observes the current value when access is allowed`() throws {
    let run = try PlatformRun(
      """
      for: 1 days
      facts: {score: {kind: number, source: health}}
      phone: {unreadable: health}
      reminders:
        low: {when: fact score changes, if: score < 40, repeat: always, notify: Rest}
      timeline:
        - 08:00 set score = 30
        - 09:00 allow reading health
        - 10:00 deny reading health
        - 11:00 set score = 20
      expect: [low fires once at 09:00]
      """)
    run.expectSound()
    let low = try run.account("low")
    // Requests are due at 08:00 and 11:00. At 09:00, only the app's access changes, so it observes the change
    // of 08:00.
    #expect(low.dueRequests == 2 && low.requests == 1)
    #expect(low.notObserved == ["readingDenied": 1] && low.unfounded == 0)
  }
}
