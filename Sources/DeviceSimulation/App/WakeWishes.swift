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

  /// The process is started for something else: whose time came unseen is past. Held requests are not.
  package mutating func letPass() {
    for reminder in overdue where reminder != .heldRequests { self[reminder] = .distantFuture }
    overdue.removeAll { $0 != .heldRequests }
  }

  /// The phone was off: whose time came meanwhile is past, and starts the process all the same.
  package mutating func wereOff(until wall: Instant) {
    for index in byReminder.indices where byReminder[index] <= wall { byReminder[index] = .distantPast }
  }

  /// Takes a wish out. Returns whether the process is to be told of it.
  package mutating func take(_ reminder: ReminderID) -> Bool {
    defer { self[reminder] = .distantFuture }
    return self[reminder] != .distantPast
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
