import CivilTime
package import ScenarioModel
import TriggerModel

/// Holds what is claimed of a list against what it shows.
package struct ViewVerdict {
  package let passed: Bool
  /// What the list shows.
  package let got: String
  /// What comes nearest to the first statement that is not true.
  package let nearest: String?
  /// The claim with what is true in the place of what is not.
  package let truth: ViewClaim

  /// - Parameter names: The reminders', by position.
  package init(_ claim: ViewClaim, among shown: [ShownView], names: [String]) {
    guard let view = shown.first(where: { $0.question == claim.question }) else {
      (passed, got, nearest, truth) = (false, "the story is over by then", nil, claim)
      return
    }
    let wrong = claim.statements.filter { !view.meets($0) }
    passed = wrong.isEmpty
    got = view.words
    nearest = wrong.first.flatMap { view.nearest(to: $0, names) }
    var truth = claim
    truth.statements = claim.statements.map { view.meets($0) ? $0 : view.truth(insteadOf: $0) }
    self.truth = truth
  }
}

extension ShownView {
  fileprivate func meets(_ statement: ViewClaim.Statement) -> Bool {
    switch statement {
    case .shows(let reminder, let group, let part):
      entries.contains {
        $0.reminder == reminder && (group == nil || $0.group == group) && (part == nil || $0.part == part)
      }
    case .hides(let reminder): !entries.contains { $0.reminder == reminder }
    case .count(let number, let group): entries.count { group == nil || $0.group == group } == number
    case .done(let number, of: let total): done.count == number && self.total == total
    case .allCaughtUp: !entries.contains { $0.group <= .today }
    }
  }

  fileprivate func truth(insteadOf statement: ViewClaim.Statement) -> ViewClaim.Statement {
    switch statement {
    case .shows(let reminder, let group, let part):
      guard let entry = entries.first(where: { $0.reminder == reminder }) else { return .hides(reminder) }
      return .shows(reminder, group == nil ? nil : entry.group, part: part == nil ? nil : entry.part)
    case .hides(let reminder):
      return .shows(reminder, entries.first { $0.reminder == reminder }?.group, part: nil)
    case .count(_, let group): return .count(entries.count { group == nil || $0.group == group }, group)
    case .done: return .done(done.count, of: total)
    case .allCaughtUp: return .count(entries.count { $0.group <= .today }, nil)
    }
  }

  fileprivate func nearest(to statement: ViewClaim.Statement, _ names: [String]) -> String? {
    switch statement {
    case .shows(let reminder, _, _), .hides(let reminder):
      guard let entry = entries.first(where: { $0.reminder == reminder }) else {
        return "'\(names[reminder.index])' is not in the list"
      }
      return "\(entry.words), \(entry.group.words)"
    case .done: return "\(done.count) of \(total) done"
    case .count, .allCaughtUp: return nil
    }
  }

  /// "overdue: fern since 2026-03-07; today: basil; nothing else", at most four of a group.
  package var words: String {
    var parts = groups.map { group in
      let shown = group.entries.prefix(4).map(\.words)
      let more = group.entries.count > 4 ? ["\(group.entries.count - 4) more"] : []
      return "\(group.group.words): " + (shown + more).joined(separator: ", ")
    }
    if question.view == .today, total > 0 { parts.append("\(done.count) of \(total) done") }
    return parts.isEmpty ? "an empty list" : parts.joined(separator: "; ")
  }

  /// The groups that have entries.
  package var groups: [(group: ViewGroup, entries: [ViewEntry])] {
    ViewGroup.allCases.compactMap { group in
      let entries = entries.filter { $0.group == group }
      return entries.isEmpty ? nil : (group, entries)
    }
  }
}

extension ViewEntry {
  /// "basil (2026-03-05)", and the part of the list that it stands in.
  package var words: String {
    let marks = [time.date.iso8601, part.map { "in \($0)" }, isPutOff ? "put off" : nil].compactMap(\.self)
    return "\(name) (\(marks.joined(separator: ", ")))"
  }
}
