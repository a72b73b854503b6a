import Journal
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TriggerModel

/// Finds triggers of reminders that no longer wait, because they have fired or expired.
///
/// An engine evaluates only waiting reminders, so it does not report these triggers. For reminders with
/// expectations, this type reports each trigger that the app observed and the engine did not answer.
struct UnansweredTriggers: Sendable {
  /// A trigger that the engine has not answered yet.
  private struct OpenTrigger: Sendable {
    var reminder: ReminderID
    var stamp: RecordStamp
  }

  /// The state of a reminder on a device.
  private struct ReminderState: Sendable {
    /// Whether the reminder has requested a notification and has not started to wait again.
    var hasRequested = false
    var isCancelled = false
    /// The index of the declaration in force.
    var declaration: Int
  }

  /// A trigger without an answer.
  struct Unanswered {
    var reminder: ReminderID
    var reason: Reason
    var stamp: RecordStamp
  }

  private struct Key: Hashable {
    var reminder: ReminderID
    var device: UInt8
  }

  private let program: Program
  private let reminders: [ReminderID]
  private var states: [Key: ReminderState] = [:]
  private var open: [OpenTrigger] = []

  init(_ program: Program, of reminders: Set<ReminderID>) {
    self.program = program
    self.reminders = reminders.sorted()
  }

  /// Processes a record.
  ///
  /// - Returns: The unanswered triggers of the previous instant, if the record is the first of a new instant.
  mutating func take(_ body: JournalRecord.Body, _ stamp: RecordStamp) -> [Unanswered] {
    let unanswered = open.first.map { $0.stamp.instant < stamp.instant } == true ? close() : []
    switch body {
    case .observed(let event):
      for reminder in reminders { observed(event, reminder, stamp) }
    case .effect(.request(let request)) where reminders.contains(request.id.reminder):
      answered(request.id.reminder, stamp)
      change(request.id.reminder, stamp) { $0.hasRequested = true }
    case .effect(.noRequest(let reminder, _, _)): answered(reminder, stamp)
    default: break
    }
    return unanswered
  }

  /// Returns the remaining unanswered triggers.
  mutating func close() -> [Unanswered] {
    defer { open.removeAll() }
    return open.compactMap { trigger in
      let state = self.state(trigger.reminder, trigger.stamp)
      let declaration = program.reminders.declarations[state.declaration]
      if declaration.expires <= trigger.stamp.moment.wall {
        return Unanswered(reminder: trigger.reminder, reason: .expired, stamp: trigger.stamp)
      }
      guard state.hasRequested, !state.isCancelled else { return nil }
      return Unanswered(reminder: trigger.reminder, reason: .alreadyFired, stamp: trigger.stamp)
    }
  }

  private func state(_ reminder: ReminderID, _ stamp: RecordStamp) -> ReminderState {
    states[Key(reminder: reminder, device: stamp.device)] ?? ReminderState(declaration: reminder.index)
  }

  private mutating func change(
    _ reminder: ReminderID, _ stamp: RecordStamp, _ body: (inout ReminderState) -> Void
  ) {
    var state = state(reminder, stamp)
    body(&state)
    states[Key(reminder: reminder, device: stamp.device)] = state
  }

  private mutating func observed(_ event: ObservedEvent, _ reminder: ReminderID, _ stamp: RecordStamp) {
    let key = Key(reminder: reminder, device: stamp.device)
    switch event.kind {
    case .edit where event.subject == reminder.rawValue:
      states[key] = ReminderState(declaration: program.scenario.reminders.count + Int(event.value))
    case .create where event.subject == reminder.rawValue: states[key] = nil
    case .cancel where event.subject == reminder.rawValue:
      change(reminder, stamp) { $0.isCancelled = true }
    case .reinstalled: states[key] = nil
    default:
      guard isTriggered(state(reminder, stamp).declaration, of: reminder, by: event) else { return }
      if !open.contains(where: { $0.reminder == reminder && $0.stamp.device == stamp.device }) {
        open.append(OpenTrigger(reminder: reminder, stamp: stamp))
      }
    }
  }

  private mutating func answered(_ reminder: ReminderID, _ stamp: RecordStamp) {
    open.removeAll { $0.reminder == reminder && $0.stamp.device == stamp.device }
  }

  private func isTriggered(_ declaration: Int, of reminder: ReminderID, by event: ObservedEvent) -> Bool {
    guard event.kind == .woken else {
      // An app that knows where the phone is does not answer an initial enter.
      return !event.isFoundSo && !event.isInitialEnter
        && program.reminders.listens(UInt32(declaration), to: event)
    }
    // A wake triggers only its own reminder. Occurrences that were scheduled ahead are not evaluated.
    return event.subject == reminder.rawValue
      && program.reminders.declarations[declaration].triggers.contains { trigger in
        if case .scheduled(let schedule) = trigger { schedule.ahead == 0 } else { false }
      }
  }
}
