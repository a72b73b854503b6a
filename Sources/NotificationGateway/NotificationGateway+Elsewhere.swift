import CivilTime
import TriggerModel

/// Caps of a person who has several devices: what another one has shown counts here too, from when this one is told
/// of it. Nobody tells it where caps count on each device for itself.
extension NotificationGateway {
  /// Counts a delivery on another device as one of its instant here: in its bucket and type on the local day that it
  /// was where this phone is now, among those ever, and for the minimum interval. Lapses are each device's own, as
  /// opening the app ends the one there and no other.
  ///
  /// What is pending here, and would not be admitted beside it, is taken back with that cap as the reason, the latest
  /// first. What the system repeats stays: to give up one occurrence would be to give up all.
  mutating func countElsewhere(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard let bucket = event.bucket, Int(event.subject) < policy.typeCount else { return }
    let delivered = event.moment.earlier(by: event.age)
    let other = Reservation(
      id: RequestID(reminder: ReminderID(0), occurrence: 0), deliverAt: delivered.wall,
      type: TypeID(event.subject), day: memory.cursor.local(at: delivered.wall).date,
      // Of no lapse here.
      lapse: state.lapse &- 1, bucket: bucket, isFloating: false, repeats: nil)
    state.take(
      other, today: memory.cursor.local(at: event.moment.wall).date, keeping: policy.keptDays)
    memory.isDirty = true
    noteDelivery(delivered, bucket, at: event.moment)
    for reservation in state.pending.reversed() {
      guard let reason = overrun(of: reservation, by: other) else { continue }
      withdrawPending(because: reason, into: &effects) { $0.id == reservation.id }
    }
  }

  /// Intervals count from the latest delivery, and from one elsewhere where the system refuses those after it.
  private mutating func noteDelivery(_ delivered: Moment, _ bucket: Bucket, at now: Moment) {
    func isLater(than other: Moment?) -> Bool {
      guard let other else { return true }
      return now.elapsed(since: delivered) < now.elapsed(since: other)
    }
    if isLater(than: lastDelivery(bucket)) { return setLastDelivery(delivered, bucket) }
    let next = state.unconfirmed.firstIndex {
      $0.reservation.bucket == bucket && !isLater(than: $0.delivered)
    }
    if let next, isLater(than: state.unconfirmed[next].previous) {
      state.unconfirmed[next].previous = delivered
    }
  }

  /// The cap that a reservation is beyond because of a delivery elsewhere, which is counted already; nil: none.
  private func overrun(of reservation: Reservation, by other: Reservation) -> Reason? {
    if reservation.repeats != nil { return nil }
    var blockers = ReasonSet()
    if reservation.type == other.type, isOver(.lifetime, reservation) { blockers.insert(.lifetimeCap) }
    switch (reservation.bucket, other.bucket) {
    case (.critical, .critical):
      if reservation.day == other.day,
        state.days.count(.critical, on: reservation.day) > policy.criticalDailyCap
      {
        blockers.insert(.criticalDailyCap)
      }
    case (.standard, .standard): blockers.formUnion(standardCaps(reservation, other))
    default: break
    }
    if reservation.bucket == .standard, isNeighbour(other.bucket),
      (reservation.deliverAt - other.deliverAt).magnitude < policy.minimumInterval
    {
      blockers.insert(.minimumInterval)
    }
    blockers.formIntersection(policy.checks)
    return blockers.isEmpty ? nil : policy.checkOrder[policy.firsts.place(of: blockers)]
  }

  private func standardCaps(_ reservation: Reservation, _ other: Reservation) -> ReasonSet {
    var blockers = ReasonSet()
    if reservation.day == other.day {
      let count = state.days.count(.standard, on: reservation.day)
      if count > policy.dailyCap { blockers.insert(.dailyCap) }
      if let own = state.preferences.dailyCap, count > UInt32(clamping: own) {
        blockers.insert(.userDailyCap)
      }
    }
    if reservation.type == other.type {
      if reservation.day == other.day, isOver(.daily, reservation) { blockers.insert(.typeDailyCap) }
      if policy.week(of: reservation.day).contains(other.day), isOver(.weekly, reservation) {
        blockers.insert(.typeWeeklyCap)
      }
    }
    return blockers
  }

  /// A reservation is counted itself.
  private func isOver(_ cap: TypeCap, _ reservation: Reservation) -> Bool {
    let limit = policy.typeCaps[reservation.type.index, cap]
    if limit == CompiledCapPolicy.unlimited { return false }
    return cap.count(of: reservation.type, on: reservation.day, in: state, policy) > limit
  }
}
