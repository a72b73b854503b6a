import ScenarioModel
import ScenarioSamples
import Scenarios
import Testing

@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the figures per day of a run.
@Suite struct DayFigureTests {
  private func figures(
    _ reminder: String, start: String = "2026-03-02T07:00", length: String = "14 days",
    _ timeline: String = "[]"
  ) throws -> (admitted: Int, admittedPerDay: String, firesPerDay: String) {
    let text = """
      kind: scenario
      version: 1
      title: Days
      start: \(start)
      zone: Europe/Berlin
      for: \(length)
      reminders: {r: {\(reminder), notify: {title: r, bucket: user}}}
      timeline: \(timeline)
      expect: [r fires at least once]
      """
    let program = try Program(Scenario.sample(text))
    var accounts = RunAccounts(program)
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &accounts)
    accounts.close()
    #expect(accounts.contradictions.isEmpty)
    let days = RunWords(program).days
    func figure(_ metric: Metric) -> String { Figure(metric, accounts.total, days: days).description }
    return (accounts.total.admitted, figure(.admittedPerDay), figure(.firesPerDay))
  }

  @Test(arguments: [
    ("2026-03-02T07:00", "14 days", "14 in 14"), ("2026-03-02T00:00", "14 days", "14 in 14"),
    ("2026-03-02T07:00", "36 h", "2 in 2"), ("2026-03-02T07:00", "10 h", "1 in 1"),
    // These runs include the beginning of summer time and touch two dates.
    ("2026-03-28T20:00", "1 day", "1 in 1"), ("2026-03-28T20:00", "25 h", "1 in 2"),
  ])
  func `each day begins at the time of day at which the run starts`(
    start: String, length: String, figure: String
  ) throws {
    let figures = try figures("when: every day 09:00 ahead 1", start: start, length: length)
    #expect(figures.firesPerDay.contains("(\(figure) days)"), "\(figures.firesPerDay)")
    #expect(figures.admittedPerDay == figures.firesPerDay)
  }

  @Test func `requests for times after the end are not counted per day`() throws {
    let figures = try figures("when: every day 09:00 ahead 7")
    #expect(figures.admitted > 14)
    #expect(figures.admittedPerDay == "1.00 (14 in 14 days)")
  }

  @Test func `cancelled requests for times after the end are not counted per day`() throws {
    let figures = try figures("when: every day 09:00 ahead 7", "[day 14 12:00 deny notifications]")
    #expect(figures.admitted > 14)
    #expect(figures.admittedPerDay == "1.00 (14 in 14 days)")
  }

  @Test func `occurrences that the system repeats are counted until the end`() throws {
    let figures = try figures("when: every day 09:00 ahead repeating")
    #expect(figures.admittedPerDay == "1.00 (14 in 14 days)")
    #expect(figures.firesPerDay == figures.admittedPerDay)
  }
}
