package import TriggerModel

/// Charger, level and low power mode (rules P1 to P8).
extension Phone {
  /// The state that an app reads: unknown while it does not monitor the battery.
  package var batteryState: BatteryState {
    settings.batteryMonitored ? battery.state : .unknown
  }

  /// What the app sees of the charger, which the hold at 80 % may hide.
  func isSeenCharging(at now: Instant) -> Bool {
    guard settings.batteryMonitored, battery.isPluggedIn else { return false }
    return !(settings.chargeHold == .seenAsUnplugged && battery.isHolding(at: now))
  }

  mutating func setPluggedIn(_ isIn: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isIn != battery.isPluggedIn else { return out.remark(.ignored(.alreadySo)) }
    catchUpBattery(at: now)
    battery.setPluggedIn(isIn, at: now)
    let kind: ObservedEvent.Kind = isIn ? .chargingStarted : .chargingStopped
    happened(kind, at: now, into: &out)
    touch(at: now, into: &out)
    reviewAlarms(at: now, into: &out)
    if isOn, settings.chargerSeen == .atOnce { resumeIfAllowed(at: now, into: &out) }
    stateChanged(kind, at: now, into: &out)
    awaitBattery(at: now, into: &out)
  }

  mutating func imposeLevel(_ thousandths: Int32, at now: Instant, into out: inout PhoneOutput) {
    catchUpBattery(at: now)
    let before = battery.percent
    if battery.impose(thousandths: thousandths, at: now) { levelChanged(from: before, at: now, into: &out) }
  }

  /// The level may have reached its next step, or the hold its end.
  mutating func advanceBattery(at now: Instant, into out: inout PhoneOutput) {
    batteryAlarm.fired(at: now)
    catchUpBattery(at: now)
    let before = battery.percent
    if battery.advance(to: now) { levelChanged(from: before, at: now, into: &out) }
    if known.isCharging != isSeenCharging(at: now), isRunning(at: now, into: &out) {
      catchUp(isResuming: false, at: now, into: &out)
    }
    awaitBattery(at: now, into: &out)
  }

  private mutating func levelChanged(from before: Int, at now: Instant, into out: inout PhoneOutput) {
    let (percent, mark) = (battery.percent, settings.lowPowerOnAt)
    happened(.batteryLevel, value: Int64(percent), at: now, into: &out)
    let wasSaving = isInLowPowerMode
    if !battery.isPluggedIn, mark > 0, before > mark, percent <= mark, isBatteryTold {
      isInLowPowerMode = true
    }
    if battery.isPluggedIn, percent >= settings.lowPowerOffAt { isInLowPowerMode = false }
    if isInLowPowerMode != wasSaving { reviewAlarms(at: now, into: &out) }
    noticeLevel(at: now, into: &out)
  }

  /// Tells the app the level, if it has come to another step and the throttle allows it.
  mutating func noticeLevel(at now: Instant, into out: inout PhoneOutput) {
    let level = battery.publicLevel
    guard level != known.level, settings.batteryMonitored, isRunning(at: now, into: &out) else { return }
    let earliest =
      lastLevelNotice == .distantPast ? now : lastLevelNotice + settings.levelThrottle
    guard now >= earliest else {
      return levelNoticeAlarm.require(earliest, now: now, .batteryNotice, into: &out)
    }
    lastLevelNotice = now
    known.level = level
    say(.batteryLevel, value: Int64(level), at: now, into: &out)
  }

  mutating func levelNoticeDue(at now: Instant, into out: inout PhoneOutput) {
    levelNoticeAlarm.fired(at: now)
    noticeLevel(at: now, into: &out)
  }

  mutating func awaitBattery(at now: Instant, into out: inout PhoneOutput) {
    var next = stepsBattery ? battery.nextChange(after: now) : nextHeardLevel(at: now, out.indifference)
    if !stepsBattery {
      let turn = battery.nextTurn(
        after: now, falling: isBatteryTold && settings.lowPowerOnAt > 0 ? settings.lowPowerOnAt : nil,
        rising: isInLowPowerMode ? settings.lowPowerOffAt : nil)
      next = min(next, turn)
    }
    batteryAlarm.require(next, now: now, .battery, into: &out)
  }

  /// When the level comes next to a step that the app hears of, or that starts it; `.distantFuture`: it does not.
  private func nextHeardLevel(at now: Instant, _ indifference: Indifference) -> Instant {
    if !process.isRunning(at: now) {
      // A platform that lets it always run restarts it at whatever it would be told.
      let restarts = settings.backgroundExecution == .always && isOn && whyNotStarted == nil
      return restarts ? battery.nextChange(after: now) : .distantFuture
    }
    guard isEveryLevelTold, indifference.covers(.batteryLevel, at: moment(at: now)) else {
      return battery.nextChange(after: now)
    }
    return battery.firstChange(notBefore: clock.instant(ofWall: indifference.until))
  }

  /// A running app is told of each step when it comes, so that what it knows of the level follows from the level.
  private var isEveryLevelTold: Bool { settings.batteryMonitored && settings.levelThrottle == .zero }

  /// Lets the levels be reached that nobody has listened to.
  mutating func catchUpBattery(at now: Instant) {
    if stepsBattery { return }
    battery.catchUp(before: now)
    if isEveryLevelTold, isOn, process.isRunning(at: now) { known.level = battery.publicLevel }
  }

  /// The app listens to other things than before.
  package mutating func hearAnew(at now: Instant, into out: inout PhoneOutput) {
    if stepsBattery || !isOn { return }
    catchUpBattery(at: now)
    awaitBattery(at: now, into: &out)
  }
}
