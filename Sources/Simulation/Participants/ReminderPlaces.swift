import DeviceSimulation
package import Journal
import ScenarioModel
import TriggerModel

/// Our app's book of the reminders that wait: says which of them have a place in the plan, and what it refuses.
package struct ReminderPlaces: Participant {
  private let book: RoomBook
  private var plan: Int
  /// Those that wait, in the order in which they were made.
  private var order: [Int]
  /// By reminder: what the app was told last.
  private var places: [Bool]

  init(_ book: RoomBook) {
    self.book = book
    plan = book.plan
    order = book.order
    places = book.places
  }

  package static func listens(to body: JournalRecord.Body) -> Bool {
    switch body {
    case .happened(.fact), .happened(.create), .happened(.cancel), .happened(.cancelAll),
      .happened(.reinstall),
      .outcome(.delivered):
      true
    case .happened, .outcome, .truth, .observed, .effect, .due, .link, .app, .person, .sync: false
    }
  }

  package mutating func deliver(
    _ body: JournalRecord.Body, _ situation: Situation, into replies: inout Replies
  ) {
    switch body {
    case .happened(.fact(book.room.fact, let value)):
      guard !value.isMissing, book.locks.indices.contains(Int(value.bits)) else { return }
      plan = Int(value.bits)
    case .happened(.create(let reminder)):
      guard situation.isPhoneOn, !order.contains(reminder.index) else { return }
      order.append(reminder.index)
      if book.locks[plan][reminder.index] || !places[reminder.index] {
        replies.record(.app(.reminderRefused(reminder)))
      }
    case .happened(.cancel(let reminder)): order.removeAll { $0 == reminder.index }
    case .happened(.cancelAll): order.removeAll()
    case .happened(.reinstall): order = book.order
    case .outcome(.delivered(let id, _)):
      guard book.firesOnce[id.reminder.index] else { return }
      order.removeAll { $0 == id.reminder.index }
    default: return
    }
    let new = book.room.places(order, at: plan, isLocked: book.locks[plan])
    for index in new.indices where new[index] != places[index] {
      replies.set(book.facts[index], .truth(new[index]))
    }
    places = new
  }
}
