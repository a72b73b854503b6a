package import CivilTime
import DeviceSimulation
package import Journal
import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// Tracks the person's changes to reminders on the phone, and records each list that an expectation names.
///
/// A list is recorded after all events of its instant.
package struct ViewRecorder: Sendable {
  /// The instant at which a list is recorded, and the phone's zone at that instant.
  package typealias Drawing = (instant: Instant, zone: ZoneID)

  private struct Waiting {
    var question: ShownView.Question
    var instant: Instant
    var zone: ZoneID
  }

  /// The recorded lists, in the order of the scenario.
  package private(set) var shown: [ShownView] = []

  private let scenario: Scenario
  private var waiting: [Waiting]
  /// The current reminders, or `nil` if no expectation names a list.
  private var list: ReminderList?

  /// - Parameter moments: Returns, for each local time, the first instant at which the phone's clock shows
  ///   it.
  package init(_ scenario: Scenario, moments: ([LocalTime]) -> [Drawing]) {
    self.scenario = scenario
    var questions: [ShownView.Question] = []
    for case .view(let claim) in scenario.expectations.map(\.claim) {
      if let question = claim.question, !questions.contains(question) { questions.append(question) }
    }
    waiting = zip(questions, moments(questions.map(\.time))).map {
      Waiting(question: $0, instant: $1.instant, zone: $1.zone)
    }
    if !waiting.isEmpty { list = ReminderList(scenario) }
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    guard !waiting.isEmpty, stamp.device == 0 else { return }
    draw { $0.instant < stamp.instant }
    switch body {
    case .truth(let event) where event.kind == .acted: list?.acted = event.request.reminder
    case .happened(let event):
      list?.take(event, stamp.moment)
      list?.acted = nil
    // A single change in a batch.
    case .person(.set(let fact, let value)): list?.take(.fact(fact, value), stamp.moment)
    case .person(.snooze(let reminder, let span)): list?.take(.snooze(reminder, for: span), stamp.moment)
    // A change that was made on another device.
    case .sync(.learned(let write)): if let event = write.change.event { list?.take(event, stamp.moment) }
    case .outcome(.delivered(let request, _)): list?.appeared(request.reminder)
    default: break
    }
  }

  /// Records the remaining lists at the end of the run.
  package mutating func close() {
    let end = scenario.end
    draw { $0.instant < end }
    let order = scenario.expectations.compactMap { expectation in
      if case .view(let claim) = expectation.claim { claim.question } else { nil }
    }
    shown = order.enumerated().filter { order.firstIndex(of: $0.element) == $0.offset }
      .compactMap { item in shown.first { $0.question == item.element } }
  }

  private mutating func draw(_ isDue: (Waiting) -> Bool) {
    guard let list else { return }
    for item in waiting where isDue(item) {
      shown.append(list.shown(item.question, in: scenario.zones[item.zone]))
    }
    waiting.removeAll(where: isDue)
  }
}

/// The result of checking a claim about a list.
package struct ViewVerdict {
  package let passed: Bool
  /// The contents of the list.
  package let got: String
  /// The contents that are closest to the first false statement, or `nil` if there are none.
  package let nearest: String?
  /// The claim with its false statements corrected.
  package let truth: ListExpectation

  /// - Parameter names: The names of the reminders, by index.
  package init(_ claim: ListExpectation, among shown: [ShownView], names: [String]) {
    guard let view = shown.first(where: { $0.question == claim.question }) else {
      (passed, got, nearest, truth) = (false, "the run ends before this time", nil, claim)
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
  fileprivate func meets(_ statement: ListExpectation.Statement) -> Bool {
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

  fileprivate func truth(insteadOf statement: ListExpectation.Statement) -> ListExpectation.Statement {
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

  fileprivate func nearest(to statement: ListExpectation.Statement, _ names: [String]) -> String? {
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

  /// The list in words, with at most four entries per group. For example, "overdue: fern since 2026-03-07;
  /// today: basil; nothing else".
  package var words: String {
    var parts = groups.map { group in
      let shown = group.entries.prefix(4).map(\.words)
      let more = group.entries.count > 4 ? ["\(group.entries.count - 4) more"] : []
      return "\(group.group.words): " + (shown + more).joined(separator: ", ")
    }
    if question.view == .today, total > 0 { parts.append("\(done.count) of \(total) done") }
    return parts.isEmpty ? "an empty list" : parts.joined(separator: "; ")
  }

  /// The groups with at least one entry.
  package var groups: [(group: ViewGroup, entries: [ViewEntry])] {
    ViewGroup.allCases.compactMap { group in
      let entries = entries.filter { $0.group == group }
      return entries.isEmpty ? nil : (group, entries)
    }
  }
}

extension ViewEntry {
  /// The entry in words, with its part of the list. For example, "basil (2026-03-05)".
  package var words: String {
    let marks = [time.date.iso8601, part.map { "in \($0)" }, isDeferred ? "snoozed" : nil].compactMap(\.self)
    return "\(name) (\(marks.joined(separator: ", ")))"
  }
}
