import Foundation
import SimulationKernel
import Statistics
import TestBench
import Testing

@testable import Benchmarks

@Suite("The replay benchmark")
struct ReplayBenchTests {
  @Test("a day with a fix every second enters twenty regions twice, and every fix is counted")
  func day() throws {
    let files = ReplayScenario.fortnight(reminders: 40, events: 20, days: 1)
    var entered = 0
    let outcome = try ReplayBench(report: {
      entered = $0.accounts.signals.account(of: .regionEntered).matched
    })
    .run(files, rounds: 1)
    #expect(outcome.happened == 86_400 + 20)
    #expect(entered == 40)
    #expect(outcome.requests > 0)
  }

  @Test("a year has the requested number of events")
  func year() throws {
    let outcome = try ReplayBench(report: { _ in }).run(
      ReplayScenario.year(reminders: 12, events: 3_650), rounds: 2)
    #expect(outcome.happened == 3_650)
    #expect(outcome.times.count == 2)
  }

  @Test("the default caps deny most requests of a year")
  func cappedYear() throws {
    let outcome = try ReplayBench(report: { _ in }).run(
      ReplayScenario.year(reminders: 30, events: 3_650, isCapped: true), rounds: 1)
    #expect(outcome.happened == 3_650)
    #expect((1...3 * 366).contains(outcome.fires) && outcome.requests > 2 * outcome.fires)
  }

  @Test("each day of a person has a hundred events")
  func person() throws {
    let outcome = try ReplayBench(report: { _ in }).run(ReplayScenario.person(happenings: 200), rounds: 1)
    #expect(outcome.happened == 200)
    #expect(outcome.observed > 200 && outcome.reminders > 1)
  }

  @Test("the user's own file is played unchanged")
  func ownFile() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString).yaml")
      .path
    try Data(ReplayScenario.year(reminders: 5, events: 365).scenario.utf8).write(
      to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    var options = BenchOptions(rounds: 1)
    #expect(throws: BenchError.self) { try BenchSuite.scenario.run(options) }
    options.file = path
    let row = try #require(try BenchSuite.scenario.run(options).rows.first)
    #expect(row.size == 5 && row.events == 365)
    #expect(row.counts.first { $0.name == "happened" }?.value == 365)
    #expect(throws: BenchError.self) { try BenchSuite.caps.run(options) }
    options.sizes = [3]
    #expect(throws: BenchError.self) { try BenchSuite.scenario.run(options) }
  }

  @Test("the load suite measures reminders and time-line entries")
  func load() throws {
    let rows = try BenchSuite.load.run(BenchOptions(sizes: [40, 80], rounds: 1)).rows
    #expect(rows.map(\.mode) == ["reminders", "reminders", "timeline", "timeline"])
    #expect(rows.map(\.size) == [40, 80, 40, 80])
    #expect(rows.allSatisfy { $0.baseline != nil && ($0.allocationsPerEvent ?? 1) > 0 })
    #expect(throws: BenchError.self) { try BenchSuite.load.run(BenchOptions(mode: "novels")) }
  }

  @Test("an unknown mode is rejected")
  func unknownMode() {
    #expect(throws: BenchError.self) {
      try BenchSuite.replay.run(BenchOptions(mode: "decade", rounds: 1))
    }
  }
}

/// The scenarios of the benchmark must not change, so that figures of different commits stay comparable.
@Suite struct StoryTests {
  /// Returns an FNV-1a digest of the bytes of the files.
  private static func digest(_ story: ReplayScenario) -> UInt64 {
    RandomKey.nameNumber(story.scenario + (story.fixes ?? ""))
  }

  @Test func `the scenarios are unchanged`() {
    #expect(Self.digest(.fortnight(reminders: 40, events: 20, days: 1)) == 17_069_489_669_838_960_518)
    #expect(Self.digest(.year(reminders: 12, events: 3_650)) == 5_935_719_503_852_514_468)
    #expect(Self.digest(.year(reminders: 12, events: 3_650, isCapped: true)) == 11_890_946_445_900_492_481)
    #expect(Self.digest(.person(happenings: 200)) == 8_822_055_272_660_374_333)
  }
}
