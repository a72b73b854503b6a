import Foundation
import Testing

@testable import Benchmarks

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ComparisonReportTests {
  private func report(_ judgement: Judgement, counts: [String: Int] = ["looks": 100]) -> ComparisonReport {
    let interval = RatioInterval(estimate: 0.03, low: 0.02, high: 0.04, pValue: 0.001)
    let key = RowKey(mode: "daily", size: 10)
    let row = SequentialComparison.Row(
      key: key,
      look: Look(change: interval, itself: interval, blocks: 12), judgement: judgement, a: 100, b: 103,
      firstA: ArmRow(key: key, nanoseconds: 100, counts: ["looks": 100]),
      firstB: ArmRow(key: key, nanoseconds: 103, counts: counts))
    return ComparisonReport(
      suite: "matching", sizeName: "reminders", a: "<old>", b: "new", precision: 0.01, rows: [row])
  }

  @Test func `a single regression makes the verdict a regression`() {
    #expect(report(Judgement(.noChange)).verdict == .noChange)
    #expect(report(Judgement(.improvement)).verdict == .improvement)
    #expect(report(Judgement(.inconclusive)).verdict == .inconclusive)
    #expect(report(Judgement(.inconclusive), counts: ["looks": 110]).verdict == .regression)
    #expect(report(Judgement(.noChange), counts: [:]).verdict == .noChange, "only A reports a count")
    var slower = report(Judgement(.noChange))
    slower.instructions = Instructions(a: 1_000, b: 1_006)
    #expect(slower.verdict == .regression)
  }

  @Test func `every format contains the changes`() throws {
    let report = report(Judgement(.regression), counts: ["looks": 110])
    #expect(report.table.contains("regression: daily 10: looks 100 -> 110 (+10 %)"))
    #expect(report.markdown.hasPrefix("### bench compare matching: regression\n\n| mode | reminders |"))
    let json = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
    #expect(json?["verdict"] as? String == "regression")
    #expect((json?["rows"] as? [[String: Any]])?.first?["blocks"] as? Int == 12)
    #expect(XMLParser(data: Data(report.junit.utf8)).parse())
    #expect(report.junit.contains("failures=\"2\""))
    #expect(self.report(Judgement(.inconclusive, "<noise>")).junit.contains("&lt;noise&gt;"))
  }

  @Test func `the report of an executable is parsed`() throws {
    var options = BenchOptions(sizes: [10], mode: "daily", events: 100, rounds: 2)
    options.alone = true
    let printed = try BenchSuite.matching.run(options)
    let rows = try ArmRow.rows(json: Data(printed.json.utf8), of: "here")
    #expect(rows.map(\.key) == [RowKey(mode: "daily", size: 10)])
    #expect(
      rows[0].counts == Dictionary(uniqueKeysWithValues: printed.rows[0].counts.map { ($0.name, $0.value) }))
    #expect(rows[0].digest?.count == 16)
    for other in ["", "{}", #"{"suite":"matching","rows":[]}"#, #"{"suite":"matching","rows":[{}]}"#] {
      let error = #expect(throws: BenchError.self) { try ArmRow.rows(json: Data(other.utf8), of: "old") }
      #expect(error?.description.hasPrefix("old") == true)
    }
  }
}

@Suite struct ChildProcessTests {
  private let shell = URL(fileURLWithPath: "/bin/sh")

  @Test func `the output of a program is returned`() throws {
    let output = try ChildProcess.output(
      of: shell, ["-c", "printf \"$WORD\""], environment: ["WORD": "hello"], timeout: .seconds(20))
    #expect(String(decoding: output, as: UTF8.self) == "hello")
  }

  @Test func `a failure and a timeout are errors`() {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(throws: BenchError("sh ended with status 3")) {
      try ChildProcess.output(of: shell, ["-c", "exit 3"], timeout: .seconds(20))
    }
    #expect(throws: BenchError.self) {
      try ChildProcess.output(of: shell, ["-c", "exec sleep 60"], timeout: .milliseconds(200))
    }
    #expect(throws: BenchError.self) {
      try ChildProcess.output(of: URL(fileURLWithPath: "/no/such"), [], timeout: .seconds(1))
    }
    #expect(clock.now - start < .seconds(30))
  }
}
