import TriggerModel

/// The lateness of alarms (rules A2 to A4). On Android, the system implements wake requests and notifications
/// for a later time as alarms.
extension Phone {
  /// Returns how late an alarm goes off when neither Doze nor battery saver defers it.
  func lateness(ofAlarm reminder: ReminderID, at wall: Instant) -> TimeSpan {
    isExact
      ? .zero
      : draw(.deliveryLateness, settings.deliveryLatenessFrom, settings.deliveryLatenessTo, reminder, wall)
  }

  private func draw(
    _ use: PhoneDraws.Use, _ low: TimeSpan, _ high: TimeSpan, _ reminder: ReminderID, _ wall: Instant
  ) -> TimeSpan {
    draws.between(low, high, use, of: blueprint.names[reminder], at: wall)
  }

  private var isExact: Bool { settings.exactAlarms == .always || permissions.exactAlarms }

  /// Whether Doze or battery saver can defer an alarm.
  private var defersAlarms: Bool { settings.dozeAfter > .zero || settings.saverLateness > .zero }

  /// Returns when an alarm goes off if the phone stays in its current state, in simulation time. The result
  /// may be in the past.
  ///
  /// - Parameters:
  ///   - due: The simulation time at which the alarm goes off if nothing defers it.
  ///   - wall: The requested instant, on the wall clock.
  private func release(_ due: Instant, of reminder: ReminderID, requestedFor wall: Instant) -> Instant {
    guard defersAlarms, !battery.isPluggedIn else { return due }
    var release = due
    if isInLowPowerMode, !isExact {
      release = due + draw(.saverLateness, .zero, settings.saverLateness, reminder, wall)
    }
    guard let dozing = dozeStart, release >= dozing else { return release }
    if !settings.alarmsWhileIdle {
      return DozeState.maintenanceWindow(
        notBefore: release, start: dozing, firstGap: settings.dozeFirstWindow,
        longestGap: settings.dozeLongestWindow)
    }
    if isExact || doze.lastAlarm < dozing { return release }
    return max(release, doze.lastAlarm + settings.idleAlarmInterval)
  }

  /// Returns the simulation time at which a pending request is delivered.
  func release(_ request: PendingRequest) -> Instant {
    let due = clock.instant(ofWall: request.due)
    guard request.isAlarm else { return due }
    return release(due, of: request.request.id.reminder, requestedFor: request.request.deliverAt)
  }

  /// Returns the simulation time at which a request to be woken at a wall-clock instant is served.
  func release(wake reminder: ReminderID, at wall: Instant) -> Instant {
    let due = clock.instant(ofWall: wall) + lateness(ofAlarm: reminder, at: wall)
    return release(due, of: reminder, requestedFor: wall)
  }

  /// The simulation time of the next delivery.
  var nextDelivery: Instant {
    guard defersAlarms else { return clock.instant(ofWall: centre.nextDue) }
    return centre.pending.reduce(.distantFuture) { min($0, release($1)) }
  }

  // MARK: - Alarms that go off

  /// Returns whether the release of any pending alarm is due.
  func hasReleasedAlarm(at now: Instant) -> Bool {
    let wall = clock.wall(at: now)
    return centre.pending.contains { $0.isAlarm && $0.due <= wall && release($0) <= now }
  }

  /// Returns whether Doze still defers alarms, because another alarm went off too recently.
  func mustWaitInDoze(at now: Instant) -> Bool {
    guard settings.alarmsWhileIdle, !isExact, let dozing = dozeStart, now >= dozing, doze.lastAlarm >= dozing
    else { return false }
    return now < doze.lastAlarm + settings.idleAlarmInterval
  }

  /// Marks the earliest due wake request as overdue. Does nothing unless wake requests are alarms and the
  /// request precedes the pending one at `position`.
  /// - Returns: Whether a wake request was marked.
  mutating func markWakeOverdue(before position: Int?, at wall: Instant) -> Bool {
    guard settings.backgroundWake == .alarm, !wakes.areLost, let reminder = wakes.first(at: wall) else {
      return false
    }
    if let position, centre.pending[position].time <= wakes[reminder] { return false }
    wakes.markOverdue(reminder)
    return true
  }

  /// Starts the app for an overdue wake request.
  mutating func serveOverdueWake(at now: Instant, into out: inout PhoneOutput) {
    if let cause = whyNotStarted { return out.remark(.missed(.woken, subject: 0, cause)) }
    resume(at: now, into: &out)
    catchUp(isResuming: false, at: now, into: &out)
  }

  // MARK: - Doze

  /// The simulation time at which Doze began or will begin if the phone stays idle, or `nil` if the phone
  /// will not enter Doze.
  private var dozeStart: Instant? {
    guard settings.dozeAfter > .zero, doze.isScreenOff, isOn, !battery.isPluggedIn else { return nil }
    return doze.idleSince + settings.dozeAfter
  }

  /// Ends Doze because the phone was used or moved, or because the charger changed. Deferred alarms then go
  /// off.
  mutating func resetIdleTime(isScreenOff: Bool? = nil, at now: Instant, into out: inout PhoneOutput) {
    guard settings.dozeAfter > .zero else { return }
    if let isScreenOff { doze.isScreenOff = isScreenOff }
    doze.idleSince = now
    rescheduleAlarms(at: now, into: &out)
  }

  /// Ends Doze if the fix is away from the phone's resting position.
  mutating func endRest(at fix: Fix, at now: Instant, into out: inout PhoneOutput) {
    guard settings.dozeAfter > .zero, doze.move(to: fix.coordinate, at: now) else { return }
    rescheduleAlarms(at: now, into: &out)
  }

  /// Schedules all alarms again after a change that affects when they are released.
  mutating func rescheduleAlarms(at now: Instant, into out: inout PhoneOutput) {
    guard isOn, defersAlarms else { return }
    scheduleDelivery(at: now, into: &out)
    if settings.backgroundWake == .alarm { scheduleWakes(at: now, into: &out) }
  }

  /// Records that an alarm went off.
  mutating func alarmWentOff(at now: Instant) {
    if let dozing = dozeStart, now >= dozing { doze.lastAlarm = now }
  }

  /// Updates the lateness of pending requests after a change of the permission for exact alarms.
  mutating func updateLateness(into out: inout PhoneOutput) {
    for index in centre.pending.indices where centre.pending[index].isAlarm {
      let request = centre.pending[index].request
      let lateness = lateness(ofAlarm: request.id.reminder, at: request.deliverAt)
      centre.set(lateness: lateness, at: index, into: &out)
    }
  }
}
