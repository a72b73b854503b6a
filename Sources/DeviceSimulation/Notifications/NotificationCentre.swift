package import CivilTime
package import TriggerModel

/// The system's notification centre: pending requests, visible notifications and the permission to notify.
///
/// Every request is delivered, refused, removed with a reason, or still pending. The notification centre
/// reads only the wall clock. The phone decides how to present a delivery, because it knows whether the app
/// is in the foreground.
package struct NotificationCentre: Hashable, Sendable {
  package private(set) var permission: NotificationPermission
  /// The pending requests, in the order of insertion.
  package private(set) var pending: [PendingRequest] = []
  private var list: VisibleList
  /// The number of next requests that an injected fault makes the system refuse.
  private var failuresToCome: UInt32 = 0
  private let rules: CentreRules

  package init(rules: CentreRules = CentreRules(), permission: NotificationPermission = .notDetermined) {
    self.rules = rules
    self.permission = permission
    list = VisibleList(identifier: rules.identifier)
  }

  /// The visible notifications, oldest first.
  package var visible: [DeliveredNotification] { list.notifications.filter { !$0.isHeld } }

  /// Whether any notification waits for the next scheduled summary.
  var holdsForSummary: Bool { list.notifications.last(where: \.isHeld) != nil }

  // MARK: - Requests

  /// Makes the system refuse the next `count` requests, in addition to those of earlier faults.
  mutating func failNextAdds(_ count: UInt32) {
    failuresToCome = UInt32(clamping: UInt64(failuresToCome) + UInt64(count))
  }

  /// Accepts or refuses a request.
  ///
  /// If too many requests are pending, the system drops one according to the rules. As on a real phone, this
  /// call does not report the dropped request to the app.
  ///
  /// - Parameters:
  ///   - lateness: The time between the requested time and the platform's delivery, or `nil` for immediate
  ///     delivery. A request for immediate delivery does not count against the limit of pending requests.
  ///   - isFit: Whether the attachment is within the size limit.
  /// - Returns: The reason for refusing the request, or `nil` if it was accepted.
  /// - Complexity: O(pending).
  package mutating func add(
    _ request: NotificationRequest, lateness: TimeSpan? = .zero, zone: Zone, home: ZoneID? = nil,
    isFit: Bool = true, into out: inout PhoneOutput
  ) -> Reason? {
    if failuresToCome > 0 {
      failuresToCome -= 1
      return refuse(request.id, .addFailed, into: &out)
    }
    guard isFit, permission.allowsDelivery else { return refuse(request.id, .addFailed, into: &out) }

    let new = PendingRequest(request, lateness: lateness, zone: zone, home: home)
    let key = RequestKey(request, rules.identifier)
    let old = pending.firstIndex { RequestKey($0.request, rules.identifier) == key }
    if old == nil, new.isAlarm, rules.pendingEviction == .refuse, waiting >= rules.pendingCapacity {
      return refuse(request.id, .addFailed, into: &out)
    }
    out.outcomes.append(.reserved(request.id, due: new.due))
    if let old {
      let place = rules.replacementKeepsPlace ? old : pending.count - 1
      lose(pending.remove(at: old).request.id, .superseded, into: &out)
      pending.insert(new, at: place)
    } else {
      pending.append(new)
    }
    if new.isAlarm { makeRoom(into: &out) }
    return nil
  }

  /// Removes a pending request or a delivered notification.
  /// - Returns: Whether the removed request was pending.
  package mutating func remove(_ id: RequestID, _ reason: Reason, into out: inout PhoneOutput) -> Bool {
    list.remove(id)
    guard let index = pending.firstIndex(where: { $0.request.id == id }) else { return false }
    pending.remove(at: index)
    lose(id, reason, into: &out)
    return true
  }

  /// Removes the pending requests of a reminder.
  mutating func removePending(of reminder: ReminderID, _ reason: Reason, into out: inout PhoneOutput) {
    removePending(reason, into: &out) { $0.request.id.reminder == reminder }
  }

  /// Removes all pending requests and all delivered notifications.
  package mutating func removeAll(_ reason: Reason, into out: inout PhoneOutput) {
    removePending(reason, into: &out) { _ in true }
    list.removeAll()
  }

  /// Marks all pending requests as lost, except those that are lost already. If the app requests one again
  /// before it is due, the request is restored. Otherwise it is not delivered.
  mutating func losePending(to cause: Reason) {
    for index in pending.indices where pending[index].lostTo == nil { pending[index].lostTo = cause }
  }

  /// Restores lost requests that are not due yet, because the app has requested them again.
  /// - Returns: Whether any request was lost.
  mutating func restorePending() -> Bool {
    defer { for index in pending.indices { pending[index].lostTo = nil } }
    return pending.contains { $0.lostTo != nil }
  }

  /// Removes and reports a request that fell due while it was lost.
  mutating func removeLost(at position: Int, _ cause: Reason, into out: inout PhoneOutput) -> RequestID {
    let id = pending.remove(at: position).request.id
    lose(id, cause, into: &out)
    return id
  }

  /// Replaces the lateness of a pending request and reports the new due instant.
  mutating func set(lateness: TimeSpan, at position: Int, into out: inout PhoneOutput) {
    guard pending[position].set(lateness: lateness) else { return }
    out.outcomes.append(.rescheduled(pending[position].request.id, due: pending[position].due))
  }

  /// Sets the permission to notify. Revoking the permission also removes the pending requests and the
  /// notifications held for the summary.
  package mutating func setPermission(_ new: NotificationPermission, into out: inout PhoneOutput) {
    permission = new
    if new.allowsDelivery { return }
    removePending(.permissionRevoked, into: &out) { _ in true }
    list.removeHeld()
  }

  // MARK: - Time

  /// The wall-clock instant of the next delivery, or `.distantFuture` if nothing is pending.
  /// - Complexity: O(pending).
  package var nextDue: Instant {
    pending.reduce(.distantFuture) { min($0, $1.due) }
  }

  /// Returns the position of the lost request that fell due first, at or before `wall`, or `nil` if there is
  /// none. If two fell due at the same instant, returns the one that was added first.
  func firstLost(at wall: Instant) -> Int? {
    var first: Int?
    for index in pending.indices where pending[index].due <= wall && pending[index].lostTo != nil {
      if let known = first, pending[known].due <= pending[index].due { continue }
      first = index
    }
    return first
  }

  /// Returns the position of the request to deliver next at `wall`, or `nil` if there is none. The earliest
  /// requested time is first; among equal times, the request that was added first.
  ///
  /// - Parameter goesOff: Whether alarms go off now. If not, only requests for immediate delivery are
  ///   returned.
  func nextDelivery(at wall: Instant, goesOff: Bool) -> Int? {
    var first: Int?
    for index in pending.indices where pending[index].time <= wall && pending[index].lostTo == nil {
      if pending[index].isAlarm, !goesOff { continue }
      if let known = first, pending[known].time <= pending[index].time { continue }
      first = index
    }
    return first
  }

  /// Removes and returns the pending request at a position.
  mutating func take(at position: Int) -> NotificationRequest { pending.remove(at: position).request }

  /// Records the delivery of a request. The delivered notification replaces a visible one with the same
  /// identifier.
  package mutating func deliver(
    _ request: NotificationRequest, _ presentation: Presentation, at wall: Instant,
    into out: inout PhoneOutput
  ) {
    out.outcomes.append(.delivered(request.id, presentation))
    list.remove(sharing: request)
    guard presentation.isExposed || presentation.isHeld else { return }
    list.append(
      DeliveredNotification(request: request, deliveredAt: wall, isHeld: presentation.isHeld),
      limit: rules.deliveredLimit)
  }

  /// Whether the system does not show a request because too many notifications are visible.
  func refuses(_ request: NotificationRequest) -> Bool {
    rules.deliveredEviction == .refuseNew && list.isFull(for: request, limit: rules.deliveredLimit)
  }

  /// Shows the notifications that were held for the scheduled summary.
  mutating func showSummary(at wall: Instant, into out: inout PhoneOutput) {
    for held in list.release() {
      out.outcomes.append(.presentedLate(held.id, after: wall - held.deliveredAt))
    }
  }

  // MARK: - Repeating

  /// Advances a repeated request to its next occurrence, or removes it if `next` is `nil`.
  mutating func advance(
    at position: Int, to next: (occurrence: Instant, lateness: TimeSpan)?, into out: inout PhoneOutput
  ) {
    guard let next else {
      pending.remove(at: position)
      return
    }
    reschedule(at: position, for: next.occurrence, next.lateness, into: &out)
  }

  /// Skips an occurrence of a repeated request and reports it as lost.
  mutating func skipOccurrence(
    at position: Int, _ reason: Reason, to next: (occurrence: Instant, lateness: TimeSpan)?,
    into out: inout PhoneOutput
  ) {
    lose(pending[position].request.id, reason, into: &out)
    advance(at: position, to: next, into: &out)
  }

  /// Reschedules a repeated request for another occurrence.
  mutating func reschedule(
    at position: Int, for occurrence: Instant, _ lateness: TimeSpan, into out: inout PhoneOutput
  ) {
    pending[position].reschedule(for: occurrence, lateness: lateness)
    let entry = pending[position]
    out.outcomes.append(.repeated(entry.request.id, for: occurrence, due: entry.due))
  }

  /// Shifts a request that was scheduled with a time interval, because the wall clock was set.
  mutating func shift(at position: Int, by delta: TimeSpan, into out: inout PhoneOutput) {
    pending[position].shift(by: delta)
    out.outcomes.append(.rescheduled(pending[position].request.id, due: pending[position].due))
  }

  /// Returns whether a request is pending.
  func isPending(_ id: RequestID) -> Bool { pending.contains { $0.request.id == id } }

  /// Moves floating requests to the same local time in another zone.
  ///
  /// - Parameter losesSkipped: Whether the system loses requests whose local time has already passed in that
  ///   zone.
  mutating func zoneChanged(
    to zone: Zone, at wall: Instant, losesSkipped: Bool, into out: inout PhoneOutput
  ) {
    var skipped: Set<RequestID> = []
    for index in pending.indices {
      let wasDue = pending[index].due <= wall
      guard pending[index].move(to: zone) else { continue }
      if losesSkipped, !wasDue, pending[index].due < wall {
        skipped.insert(pending[index].request.id)
      } else {
        out.outcomes.append(.rescheduled(pending[index].request.id, due: pending[index].due))
      }
    }
    if !skipped.isEmpty { removePending(.expiredAtRelease, into: &out) { skipped.contains($0.request.id) } }
  }

  /// Applies the rules for pending requests after a boot.
  package mutating func rebooted(at wall: Instant, into out: inout PhoneOutput) {
    switch rules.afterReboot {
    // A repeated request stays pending; the phone only skips its missed occurrences.
    case .dropMissed:
      removePending(.expiredAtRelease, into: &out) { $0.due <= wall && $0.request.repeats == nil }
    // `Phone` marks lost requests itself, because the app may request them again.
    case .deliverMissed, .loseAll: break
    }
  }

  // MARK: - Visible notifications

  /// Returns the newest visible notification of a reminder, or `nil` if there is none.
  package func newestVisible(of reminder: ReminderID) -> RequestID? {
    list.notifications.last { $0.id.reminder == reminder && !$0.isHeld }?.id
  }

  /// Returns whether a notification is visible.
  package func isVisible(_ id: RequestID) -> Bool {
    list.notifications.contains { $0.id == id && !$0.isHeld }
  }

  /// Removes a notification that the person tapped or dismissed.
  package mutating func respond(to id: RequestID) {
    list.remove(id)
  }

  /// Removes the visible notifications of a reminder and those held for the summary.
  mutating func removeShown(of reminder: ReminderID) { list.remove(of: reminder) }

  /// Removes the visible notifications. Held ones stay.
  /// - Returns: Whether any notification was visible.
  package mutating func clearVisible() -> Bool { list.removeVisible() }

  // MARK: - Helpers

  /// The number of pending requests that are not for immediate delivery.
  private var waiting: Int { pending.count { $0.isAlarm } }

  private mutating func makeRoom(into out: inout PhoneOutput) {
    guard waiting > rules.pendingCapacity else { return }
    let newest = pending.count - 1
    let victim: Int
    switch rules.pendingEviction {
    case .lastAdded: victim = pending.firstIndex(where: \.isAlarm) ?? newest
    case .rejectNew, .refuse: victim = newest
    case .soonest:
      // If several requests share the last due instant, the one added last is dropped.
      victim =
        pending.indices.reversed().filter { pending[$0].isAlarm }
        .max { pending[$0].due < pending[$1].due } ?? newest
    }
    lose(pending.remove(at: victim).request.id, .pendingLimit, into: &out)
  }

  private mutating func removePending(
    _ reason: Reason, into out: inout PhoneOutput, where isGone: (PendingRequest) -> Bool
  ) {
    for gone in pending where isGone(gone) { lose(gone.request.id, reason, into: &out) }
    pending.removeAll(where: isGone)
  }

  private mutating func lose(_ id: RequestID, _ reason: Reason, into out: inout PhoneOutput) {
    out.outcomes.append(.removed(id, reason))
  }

  private mutating func refuse(_ id: RequestID, _ reason: Reason, into out: inout PhoneOutput) -> Reason {
    out.outcomes.append(.refused(id, reason))
    return reason
  }
}

extension NotificationCentre: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.permission, \.failuresToCome)
    parcel.carry(&pending)
    list.pack(in: &parcel)
  }
}
