import ScenarioModel
import Simulation
import Statistics
package import TestBench
import TextFormats

/// What fired when in each scenario, for a terminal: a line for each notification, and for what came to nothing.
package struct ChronologyText {
  private let results: [ScenarioResult]

  package init(_ results: [ScenarioResult]) { self.results = results }

  package var text: String { results.flatMap(lines).joined(separator: "\n") }

  private func lines(_ result: ScenarioResult) -> [String] {
    let words = ChronologyWords(RunWords(result.program), result.texts)
    let rows = result.chronology.entries.map(words.row)
    var lines = ["", "\(Printable.text(result.program.scenario.file)): what fired when"]
    if rows.isEmpty { lines.append("  nothing was due, and nothing fired") }
    let times = rows.map(\.time.count).max() ?? 0
    let names = min(rows.map(\.reminder.count).max() ?? 0, 24)
    for row in rows {
      let reason = row.reason.isEmpty ? "" : ": " + row.reason
      lines.append(
        Printable.text("  \(pad(row.time, times))  \(pad(row.reminder, names))  \(row.fate)\(reason)"))
    }
    if result.chronology.untold > 0 {
      lines.append("  and \(result.chronology.untold) more: --journal writes all of them")
    }
    if !result.chronology.tellsMisses {
      lines.append(
        "  denied requests, and triggers for which nothing was asked, are too many to be told: see the counts"
      )
    }
    return lines
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
