package import TriggerModel

/// When the engine wants to be woken, on the wall clock.
package struct WakeWishes: Hashable, Sendable {
  /// By reminder; `.distantFuture`: not at all.
  private var byReminder: [Instant] = []
  private var release = Instant.distantFuture
  /// Whose time came while the process did not run, in the order of their times.
  package private(set) var overdue: [ReminderID] = []

  package init() {}

  package subscript(reminder: ReminderID) -> Instant {
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
  package var all: [ReminderID] {
    let reminders = byReminder.indices.filter { byReminder[$0] != .distantFuture }.map { ReminderID($0) }
    return release == .distantFuture ? reminders : reminders + [.heldRequests]
  }

  package mutating func miss(_ reminder: ReminderID) {
    if !overdue.contains(reminder) { overdue.append(reminder) }
  }

  /// Empties the list of those whose time came unseen.
  package mutating func forgetOverdue() { overdue.removeAll(keepingCapacity: true) }
}

extension WakeWishes: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&byReminder)
    parcel.carry(&release)
    parcel.carry(&overdue)
  }
}
