package import TriggerModel

/// The beginning, zone and clock, power.
extension Phone {
  /// Before the app is launched for the first time: what it has stored of the facts by then. Their age
  /// counts from here.
  package mutating func find(_ facts: [(FactID, FactValue)], at now: Instant, into out: inout PhoneOutput) {
    let moment = moment(at: now)
    func found(_ fact: FactID, _ value: FactValue) -> ObservedEvent {
      ObservedEvent(.factFound, subject: fact.rawValue, value: value.bits, at: moment)
    }
    for (fact, value) in facts {
      reading.set(fact, value, at: now)
      if out.truthKinds.contains(.factFound) { out.truth.append(found(fact, value)) }
    }
    for source in reading.denied.sorted() { out.outcomes.append(.readingChanged(source, isAllowed: false)) }
    for (fact, value) in reading.seen { out.observed.append(found(fact, value)) }
  }

  /// The first call, at the phone's start: tells what the phone is found like, and sets the battery
  /// going. The app has just been launched, so it is told though it may not run any more.
  package mutating func begin(at now: Instant, into out: inout PhoneOutput) {
    findEverything(at: now, into: &out)
    if settings.regionReporting == .geometric { known.inside = inside }
    awaitBattery(at: now, into: &out)
  }

  mutating func travel(to zone: ZoneID, at now: Instant, into out: inout PhoneOutput) {
    guard zone != clock.zone else { return out.remark(.ignored(.alreadySo)) }
    clock.zone = zone
    happened(.zoneChanged, at: now, into: &out)
    if settings.floatingMoves {
      centre.zoneChanged(to: self.zone, into: &out)
      repeatsMoved(at: clock.wall(at: now), into: &out)
      awaitDelivery(at: now, into: &out)
    }
    awaitSummary(isElsewhere: true, at: now, into: &out)
    if settings.clockChangeWakes { resumeIfAllowed(at: now, into: &out) }
    stateChanged(.zoneChanged, at: now, into: &out)
    awaitUsage(at: now, into: &out)
  }

  mutating func setClock(ahead: TimeSpan, at now: Instant, into out: inout PhoneOutput) {
    guard ahead != clock.ahead else { return out.remark(.ignored(.alreadySo)) }
    let delta = ahead - clock.ahead
    clock.ahead = ahead
    repeatsShifted(by: delta, into: &out)
    happened(.clockChanged, at: now, into: &out)
    awaitDelivery(at: now, into: &out)
    awaitSummary(at: now, into: &out)
    for reminder in wakes.all {
      // What the clock has jumped over goes off before the app is told of the jump.
      let goesOff = settings.clockChangeWakes && wakes[reminder] <= clock.wall(at: now)
      if goesOff { wake(reminder, at: now, into: &out) } else { timeWake(reminder, at: now, into: &out) }
    }
    if settings.clockChangeWakes { resumeIfAllowed(at: now, into: &out) }
    stateChanged(.clockChanged, at: now, into: &out)
    awaitUsage(at: now, into: &out)
  }

  mutating func powerOff(at now: Instant, into out: inout PhoneOutput) {
    closeOtherApp(at: now, into: &out)
    catchUpBattery(at: now)
    battery.setOn(false, at: now)
    awaitBattery(at: now, into: &out)
    isOn = false
    isLocked = true
    returnsAtUnlock = false
    idle.isScreenOff = false
    if process.state != .stopped { process.state = .terminated }
  }

  mutating func powerOn(at now: Instant, into out: inout PhoneOutput) {
    guard !isOn else { return out.remark(.ignored(.alreadySo)) }
    isOn = true
    isBeforeFirstUnlock = true
    dataLocksAt = now
    clock.reboot(at: now)
    catchUpBattery(at: now)
    battery.setOn(true, at: now)
    awaitBattery(at: now, into: &out)
    restartRegions(at: now, into: &out)
    if settings.centre.afterReboot == .loseAll {
      losePending(at: now, into: &out)
    } else {
      changingPending(at: now, into: &out) { phone, out in
        let wall = phone.clock.wall(at: now)
        phone.centre.rebooted(at: wall, into: &out)
        if phone.settings.centre.afterReboot == .dropMissed { phone.passOverMissed(at: wall, into: &out) }
      }
    }
    awaitSummary(at: now, into: &out)
    wakes.wereOff(until: clock.wall(at: now))
    timeWakes(at: now, into: &out)
    startAfterBoot(.atBoot, at: now, into: &out)
    _ = isRunning(at: now, into: &out)
  }
}
