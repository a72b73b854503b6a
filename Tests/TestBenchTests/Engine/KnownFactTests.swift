import PlatformRuns
import Simulation
import Testing

@testable import Statistics
@testable import TestBench

/// Tests that reports of a failed fact condition include the fact and its value.
@Suite("Facts of failed conditions")
struct KnownFactTests {
  @Test(arguments: [
    ("steps < 8000", "set steps = 9120", "fact: steps is 9120"),
    ("plan is plus", "set plan = free", "fact: plan is free"),
    ("age(steps) <= 2 h", "set steps = 1", "fact: age(steps) is 3 h"),
    ("steps < 8000, after 12:00", "set steps = 9120", "timeWindow, fact: steps is 9120"),
    ("steps < 8000, plan is plus", "set plan = plus, 08:00 set steps = 9000", "fact: steps is 9000"),
  ])
  func `an expectation and the chronology name the fact`(condition: String, event: String, words: String)
    throws
  {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: ideal
      facts: {steps: number, plan: {names: [free, plus], initial: free}}
      reminders: {a: {when: unlock, if: [\(condition)], notify: A}}
      timeline: [08:00 \(event), 10:59 lock, 11:00 unlock]
      expect: [a fires once at 11:00]
      """)
    let reasons = run.result.expectations[0].reasons
    let expected = "trigger observed, no request: conditionFailed (\(words)) at 2026-03-02 11:00"
    #expect(reasons == [expected])
    let rows = run.result.chronology.entries.map {
      ChronologyWords(RunWords(run.program), run.result.texts).row($0).reason
    }
    #expect(rows == ["conditionFailed (\(words))"])
  }
}
