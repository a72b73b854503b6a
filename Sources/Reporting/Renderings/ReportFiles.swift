import Foundation
package import Simulation
import TextFormats

/// Writes a report's documents into a folder.
package struct ReportFiles {
  /// `report.json`, `summary.md`, `junit.xml`, `index.html` with the pages that it leads to, and `timing.json`; and
  /// `events.ndjson`, if a scenario has analytics.
  package let documents: [ReportDocument]

  private static let contents = ReportFolder.Contents(
    names: ["report.json", "summary.md", "junit.xml", "index.html", "timing.json", EventsDocument.name],
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
      + [EventsDocument(report).text].compactMap(\.self).map { text in
        ReportDocument(EventsDocument.name) { text }
      }
  }

  /// Replaces the reports of a folder by these, as one set.
  package func write(to folder: String) throws(ReportFolder.Problem) {
    try ReportFolder(folder, of: Self.contents).replace(with: documents)
  }
}
