import Foundation
import Testing

@testable import Benchmarks

@Suite struct BenchReportTests {
  private func report() -> BenchReport {
    var small = BenchRow(mode: "daily", size: 1_000, events: 10, samples: [12, 10, 11])
    small.fires = 3
    small.hash = 0xAB
    small.baseline = Baseline(name: "frozen", samples: [110], events: 10)
    var large = BenchRow(mode: "daily", size: 10_000, events: 10, samples: [110])
    large.counters = [("looks/event", 0.5)]
    return BenchReport(suite: "matching", sizeName: "reminders", rows: [small, large], notes: ["a \"note\""])
  }

  @Test func `a report computes medians, ratios and growth`() {
    let rows = report().rows
    #expect(rows[0].nsPerEvent == 11)
    #expect(rows[0].ratio == 10)
    #expect(rows[0].growthExponent == nil)
    #expect(abs((rows[1].growthExponent ?? 0) - 1) < 1e-9, "ten times the size takes ten times as long")
    #expect(report().notes.contains { $0.hasPrefix("growth: ") })
  }

  @Test func `the ratio compares times of the same events`() {
    var row = BenchRow(mode: "daily", size: 1, events: 100, samples: [50])
    row.baseline = Baseline(name: "frozen", samples: [200], events: 10, contestant: [20])
    #expect(row.ratio == 10)
  }

  @Test func `the JSON report contains every measurement`() throws {
    let object = try JSONSerialization.jsonObject(with: Data(report().json.utf8)) as? [String: Any]
    #expect(object?["suite"] as? String == "matching")
    let rows = try #require(object?["rows"] as? [[String: Any]])
    #expect(rows[0]["mode"] as? String == "daily")
    #expect(rows[0]["reminders"] as? Int == 1_000)
    #expect(rows[0]["events"] as? Int == 10)
    #expect(rows[0]["fires"] as? Int == 3)
    #expect(rows[0]["hash"] as? String == "00000000000000ab")
    #expect(rows[0]["nsPerEvent"] as? Double == 11)
    #expect(rows[0]["baselineNsPerEvent"] as? Double == 110)
    #expect(rows[0]["ratio"] as? Double == 10)
    #expect((object?["notes"] as? [String])?.first == "a \"note\"")
  }

  @Test func `tables omit columns without measurements`() {
    let table = report().table
    #expect(table.contains("ns/event"))
    #expect(table.contains("looks/event"))
    #expect(!table.contains("p99"))
    let markdown = report().markdown.split(separator: "\n")
    #expect(markdown[1].hasPrefix("| mode | reminders |"))
    #expect(markdown[3].hasPrefix("| daily | 1000 | 10 | 11 |"))
  }

  @Test func `the benchstat format has one line per round`() {
    let lines = report().benchstat.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[1] == "BenchmarkMatching/daily/reminders=1000\t10\t12.0 ns/op")
  }

  @Test func `invalid options are rejected`() {
    for options in [
      BenchOptions(sizes: []), BenchOptions(sizes: [0]), BenchOptions(events: 0), BenchOptions(rounds: 0),
      BenchOptions(mode: "dayly"),
    ] {
      #expect(throws: BenchError.self) { try BenchSuite.matching.run(options) }
    }
  }

  /// The suite throws if a result differs from that of its baseline.
  @Test func `the time suite measures all modes`() throws {
    let report = try BenchSuite.time.run(BenchOptions(events: 10_000, rounds: 1))
    #expect(report.rows.map(\.mode) == ["iso8601", "minute", "next", "next-alone"])
    #expect(report.rows.allSatisfy { $0.baseline != nil && $0.events == 10_000 })
    #expect(report.rows[2].hash == report.rows[3].hash && report.rows[0].hash != report.rows[2].hash)
    #expect(throws: BenchError.self) { try BenchSuite.time.run(BenchOptions(mode: "day")) }
  }

  @Test func `the caps suite agrees with its baseline`() throws {
    let report = try BenchSuite.caps.run(BenchOptions(sizes: [3_000], rounds: 1))
    #expect(report.rows[0].fires ?? 0 > 100)
  }
}
