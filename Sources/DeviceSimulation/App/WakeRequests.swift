import TriggerModel

/// The wall-clock instants at which the engine requested to be woken.
struct WakeRequests: Hashable, Sendable {
  /// The requested instant for each reminder. It is `.distantFuture` if there is no request, and
  /// `.distantPast` if the instant had already passed when the app made the request.
  private var byReminder: [Instant] = []
  private var release = Instant.distantFuture
  /// The requests that fell due while the process was not running, in the order of their times.
  private(set) var overdue: [ReminderID] = []
  /// Whether the system lost the requests. The app makes them again when its process runs.
  var areLost = false

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
      byReminder.grow(toHold: reminder.index, filling: .distantFuture)
      byReminder[reminder.index] = newValue
    }
  }

  /// The reminders that have a request, in the order of declaration. The request for deferred notifications
  /// is last.
  /// - Complexity: O(reminders).
  var all: [ReminderID] {
    let reminders = byReminder.indices.filter { byReminder[$0] != .distantFuture }.map { ReminderID($0) }
    return release == .distantFuture ? reminders : reminders + [.heldRequests]
  }

  /// Returns the reminder whose request is due first, at or before `wall`, or `nil` if there is none. Omits
  /// requests in ``overdue`` and requests that had passed when the app made them.
  /// - Complexity: O(reminders).
  func first(at wall: Instant) -> ReminderID? {
    func isNext(_ time: Instant, _ reminder: ReminderID) -> Bool {
      time <= wall && time != .distantPast && !overdue.contains(reminder)
    }
    var first: Int?
    for index in byReminder.indices where isNext(byReminder[index], ReminderID(index)) {
      if let known = first, byReminder[known] <= byReminder[index] { continue }
      first = index
    }
    let isRelease = isNext(release, .heldRequests) && first.map { release < byReminder[$0] } ?? true
    return isRelease ? .heldRequests : first.map { ReminderID($0) }
  }

  mutating func markOverdue(_ reminder: ReminderID) {
    if !overdue.contains(reminder) { overdue.append(reminder) }
  }

  mutating func clearOverdue() { overdue.removeAll(keepingCapacity: true) }
}

extension WakeRequests: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&byReminder)
    parcel.carry(&release)
    parcel.carry(&overdue)
    parcel.carry(&areLost)
  }
}
