package import Statistics
import TextFormats
import TriggerModel

/// Formats a chronology as text, in the phone's local time.
package struct ChronologyWords {
  /// One entry as text.
  package struct Row: Hashable, Sendable {
    /// The local time: `2026-03-02 17:42:10`.
    package var time: String
    /// The name of the reminder, followed by the device unless it is the phone.
    package var reminder: String
    /// The outcome: `delivered, in the list only; tapped at 2026-03-02 17:50` or `denied, 12 times until
    /// 2026-03-03 08:00`.
    package var fate: String
    /// The reason: `quietHours (also dailyCap)`. Empty if the notification was shown or is held for the
    /// summary.
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
    case .delivered(.hidden): return "delivered, not shown"
    case .shownLate: return "shown with the scheduled summary"
    case .notRequested: return "trigger observed, no request"
    case .denied: return "denied"
    case .deferred(let until):
      guard let until else { return "deferred" }
      return "deferred until \(words.time(entry.moment.foreseen(at: until)))"
    case .failed: return "failed"
    case .lost: return "lost"
    case .withdrawn: return "plan withdrawn"
    case .missed: return "due, no request"
    }
  }

  private func reason(_ entry: ChronologyEntry) -> String {
    guard let cause = entry.cause else { return "" }
    var text: String
    switch cause {
    case .reason(let reason): text = reason.name
    case .missed(let cause): text = cause.name
    }
    text += words.kinds(entry.failed, entry.known)
    let others = Reason.allCases.filter(entry.blockers.contains).map(\.name)
    return others.isEmpty ? text : text + " (also \(others.joined(separator: ", ")))"
  }
}
