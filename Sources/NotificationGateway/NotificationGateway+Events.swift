import CivilTime
public import TriggerModel

extension NotificationGateway {
  /// Processes an event on the phone. Most events have no effect, because they concern no cap. Taps and
  /// dismissals do not change any count.
  ///
  /// Requests collected at the same instant remain undecided until ``settle(at:into:)``.
  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    advance(to: event.moment)
    switch event.kind {
    case .launched, .storeAvailable: memory.repeatsWakeRequest = true
    case .opened:
      state.lapse &+= 1
      memory.isDirty = true
    case .permissionChanged: setPermission(event)
    case .reinstalled: reinstall(into: &effects)
    case .addFailed, .pendingDropped: revertRefused(event.request, at: event.moment)
    case .delivered where event.isUnpresented && policy.countsPresentedOnly:
      revertUnpresented(event.request, at: event.moment)
    case .delivered: confirmDelivery(of: event.request, at: event.moment.earlier(by: event.age))
    case .cancel:
      withdraw(because: .cancelled, into: &effects) { $0.reminder == ReminderID(event.subject) }
    case .cancelAll: withdraw(because: .cancelled, into: &effects) { _ in true }
    case .deliveredElsewhere: countRemoteDelivery(event, into: &effects)
    case .preferencesChanged:
      if let change = PreferenceChange(event) { apply(change, into: &effects) }
    // Every event carries the zone and the clocks, so changes of these were already applied.
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .backgrounded,
      .regionEntered, .regionExited, .regionFailed, .factChanged, .factFound, .zoneChanged, .clockChanged,
      .woken, .tapped, .dismissed, .acted, .snooze, .create, .edit, .located:
      break
    }
    finish(at: event.moment, into: &effects)
  }

  /// Returns the events that have no effect until the next delivery: frequent events that concern no cap.
  ///
  /// Returns none while requests are undecided or deferred.
  public func irrelevantEvents(at moment: Moment) -> IrrelevantEvents {
    guard state.collected.isEmpty, state.deferred.isEmpty, state.released.isEmpty, state.uncounted.isEmpty,
      state.lastCriticalAdded == nil,
      state.requestedWake == .distantFuture, !memory.repeatsWakeRequest, !memory.isDirty,
      !memory.hasDirtyRequests, state.zone == moment.zone, state.clocks == ClockPair(moment)
    else { return .none }
    return IrrelevantEvents(
      to: ObservedEvent.Kind.frequent, until: firstPending(after: moment.wall) ?? .distantFuture, at: moment)
  }

  /// Cancels a request before its delivery and reports the reason.
  ///
  /// Emits `remove` if the system holds the request, and `dropped` if it is collected or deferred.
  /// Idempotent. Has no effect on a delivered request.
  public mutating func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { $0 == id }
    finish(at: now, into: &effects)
  }

  /// Cancels several requests in one pass, like ``withdraw(_:because:at:into:)``.
  public mutating func withdraw(
    _ ids: Set<RequestID>, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { ids.contains($0) }
    finish(at: now, into: &effects)
  }

  /// Cancels all undelivered requests of a reminder, like ``withdraw(_:because:at:into:)``.
  public mutating func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { $0.reminder == reminder }
    finish(at: now, into: &effects)
  }

  /// Switches to another policy. Earlier deliveries and reservations still count. Deferred requests are
  /// rescheduled to the end of the new quiet hours, or are due immediately.
  ///
  /// The new policy must have the same types in the same order.
  public mutating func adopt(
    _ policy: CompiledCapPolicy, at now: Moment, into effects: inout [EngineEffect]
  ) {
    precondition(policy.typeCount == self.policy.typeCount, "a policy edit cannot change the types")
    advance(to: now)
    self.policy = policy
    memory.cachedChecks = .none
    reschedule(at: now)
    finish(at: now, into: &effects)
  }

  // MARK: Events

  private mutating func setPermission(_ event: ObservedEvent) {
    memory.permission =
      NotificationPermission(rawValue: UInt8(truncatingIfNeeded: event.value)) ?? .notDetermined
    // The system drops pending requests and does not restore them.
    if !memory.permission.allowsDelivery { cancelPending { _ in true } }
  }

  private mutating func reinstall(into effects: inout [EngineEffect]) {
    for entry in state.deferred { effects.append(.dropped(entry.request, .cancelled)) }
    sortCollected()
    for request in state.collected.reversed() { effects.append(.dropped(request, .cancelled)) }
    // The system deletes pending requests together with the app. They were never shown and do not count.
    cancelPending { _ in true }
    state.reinstall(keepingLifetimeOf: policy.keptThroughReinstall)
    memory.isDirty = true
  }

  /// Switches to a new zone. Floating reservations and requests keep their local time. Deferred requests are
  /// rescheduled to the end of quiet hours in the new zone.
  mutating func enter(_ zone: ZoneID, at now: Moment) {
    let old = state.zone
    state.zone = zone
    memory.cursor = ZoneCursor(zones[zone])
    memory.isDirty = true
    guard let old else { return }
    for index in state.pending.indices where state.pending[index].isFloating {
      if state.pending[index].repeats == nil {
        state.pending[index].deliverAt = moved(state.pending[index].deliverAt, from: old, to: zone)
      } else {
        moveRepeat(at: index, after: now)
      }
    }
    state.pending.sort()
    for index in state.deferred.indices where state.deferred[index].request.isFloating {
      let instant = state.deferred[index].request.deliverAt
      state.deferred[index].request.deliverAt = moved(instant, from: old, to: zone)
    }
    for index in state.released.indices where state.released[index].isFloating {
      state.released[index].deliverAt = moved(state.released[index].deliverAt, from: old, to: zone)
    }
    for index in state.originals.indices where state.originals[index].isFloating {
      state.originals[index].deliverAt = moved(state.originals[index].deliverAt, from: old, to: zone)
    }
    reschedule(at: now)
  }

  /// Returns the instant at which the local time in `new` equals the local time in `old` at `instant`.
  private func moved(_ instant: Instant, from old: ZoneID, to new: ZoneID) -> Instant {
    zones[new].instant(of: zones[old].local(at: instant))
  }

  /// Recomputes releases after the wall clock was set back, possibly out of quiet hours.
  ///
  /// - Parameter wall: The reading of the clock without the change. Requests that were due by then are due now.
  mutating func rescheduleDeferrals(dueBy wall: Instant, at now: Moment) {
    // The end of a length of time has already been shifted.
    func isDue(_ request: NotificationRequest) -> Bool { !request.followsClock && request.deliverAt <= wall }
    for index in state.deferred.indices where isDue(state.deferred[index].request) {
      state.deferred[index].request.deliverAt = min(state.deferred[index].request.deliverAt, now.wall)
    }
    for index in state.released.indices where isDue(state.released[index]) {
      state.released[index].deliverAt = min(state.released[index].deliverAt, now.wall)
    }
    reschedule(at: now)
  }

  /// Recomputes the release of every deferred request.
  ///
  /// Releases held by the system are rechecked before the next decision, when the app knows which of them
  /// were shown.
  mutating func reschedule(at now: Moment) {
    memory.mustRecheckReleases = hasSystemRequests
    guard !state.deferred.isEmpty else { return }
    for index in state.deferred.indices {
      state.deferred[index].releaseAt = releaseTime(of: state.deferred[index].request, at: now)
    }
    state.deferred.sort()
    memory.isDirty = true
  }

  // MARK: Taking back

  mutating func withdraw(
    because reason: Reason, into effects: inout [EngineEffect], where condition: (RequestID) -> Bool
  ) {
    sortCollected()
    let collected = state.collected.count
    for request in state.collected.reversed() where condition(request.id) {
      effects.append(.dropped(request, reason))
    }
    state.collected.removeAll { condition($0.id) }
    if state.collected.count != collected { memory.isDirty = true }
    withdrawDeferred(because: reason, into: &effects) { condition($0.id) }
    withdrawPending(because: reason, into: &effects) { condition($0.id) }
  }

  /// Cancels deferred requests.
  mutating func withdrawDeferred(
    because reason: Reason, into effects: inout [EngineEffect],
    where condition: (NotificationRequest) -> Bool
  ) {
    let count = state.deferred.count
    state.deferred.removeAll { entry in
      guard condition(entry.request) else { return false }
      effects.append(.dropped(entry.request, reason))
      return true
    }
    if state.deferred.count != count { memory.isDirty = true }
  }

  /// Cancels pending requests that the system holds.
  mutating func withdrawPending(
    because reason: Reason, into effects: inout [EngineEffect], where condition: (Reservation) -> Bool
  ) {
    cancelPending { reservation in
      guard condition(reservation) else { return false }
      effects.append(.remove(reservation.id, reason))
      return true
    }
  }
}
