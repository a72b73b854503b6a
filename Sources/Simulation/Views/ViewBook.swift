package import CivilTime
import DeviceSimulation
package import Journal
import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// Follows what the person does to the reminders on the phone, and draws the lists that a scenario asks for.
///
/// A list is drawn when everything of its instant has happened.
package struct ViewBook: Sendable {
  /// When a list is drawn, and in which zone.
  package typealias Drawing = (instant: Instant, zone: ZoneID)

  private struct Waiting {
    var question: ShownView.Question
    var instant: Instant
    var zone: ZoneID
  }

  /// In the order of the scenario.
  package private(set) var shown: [ShownView] = []

  private let scenario: Scenario
  private var waiting: [Waiting]
  /// Nil: no list is asked for.
  private var list: ReminderList?

  /// - Parameter moments: When the phone's clock first shows each of some local times.
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
    case .happened(let event): list?.take(event, stamp.moment)
    // One of several things that were done at once.
    case .person(.set(let fact, let value)): list?.take(.fact(fact, value), stamp.moment)
    case .person(.snooze(let reminder, let span)): list?.take(.snooze(reminder, for: span), stamp.moment)
    // What was done on another device.
    case .sync(.learned(let write)): if let event = write.change.event { list?.take(event, stamp.moment) }
    case .outcome(.delivered(let request, _)): list?.appeared(request.reminder)
    default: break
    }
  }

  /// Draws the lists that are left: nothing happens any more.
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
