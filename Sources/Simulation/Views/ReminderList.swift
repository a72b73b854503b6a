package import CivilTime
package import DeviceSimulation
import NotificationGateway
import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// The reminders that the app knows on one device, derived from the person's declarations and actions.
///
/// System events are ignored, with one exception: the delivery of a notification marks a reminder that fires
/// once as fired.
package struct ReminderList: Sendable {
  private let scenario: Scenario
  /// The reminders with their state, and whether they exist.
  private var reminders: [ListedReminder] = []
  private var exists: [Bool] = []
  private var facts: [FactValue]
  private let factIDs: [String: Int]
  /// The index of the fact from which each reminder counts days, or `nil` if there is none.
  private var countsFrom: [Int?] = []

  /// The reminder of the notification on which the person last pressed an action, or `nil` if there is none.
  package var acted: ReminderID?

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    factIDs = Dictionary(uniqueKeysWithValues: scenario.facts.enumerated().map { ($1.name, $0) })
    facts = scenario.facts.map(\.initial)
    begin(in: scenario.zones[scenario.zone])
  }

  /// Resets the reminders and facts to the declarations of the scenario.
  private mutating func begin(in zone: Zone) {
    reminders = scenario.reminders.enumerated().map {
      ListedReminder(id: ReminderID($0), declaration: $1.declaration)
    }
    exists = scenario.reminders.map { !$0.declaration.isCreatedLater }
    countsFrom = reminders.map { fact(of: $0.declaration) }
    for index in reminders.indices { reminders[index].start = start(of: index, in: zone) }
  }

  /// Applies an event of the device.
  package mutating func take(_ event: PhoneEvent, _ moment: Moment) {
    let zone = scenario.zones[moment.zone]
    switch event {
    case .fact(let fact, let value): take(fact.index, value, in: zone)
    case .create(let reminder):
      exists[reminder.index] = true
      declare(reminder, scenario.reminders[reminder.index].declaration, in: zone)
    case .edit(let reminder, let edit):
      exists[reminder.index] = true
      declare(reminder, scenario.edits[Int(edit)].declaration, in: zone)
    case .cancel(let reminder): exists[reminder.index] = false
    case .snooze(let reminder, let span): reminders[reminder.index].snoozedUntil = moment.wall + span
    case .snoozeUntil(let reminder, let instant): reminders[reminder.index].snoozedUntil = instant
    case .act(let reminder, .done) where acted == reminder && countsFrom[reminder.index] == nil:
      done(reminder, moment)
    case .reinstall: begin(in: zone)
    default: break
    }
  }

  /// Records that a reminder's notification was delivered.
  package mutating func appeared(_ reminder: ReminderID) { reminders[reminder.index].hasFired = true }

  /// Records that a recurring reminder was done. This counts for its last due time, even after midnight.
  private mutating func done(_ reminder: ReminderID, _ moment: Moment) {
    let (listed, zone) = (reminders[reminder.index], scenario.zones[moment.zone])
    let due = DueDates(
      listed.declaration, countedFrom: listed.start, in: zone, weekStart: scenario.policy.weekStart)
    guard let time = due?.last(atOrBefore: moment.wall, in: zone) else { return }
    reminders[reminder.index].doneTo = time
    reminders[reminder.index].doneOn = time.date
    reminders[reminder.index].snoozedUntil = nil
  }

  /// Returns the fact from which a reminder counts its days, or `nil` if there is none.
  package func countsFrom(_ reminder: ReminderID) -> FactID? { countsFrom[reminder.index].map { FactID($0) } }

  /// The value of a fact that the app knows.
  package subscript(fact: FactID) -> FactValue { facts[fact.index] }

  /// Returns whether a reminder exists.
  package func contains(_ reminder: ReminderID) -> Bool { exists[reminder.index] }

  /// Returns whether today's list shows a reminder as overdue or due today.
  package func isDue(_ reminder: ReminderID, at now: Instant, in zone: Zone) -> Bool {
    exists[reminder.index]
      && reminders[reminder.index].entries(at: now, in: zone, weekStart: scenario.policy.weekStart)
        .contains { $0.group <= .today }
  }

  /// Returns the contents of a list.
  package func shown(_ question: ShownView.Question, in zone: Zone) -> ShownView {
    var existing = reminders.indices.filter { exists[$0] }.map { reminders[$0] }
    if let parts = question.parts {
      for index in existing.indices { existing[index].part = part(parts, of: existing[index]) }
    }
    return ShownView(
      question, of: existing, at: zone.instant(of: question.time), in: zone,
      weekStart: scenario.policy.weekStart)
  }

  /// Replaces a reminder's declaration and resets the reminder's state.
  private mutating func declare(_ id: ReminderID, _ declaration: ReminderDeclaration, in zone: Zone) {
    var reminder = ListedReminder(id: id, declaration: declaration)
    reminder.doneOn = reminders[id.index].doneOn
    reminders[id.index] = reminder
    countsFrom[id.index] = fact(of: declaration)
    reminders[id.index].start = start(of: id.index, in: zone)
  }

  private mutating func take(_ fact: Int, _ value: FactValue, in zone: Zone) {
    facts[fact] = value
    for index in reminders.indices where countsFrom[index] == fact {
      let start = start(of: index, in: zone)
      reminders[index].start = start
      reminders[index].snoozedUntil = nil
      // Setting the fact from which a reminder counts days marks the reminder as done.
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

  /// Returns the value of an attribute of a reminder's item. For example, the value of `basil.room` may be
  /// `kitchen`.
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
  /// Whether the reminder counts days from the day on which it was last done.
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
