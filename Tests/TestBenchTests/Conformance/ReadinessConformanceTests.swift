import PlatformRuns
import Statistics
import Testing
import TriggerModel

@testable import TestBench

/// Tests the conformance cases for the readiness alert, which is made of declarations.
@Suite struct ReadinessConformanceTests {
  private static let facts = """
    for: 3 days
    facts: {score: number, signals: number, workoutToday: true}
    reminders:
      low: {when: fact score changes, if: score <= 40, repeat: REPEAT, notify: {title: Low, bucket: user}}
      high: {when: fact score changes, if: score >= 80, repeat: REPEAT, notify: {title: High, bucket: user}}
      urgent:
        when: fact score changes
        if: [score < 40, workoutToday is true]
        repeat: REPEAT
        notify: {title: Rest today, bucket: critical}

    """

  private func setup(repeat word: String) -> String { Self.facts.replacing("REPEAT", with: word) }

  @Test func `case 41: a score of 40 is low and not critical, 39.99 is both, and 80 is high`() throws {
    let run = try PlatformRun(
      setup(repeat: "always")
        + """
        timeline:
          - 08:00 set score = 40
          - 09:00 set score = 40.001
          - 10:00 set score = 79.999
          - 11:00 set score = 80
          - 12:00 set score = 39.99
          - next day 12:00 set workoutToday = false
          - 12:01 set score = 39.5
        expect:
          - exact: [low at 08:00, high at 11:00, low at 12:00, urgent at 12:00, low at 12:01]
        """)
    run.expectSound()
  }

  @Test func `case 42: the alert fires once a day for each direction`() throws {
    let run = try PlatformRun(
      setup(repeat: "daily")
        + """
        timeline:
          - 08:00 set score = 30
          - 09:00 set score = 31
          - 10:00 set score = 90
          - 11:00 set score = 91
          - next day 08:00 set score = 30
        expect:
          - low fires once on day 1
          - high fires once on day 1
          - low fires once on day 2
          - low requests = 2
          - high requests = 1
        """)
    run.expectSound()
  }

  @Test func `case 43: two signals suffice, one does not, and the age limit is inclusive`() throws {
    for hours in [6, 12] {
      for (signals, lateness, fires) in [(2, "00", 1), (2, "01", 0), (1, "00", 0), (3, "00", 1)] {
        let run = try PlatformRun(
          """
          facts: {score: number, signals: number}
          reminders:
            a:
              when: unlock
              if:
                - score <= 40
                - signals >= 2 else lowConfidence
                - age(score) <= \(hours) h else staleData
              notify: {title: A, bucket: user}
          timeline:
            - 08:00 set signals = \(signals)
            - 08:00 set score = 35
            - \(hours + 8):00:\(lateness) unlock
          expect: [fires = \(fires)]
          """)
        run.expectSound("\(hours) h, \(signals) signals, \(lateness) s late")
        let misses = try run.account("a").noRequest
        #expect(misses[.lowConfidence] == (signals < 2 ? 1 : 0))
        #expect(misses[.staleData] == (lateness == "01" ? 1 : 0))
      }
    }
  }
}
