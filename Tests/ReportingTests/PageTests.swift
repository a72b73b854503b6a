import Foundation
import Simulation
import TestBench
import Testing
import TextFormats

@testable import Reporting

@Suite struct PageTests {
  private func pages(_ report: Report) -> [(name: String, text: String)] {
    ReportPages(report).documents.map { ($0.name, $0.text) }
  }

  /// Returns the targets of all links on a page.
  private func links(_ page: String) -> [String] {
    page.matches(of: /<a href="([^"]*)"/).map { String($0.output.1) }
  }

  private func anchors(_ page: String) -> [String] {
    page.matches(of: /\ id="([^"]*)"/).map { String($0.output.1) }
  }

  @Test func `every link leads to an existing page and anchor`() throws {
    for scenario in [SampleReport.eventful, SampleReport.gated] {
      let pages = pages(try SampleReport.make(scenario))
      let places = Dictionary(uniqueKeysWithValues: pages.map { ($0.name, Set(anchors($0.text))) })
      for page in pages {
        let links = links(page.text)
        #expect(!links.isEmpty, "\(page.name)")
        for link in links {
          let parts = link.split(separator: "#").map(String.init)
          let target = try #require(places[parts[0]], "\(page.name): \(link)")
          if parts.count == 2 { #expect(target.contains(parts[1]), "\(page.name): \(link)") }
        }
      }
    }
  }

  @Test func `the page of explanations has one anchor for each word`() {
    let found = anchors(ReportPages.words.text)
    #expect(Set(found) == Set(ReportWord.all.map { WordLinks.anchor($0.name) }))
    #expect(Set(found).count == found.count)
  }

  @Test func `only whole words become links`() {
    let linked = WordLinks.link("2 quietHours, 1 not modelled, unquietHours <quietHoursx>").markup
    #expect(
      linked
        == "2 <a href=\"words.html#quietHours\">quietHours</a>, 1 <a href=\"words.html#not-modelled\">not modelled</a>, unquietHours &lt;quietHoursx&gt;"
    )
  }

  @Test func `the index links to the row of each failure`() throws {
    let pages = pages(try SampleReport.make(SampleReport.eventful))
    let index = try #require(pages.first { $0.name == "index.html" }).text
    let own = try #require(pages.first { $0.name == "scenario-sample.html" }).text
    let link = try #require(links(index).first { $0.contains("#line-") })
    #expect(link.hasPrefix("scenario-sample.html#"))
    let row = try #require(own.range(of: "<tr id=\"\(link.split(separator: "#")[1])\">"))
    #expect(own[row.upperBound...].hasPrefix("<td><span class=\"failed\">failed</span>"))
  }

  @Test func `files with the same name have different pages`() {
    let files = [
      "scenarios/milk.yaml", "milk.yaml", "MILK.yaml", "scenarios/a/b.yaml", "a-b.yaml", "a-b-2.yaml", "-",
      "ü.yaml",
    ]
    let names = ReportPages.names(of: files)
    #expect(Set(names).count == files.count, "\(names)")
    #expect(names.prefix(2) == ["scenario-milk.html", "scenario-milk-2.html"])
    #expect(names.allSatisfy(ReportPages.isPage))
  }

  /// The report has 500 failed scenarios. One of them has many reminders, many fires and very long names.
  @Test func `no page exceeds the maximum length`() throws {
    let small = ScenarioRun(try Program(scenario: SampleReport.eventful), stopwatch: { 0 }).run().result
    let name = String(repeating: "very long & <odd> ", count: 60)
    let reminders = (0..<400).map {
      "  reminder-with-a-long-name-\($0): {when: unlock, repeat: always, notify: R}"
    }
    let expectations = (0..<400).map { "  - reminder-with-a-long-name-\($0) fires 5 times on day 1" }
    let wild = """
      kind: scenario
      version: 1
      title: "\(name)"
      start: 2026-03-02T07:00
      zone: UTC
      for: 3 days
      policy: {quietHours: none, minimumInterval: 0 s, dailyCap: none}
      reminders:
      \(reminders.joined(separator: "\n"))
      timeline:
        - every 1 h unlock
      expect:
      \(expectations.joined(separator: "\n"))
      """
    let long = ScenarioRun(try Program(scenario: wild), stopwatch: { 0 }).run().result
    #expect(long.expectations.count { !$0.passed } > 300)
    let files = (0..<500).map {
      ("folder/of/scenarios/number-\($0).yaml", FileOutcome.ran($0 == 7 ? long : small))
    }
    let report = Report(
      suite: SuiteResult(files: files), command: "triggerbench run",
      versions: .init(tool: "1", timeZoneData: "1", geos: "1"))
    let pages = ReportPages(report)
    let index = pages.index.text
    #expect(index.utf8.count <= ReportPages.mostBytes, "\(index.utf8.count)")
    #expect(Set(links(index)).isSuperset(of: pages.names), "each scenario is linked")
    let wildest = pages.scenario(7).text
    #expect(wildest.utf8.count <= ReportPages.mostBytes, "\(wildest.utf8.count)")
    #expect(wildest.utf8.count > 150_000, "the page is too short for this test")
    #expect(wildest.contains("more rows do not fit here"))
    #expect(wildest.contains("more follow"))
  }
}
