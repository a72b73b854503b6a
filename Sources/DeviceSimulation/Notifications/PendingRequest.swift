import CivilTime
package import TriggerModel

/// A pending request in the notification centre.
package struct PendingRequest: Hashable, Sendable, BitwiseCopyable {
  package var request: NotificationRequest
  /// The instant at which the system delivers the request, on the phone's wall clock.
  package var due: Instant
  /// The local time that a floating request keeps when the zone changes, or `nil` for a request at a fixed
  /// instant.
  var localTime: LocalTime?
  /// The time between the requested time and the platform's delivery.
  var lateness: TimeSpan
  /// The reason that the system lost the request, or `nil` if it still holds the request. The app makes a
  /// lost request again when its process runs.
  var lostTo: Reason?
  /// Whether the request is for a later time. If not, it is for immediate delivery.
  package let isAlarm: Bool
  /// The zone in which a repeated request is always scheduled, or `nil` if it follows the phone's zone.
  let home: ZoneID?

  /// - Parameter lateness: `nil` if the request is for immediate delivery.
  init(_ request: NotificationRequest, lateness: TimeSpan?, zone: Zone, home: ZoneID? = nil) {
    self.request = request
    self.home = home
    isAlarm = lateness != nil
    let lateness = lateness ?? .zero
    self.lateness = lateness
    self.due = request.deliverAt + lateness
    self.localTime = request.isFloating && request.repeats == nil ? zone.local(at: request.deliverAt) : nil
  }

  /// The requested instant of delivery, on the phone's wall clock.
  var time: Instant { due - lateness }

  /// Replaces the lateness and returns whether it changed.
  mutating func set(lateness new: TimeSpan) -> Bool {
    guard lateness != new else { return false }
    due = due - lateness + new
    lateness = new
    return true
  }

  /// Reschedules a repeated request for another occurrence.
  mutating func reschedule(for occurrence: Instant, lateness: TimeSpan) {
    request.scheduledFor = occurrence
    request.deliverAt = occurrence
    self.lateness = lateness
    due = occurrence + lateness
  }

  /// Shifts the request when the wall clock is set by `delta`.
  mutating func shift(by delta: TimeSpan) {
    request.shift(by: delta)
    due = due + delta
  }

  /// Moves a floating request to the same local time in another zone and returns whether its due instant
  /// changed.
  mutating func move(to zone: Zone) -> Bool {
    guard let localTime else { return false }
    let there = zone.instant(of: localTime)
    // The identifier contains the occurrence (rule N3), so the occurrence must move too. Otherwise the
    // request could share an identifier with another occurrence.
    if request.scheduledFor == request.deliverAt {
      (request.scheduledFor, request.deliverAt) = (there, there)
    }
    let moved = there + lateness
    defer { due = moved }
    return moved != due
  }
}

/// The identifier that the app assigns to a request (rule N3).
struct RequestKey: Hashable, Sendable, BitwiseCopyable {
  private var reminder: ReminderID
  private var scheduledFor: Instant?
  private var occurrence: UInt32?
  /// The pattern of a repeated request, which has one identifier for all its occurrences.
  private var pattern: SystemRepeat?

  init(_ request: NotificationRequest, _ identifier: RequestIdentifier) {
    reminder = request.id.reminder
    switch identifier {
    case .perReminder: pattern = request.repeats
    case .perOccurrence where request.repeats != nil: pattern = request.repeats
    case .perOccurrence: scheduledFor = request.scheduledFor
    case .perRequest: occurrence = request.id.occurrence
    }
  }
}
