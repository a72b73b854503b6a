import Foundation
import ScenarioModel
import Statistics
import TestBench
import Testing
import TextFormats

@testable import Reporting

@Suite("Gates in reports")
struct GateReportTests {
  private func report() throws -> Report { try SampleReport.make(SampleReport.gated) }

  @Test("a gate that kills fails the report, and the verdicts are these")
  func verdicts() throws {
    let report = try report()
    let verdicts = report.suite.gates.map(\.verdict)
    #expect(verdicts == [.pass, .kill, .inconclusive, .inconclusive, .inconclusive, .pass])
    #expect(report.verdict == .failed)
    #expect(report.failedScenarios == 1)
  }

  @Test("the terminal shows figure, interval, bounds, evidence and every published figure with its source")
  func text() throws {
    let text = ReportText(try report()).text(colored: false)
    #expect(
      text.contains(
        "sample.yaml:13:5: gate the | second kills\n  target    >= 25 %\n  kill      < 10 % after 30 days\n"))
    #expect(
      text.contains(
        "  pass          tapThrough of a: 100.0 % (40 of 40 exposed), 95 % interval 91.2 to 100.0 %\n"))
    #expect(
      text.contains("                target >= 25 %, kill < 10 % after 30 days; evidence: declared, 1 run\n"))
    #expect(
      text.contains("the target is above every benchmark: 14.4 % contextual, 4.19 % generic (Batch 2025"))
    #expect(text.contains("inconclusive  routingSuccess: none (0 of 0 taps)\n"))
    #expect(text.contains("attributed, not caused"))
  }

  @Test("only a kill that its scenario expects is said to be as it expects")
  func expected() throws {
    for (verdict, isSaid) in [("kills", true), ("is inconclusive", false)] {
      let text = SampleReport.gated.replacing("expect:", with: "expect:\n  - gate the | second \(verdict)")
      let report = try SampleReport.make(text)
      #expect(report.suite.gates[1].verdict == .kill)
      #expect(report.suite.gates[1].remarks.contains("as its scenario expects") == isSaid)
    }
  }

  @Test("a design effect is told to the nearest tenth, and none where the runs are alike")
  func designEffect() throws {
    var gate = try #require(try report().suite.gates.first)
    let cases: [(Int64, String?)] = [
      (1_000, nil), (1_049, "1.0"), (1_050, "1.1"), (1_949, "1.9"), (1_950, "2.0"),
    ]
    for (thousandths, told) in cases {
      gate.estimate.designEffect = thousandths
      let remark = gate.remarks.first { $0.contains("design effect") }
      #expect(remark.map { String($0.suffix(3)) } == told, "\(thousandths)")
    }
  }

  @Test("every rate is in the document with numerator, denominator and evidence")
  func json() throws {
    let document = ReportJSON(try report()).document
    let parsed = try JSONSerialization.jsonObject(with: Data(document.text.utf8)) as? [String: Any]
    let gates = try #require(parsed?["gates"] as? [[String: Any]])
    #expect(gates.count == 6)
    #expect(gates.map { $0["fails"] as? Bool } == [false, true, false, false, false, false])
    #expect(gates[0]["numerator"] as? Int == 40 && gates[0]["denominator"] as? Int == 40)
    #expect(gates[0]["value"] as? Int == 1_000_000 && gates[3]["value"] == nil)
    #expect(gates[0]["killAfter"] as? Int == 30 * 86_400_000 && gates[3]["kill"] == nil)
    #expect(gates.allSatisfy { ["instrumented", "declared", "assumed"].contains($0["evidence"] as? String) })
    let scenarios = try #require(parsed?["scenarios"] as? [[String: Any]])
    #expect((scenarios[0]["gates"] as? [Any])?.count == 6)
  }

  @Test("in JUnit a gate that kills is a failure, and one that is inconclusive is skipped")
  func junit() throws {
    let text = ReportJUnit(try report()).text
    #expect(
      text.contains(
        "<testsuites name=\"triggerbench\" tests=\"8\" failures=\"1\" errors=\"0\">"))
    #expect(text.components(separatedBy: "<skipped").count == 4)
    #expect(text.components(separatedBy: "<failure").count == 2)
    #expect(text.contains("<testcase name=\"gate the | second\""))
    #expect(!text.contains("<testsuite name=\"gates\""), "of one scenario they are its own")
  }

  @Test("gates of several scenarios have a suite of their own")
  func shared() throws {
    let one = try report()
    let file = try #require(one.suite.files.first)
    let two = Report(
      suite: SuiteResult(files: [file, file]), command: one.command, versions: one.versions)
    let text = ReportJUnit(two).text
    #expect(text.contains("<testsuite name=\"gates\" tests=\"6\" failures=\"1\" errors=\"0\" skipped=\"2\""))
    #expect(two.suite.gates[0].figure == "100.0 % (80 of 80 exposed)")
  }

  @Test("a table of Markdown keeps its columns, whatever a gate is called")
  func markdown() throws {
    let text = ReportMarkdown(try report()).text
    let rows = text.split(separator: "\n").filter { $0.contains("tapThrough of b") && $0.hasPrefix("|") }
    #expect(rows.count == 1)
    #expect(
      rows.first?.replacing("\\|", with: "").count { $0 == "|" } == GateSection([]).table.columns.count + 1)
    #expect(text.contains("**gate** the \\| second: kill: 0.0 % (0 of 40 exposed)"))
  }

  @Test("a page shows them for the suite and for the scenario")
  func html() throws {
    let pages = ReportPages(try report())
    for text in [pages.index.text, pages.scenario(0).text] {
      #expect(text.components(separatedBy: "<h2>Gates</h2>").count == 2)
      #expect(text.components(separatedBy: "<td>kill</td>").count == 2)
    }
  }

  @Test("a reminder to which nothing happened has no account in the document")
  func idle() throws {
    let text = SampleReport.gated.replacing(
      "a: {when: every day 10:00", with: "idle: {when: unlock, notify: I}\n  a: {when: every day 10:00")
    let document = ReportJSON(try SampleReport.make(text)).document
    guard case .array(let scenarios)? = document["scenarios"],
      case .array(let reminders)? = scenarios[0]["reminders"]
    else {
      Issue.record("no reminders")
      return
    }
    #expect(reminders.map { $0["account"] == nil } == [true, false, false])
  }
}
