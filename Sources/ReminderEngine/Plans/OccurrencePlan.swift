package import TriggerModel

/// The state of one schedule's occurrences that are requested in advance.
package struct OccurrencePlan: Hashable, Sendable {
  /// An undelivered request that the scheduler or the system holds.
  package struct Entry: Hashable, Sendable, BitwiseCopyable {
    package var id: RequestID
    package var at: Instant
    /// The local day for which the occurrence counts.
    package var day: Int32
    /// The instant from which the occurrence counts as delivered. For a deferred occurrence, it follows the
    /// end of the deferral, or is the distant future if that end is unknown.
    package fileprivate(set) var deliveredAt: Instant

    package init(id: RequestID, at: Instant, day: Int32) {
      self.id = id
      self.at = at
      self.day = day
      deliveredAt = at
    }

    /// Whether the delivery is deferred past the occurrence's time.
    package var isDeferred: Bool { deliveredAt != at }

    /// The delivery instant of a deferred occurrence, or `nil` if it is unknown.
    package var release: Instant? {
      deliveredAt == .distantFuture ? nil : deliveredAt - NotificationRequest.confirmationTime
    }
  }

  /// The pending occurrences, ordered by ``Entry/at``.
  package private(set) var pending: [Entry] = []
  /// The occurrences that a snooze withdrew. The notification at the end of the snooze replaces them, unless
  /// a shorter snooze ends before they are due.
  package private(set) var snoozed: [Entry] = []
  /// The last considered occurrence, whether or not its conditions held.
  package private(set) var consideredTo = Instant.distantPast
  /// The instant up to which the person has cancelled occurrences. The schedule requests occurrences after
  /// this instant.
  package private(set) var cancelledTo = Instant.distantPast
  /// The instant up to which occurrences were denied or dropped.
  package private(set) var lostTo = Instant.distantPast
  /// Whether a lapse cap denied occurrences. They are requested again when the app is opened.
  package var isLostToLapse = false
  /// Whether the schedule has asked to wake the app, and still waits for it.
  package var hasWakeRequest = false
  /// The period in which no further occurrence needs to be considered. It is not stored.
  private var settled = Instant.distantPast..<Instant.distantPast
  /// The zone for which ``settled`` is valid. In another zone the occurrences differ, even if the app has not
  /// observed the journey yet.
  private var settledZone = ZoneID(0)

  /// Creates a plan in which no occurrence has been considered yet.
  package init() {}

  /// Creates a plan from its stored state.
  ///
  /// - Parameter pending: The pending occurrences, in chronological order.
  package init(pending: [Entry], consideredTo: Instant, cancelledTo: Instant, lostTo: Instant) {
    self.pending = pending
    self.consideredTo = consideredTo
    self.cancelledTo = cancelledTo
    self.lostTo = lostTo
  }

  /// Records that an occurrence was considered. It either follows ``consideredTo`` or is an earlier one that is
  /// considered again.
  ///
  /// The occurrence may be due before occurrences that are already pending.
  package mutating func considered(_ occurrence: Instant, _ entry: Entry?) {
    consideredTo = max(consideredTo, occurrence)
    guard let entry else { return }
    pending.insert(entry, at: pending.firstIndex { $0.at > entry.at } ?? pending.endIndex)
  }

  /// Records that all occurrences to request in advance have been considered.
  ///
  /// - Parameter first: The instant of the first occurrence. At this instant, a further occurrence must be
  ///   considered.
  package mutating func settle(from now: Instant, until first: Instant, in zone: ZoneID) {
    settled = now..<max(now, first)
    settledZone = zone
  }

  /// Returns whether all occurrences to request in advance have been considered, and nothing has changed
  /// since.
  package func isSettled(at now: Instant, in zone: ZoneID) -> Bool {
    settledZone == zone && settled.contains(now)
  }

  private mutating func unsettle() { settled = .distantPast ..< .distantPast }

  /// Returns whether the occurrence at an instant is pending.
  package func isPending(_ occurrence: Instant) -> Bool { pending.contains { $0.at == occurrence } }

  /// Returns whether any pending occurrence is due, so that ``deliver(upTo:)`` may remove it.
  func isDelivery(due now: Instant) -> Bool { pending.first.map { $0.at <= now } ?? false }

  /// Removes the pending occurrences that count as delivered by an instant.
  package mutating func deliver(upTo now: Instant) {
    pending.removeAll { $0.deliveredAt <= now }
  }

  /// Defers a request to another instant.
  ///
  /// - Returns: Whether the request was pending.
  package mutating func putOff(_ id: RequestID, until instant: Instant) -> Bool {
    guard let index = pending.firstIndex(where: { $0.id == id }) else { return false }
    pending[index].deliveredAt = instant
    return true
  }

  /// Returns whether an undeferred occurrence is due by an instant. Its delivery makes the engine consider
  /// the schedule again.
  package func isFollowed(by instant: Instant) -> Bool {
    pending.contains { !$0.isDeferred && $0.at <= instant }
  }

  /// Removes and returns a pending request, or returns `nil` if it is not pending.
  package mutating func remove(_ id: RequestID) -> Entry? {
    pending.firstIndex { $0.id == id }.map { pending.remove(at: $0) }
  }

  /// Moves the pending occurrences to another zone, where they keep their local time.
  ///
  /// All other occurrences are considered again, because earlier results applied to instants and days in the
  /// old zone.
  ///
  /// - Parameters:
  ///   - moved: Maps an instant to the instant with the same local time in the new zone.
  ///   - comesOnce: Whether each occurrence exists only once, because its day is counted from a fact. If
  ///     `true`, ``consideredTo`` is kept.
  package mutating func move(_ moved: (Instant) -> Instant, comesOnce: Bool) {
    func move(_ instant: inout Instant) {
      if instant != .distantPast && instant != .distantFuture { instant = moved(instant) }
    }
    for index in pending.indices {
      move(&pending[index].at)
      move(&pending[index].deliveredAt)
    }
    for index in snoozed.indices { move(&snoozed[index].at) }
    move(&cancelledTo)
    if !comesOnce { return reconsider() }
    unsettle()
    move(&consideredTo)
    move(&lostTo)
  }

  /// Withdraws the occurrences that are due by the end of a snooze.
  ///
  /// - Returns: The withdrawn occurrences, and those that an earlier, longer snooze had withdrawn and that
  ///   must be requested again.
  package mutating func snooze(until end: Instant) -> (removed: [Entry], again: [Entry]) {
    let removed = Array(pending.prefix { $0.at <= end })
    pending.removeFirst(removed.count)
    let again = snoozed.filter { $0.at > end }
    snoozed = snoozed.filter { $0.at <= end } + removed
    return (removed, again)
  }

  /// - Parameter entries: The withdrawn occurrences of a snooze that is still in force.
  package mutating func endSnooze(keeping entries: [Entry] = []) { snoozed = entries }

  /// Cancels all pending occurrences for the person, so that they are not requested again.
  ///
  /// - Parameter unplanned: An additional occurrence to cancel. It has no request, because the system had no
  ///   room or the request failed.
  package mutating func cancelAllPending(unplanned: Instant?) -> [Entry] {
    unsettle()
    cancelledTo = max(consideredTo, pending.last?.at ?? .distantPast, unplanned ?? .distantPast)
    consideredTo = cancelledTo
    defer { pending = [] }
    return pending
  }

  /// Forgets that the person has cancelled occurrences.
  package mutating func forgetCancellation() {
    unsettle()
    cancelledTo = .distantPast
  }

  /// Makes the engine consider all occurrences that are not pending again.
  package mutating func reconsider() {
    unsettle()
    isLostToLapse = false
    lostTo = .distantPast
    consideredTo = cancelledTo
  }

  /// Makes the engine consider an occurrence and all later ones again.
  package mutating func reconsider(from occurrence: Instant) {
    unsettle()
    consideredTo = min(consideredTo, occurrence - TimeSpan(milliseconds: 1))
  }

  /// Records that an occurrence was denied or dropped.
  package mutating func lost(_ occurrence: Instant) {
    lostTo = max(lostTo, occurrence)
  }

  /// Makes the engine consider the occurrences after the lost ones again, unless they are pending.
  package mutating func reconsiderAfterLosses() {
    unsettle()
    consideredTo = max(cancelledTo, lostTo)
  }
}

extension OccurrencePlan: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&pending)
    parcel.carry(&snoozed)
    parcel.carry(
      &self, \.consideredTo, \.cancelledTo, \.lostTo, \.isLostToLapse, \.hasWakeRequest, \.settledZone)
    var (start, end) = (settled.lowerBound, settled.upperBound)
    parcel.carry(&start)
    parcel.carry(&end)
    settled = start..<end
  }
}
