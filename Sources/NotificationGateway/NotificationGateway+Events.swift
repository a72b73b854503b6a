import CivilTime
public import TriggerModel

extension NotificationGateway {
  /// Takes note of what happens on the phone. Events that concern no cap change nothing; a tap or a
  /// dismissal gives nothing back.
  ///
  /// Requests collected at the same instant keep waiting for ``settle(at:into:)``.
  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    advance(to: event.moment)
    switch event.kind {
    case .launched, .storeAvailable: memory.asksAgain = true
    case .opened:
      state.lapse &+= 1
      memory.isDirty = true
    case .permissionChanged: setPermission(event)
    case .reinstalled: reinstall(into: &effects)
    case .addFailed, .pendingDropped: refuse(event.request, at: event.moment)
    case .delivered: keep(event.request, at: event.moment.earlier(by: event.age))
    case .cancel:
      withdraw(because: .cancelled, into: &effects) { $0.reminder == ReminderID(event.subject) }
    case .cancelAll: withdraw(because: .cancelled, into: &effects) { _ in true }
    case .deliveredElsewhere: countElsewhere(event, into: &effects)
    case .preferencesChanged:
      if let change = PreferenceChange(event) { apply(change, into: &effects) }
    // A change of the zone or of a clock is read off the moment of any event, above.
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .backgrounded,
      .regionEntered, .regionExited, .regionFailed, .factChanged, .factFound, .zoneChanged, .clockChanged,
      .woken, .tapped, .dismissed, .acted, .snooze, .create, .edit, .located:
      break
    }
    finish(at: event.moment, into: &effects)
  }

  /// Of what nothing would come if it were told: what concerns no cap, as long as nothing waits here and nothing is
  /// delivered.
  public func indifference(at moment: Moment) -> Indifference {
    guard state.collected.isEmpty, state.held.isEmpty, state.released.isEmpty, state.uncounted.isEmpty,
      state.preempting == nil,
      state.announcedRelease == .distantFuture, !memory.asksAgain, !memory.isDirty,
      !memory.isDirtyOfRequests, state.zone == moment.zone, state.clocks == ClockPair(moment)
    else { return .none }
    return Indifference(
      to: ObservedEvent.Kind.frequent, until: firstPending(after: moment.wall) ?? .distantFuture, at: moment)
  }

  /// Takes a request back, wherever it is before its delivery, and says why: `remove` when the operating
  /// system has it, `dropped` when it is collected or held. Idempotent; what is delivered stays so.
  public mutating func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { $0 == id }
    finish(at: now, into: &effects)
  }

  /// Takes several requests back in one pass; as for a single one.
  public mutating func withdraw(
    _ ids: Set<RequestID>, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { ids.contains($0) }
    finish(at: now, into: &effects)
  }

  /// Takes back everything of a reminder that is not delivered yet; as for a single request.
  public mutating func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    withdraw(because: reason, into: &effects) { $0.reminder == reminder }
    finish(at: now, into: &effects)
  }

  /// Goes on under another policy. What is delivered and reserved stays and counts; requests that were put off
  /// wait for the end of the new quiet hours, or are due at once.
  ///
  /// The types must be those of the present policy, in the same order.
  public mutating func adopt(
    _ policy: CompiledCapPolicy, at now: Moment, into effects: inout [EngineEffect]
  ) {
    precondition(policy.typeCount == self.policy.typeCount, "a policy edit cannot change the types")
    advance(to: now)
    self.policy = policy
    memory.outlook = .none
    reschedule(at: now)
    finish(at: now, into: &effects)
  }

  // MARK: Events

  private mutating func setPermission(_ event: ObservedEvent) {
    memory.permission =
      NotificationPermission(rawValue: UInt8(truncatingIfNeeded: event.value)) ?? .notDetermined
    // The system throws away what is pending, and does not bring it back.
    if !memory.permission.allowsDelivery { givePendingBack { _ in true } }
  }

  private mutating func reinstall(into effects: inout [EngineEffect]) {
    for entry in state.held { effects.append(.dropped(entry.request, .cancelled)) }
    sortCollected()
    for request in state.collected.reversed() { effects.append(.dropped(request, .cancelled)) }
    // The system deletes what is pending with the app: it was never shown, and counts nowhere.
    givePendingBack { _ in true }
    state.reinstall(keepingLifetimeOf: policy.keptThroughReinstall)
    memory.isDirty = true
  }

  /// The phone is in another zone: floating reservations and requests keep their local time, and what was put off
  /// waits for the end of quiet hours where the phone is now.
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
    for index in state.held.indices where state.held[index].request.isFloating {
      let instant = state.held[index].request.deliverAt
      state.held[index].request.deliverAt = moved(instant, from: old, to: zone)
    }
    for index in state.released.indices where state.released[index].isFloating {
      state.released[index].deliverAt = moved(state.released[index].deliverAt, from: old, to: zone)
    }
    reschedule(at: now)
  }

  /// The instant at which the wall shows in `new` what it shows in `old` at this one.
  private func moved(_ instant: Instant, from old: ZoneID, to new: ZoneID) -> Instant {
    zones[new].instant(of: zones[old].local(at: instant))
  }

  /// Finds the release of every held request anew; of what the system has for its release, before the next
  /// is decided, when it is known which of it has been shown.
  private mutating func reschedule(at now: Moment) {
    memory.looksForReleases = hasWithTheSystem
    guard !state.held.isEmpty else { return }
    for index in state.held.indices {
      state.held[index].releaseAt = releaseTime(of: state.held[index].request, at: now)
    }
    state.held.sort()
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
    withdrawHeld(because: reason, into: &effects) { condition($0.id) }
    withdrawPending(because: reason, into: &effects) { condition($0.id) }
  }

  /// Gives up requests that wait for the end of quiet hours.
  mutating func withdrawHeld(
    because reason: Reason, into effects: inout [EngineEffect],
    where condition: (NotificationRequest) -> Bool
  ) {
    let held = state.held.count
    state.held.removeAll { entry in
      guard condition(entry.request) else { return false }
      effects.append(.dropped(entry.request, reason))
      return true
    }
    if state.held.count != held { memory.isDirty = true }
  }

  /// Takes pending requests back from the operating system.
  mutating func withdrawPending(
    because reason: Reason, into effects: inout [EngineEffect], where condition: (Reservation) -> Bool
  ) {
    givePendingBack { reservation in
      guard condition(reservation) else { return false }
      effects.append(.remove(reservation.id, reason))
      return true
    }
  }
}
