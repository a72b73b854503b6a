package import Simulation
import TextFormats
import Foundation

/// Writes a report's documents into a folder.
package struct ReportFiles {
  /// `report.json`, `summary.md`, `junit.xml`, `index.html` and `timing.json`, by name; and
  /// `events.ndjson`, if a scenario has analytics.
  package let documents: [(name: String, text: String)]

  private static let contents = ReportFolder.Contents(
    names: ["report.json", "summary.md", "junit.xml", "index.html", "timing.json", EventsDocument.name],
    mark: ("report.json", "\"triggerbench-report\""))

  package init(_ report: Report, timing: EngineTiming) {
    documents =
      [
        ("report.json", ReportJSON(report).document.text + "\n"),
        ("summary.md", ReportMarkdown(report).text),
        ("junit.xml", ReportJUnit(report).text),
        ("index.html", ReportHTML(report).text),
        ("timing.json", TimingDocument.document(timing).text + "\n"),
      ] + [EventsDocument(report).text].compactMap(\.self).map { (EventsDocument.name, $0) }
  }

  /// Replaces the reports of a folder by these, as one set.
  package func write(to folder: String) throws(ReportFolder.Problem) {
    try ReportFolder(folder, of: Self.contents).replace(with: documents)
  }
}
