import PlatformRuns
import ReminderMatching
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import TestBench

/// Tests the readiness alert, which is critical if the score is below 40 and a workout is planned for today.
@Suite("Critical by facts")
struct CriticalRunTests {
  /// Case 41 of the conformance list: a score of 40 causes an alert that is not critical. A score of 39.99
  /// causes a critical alert if there is a workout today.
  @Test(arguments: [("40", true, false), ("39.99", true, true), ("39.99", false, false)])
  func `a critical alert ignores a used-up daily cap, and any other alert does not`(
    score: String, isPlanned: Bool, fires: Bool
  ) throws {
    let run = try PlatformRun(
      """
      for: 1 day
      facts:
        readiness.score: {kind: number}
        readiness.signals: 2
        workout.plannedToday: \(isPlanned)
      reminders:
        tip: {when: unlock, notify: {title: A tip}}
        readiness:
          when: fact readiness.score changes
          if:
            - readiness.score <= 40
            - readiness.signals >= 2 else lowConfidence
            - age(readiness.score) <= 6 h else staleData
          repeat: daily
          notify:
            title: Take it easy today
            criticalIf: [readiness.score < 40, workout.plannedToday is true]
      policy: {dailyCap: 1}
      timeline:
        - 08:00 unlock
        - 09:00 set readiness.score = \(score)
      expect:
        - tip fires once at 08:00
        - readiness \(fires ? "fires once at 09:00" : "is denied by dailyCap once at 09:00")
      """)
    run.expectSound("\(score) \(isPlanned)")
    let reminder = try #require(run.program.reminders.reminder(named: "readiness"))
    let answer = try #require(
      try Explainer(run.program).explain(reminder, at: run.program.scenario.start + .hours(2)))
    #expect(answer.bucket == (fires ? .critical : .standard))
    #expect(
      answer.criticalConditions.map(\.words) == ["readiness.score < 40", "workout.plannedToday = true"])
    #expect(answer.criticalConditions.map(\.holds) == [score == "39.99", isPlanned])
  }
}
