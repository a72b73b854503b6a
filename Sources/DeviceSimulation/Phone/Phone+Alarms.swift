import TriggerModel

/// Alarms, which is what requests for later and wishes to be woken are on Android: how late they are
/// (rules A2 to A4).
extension Phone {
  /// How much later than asked for an alarm comes, where nothing saves the battery.
  func lateness(ofAlarm reminder: ReminderID, at wall: Instant) -> TimeSpan {
    isExact
      ? .zero
      : draw(.deliveryLateness, settings.deliveryLatenessFrom, settings.deliveryLatenessTo, reminder, wall)
  }

  private func draw(
    _ use: PhoneLuck.Use, _ low: TimeSpan, _ high: TimeSpan, _ reminder: ReminderID, _ wall: Instant
  ) -> TimeSpan {
    luck.between(low, high, use, of: blueprint.names[reminder], at: wall)
  }

  private var isExact: Bool { settings.exactAlarms == .always || mayUseExactAlarms }

  /// Whether anything but the inexact alarm itself may make one late.
  private var defersAlarms: Bool { settings.dozeAfter > .zero || settings.saverLateness > .zero }

  // MARK: - What saves the battery

  /// When an alarm goes off as things stand, in simulation time; it may lie in the past.
  ///
  /// - Parameters:
  ///   - due: When it would go off by itself.
  ///   - wall: What it was asked for.
  private func release(_ due: Instant, of reminder: ReminderID, askedFor wall: Instant) -> Instant {
    guard defersAlarms, !battery.isPluggedIn else { return due }
    var release = due
    if isInLowPowerMode, !isExact {
      release = due + draw(.saverLateness, .zero, settings.saverLateness, reminder, wall)
    }
    guard let dozing = dozesFrom, release >= dozing else { return release }
    if !settings.alarmsWhileIdle { return window(from: release, dozing) }
    if isExact || idle.lastAlarm < dozing { return release }
    return max(release, idle.lastAlarm + settings.idleAlarmInterval)
  }

  func release(_ request: PendingRequest) -> Instant {
    let due = clock.instant(ofWall: request.due)
    guard request.isAlarm else { return due }
    return release(due, of: request.request.id.reminder, askedFor: request.request.deliverAt)
  }

  /// When a wish to be woken at a time of the wall clock is granted.
  func release(wake reminder: ReminderID, at wall: Instant) -> Instant {
    let due = clock.instant(ofWall: wall) + lateness(ofAlarm: reminder, at: wall)
    return release(due, of: reminder, askedFor: wall)
  }

  /// When the next delivery is due.
  var nextDelivery: Instant {
    guard defersAlarms else { return clock.instant(ofWall: centre.nextDue) }
    return centre.pending.reduce(.distantFuture) { min($0, release($1)) }
  }

  // MARK: - Doze

  /// Since when the phone dozes, or from when it will if nobody touches it; nil: it will not.
  private var dozesFrom: Instant? {
    guard settings.dozeAfter > .zero, idle.isScreenOff, isOn, !battery.isPluggedIn else { return nil }
    return idle.since + settings.dozeAfter
  }

  /// The first maintenance window at an instant or after it.
  private func window(from instant: Instant, _ dozing: Instant) -> Instant {
    let longest = settings.dozeLongestWindow
    var gap = settings.dozeFirstWindow
    var window = dozing + gap
    while window < instant, gap < longest {
      gap = min(gap + gap, longest)
      window = window + gap
    }
    guard window < instant else { return window }
    // From here on they come evenly.
    let steps = ((instant - window).milliseconds + longest.milliseconds - 1) / longest.milliseconds
    return window + TimeSpan(milliseconds: steps * longest.milliseconds)
  }

  /// Somebody takes the phone up, puts it down, moves it, or its charger comes or goes: if it dozed, alarms that
  /// were held back go off.
  mutating func touch(isScreenOff: Bool? = nil, at now: Instant, into out: inout PhoneOutput) {
    guard settings.dozeAfter > .zero else { return }
    if let isScreenOff { idle.isScreenOff = isScreenOff }
    idle.since = now
    reviewAlarms(at: now, into: &out)
  }

  /// Follows a fix that the phone is at, or is on its way to.
  mutating func noticeRest(_ fix: Fix, at now: Instant, into out: inout PhoneOutput) {
    guard settings.dozeAfter > .zero, idle.isMoved(to: fix.coordinate, at: now) else { return }
    reviewAlarms(at: now, into: &out)
  }

  /// What alarms wait for has changed: looks when they are due now.
  mutating func reviewAlarms(at now: Instant, into out: inout PhoneOutput) {
    guard isOn, defersAlarms else { return }
    awaitDelivery(at: now, into: &out)
    if settings.backgroundWake == .alarm { timeWakes(at: now, into: &out) }
  }

  /// An alarm goes off.
  mutating func wentOff(at now: Instant) {
    if let dozing = dozesFrom, now >= dozing { idle.lastAlarm = now }
  }

  /// What is pending is as late from now on as the present permission has it.
  mutating func setAlarmsAnew(into out: inout PhoneOutput) {
    for index in centre.pending.indices where centre.pending[index].isAlarm {
      let request = centre.pending[index].request
      let lateness = lateness(ofAlarm: request.id.reminder, at: request.deliverAt)
      centre.set(lateness: lateness, at: index, into: &out)
    }
  }

  // MARK: - The permission

  /// The user lets our app use exact alarms, or no longer: what is pending is set anew, or is taken away with
  /// the process.
  mutating func allowExactAlarms(_ isAllowed: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard settings.exactAlarms != .always else { return out.remark(.ignored(.notOnThisPlatform)) }
    guard isAllowed != mayUseExactAlarms else { return out.remark(.ignored(.alreadySo)) }
    mayUseExactAlarms = isAllowed
    if isAllowed {
      // The system tells the app, which need not run.
      resumeIfAllowed(at: now, into: &out)
      setAlarmsAnew(into: &out)
      reviewAlarms(at: now, into: &out)
    } else {
      endProcess(as: .terminated, at: now, into: &out)
      losePending(at: now, into: &out)
    }
  }
}
