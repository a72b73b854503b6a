import CivilTime
import TriggerModel

extension NotificationGateway {
  /// Enters an admitted request into the accounts: as reserved when it is for later, as delivered when
  /// it is for now.
  mutating func take(_ request: NotificationRequest, at now: Moment) {
    let delivery = max(request.deliverAt, now.wall)
    let day = memory.cursor.local(at: delivery).date
    let reservation = Reservation(
      id: request.id, deliverAt: delivery, type: request.type, day: day, lapse: state.lapse,
      bucket: request.bucket, isFloating: request.isFloating, repeats: request.repeats)
    if policy.counterLag == .zero {
      count(reservation, at: now)
    } else {
      state.uncounted.append(UncountedTake(reservation: reservation, admitted: now))
    }
    memory.isDirty = true
    if delivery > now.wall {
      state.insertPending(reservation)
      return
    }
    // In order of delivery: those that can no longer be refused come first.
    // Counted, because a slice that is kept would make the removal copy.
    let confirmed = state.unconfirmed.firstIndex { $0.isOpen(at: now) } ?? state.unconfirmed.count
    if confirmed > 0 { state.unconfirmed.removeFirst(confirmed) }
    state.unconfirmed.append(
      Unconfirmed(reservation: reservation, delivered: now, previous: lastDelivery(reservation.bucket)))
    setLastDelivery(now, reservation.bucket)
  }

  private mutating func count(_ reservation: Reservation, at now: Moment) {
    state.take(reservation, today: memory.cursor.local(at: now.wall).date, keeping: policy.keptDays)
  }

  /// Counts what was admitted so long ago that lagging counters know of it by now.
  private mutating func countLate(at now: Moment) {
    let known = state.uncounted.prefix { now.elapsed(since: $0.admitted) >= policy.counterLag }
    if known.isEmpty { return }
    state.uncounted.removeFirst(known.count)
    for take in known { count(take.reservation, at: now) }
    memory.isDirty = true
  }

  /// Brings the accounts to the present: looks at the clocks and the zone, and delivers the reservations
  /// whose time has come.
  mutating func advance(to now: Moment) {
    let clocks = ClockPair(now)
    if state.clocks != clocks { adopt(clocks, at: now) }
    deliverDue(at: now)
    if state.zone != now.zone {
      enter(now.zone, at: now)
      // What the journey passed over the system delivers on arrival.
      deliver(upTo: now.wall) { _ in now }
    }
    if !state.uncounted.isEmpty { countLate(at: now) }
  }

  /// The wall clock was set, or the phone has booted.
  private mutating func adopt(_ clocks: ClockPair, at now: Moment) {
    memory.isDirty = true
    let before = state.clocks
    state.clocks = clocks
    guard let old = before else { return }
    if old.boot == clocks.boot {
      // What was due by the old clock was delivered by it; what a jump forward passes over, now.
      deliver(upTo: old.wallAtBoot + now.uptime.span) { old.moment(wall: $0, zone: now.zone) }
      shiftSpans(by: clocks.wallAtBoot - old.wallAtBoot)
      deliver(upTo: now.wall) { _ in now }
    } else {
      // How long the phone was off only the wall clock says. It is asked once: from here on the new
      // boot's monotonic clock counts, whatever happens to the wall clock.
      state.lastStandard = state.lastStandard.map { clocks.reckon($0, at: now) }
      state.lastCritical = state.lastCritical.map { clocks.reckon($0, at: now) }
    }
  }

  private mutating func deliverDue(at now: Moment) {
    guard let first = state.pending.first, first.deliverAt <= now.wall else { return }
    let clocks = ClockPair(now)
    deliver(upTo: now.wall) { clocks.moment(wall: $0, zone: now.zone) }
  }

  /// The first reservation whose time is to come.
  func firstPending(after wall: Instant) -> Instant? {
    state.pending.first { $0.deliverAt > wall }?.deliverAt
  }

  /// Makes deliveries of the reservations up to a wall-clock instant. `moment` says what the clocks read
  /// at each. Those whose alarms may be late stay as they are, but for what the system repeats.
  private mutating func deliver(upTo wall: Instant, moment: (Instant) -> Moment) {
    var (count, late) = (0, 0)
    while count + late < state.pending.count && state.pending[count + late].deliverAt <= wall {
      let reservation = state.pending[count + late]
      if reservation.repeats != nil {
        // Of what is repeated the app is told by one identifier, whichever it was.
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

  /// The app learned of a delivery: it is kept, whatever the clocks say, and intervals count from when it was.
  mutating func keep(_ id: RequestID, at delivery: Moment) {
    for bucket in Bucket.allCases where memory.lastByClock(bucket) == id {
      setLastDelivery(delivery, bucket)
      memory.isDirty = true
    }
    // What the system repeats has moved on to its next occurrence by itself.
    guard let index = state.pending.firstIndex(where: { $0.id == id && $0.repeats == nil }) else { return }
    setLastDelivery(delivery, state.pending.remove(at: index).bucket)
    memory.isDirty = true
  }

  /// The operating system refused a request: whatever it took is given back.
  mutating func refuse(_ id: RequestID, at now: Moment) {
    givePendingBack { $0.id == id }
    while let index = state.unconfirmed.firstIndex(where: { $0.reservation.id == id && $0.isOpen(at: now) }) {
      let refused = state.unconfirmed.remove(at: index)
      state.giveBack(refused.reservation)
      memory.isDirty = true
      // The interval counts from the delivery before it again.
      let bucket = refused.reservation.bucket
      if let next = state.unconfirmed[index...].firstIndex(where: { $0.reservation.bucket == bucket }) {
        state.unconfirmed[next].previous = refused.previous
      } else if lastDelivery(bucket) == refused.delivered {
        setLastDelivery(refused.previous, bucket)
      }
    }
  }

  /// Gives back what the pending reservations that satisfy the condition have taken.
  mutating func givePendingBack(where condition: (Reservation) -> Bool) {
    var kept = 0
    for index in state.pending.indices {
      let reservation = state.pending[index]
      if condition(reservation) {
        state.giveBack(reservation)
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

  /// - Parameter id: Only the clocks say so, of this request.
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
