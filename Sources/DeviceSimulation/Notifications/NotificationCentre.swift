package import CivilTime
package import TriggerModel

/// The system's side of notifications: what is pending, what is to be seen, and what the person allows.
///
/// Every request handed to it ends as delivered, refused or removed with a reason, or is still
/// pending. It knows the wall clock only, and nothing of what is
/// in front: the phone decides how a delivery is presented.
package struct NotificationCentre: Hashable, Sendable {
  package private(set) var permission: NotificationPermission
  /// In the order of insertion.
  package private(set) var pending: [PendingRequest] = []
  private var list: VisibleList
  /// Refuse this many of the next requests: an injected fault.
  private var failuresToCome: UInt32 = 0
  private let rules: CentreRules

  package init(rules: CentreRules = CentreRules(), permission: NotificationPermission = .notDetermined) {
    self.rules = rules
    self.permission = permission
    list = VisibleList(identifier: rules.identifier)
  }

  /// What is to be seen, oldest first.
  package var visible: [DeliveredNotification] { list.notifications.filter { !$0.isHeld } }

  /// Whether anything is held for the next scheduled summary.
  package var holdsForSummary: Bool { list.notifications.last(where: \.isHeld) != nil }

  // MARK: - Requests

  /// Lets so many more of the next requests be refused.
  package mutating func failNextAdds(_ count: UInt32) {
    let (sum, isTooMuch) = failuresToCome.addingReportingOverflow(count)
    failuresToCome = isTooMuch ? .max : sum
  }

  /// Takes a request, or refuses it.
  ///
  /// When the platform keeps too many, one is dropped according to the rules; the app is not told by
  /// this call, as it is not on a real phone.
  /// - Parameter lateness: How much later than asked for it will be; nil: it is to be shown at once, and takes
  ///   no place among those that wait.
  /// - Parameter isFit: False: what is attached to it is too large.
  /// - Returns: nil when the request was taken, otherwise why it was refused.
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

  /// Takes a request back: a pending one will not be delivered, a delivered one is no longer to be seen.
  /// - Returns: Whether it was pending.
  package mutating func remove(_ id: RequestID, _ reason: Reason, into out: inout PhoneOutput) -> Bool {
    list.remove(id)
    guard let index = pending.firstIndex(where: { $0.request.id == id }) else { return false }
    pending.remove(at: index)
    lose(id, reason, into: &out)
    return true
  }

  /// Takes back everything of a reminder that is pending.
  mutating func removePending(of reminder: ReminderID, _ reason: Reason, into out: inout PhoneOutput) {
    removePending(reason, into: &out) { $0.request.id.reminder == reminder }
  }

  /// Drops everything that is pending and everything that is to be seen.
  package mutating func removeAll(_ reason: Reason, into out: inout PhoneOutput) {
    removePending(reason, into: &out) { _ in true }
    list.removeAll()
  }

  /// The system loses everything that is pending. What the app hands over again before its time comes is as if
  /// nothing had happened; the time of the rest comes and goes.
  mutating func losePending() {
    for index in pending.indices { pending[index].isLost = true }
  }

  /// The app hands over again what was lost and whose time has not come; false: nothing was.
  mutating func restorePending() -> Bool {
    defer { for index in pending.indices { pending[index].isLost = false } }
    return pending.contains { $0.isLost }
  }

  /// Takes a request out whose time has come while it was lost.
  mutating func forget(at position: Int, into out: inout PhoneOutput) -> RequestID {
    let id = pending.remove(at: position).request.id
    lose(id, .cancelled, into: &out)
    return id
  }

  /// The alarm of a pending request is set anew.
  mutating func set(lateness: TimeSpan, at position: Int, into out: inout PhoneOutput) {
    guard pending[position].set(lateness: lateness) else { return }
    out.outcomes.append(.rescheduled(pending[position].request.id, due: pending[position].due))
  }

  /// What the person allows. Taking the permission away takes the pending requests with it, and what waits for the
  /// scheduled summary.
  package mutating func setPermission(_ new: NotificationPermission, into out: inout PhoneOutput) {
    permission = new
    if new.allowsDelivery { return }
    removePending(.permissionRevoked, into: &out) { _ in true }
    list.removeHeld()
  }

  // MARK: - Time

  /// The wall-clock instant of the next delivery; `.distantFuture` when nothing is pending.
  /// - Complexity: O(pending).
  package var nextDue: Instant {
    pending.reduce(.distantFuture) { min($0, $1.due) }
  }

  /// The position of the request that is due first, at or before `wall`; of several due together of the one
  /// that was added first.
  /// - Parameter isHeldBack: Those that the system does not get round to yet.
  func firstDue(at wall: Instant, unless isHeldBack: (PendingRequest) -> Bool) -> Int? {
    var first: Int?
    for index in pending.indices where pending[index].due <= wall && !isHeldBack(pending[index]) {
      if let known = first, pending[known].due <= pending[index].due { continue }
      first = index
    }
    return first
  }

  /// Takes a request that is due from those that wait.
  mutating func take(at position: Int) -> NotificationRequest { pending.remove(at: position).request }

  /// Records how a request that ``take(at:)`` gave was presented. One of the same identifier that
  /// is still to be seen gives way.
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

  /// The scheduled summary comes, with everything that was held for it.
  package mutating func showSummary(at wall: Instant, into out: inout PhoneOutput) {
    for held in list.release() {
      out.outcomes.append(.presentedLate(held.id, after: wall - held.deliveredAt))
    }
  }

  // MARK: - Repeating

  /// The request at a position has come up, and waits for its next occurrence; nil: there is none.
  mutating func goOn(
    at position: Int, to next: (occurrence: Instant, lateness: TimeSpan)?, into out: inout PhoneOutput
  ) {
    guard let next else {
      pending.remove(at: position)
      return
    }
    wait(at: position, for: next.occurrence, next.lateness, into: &out)
  }

  /// An occurrence of a repeated request will not be delivered: it waits for the next.
  mutating func passOver(
    at position: Int, _ reason: Reason, to next: (occurrence: Instant, lateness: TimeSpan)?,
    into out: inout PhoneOutput
  ) {
    lose(pending[position].request.id, reason, into: &out)
    goOn(at: position, to: next, into: &out)
  }

  /// A repeated request waits for another occurrence than it did so far.
  mutating func wait(
    at position: Int, for occurrence: Instant, _ lateness: TimeSpan, into out: inout PhoneOutput
  ) {
    pending[position].wait(for: occurrence, lateness: lateness)
    let entry = pending[position]
    out.outcomes.append(.repeated(entry.request.id, for: occurrence, due: entry.due))
  }

  /// Whether a request is pending still.
  func isPending(_ id: RequestID) -> Bool { pending.contains { $0.request.id == id } }

  /// Moves the floating requests to the same local time in another zone.
  package mutating func zoneChanged(to zone: Zone, into out: inout PhoneOutput) {
    for index in pending.indices where pending[index].move(to: zone) {
      out.outcomes.append(.rescheduled(pending[index].request.id, due: pending[index].due))
    }
  }

  /// The phone starts again at wall-clock instant `wall`.
  package mutating func rebooted(at wall: Instant, into out: inout PhoneOutput) {
    switch rules.afterReboot {
    case .deliverMissed: break
    // Of what is repeated only the occurrence.
    case .dropMissed:
      removePending(.expiredAtRelease, into: &out) { $0.due <= wall && $0.request.repeats == nil }
    // The phone sees to that: what the app hands over again is not lost.
    case .loseAll: break
    }
  }

  // MARK: - What is to be seen

  /// The newest notification of a reminder that is still to be seen.
  package func newestVisible(of reminder: ReminderID) -> RequestID? {
    list.notifications.last { $0.id.reminder == reminder && !$0.isHeld }?.id
  }

  /// Whether it is to be seen.
  package func isVisible(_ id: RequestID) -> Bool {
    list.notifications.contains { $0.id == id && !$0.isHeld }
  }

  /// The person tapped or dismissed it.
  package mutating func respond(to id: RequestID) {
    list.remove(id)
  }

  /// The person clears the list; what is held is not in it yet.
  /// - Returns: Whether there was anything in it.
  package mutating func clearVisible() -> Bool { list.removeVisible() }

  // MARK: - Helpers

  /// How many wait for a later time.
  private var waiting: Int { pending.count { $0.isAlarm } }

  private mutating func makeRoom(into out: inout PhoneOutput) {
    guard waiting > rules.pendingCapacity else { return }
    let newest = pending.count - 1
    let victim: Int
    switch rules.pendingEviction {
    case .lastAdded: victim = pending.firstIndex(where: \.isAlarm) ?? newest
    case .rejectNew, .refuse: victim = newest
    case .soonest:
      // Of several due last the one added last.
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
