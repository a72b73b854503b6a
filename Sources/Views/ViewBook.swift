import CivilTime
import DeviceSimulation
package import Journal
import ReminderMatching
import ScenarioModel
package import ScenarioPrograms
import Simulation
import NotificationGateway
import TriggerModel

/// Follows what the person does to the reminders on the phone, and draws the lists that a scenario asks for.
///
/// A list is drawn when everything of its instant has happened. It shows what the app knows: what was said in it, and
/// nothing of what the system did with notifications, but whether one that comes once has come.
package struct ViewBook: Sendable {
  private struct Waiting {
    var question: ShownView.Question
    var instant: Instant
    var zone: ZoneID
  }

  /// In the order of the scenario.
  package private(set) var shown: [ShownView] = []

  private let scenario: Scenario
  private var waiting: [Waiting]
  /// The reminders as they are, and whether they exist.
  private var reminders: [ListedReminder]
  private var exists: [Bool]
  private var facts: [FactValue]
  private let factIDs: [String: Int]
  /// By reminder: the fact from which it counts its days.
  private var countsFrom: [Int?]

  package init(_ program: Program) {
    scenario = program.scenario
    var questions: [ShownView.Question] = []
    for case .view(let claim) in scenario.expectations.map(\.claim) {
      if let question = claim.question, !questions.contains(question) { questions.append(question) }
    }
    let moments = program.moments(showing: questions.map(\.time))
    waiting = zip(questions, moments).map { Waiting(question: $0, instant: $1.instant, zone: $1.zone) }
    factIDs = Dictionary(uniqueKeysWithValues: scenario.facts.enumerated().map { ($1.name, $0) })
    facts = scenario.facts.map(\.initial)
    (reminders, exists, countsFrom) = ([], [], [])
    if !waiting.isEmpty { begin(in: scenario.zones[scenario.zone]) }
  }

  /// Everything is as the file declares it.
  private mutating func begin(in zone: Zone) {
    reminders = scenario.reminders.enumerated().map { ListedReminder(ReminderID($0), $1.declaration) }
    exists = scenario.reminders.map { !$0.declaration.isMadeLater }
    countsFrom = reminders.map { fact(of: $0.declaration) }
    for index in reminders.indices { reminders[index].start = start(of: index, in: zone) }
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    guard !waiting.isEmpty, stamp.device == 0 else { return }
    draw { $0.instant < stamp.instant }
    switch body {
    case .happened(let event): take(event, stamp.moment)
    // What was done on another device.
    case .sync(.learned(let write)): if let event = write.change.event { take(event, stamp.moment) }
    case .outcome(.delivered(let request, _)): reminders[request.reminder.index].hasFired = true
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

  private mutating func take(_ event: PhoneEvent, _ moment: Moment) {
    let zone = scenario.zones[moment.zone]
    switch event {
    case .fact(let fact, let value): take(fact.index, value, at: moment)
    case .create(let reminder):
      exists[reminder.index] = true
      declare(reminder, scenario.reminders[reminder.index].declaration, in: zone)
    case .edit(let reminder, let edit):
      exists[reminder.index] = true
      declare(reminder, scenario.edits[Int(edit)].declaration, in: zone)
    case .cancel(let reminder): exists[reminder.index] = false
    case .snooze(let reminder, let span): reminders[reminder.index].snoozedUntil = moment.wall + span
    case .snoozeUntil(let reminder, let instant): reminders[reminder.index].snoozedUntil = instant
    case .reinstall: begin(in: zone)
    default: break
    }
  }

  /// A reminder begins anew.
  private mutating func declare(_ id: ReminderID, _ declaration: ReminderDeclaration, in zone: Zone) {
    var reminder = ListedReminder(id, declaration)
    reminder.doneOn = reminders[id.index].doneOn
    reminders[id.index] = reminder
    countsFrom[id.index] = fact(of: declaration)
    reminders[id.index].start = start(of: id.index, in: zone)
  }

  private mutating func take(_ fact: Int, _ value: FactValue, at moment: Moment) {
    facts[fact] = value
    let zone = scenario.zones[moment.zone]
    for index in reminders.indices where countsFrom[index] == fact {
      let start = start(of: index, in: zone)
      reminders[index].start = start
      reminders[index].snoozedUntil = nil
      // What counts its days from when it was done last is done by saying when that was.
      if exists[index], reminders[index].declaration.isDoneBySettingItsFact {
        reminders[index].doneOn = start?.date
      }
    }
  }

  private func fact(of declaration: ReminderDeclaration) -> Int? {
    declaration.triggers.compactMap(\.countsFrom).first.flatMap { factIDs[$0] }
  }

  private func start(of reminder: Int, in zone: Zone) -> DayOfFact? {
    guard let fact = countsFrom[reminder], !facts[fact].isMissing else { return nil }
    let value = facts[fact]
    let date =
      scenario.facts[fact].kind == .date
      ? value.date : zone.local(at: Instant(millisecondsSince1970: value.bits)).date
    return DayOfFact(value: value, date: date)
  }

  private mutating func draw(_ isDue: (Waiting) -> Bool) {
    for item in waiting where isDue(item) {
      let zone = scenario.zones[item.zone]
      var existing = reminders.indices.filter { exists[$0] }.map { reminders[$0] }
      if let parts = item.question.parts {
        for index in existing.indices { existing[index].part = part(parts, of: existing[index]) }
      }
      shown.append(
        ShownView(
          item.question, of: existing, at: zone.instant(of: item.question.time), in: zone,
          weekStart: scenario.policy.weekStart))
    }
    waiting.removeAll(where: isDue)
  }

  /// The value of an attribute of a reminder's item: `kitchen` of `basil.room`.
  private func part(_ attribute: String, of reminder: ListedReminder) -> String? {
    guard let item = reminder.declaration.id.split(separator: " ").last,
      let fact = factIDs["\(item).\(attribute)"], !facts[fact].isMissing
    else { return nil }
    let names = scenario.facts[fact].names
    let position = Int(facts[fact].bits)
    return names.indices.contains(position) ? names[position] : nil
  }
}

extension ReminderDeclaration {
  /// Whether it counts days from when it was done last.
  fileprivate var isDoneBySettingItsFact: Bool {
    triggers.contains { trigger in
      guard case .scheduled(let schedule) = trigger else { return false }
      return switch schedule.dates {
      case .recurring: false
      case .relative(let days): !days.isYearly && days.days.contains { $0 > 0 }
      case .elapsed(let spans): spans.spans.contains { $0 > .zero }
      }
    }
  }
}
