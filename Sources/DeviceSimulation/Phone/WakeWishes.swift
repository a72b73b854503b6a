package import TriggerModel

extension ReminderID {
  /// Stands for no reminder but for the held requests, in wake-ups: the subject of a `woken` event
  /// that answers `wakeForRelease`.
  package static let heldRequests = ReminderID(UInt32.max)
}

/// When the engine wants to be woken, on the wall clock.
struct WakeWishes: Hashable, Sendable {
  /// By reminder; `.distantFuture`: not at all.
  private var byReminder: [Instant] = []
  private var release = Instant.distantFuture
  /// Whose time came while the process did not run, in the order of their times.
  private(set) var overdue: [ReminderID] = []

  subscript(reminder: ReminderID) -> Instant {
    get {
      if reminder == .heldRequests { return release }
      return reminder.index < byReminder.count ? byReminder[reminder.index] : .distantFuture
    }
    set {
      if reminder == .heldRequests {
        release = newValue
        return
      }
      if reminder.index >= byReminder.count {
        let missing = reminder.index + 1 - byReminder.count
        byReminder.append(contentsOf: repeatElement(.distantFuture, count: missing))
      }
      byReminder[reminder.index] = newValue
    }
  }

  /// Those who have a wish, in the order of declaration, held requests last.
  /// - Complexity: O(reminders).
  var all: [ReminderID] {
    let reminders = byReminder.indices.filter { byReminder[$0] != .distantFuture }.map { ReminderID($0) }
    return release == .distantFuture ? reminders : reminders + [.heldRequests]
  }

  mutating func miss(_ reminder: ReminderID) {
    if !overdue.contains(reminder) { overdue.append(reminder) }
  }

  /// Empties the list of those whose time came unseen.
  mutating func forgetOverdue() { overdue.removeAll(keepingCapacity: true) }
}
