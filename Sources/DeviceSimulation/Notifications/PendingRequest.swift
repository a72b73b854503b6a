import CivilTime
package import TriggerModel

/// A request that waits in the notification centre.
package struct PendingRequest: Hashable, Sendable, BitwiseCopyable {
  package var request: NotificationRequest
  /// When it is to be delivered, on the phone's wall clock.
  package var due: Instant
  /// The local reading that a floating request keeps when the zone changes; nil for one that stands
  /// for an instant.
  var localTime: LocalTime?
  /// How much later than asked for the platform delivers it.
  var lateness: TimeSpan
  /// The system has lost it; the app hands it over again when it runs.
  var isLost = false
  /// It was handed over for a later time, and not to be shown at once.
  package let isAlarm: Bool
  /// The zone whose local time a repeated request keeps wherever the phone is; nil: the phone's own.
  let home: ZoneID?

  /// - Parameter lateness: nil: to be shown at once.
  init(_ request: NotificationRequest, lateness: TimeSpan?, zone: Zone, home: ZoneID? = nil) {
    self.request = request
    self.home = home
    isAlarm = lateness != nil
    let lateness = lateness ?? .zero
    self.lateness = lateness
    self.due = request.deliverAt + lateness
    self.localTime = request.isFloating && request.repeats == nil ? zone.local(at: request.deliverAt) : nil
  }

  /// Its alarm is set anew; false when it comes as before.
  mutating func set(lateness new: TimeSpan) -> Bool {
    guard lateness != new else { return false }
    due = due - lateness + new
    lateness = new
    return true
  }

  /// Lets a repeated request wait for another of its occurrences.
  mutating func wait(for occurrence: Instant, lateness: TimeSpan) {
    request.scheduledFor = occurrence
    request.deliverAt = occurrence
    self.lateness = lateness
    due = occurrence + lateness
  }

  /// Moves a floating request to the same local reading in another zone; false when it stays.
  mutating func move(to zone: Zone) -> Bool {
    guard let localTime else { return false }
    let there = zone.instant(of: localTime)
    // An occurrence goes by the time that it has there (rule N3): that of another may be what its own was.
    if request.scheduledFor == request.deliverAt {
      (request.scheduledFor, request.deliverAt) = (there, there)
    }
    let moved = there + lateness
    defer { due = moved }
    return moved != due
  }
}

/// A notification that is still to be seen, or will be.
package struct DeliveredNotification: Hashable, Sendable, BitwiseCopyable {
  package var request: NotificationRequest
  /// On the phone's wall clock.
  package var deliveredAt: Instant
  /// Not to be seen before the next scheduled summary.
  var isHeld = false

  package var id: RequestID { request.id }
}
