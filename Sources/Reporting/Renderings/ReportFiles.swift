package import Simulation
import TextFormats
import Foundation

/// Writes a report's documents into a folder.
package struct ReportFiles {
  /// `report.json`, `summary.md`, `junit.xml`, `index.html` and `timing.json`, by name; and
  /// `events.ndjson`, if a scenario has analytics.
  package let documents: [(name: String, text: String)]

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

  /// Writes every document, each replaced as a whole. Events of an earlier run do not stay beside a report
  /// that has none.
  package func write(to folder: String) throws {
    let url = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let events = url.appendingPathComponent(EventsDocument.name)
    if FileManager.default.fileExists(atPath: events.path) { try FileManager.default.removeItem(at: events) }
    for (name, text) in documents {
      try Data(text.utf8).write(to: url.appendingPathComponent(name), options: .atomic)
    }
  }
}
