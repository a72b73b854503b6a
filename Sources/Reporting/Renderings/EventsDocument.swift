import Statistics
import TestBench
import TextFormats

/// The analytics events of a suite as NDJSON, scenario by scenario, in order of time.
struct EventsDocument {
  static let name = "events.ndjson"

  /// Nil when no scenario has analytics.
  let text: String?

  init(_ report: Report) {
    let logs = report.suite.scenarios.compactMap { result in
      result.analytics.map { (AnalyticsWords(result.program), $0) }
    }
    let lines = logs.flatMap { words, log in log.events.flatMap { words.lines($0) }.map { $0.line + "\n" } }
    text = logs.isEmpty ? nil : lines.joined()
  }
}
