import CivilTime
import DeviceSimulation
import Journal
import ReminderMatching
import ScenarioModel
import TriggerModel

/// The actions that the app under test carries out for the person: batch edits in its lists, and actions on
/// notifications.
///
/// An action on a notification sets the same fact as the list would. The list on this device determines which
/// reminders are due for a batch.
struct AppListActions: Participant {
  private let setup: AppSetup
  private let zones: ZoneTable
  private var list: ReminderList

  /// Creates the participant, or returns `nil` if the scenario declares neither batches nor notification
  /// actions.
  init?(_ program: Program) {
    setup = program.scenario.app
    if setup.batches.isEmpty,
      !program.reminders.declarations.contains(where: { !$0.notification.actions.isEmpty })
    {
      return nil
    }
    zones = program.scenario.zones
    list = ReminderList(program.scenario)
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened, .person(.set), .person(.snooze), .outcome(.delivered): true
    case .truth(let event): event.kind == .acted
    case .outcome, .observed, .effect, .due, .notRequested, .uncalledFor, .link, .app, .person, .sync: false
    }
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(.inApp(.batch(let batch))):
      guard situation.isPhoneOn else { return }
      if situation.isAppInFront {
        carryOut(setup.batches[batch.index], situation, into: &replies)
      } else {
        replies.record(.outcome(.ignored(.notInFront)))
      }
    case .truth(let event): list.acted = event.request.reminder
    case .happened(.act(let reminder, let action)):
      // An action has no effect if its notification is not visible.
      if list.acted == reminder { carryOut(action, of: reminder, situation, into: &replies) }
      list.take(.act(reminder, action), situation.moment)
      list.acted = nil
    case .happened(let event): list.take(event, situation.moment)
    case .person(.set(let fact, let value)): list.take(.fact(fact, value), situation.moment)
    case .person(.snooze(let reminder, let span)):
      list.take(.snooze(reminder, for: span), situation.moment)
    case .outcome(.delivered(let request, _)): list.appeared(request.reminder)
    default: return
    }
  }

  private func carryOut(
    _ action: NotificationAction, of reminder: ReminderID, _ situation: Situation, into replies: inout Replies
  ) {
    switch action {
    case .done:
      guard let fact = list.countsFrom(reminder) else { return }
      replies.record(.person(.set(fact, .instant(situation.moment.wall))))
    case .snooze(let span): replies.record(.person(.snooze(reminder, for: span)))
    }
  }

  private func carryOut(_ batch: Batch, _ situation: Situation, into replies: inout Replies) {
    let members = batch.members.filter { isSelected($0, batch.choice, situation.moment) }
    if batch.choice != .part, let limit = setup.confirmsAbove, members.count > limit {
      replies.record(.app(.confirmationAsked))
      if !batch.isConfirmed { return replies.record(.app(.confirmationDeclined)) }
    }
    if members.isEmpty { return replies.record(.outcome(.ignored(.alreadySo))) }
    replies.record(.app(.batchDone(UInt32(members.count))))
    for member in members {
      replies.record(.person(.set(member.fact, member.value ?? .instant(situation.moment.wall))))
    }
  }

  private func isSelected(_ member: Batch.Member, _ choice: Batch.Choice, _ moment: Moment) -> Bool {
    if let part = member.part, list[part.fact] != part.value { return false }
    guard let reminder = member.reminder else { return true }
    return choice == .due
      ? list.isDue(reminder, at: moment.wall, in: zones[moment.zone]) : list.contains(reminder)
  }
}
