import Foundation
import Simulation
import Statistics
import TestBench
import Testing
import TextFormats

@testable import Reporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct ReportTests {
  @Test func `each step of the funnel equals the previous one minus its losses`() throws {
    let report = try SampleReport.make(SampleReport.eventful)
    let accounts = try #require(report.suite.scenarios.first).accounts
    #expect(accounts.contradictions.isEmpty)
    for account in accounts.reminders + [accounts.total] {
      let steps = Funnel(account, isModelled: false).steps
      for (before, step) in zip(steps, steps.dropFirst()) {
        #expect(step.count == before.count - step.losses.reduce(0) { $0 + $1.count }, "\(step.name)")
      }
    }
    let counts = Funnel(accounts.total, isModelled: false).steps.map(\.count)
    #expect(counts == [4, 4, 4, 2, 2, 2, 1, 0])
  }

  @Test func `the JSON document is valid and contains the counts of the run`() throws {
    let report = try SampleReport.make(SampleReport.eventful)
    let text = ReportJSON(report).document.text
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["verdict"] as? String == "failed")
    let counts = try #require(object["counts"] as? [String: Int])
    #expect(counts["expectations"] == 3)
    #expect(counts["failedExpectations"] == 1)
  }

  @Test func `case 30: every rendering states the version of the time-zone data`() throws {
    let report = try SampleReport.make(SampleReport.eventful)
    #expect(ReportJSON(report).document["versions"]?["timeZoneData"] == "test")
    #expect(ReportMarkdown(report).text.contains("time-zone data test"))
    for page in ReportPages(report).documents where page.name != WordLinks.page {
      #expect(page.text.contains("time-zone data test"), "\(page.name)")
    }
  }

  @Test func `exceeded caps and opt-outs are reported only if they occur`() throws {
    let quiet = try SampleReport.make(SampleReport.eventful)
    #expect(!ReportMarkdown(quiet).text.contains("than a cap allows"))
    #expect(!ReportMarkdown(quiet).text.contains("Opt-outs"))
    let loud = SampleReport.eventful
      .replacing("timeline:", with: "policy: {counterLag: 10 h, minimumInterval: 0 s}\ntimeline:")
      .replacing("  - 08:05 tap a", with: "  - 08:05 tap a\n  - 08:06 turn off b")
    let report = try SampleReport.make(loud)
    let text = ReportMarkdown(report).text
    #expect(text.contains("1 beyond typeDailyCap of 1, 2 on the fullest day"), "\(text)")
    #expect(text.contains("| a type | 1 |"))
    guard case .array(let scenarios) = ReportJSON(report).document["scenarios"],
      let scenario = scenarios.first
    else { throw SampleReport.NoScenario() }
    #expect(scenario["optOuts"]?["types"] == 1)
    #expect(scenario["caps"]?["mostIn24Hours"] == 2)
  }

  @Test func `the JUnit document is well-formed and has a case for each expectation and scenario`() throws {
    final class Counter: NSObject, XMLParserDelegate {
      var cases = 0
      var failures = 0
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) {
        if name == "testcase" { cases += 1 }
        if name == "failure" { failures += 1 }
      }
    }
    let report = try SampleReport.make(SampleReport.eventful)
    let parser = XMLParser(data: Data(ReportJUnit(report).text.utf8))
    let counter = Counter()
    parser.delegate = counter
    #expect(parser.parse())
    #expect(counter.cases == 4)
    #expect(counter.failures == 1)
  }

  /// For each element in the schema of Jenkins' xUnit plugin (junit-10.xsd), its parents, its allowed
  /// attributes and its required attributes.
  private static let junitRules: [String: (within: [String], may: Set<String>, must: Set<String>)] = [
    "testsuites": ([""], ["name", "time", "tests", "failures", "errors"], []),
    "testsuite": (
      ["testsuites"],
      [
        "name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id",
        "package",
        "file", "log", "url",
      ], ["name", "tests", "failures", "errors"]
    ),
    "testcase": (["testsuite"], ["name", "time", "classname", "group"], ["name"]),
    "failure": (["testcase"], ["type", "message"], []), "error": (["testcase"], ["type", "message"], []),
    "skipped": (["testcase"], ["type", "message"], []),
  ]

  @Test func `the JUnit document matches the schema that Jenkins publishes`() throws {
    final class Checker: NSObject, XMLParserDelegate {
      var open = [""]
      var seen: Set<String> = []
      var problems: [String] = []
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) {
        if let rule = ReportTests.junitRules[name] {
          let found = Set(attributes.keys)
          if !rule.within.contains(open[open.count - 1]) { problems.append("\(name) within \(open)") }
          if !found.isSubset(of: rule.may) {
            problems.append("\(name): \(found.subtracting(rule.may).sorted())")
          }
          if !found.isSuperset(of: rule.must) {
            problems.append("\(name) without \(rule.must.subtracting(found))")
          }
        } else {
          problems.append(name)
        }
        seen.insert(name)
        open.append(name)
      }
      func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
      ) { open.removeLast() }
    }
    let checker = Checker()
    let broken = SuiteResult(files: [
      ("broken.yaml", .invalid([Diagnostic("no scenario", file: "broken.yaml")]))
    ])
    var report = try SampleReport.make(SampleReport.gated)
    let first = report
    report.suite = broken
    for report in [first, report, try SampleReport.make(SampleReport.eventful)] {
      let parser = XMLParser(data: Data(ReportJUnit(report).text.utf8))
      parser.delegate = checker
      #expect(parser.parse())
    }
    #expect(checker.problems == [])
    #expect(checker.seen == Set(Self.junitRules.keys), "each element occurs")
  }

  @Test func `markup in the texts of authors is escaped`() throws {
    let report = try SampleReport.make(SampleReport.eventful)
    let page = ReportPages(report).scenario(0).text
    #expect(page.contains("Hostile &lt;b&gt;title&lt;/b&gt; &amp; | `code`"))
    #expect(!page.contains("<b>title"))
    let summary = ReportMarkdown(report).text
    #expect(summary.contains(#"Hostile \<b\>title\</b\> & \| \`code\`"#))
  }

  @Test func `two runs give identical bytes`() throws {
    let first = try SampleReport.make(SampleReport.eventful)
    let second = try SampleReport.make(SampleReport.eventful)
    let timing = EngineTiming()
    let documents = zip(
      ReportFiles(first, timing: timing).documents, ReportFiles(second, timing: timing).documents)
    for (a, b) in documents { #expect(a.text == b.text, "\(a.name)") }
  }
}
