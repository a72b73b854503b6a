import DeviceSimulation
import Journal
import ScenarioModel
import TriggerModel

/// Enforces the plan's limit on active reminders. It determines which reminders are active and refuses the
/// others.
struct ReminderLimitEnforcer: Participant {
  private let tables: CompiledReminderLimit
  private var plan: Int
  /// The reminders that exist, in order of creation.
  private var order: [Int]
  /// The declaration in force, by reminder.
  private var declarations: [Int]
  /// The last state reported to the app, by reminder.
  private var isActive: [Bool]

  init(_ tables: CompiledReminderLimit) {
    self.tables = tables
    plan = tables.plan
    order = tables.order
    declarations = Array(tables.facts.indices)
    isActive = tables.isActive
  }

  static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened(.fact), .happened(.create), .happened(.edit), .happened(.cancel), .happened(.cancelAll),
      .happened(.reinstall), .outcome(.delivered):
      true
    case .happened, .outcome, .truth, .observed, .effect, .due, .notRequested, .uncalledFor, .link, .app,
      .person, .sync:
      false
    }
  }

  mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(.fact(tables.limit.fact, let value)):
      guard !value.isMissing, tables.isLocked.indices.contains(Int(value.bits)) else { return }
      plan = Int(value.bits)
    case .happened(.create(let reminder)):
      guard situation.isPhoneOn, !order.contains(reminder.index) else { return }
      order.append(reminder.index)
      declarations[reminder.index] = reminder.index
      if isLocked(reminder) || !isActive[reminder.index] {
        replies.record(.app(.reminderRefused(reminder)))
      }
    case .happened(.edit(let reminder, let edit)):
      guard situation.isPhoneOn else { return }
      declarations[reminder.index] = declarations.count + Int(edit)
      if isLocked(reminder) { replies.record(.app(.reminderRefused(reminder))) }
    case .happened(.cancel(let reminder)): order.removeAll { $0 == reminder.index }
    case .happened(.cancelAll): order.removeAll()
    case .happened(.reinstall):
      order = tables.order
      declarations = Array(tables.facts.indices)
    case .outcome(.delivered(let id, _)):
      guard tables.firesOnce[declarations[id.reminder.index]] else { return }
      order.removeAll { $0 == id.reminder.index }
    default: return
    }
    let new = tables.limit.places(order, at: plan, isLocked: declarations.map { tables.isLocked[plan][$0] })
    for index in new.indices where new[index] != isActive[index] {
      replies.set(tables.facts[index], .truth(new[index]))
    }
    isActive = new
  }

  /// Returns whether the current plan excludes the declaration in force of a reminder.
  private func isLocked(_ reminder: ReminderID) -> Bool {
    tables.isLocked[plan][declarations[reminder.index]]
  }
}
