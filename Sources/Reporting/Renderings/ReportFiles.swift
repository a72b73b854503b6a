import Foundation
package import Simulation
import Statistics
import TestBench
package import TextFormats

/// Writes all documents of a report to a folder.
package struct ReportFiles {
  /// The documents `report.json`, `summary.md`, `junit.xml`, `index.html` with its pages, and `timing.json`.
  /// Also `events.ndjson` if a scenario has analytics.
  package let documents: [ReportDocument]

  private static let contents = ReportFolder.Contents(
    names: [
      "report.json", "summary.md", "junit.xml", "index.html", "timing.json", AnalyticsEventsDocument.name,
    ],
    mark: ("report.json", "\"triggerbench-report\""),
    pages: (ReportPages.isPage, HTMLPage.mark(ReportPages.kind)))

  package init(_ report: Report, timing: EngineTiming) {
    documents =
      [
        ReportDocument("report.json", json: { ReportJSON(report).document }),
        ReportDocument("summary.md") { ReportMarkdown(report).text },
        ReportDocument("junit.xml") { ReportJUnit(report).text },
        ReportDocument("timing.json", json: { TimingDocument.document(timing) }),
      ] + ReportPages(report).documents
      + [AnalyticsEventsDocument(report).text].compactMap(\.self).map { text in
        ReportDocument(AnalyticsEventsDocument.name) { text }
      }
  }

  /// Replaces the reports in a folder as one set.
  package func write(to folder: String) throws(ReportFolder.Problem) {
    try ReportFolder(folder, of: Self.contents).replace(with: documents)
  }
}

/// The analytics events of a suite as NDJSON, by scenario and in chronological order.
struct AnalyticsEventsDocument {
  static let name = "events.ndjson"

  /// The lines, or `nil` if no scenario has analytics.
  let text: String?

  init(_ report: Report) {
    let logs = report.suite.scenarios.compactMap { result in
      result.analytics.map { (AnalyticsWords(result.program), $0) }
    }
    let lines = logs.flatMap { words, log in log.events.flatMap { words.lines($0) }.map { $0.line + "\n" } }
    text = logs.isEmpty ? nil : lines.joined()
  }
}

/// The engine's time per event. Only this document may differ between runs of the same suite.
package enum TimingDocument {
  private static let percentiles: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
  ]

  package static func document(_ timing: EngineTiming) -> JSONValue {
    [
      "format": "triggerbench-timing", "version": 1, "unit": "ns per event", "events": .count(timing.count),
      "percentiles": .object(
        percentiles.map { .init($0.name, .count(timing.percentile($0.percent))) }
          + [.init("max", .count(timing.maximum))]),
    ]
  }
}
