import CivilTime
import TriggerModel

extension NotificationGateway {
  /// Records an admitted request, as reserved if it is due later and as delivered if it is due now.
  mutating func recordAdmission(of request: NotificationRequest, at now: Moment) {
    let delivery = max(request.deliverAt, now.wall)
    let day = memory.cursor.local(at: delivery).date
    let reservation = Reservation(
      id: request.id, deliverAt: delivery, type: request.type, day: day, lapse: state.lapse,
      bucket: request.bucket, isFloating: request.isFloating, isElapsed: request.followsClock,
      repeats: request.repeats)
    if policy.counterLag == .zero {
      count(reservation, at: now)
    } else {
      state.uncounted.append(UncountedAdmission(reservation: reservation, admitted: now))
    }
    memory.isDirty = true
    if delivery > now.wall {
      state.insertPending(reservation)
      return
    }
    keepUnconfirmed(reservation, delivered: now)
    setLastDelivery(now, reservation.bucket)
  }

  /// Records a delivery that can still be reverted. Must be called before the delivery is the latest one.
  private mutating func keepUnconfirmed(_ reservation: Reservation, delivered: Moment) {
    // The deliveries are sorted by time, so those that can no longer be refused come first. A slice instead
    // of the count would force a copy on removal.
    let confirmed =
      state.unconfirmedDeliveries.firstIndex { $0.isOpen(at: delivered) } ?? state.unconfirmedDeliveries.count
    if confirmed > 0 { state.unconfirmedDeliveries.removeFirst(confirmed) }
    state.unconfirmedDeliveries.append(
      UnconfirmedDelivery(
        reservation: reservation, delivered: delivered, previous: lastDelivery(reservation.bucket)))
  }

  private mutating func count(_ reservation: Reservation, at now: Moment) {
    state.record(reservation, today: memory.cursor.local(at: now.wall).date, keeping: policy.keptDays)
  }

  /// Counts the admissions that are older than the counter lag.
  private mutating func countLaggingAdmissions(at now: Moment) {
    let known = state.uncounted.prefix { now.elapsed(since: $0.admitted) >= policy.counterLag }
    if known.isEmpty { return }
    state.uncounted.removeFirst(known.count)
    for admission in known { count(admission.reservation, at: now) }
    memory.isDirty = true
  }

  /// Advances the accounts to the present: applies changes of the clocks and the zone, and delivers due
  /// reservations.
  mutating func advance(to now: Moment) {
    let clocks = ClockPair(now)
    if state.clocks != clocks { adopt(clocks, at: now) }
    deliverDue(at: now)
    if state.zone != now.zone {
      enter(now.zone, at: now)
      // On arrival, the system delivers the reservations that the change of zone has skipped.
      deliver(upTo: now.wall) { _ in now }
    }
    if !state.uncounted.isEmpty { countLaggingAdmissions(at: now) }
  }

  /// Adjusts the accounts after the wall clock was set or the phone booted.
  private mutating func adopt(_ clocks: ClockPair, at now: Moment) {
    memory.isDirty = true
    let before = state.clocks
    state.clocks = clocks
    guard let old = before else { return }
    if old.boot == clocks.boot {
      // The old clock delivered the reservations that were due by it. Those skipped by a jump forward are
      // delivered now.
      let wall = old.wallAtBoot + now.uptime.span
      deliver(upTo: wall) { old.moment(wall: $0, zone: now.zone) }
      shiftSpans(by: clocks.wallAtBoot - old.wallAtBoot, at: now)
      deliver(upTo: now.wall) { _ in now }
      if now.wall < wall { rescheduleDeferrals(dueBy: wall, at: now) }
    } else {
      // Only the wall clock measures the time for which the phone was off. It is used once. From now on the
      // monotonic clock of the new boot measures intervals, even if the wall clock is set.
      state.lastStandard = state.lastStandard.map { clocks.reckon($0, at: now) }
      state.lastCritical = state.lastCritical.map { clocks.reckon($0, at: now) }
    }
  }

  private mutating func deliverDue(at now: Moment) {
    guard let first = state.pending.first, first.deliverAt <= now.wall else { return }
    let clocks = ClockPair(now)
    deliver(upTo: now.wall) { clocks.moment(wall: $0, zone: now.zone) }
  }

  /// Returns the delivery time of the first reservation after an instant.
  func firstPending(after wall: Instant) -> Instant? {
    state.pending.first { $0.deliverAt > wall }?.deliverAt
  }

  /// Delivers the reservations up to a wall-clock instant. `moment` returns the clock readings at each
  /// delivery.
  ///
  /// If alarms may be late, reservations are kept until the app observes the delivery, except repeating ones.
  private mutating func deliver(upTo wall: Instant, moment: (Instant) -> Moment) {
    var (count, late) = (0, 0)
    while count + late < state.pending.count && state.pending[count + late].deliverAt <= wall {
      let reservation = state.pending[count + late]
      let isCounted = reservation.repeats != nil || !alarmsMayBeLate
      if isCounted, policy.countsPresentedOnly {
        keepUnconfirmed(reservation, delivered: moment(reservation.deliverAt))
      }
      if reservation.repeats != nil {
        // The app observes all occurrences of a repeating request under one identifier.
        setLastDelivery(moment(reservation.deliverAt), reservation.bucket)
        repeatDelivery(at: count + late)
      } else if !alarmsMayBeLate {
        setLastDelivery(moment(reservation.deliverAt), reservation.bucket, byClock: reservation.id)
        count += 1
      } else if reservation.deliverAt > wall - NotificationRequest.longestLateness {
        late += 1
      } else {
        count += 1
      }
    }
    if count > 0 {
      state.pending.removeFirst(count)
      memory.isDirty = true
    }
  }

  /// Records an observed delivery, and measures intervals from it.
  mutating func confirmDelivery(of id: RequestID, at delivery: Moment) {
    for bucket in Bucket.allCases where memory.lastByClock(bucket) == id {
      setLastDelivery(delivery, bucket)
      memory.isDirty = true
    }
    // A repeating request has already advanced to its next occurrence.
    guard let index = state.pending.firstIndex(where: { $0.id == id && $0.repeats == nil }) else { return }
    setLastDelivery(delivery, state.pending.remove(at: index).bucket)
    memory.isDirty = true
  }

  /// Reverts the counts of a request that the system refused.
  mutating func revertRefused(_ id: RequestID, at now: Moment) {
    cancelPending { $0.id == id }
    revertUnconfirmed(id, at: now)
  }

  /// Reverts the counts of a delivery that the app did not present. A repeating request keeps its next
  /// occurrence.
  mutating func revertUnpresented(_ id: RequestID, at now: Moment) {
    cancelPending { $0.id == id && $0.repeats == nil }
    revertUnconfirmed(id, at: now)
  }

  private mutating func revertUnconfirmed(_ id: RequestID, at now: Moment) {
    while let index = state.unconfirmedDeliveries.firstIndex(where: {
      $0.reservation.id == id && $0.isOpen(at: now)
    }) {
      let refused = state.unconfirmedDeliveries.remove(at: index)
      state.revert(refused.reservation)
      memory.isDirty = true
      // The interval is measured from the delivery before the refused one again.
      let bucket = refused.reservation.bucket
      if let next = state.unconfirmedDeliveries[index...].firstIndex(where: {
        $0.reservation.bucket == bucket
      }) {
        state.unconfirmedDeliveries[next].previous = refused.previous
      } else if lastDelivery(bucket) == refused.delivered {
        setLastDelivery(refused.previous, bucket)
      }
    }
  }

  /// Cancels the pending reservations that satisfy the condition, and reverts their counts.
  mutating func cancelPending(where condition: (Reservation) -> Bool) {
    var kept = 0
    for index in state.pending.indices {
      let reservation = state.pending[index]
      if condition(reservation) {
        state.revert(reservation)
        memory.isDirty = true
      } else {
        state.pending[kept] = reservation
        kept += 1
      }
    }
    state.pending.removeLast(state.pending.count - kept)
  }

  func lastDelivery(_ bucket: Bucket) -> Moment? {
    switch bucket {
    case .standard: state.lastStandard
    case .critical: state.lastCritical
    case .user: nil
    }
  }

  /// - Parameter id: The request if its delivery is inferred from the clocks, or `nil`.
  mutating func setLastDelivery(_ moment: Moment?, _ bucket: Bucket, byClock id: RequestID? = nil) {
    switch bucket {
    case .standard:
      state.lastStandard = moment
      memory.lastStandardByClock = id
    case .critical:
      state.lastCritical = moment
      memory.lastCriticalByClock = id
    case .user: break
    }
  }
}

/// Manages reservations of repeating requests.
///
/// The app requests a repetition once. Each occurrence counts for its day and for the intervals like any
/// delivery, because the app knows the occurrences without running. A single occurrence cannot be withheld.
extension NotificationGateway {
  /// Replaces the reservation of a delivered occurrence with that of the next one.
  mutating func repeatDelivery(at index: Int) {
    var reservation = state.pending.remove(at: index)
    memory.isDirty = true
    let last = reservation.deliverAt
    guard let next = reservation.repeats?.next(after: last, in: memory.cursor.zone) else { return }
    reservation.deliverAt = next
    reserve(reservation, today: memory.cursor.local(at: last).date)
  }

  /// Moves a repeating reservation to its first occurrence in the new zone.
  mutating func moveRepeat(at index: Int, after now: Moment) {
    let reservation = state.pending[index]
    guard let next = reservation.repeats?.next(after: now.wall, in: memory.cursor.zone) else { return }
    state.revert(reservation)
    state.pending[index].deliverAt = next
    state.pending[index].day = memory.cursor.local(at: next).date
    state.record(
      state.pending[index], today: memory.cursor.local(at: now.wall).date, keeping: policy.keptDays)
  }

  /// Shifts the ends of lengths of time after the wall clock was set, because they run on the monotonic clock:
  /// repetitions with a fixed span, and snoozes.
  ///
  /// Quiet hours may begin or end between the old and the new end, so deferrals are computed again.
  mutating func shiftSpans(by delta: TimeSpan, at now: Moment) {
    if state.pending.contains(where: \.isElapsed) {
      for index in state.pending.indices where state.pending[index].isElapsed {
        state.pending[index].deliverAt = state.pending[index].deliverAt + delta
      }
      state.pending.sort()
    }
    let isDeferred = Self.shiftSpans(&state.deferred, \.request, by: delta)
    let isReleased = Self.shiftSpans(&state.released, \.self, by: delta)
    let isOriginal = Self.shiftSpans(&state.originals, \.self, by: delta)
    if isDeferred || isReleased || isOriginal { reschedule(at: now) }
  }

  /// - Returns: Whether any request is for the end of a length of time.
  private static func shiftSpans<Entry>(
    _ entries: inout [Entry], _ request: WritableKeyPath<Entry, NotificationRequest>, by delta: TimeSpan
  ) -> Bool {
    var shifts = false
    for index in entries.indices where entries[index][keyPath: request].followsClock {
      entries[index][keyPath: request].shift(by: delta)
      shifts = true
    }
    return shifts
  }

  private mutating func reserve(_ reservation: Reservation, today: CivilDate) {
    var reservation = reservation
    reservation.day = memory.cursor.local(at: reservation.deliverAt).date
    reservation.lapse = state.lapse
    state.record(reservation, today: today, keeping: policy.keptDays)
    state.insertPending(reservation)
  }
}

/// Applies the caps of a person with several devices. Deliveries on another device count here after this
/// device is notified.
///
/// If caps are counted per device, this device is not notified.
extension NotificationGateway {
  /// Counts a delivery on another device as if it had taken place here at the same instant.
  ///
  /// It counts for its bucket, for its type on the local day in this phone's zone, for the lifetime count,
  /// and for the minimum interval. It does not count for the lapse, which only an opening of the app on that
  /// device ends.
  ///
  /// Pending requests that the caps would no longer admit are cancelled, the latest first, with the cap as
  /// the reason. Repeating requests are kept, because cancelling one occurrence would cancel all.
  mutating func countRemoteDelivery(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard let bucket = event.bucket, Int(event.subject) < policy.typeCount else { return }
    let delivered = event.moment.earlier(by: event.age)
    let other = Reservation(
      id: RequestID(reminder: ReminderID(0), occurrence: 0), deliverAt: delivered.wall,
      type: TypeID(event.subject), day: memory.cursor.local(at: delivered.wall).date,
      // A lapse number that never equals one of this device.
      lapse: state.lapse &- 1, bucket: bucket, isFloating: false, repeats: nil)
    state.record(
      other, today: memory.cursor.local(at: event.moment.wall).date, keeping: policy.keptDays)
    memory.isDirty = true
    recordRemoteDelivery(delivered, bucket, at: event.moment)
    for reservation in state.pending.reversed() {
      guard let reason = exceededCap(of: reservation, after: other) else { continue }
      withdrawPending(because: reason, into: &effects) { $0.id == reservation.id }
    }
  }

  /// Updates the latest delivery, or the fallback that applies if the system refuses the deliveries after it.
  private mutating func recordRemoteDelivery(_ delivered: Moment, _ bucket: Bucket, at now: Moment) {
    func isLater(than other: Moment?) -> Bool {
      guard let other else { return true }
      return now.elapsed(since: delivered) < now.elapsed(since: other)
    }
    if isLater(than: lastDelivery(bucket)) { return setLastDelivery(delivered, bucket) }
    let next = state.unconfirmedDeliveries.firstIndex {
      $0.reservation.bucket == bucket && !isLater(than: $0.delivered)
    }
    if let next, isLater(than: state.unconfirmedDeliveries[next].previous) {
      state.unconfirmedDeliveries[next].previous = delivered
    }
  }

  /// Returns the cap that a reservation exceeds because of a delivery on another device, or `nil`. That
  /// delivery must already be counted.
  private func exceededCap(of reservation: Reservation, after other: Reservation) -> Reason? {
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
    return blockers.isEmpty ? nil : policy.checkOrder[policy.firstChecks.place(of: blockers)]
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
    for cap in policy.bucketCaps where isOver(cap.limit, .standard, cap.period, reservation, other) {
      blockers.insert(cap.reason)
    }
    if reservation.type == other.type {
      for cap in TypeCap.allCases where cap.countsOnlyStandard && policy.typeCaps.uses(cap) {
        let limit = policy.typeCaps[reservation.type.index, cap]
        if limit != CompiledCapPolicy.unlimited,
          isOver(
            limit, .type(reservation.type), policy.period(of: cap, reservation.type), reservation, other)
        {
          blockers.insert(cap.reason)
        }
      }
    }
    return blockers
  }

  /// Returns whether a cap's count exceeds its limit in days that contain both the reservation and the other
  /// delivery.
  private func isOver(
    _ limit: UInt32, _ subject: DayCounts.Subject, _ period: CapPeriod, _ reservation: Reservation,
    _ other: Reservation
  ) -> Bool {
    guard let spans = period.spans(containing: reservation.day, other.day) else { return false }
    return state.days.highestCount(subject, in: spans) > limit
  }

  /// Returns whether the count of a cap, which includes the reservation, exceeds its limit.
  private func isOver(_ cap: TypeCap, _ reservation: Reservation) -> Bool {
    let limit = policy.typeCaps[reservation.type.index, cap]
    if limit == CompiledCapPolicy.unlimited { return false }
    return cap.count(of: reservation.type, on: reservation.day, in: state, policy) > limit
  }
}
