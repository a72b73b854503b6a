package import TriggerModel

/// The charger, the battery level and low power mode (rules P1 to P8).
extension Phone {
  /// The battery state that an app reads. It is unknown while the app does not monitor the battery.
  package var batteryState: BatteryState {
    settings.batteryMonitored ? battery.state : .unknown
  }

  /// Returns whether the app observes the phone as charging. The charge hold at 80 % may hide the charger.
  func isSeenCharging(at now: Instant) -> Bool {
    guard settings.batteryMonitored, battery.isPluggedIn else { return false }
    return !(settings.chargeHold == .seenAsUnplugged && battery.isHolding(at: now))
  }

  mutating func setPluggedIn(_ isIn: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isIn != battery.isPluggedIn else { return out.remark(.ignored(.alreadySo)) }
    catchUpBattery(at: now)
    battery.setPluggedIn(isIn, at: now)
    let kind: ObservedEvent.Kind = isIn ? .chargingStarted : .chargingStopped
    recordTruth(kind, at: now, into: &out)
    resetIdleTime(at: now, into: &out)
    rescheduleAlarms(at: now, into: &out)
    if isOn, settings.chargerSeen == .atOnce { resumeIfAllowed(at: now, into: &out) }
    stateChanged(kind, at: now, into: &out)
    scheduleBattery(at: now, into: &out)
  }

  /// Sets the level from a recording.
  mutating func imposeLevel(_ thousandths: Int32, at now: Instant, into out: inout PhoneOutput) {
    catchUpBattery(at: now)
    let before = battery.percent
    if battery.impose(thousandths: thousandths, at: now) { levelChanged(from: before, at: now, into: &out) }
  }

  /// Advances the battery if the level reaches the next whole per cent or the hold ends.
  mutating func advanceBattery(at now: Instant, into out: inout PhoneOutput) {
    batteryAlarm.fired(at: now)
    catchUpBattery(at: now)
    let before = battery.percent
    if battery.advance(to: now) { levelChanged(from: before, at: now, into: &out) }
    if known.isCharging != isSeenCharging(at: now), isRunning(at: now, into: &out) {
      catchUp(isResuming: false, at: now, into: &out)
    }
    scheduleBattery(at: now, into: &out)
  }

  private mutating func levelChanged(from before: Int, at now: Instant, into out: inout PhoneOutput) {
    let (percent, mark) = (battery.percent, settings.lowPowerOnAt)
    recordTruth(.batteryLevel, value: Int64(percent), at: now, into: &out)
    let wasSaving = isInLowPowerMode
    if !battery.isPluggedIn, mark > 0, before > mark, percent <= mark, isBatterySpecified {
      isInLowPowerMode = true
    }
    if battery.isPluggedIn, percent >= settings.lowPowerOffAt { isInLowPowerMode = false }
    if isInLowPowerMode != wasSaving { rescheduleAlarms(at: now, into: &out) }
    noticeLevel(at: now, into: &out)
  }

  /// Notifies the app of the level if the reported step changed and the throttle allows it.
  mutating func noticeLevel(at now: Instant, into out: inout PhoneOutput) {
    let level = battery.publicLevel
    guard level != known.level, settings.batteryMonitored, isRunning(at: now, into: &out),
      levelThrottle.takeNotice(throttle: settings.levelThrottle, at: now, into: &out)
    else { return }
    known.level = level
    notifyRunning(.batteryLevel, value: Int64(level), at: now, into: &out)
  }

  /// Schedules a timer for the next change of the battery that has an effect.
  mutating func scheduleBattery(at now: Instant, into out: inout PhoneOutput) {
    var next =
      stepsBattery ? battery.nextChange(after: now) : nextObservedLevel(at: now, out.irrelevantEvents)
    if !stepsBattery {
      let turn = battery.nextTurn(
        after: now,
        falling: isBatterySpecified && settings.lowPowerOnAt > 0 ? settings.lowPowerOnAt : nil,
        rising: isInLowPowerMode ? settings.lowPowerOffAt : nil)
      next = min(next, turn)
    }
    batteryAlarm.require(next, now: now, .battery, into: &out)
  }

  /// Returns when the level next reaches a step that the running app observes, or that starts the app.
  /// Returns `.distantFuture` if there is none.
  private func nextObservedLevel(at now: Instant, _ irrelevantEvents: IrrelevantEvents) -> Instant {
    if !process.isRunning(at: now) {
      // A platform that always lets the app run starts it for any event.
      return isAppRunning(at: now) ? battery.nextChange(after: now) : .distantFuture
    }
    guard observesEveryLevel, irrelevantEvents.covers(.batteryLevel, at: moment(at: now)) else {
      return battery.nextChange(after: now)
    }
    return battery.firstChange(notBefore: clock.instant(ofWall: irrelevantEvents.until))
  }

  /// Whether a running app observes every step without delay, so that it always knows the reported level.
  private var observesEveryLevel: Bool { settings.batteryMonitored && settings.levelThrottle == .zero }

  /// Applies the level changes that nothing observed.
  mutating func catchUpBattery(at now: Instant) {
    if stepsBattery { return }
    battery.catchUp(before: now)
    if observesEveryLevel, isOn, process.isRunning(at: now) { known.level = battery.publicLevel }
  }

  /// Reschedules the battery timer after the set of events that are irrelevant to the app changed.
  package mutating func observersChanged(at now: Instant, into out: inout PhoneOutput) {
    if stepsBattery || !isOn { return }
    catchUpBattery(at: now)
    scheduleBattery(at: now, into: &out)
  }
}
