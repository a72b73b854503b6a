import Statistics
import TestBench
import Testing

@testable import Benchmarks

@Suite("The replay benchmark")
struct ReplayBenchTests {
  @Test("a day of fixes passes twenty regions twice, and every fix is counted")
  func day() throws {
    let files = ReplayScenario.fortnight(reminders: 40, events: 20, days: 1)
    let outcome = try ReplayBench(report: { $0.accounts.signs.account(of: .regionEntered).matched })
      .run(files, rounds: 1)
    #expect(outcome.happened == 86_400 + 20)
    #expect(outcome.bytes == 40)
    #expect(outcome.requests > 0)
  }

  @Test("a year has the events that are asked for")
  func year() throws {
    let outcome = try ReplayBench(report: { _ in 0 }).run(
      ReplayScenario.year(reminders: 12, events: 3_650), rounds: 2)
    #expect(outcome.happened == 3_650)
    #expect(outcome.times.count == 2)
  }

  @Test("under the default caps most requests of a year are denied")
  func cappedYear() throws {
    let outcome = try ReplayBench(report: { _ in 0 }).run(
      ReplayScenario.year(reminders: 30, events: 3_650, isCapped: true), rounds: 1)
    #expect(outcome.happened == 3_650)
    #expect((1...3 * 366).contains(outcome.fires) && outcome.requests > 2 * outcome.fires)
  }

  @Test("a person's days have a hundred happenings each")
  func person() throws {
    let outcome = try ReplayBench(report: { _ in 0 }).run(ReplayScenario.person(happenings: 200), rounds: 1)
    #expect(outcome.happened == 200)
    #expect(outcome.told > 200 && outcome.reminders > 1)
  }

  @Test("a mode that does not exist is refused")
  func unknownMode() {
    #expect(throws: BenchError.self) {
      try BenchSuite.replay.run(BenchOptions(mode: "decade", rounds: 1))
    }
  }
}
