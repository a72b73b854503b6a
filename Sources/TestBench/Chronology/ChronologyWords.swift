package import Statistics
import TextFormats
import TriggerModel

/// A chronology in words: in the phone's local time.
package struct ChronologyWords {
  /// One entry, in words.
  package struct Row: Hashable, Sendable {
    /// `2026-03-02 17:42:10`
    package var time: String
    /// Its name; on a device beside the phone with the device's number.
    package var reminder: String
    /// `delivered, in the list only; tapped at 2026-03-02 17:50`, `denied, 12 times until 2026-03-03 08:00`
    package var fate: String
    /// `quietHours (also dailyCap)`; empty: it was shown, or is held until it is.
    package var reason: String
  }

  private let words: RunWords
  private let texts: ShownTexts

  package init(_ words: RunWords, _ texts: ShownTexts) {
    self.words = words
    self.texts = texts
  }

  package func row(_ entry: ChronologyEntry) -> Row {
    var fate = self.fate(entry)
    if let request = entry.request, entry.fate.isExposed, texts.varies(request.reminder) {
      fate += ", showing \(QuotedText.write(texts.title(of: request, on: entry.device)))"
    }
    if let last = entry.last {
      let (from, until) = (words.time(entry.moment), words.time(last))
      fate += ", \(entry.count) times" + (from == until ? "" : " until \(until)")
    }
    if let (response, moment) = entry.response { fate += "; \(response.rawValue) at \(words.time(moment))" }
    let name = words.name(entry.reminder)
    return Row(
      time: words.time(entry.moment),
      reminder: entry.device == 0 ? name : "\(name) on \(words.name(ofDevice: entry.device))", fate: fate,
      reason: reason(entry))
  }

  private func fate(_ entry: ChronologyEntry) -> String {
    switch entry.fate {
    case .delivered(.banner): return "delivered"
    case .delivered(.list): return "delivered, in the list only"
    case .delivered(.held): return "delivered, held for the scheduled summary"
    case .delivered(.hidden): return "delivered, and not shown"
    case .shownLate: return "shown with the scheduled summary"
    case .notRequested: return "trigger seen, nothing asked for"
    case .denied: return "denied"
    case .deferred(let until):
      guard let until else { return "put off" }
      return "put off until \(words.time(entry.moment.foreseen(at: until)))"
    case .failed: return "failed"
    case .lost: return "lost"
    case .takenBack: return "plan taken back"
    case .unasked: return "due, and not asked for"
    }
  }

  private func reason(_ entry: ChronologyEntry) -> String {
    guard let cause = entry.cause else { return "" }
    var text: String
    switch cause {
    case .reason(let reason): text = reason.name
    case .untold(let cause): text = cause.name
    }
    if !entry.failed.isEmpty { text += " (\(entry.failed.names.joined(separator: ", ")))" }
    let others = Reason.allCases.filter(entry.blockers.contains).map(\.name)
    return others.isEmpty ? text : text + " (also \(others.joined(separator: ", ")))"
  }
}
