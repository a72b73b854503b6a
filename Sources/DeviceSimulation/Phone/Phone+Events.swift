package import TriggerModel

/// The dispatch of events and timers, and the events for the start, the zone, the clock and power.
extension Phone {
  /// Applies an event at an instant of simulation time.
  ///
  /// A fix is a position that the phone starts moving towards. Apply the first fix at its own instant, and
  /// every other fix at the instant of the previous one. The phone then knows the boundaries on its path in
  /// advance and crosses them at their exact instants.
  ///
  /// - Parameters:
  ///   - watch: The region monitors of this worker. Without them, fixes do not move the phone.
  ///   - hasDeclaredEnd: For a tap, whether a later event of the scenario ends the session in the app.
  package mutating func apply(
    _ event: PhoneEvent, at now: Instant, using watch: PlaceWatch? = nil, hasDeclaredEnd: Bool = false,
    into out: inout PhoneOutput
  ) {
    switch event {
    // Frequent events come first, because the others need a larger stack frame.
    case .unlock where isOn: unlock(at: now, into: &out)
    case .lock where isOn: lock(at: now, into: &out)
    default: applyOther(event, at: now, using: watch, hasDeclaredEnd: hasDeclaredEnd, into: &out)
    }
  }

  @inline(never)
  private mutating func applyOther(
    _ event: PhoneEvent, at now: Instant, using watch: PlaceWatch?, hasDeclaredEnd: Bool,
    into out: inout PhoneOutput
  ) {
    guard isOn || event.canHappenWhileOff else {
      return out.remark(.ignored(.poweredOff))
    }
    let couldMonitor = mayMonitorRegions
    defer { if !couldMonitor, mayMonitorRegions { monitorUponGrant(at: now, into: &out) } }
    switch event {
    case .unlock: unlock(at: now, into: &out)
    case .lock: lock(at: now, into: &out)
    case .plugIn: setPluggedIn(true, at: now, into: &out)
    case .unplug: setPluggedIn(false, at: now, into: &out)
    case .batteryLevel(let thousandths): imposeLevel(thousandths, at: now, into: &out)
    case .openApp(let app): openApp(app, at: now, into: &out)
    case .openLink(let link) where blueprint.linksElsewhere.contains(link):
      out.remark(.ignored(.opensElsewhere))
    case .openOwnApp, .openLink:
      session.cancel()
      bringToFront(at: now, into: &out)
    case .leaveOwnApp, .forceQuit, .terminate: leave(event, at: now, into: &out)
    case .forceStop: forceStop(at: now, into: &out)
    case .updateApp: updateApp(at: now, into: &out)
    case .pullNotificationCentre: activateAgain(settings.activationsPerPull, at: now, into: &out)
    case .systemSheet: activateAgain(settings.activationsPerSheet, at: now, into: &out)
    case .powerOff: powerOff(at: now, into: &out)
    case .powerOn: powerOn(at: now, into: &out)
    case .fix(let fix): move(to: fix, watch, at: now, into: &out)
    case .found(let fix): find(at: fix, watch, at: now, into: &out)
    case .enterRegion(let region): override(region, isInside: true, at: now, into: &out)
    case .exitRegion(let region): override(region, isInside: false, at: now, into: &out)
    case .travel(let zone): travel(to: zone, at: now, into: &out)
    case .setClock(let ahead): setClock(ahead: ahead, at: now, into: &out)
    case .notificationPermission(let new): setPermission(new, at: now, into: &out)
    case .answerPrompt(let answer): answerPrompt(answer, at: now, into: &out)
    case .locationPermission(let new):
      set(\.permissions.location, new, into: &out)
      permissions.isLocationOnce = false
    case .screenTimePermission(let new): set(\.permissions.screenTime, new, into: &out)
    case .appChoice(let app, let isChosen):
      if isChosen { permissions.unchosenApps.remove(app) } else { permissions.unchosenApps.insert(app) }
    case .preciseLocation(let isOn): set(\.permissions.isPreciseLocation, isOn, into: &out)
    case .locationServices(let isOn): switchLocation(isOn, at: now, into: &out)
    case .exactAlarms(let isAllowed): allowExactAlarms(isAllowed, at: now, into: &out)
    case .channel(let type, let importance): setChannel(type, importance, into: &out)
    case .focus(let isOn): set(\.isFocused, isOn, into: &out)
    case .summary(let isOn): setSummary(isOn, into: &out)
    case .airplaneMode(let isOn): set(\.isInAirplaneMode, isOn, into: &out)
    case .backgroundRefresh(let isOn): set(\.allowsBackgroundRefresh, isOn, into: &out)
    case .lowPowerMode(let isOn):
      set(\.isInLowPowerMode, isOn, into: &out)
      scheduleBattery(at: now, into: &out)
      rescheduleAlarms(at: now, into: &out)
    case .fact, .snooze, .snoozeUntil, .cancel, .create, .edit, .cancelAll, .preference, .reinstall:
      command(event, at: now, into: &out)
    case .reading(let source, let isAllowed): setReading(source, isAllowed: isAllowed, at: now, into: &out)
    case .tap(let reminder):
      if let id = newestVisible(of: reminder, into: &out) {
        tap(id, hasDeclaredEnd: hasDeclaredEnd, at: now, into: &out)
      }
    case .dismiss(let reminder):
      if let id = newestVisible(of: reminder, into: &out) { dismiss(id, at: now, into: &out) }
    case .act(let reminder, _):
      if let id = newestVisible(of: reminder, into: &out) { act(on: id, at: now, into: &out) }
    case .clearNotifications:
      if !centre.clearVisible() { out.remark(.ignored(.nothingToSee)) }
    case .failNextAdd(let count): centre.failNextAdds(count)
    case .storeFault(let fault): store.inject(fault)
    // The bench applies these events. It models links, ignored notifications, the app and the sync server.
    case .linkFault, .ignore, .inApp, .syncRefuses, .syncRepeats: break
    }
  }

  /// Performs the work that a timer stands for, if it is still due.
  package mutating func timerFired(_ timer: PhoneTimer, at now: Instant, into out: inout PhoneOutput) {
    switch timer {
    case .delivery: deliverDue(at: now, into: &out)
    case .summary: showSummary(at: now, into: &out)
    case .wake(let reminder): wake(reminder, at: now, into: &out)
    case .backgroundRefresh: refresh(at: now, into: &out)
    case .battery: advanceBattery(at: now, into: &out)
    case .batteryNotice:
      levelThrottle.timerFired(at: now)
      noticeLevel(at: now, into: &out)
    case .crossing: cross(at: now, into: &out)
    case .regionDwell(let region): dwell(in: region, at: now, into: &out)
    case .regionReport: deliverRegionReports(at: now, into: &out)
    case .usageThreshold: usageTimerFired(at: now, into: &out)
    case .usageReport: deliverUsageReports(at: now, into: &out)
    case .session: endSession(at: now, into: &out)
    }
  }

  /// Changes a setting without notifying the app.
  private mutating func set<Value: Equatable>(
    _ path: WritableKeyPath<Phone, Value>, _ value: Value, into out: inout PhoneOutput
  ) {
    if self[keyPath: path] == value { out.remark(.ignored(.alreadySo)) }
    self[keyPath: path] = value
  }

  // MARK: - The person

  /// Returns whether an act is possible and would change the state. A person model may choose an impossible
  /// act.
  package func canHappen(_ act: PersonAct) -> Bool {
    guard isOn else { return false }
    return switch act {
    case .tap(let id), .dismiss(let id): centre.isVisible(id)
    case .optOut: centre.permission.allowsDelivery
    case .open, .set, .snooze: true
    }
  }

  /// Applies an act that ``canHappen(_:)`` allows.
  package mutating func apply(_ act: PersonAct, at now: Instant, into out: inout PhoneOutput) {
    switch act {
    case .tap(let id): tap(id, hasDeclaredEnd: false, at: now, into: &out)
    case .dismiss(let id): dismiss(id, at: now, into: &out)
    case .optOut: setPermission(.denied, at: now, into: &out)
    case .open:
      bringToFront(at: now, into: &out)
      beginSession(hasDeclaredEnd: false, at: now, into: &out)
    case .set(let fact, let value): setFact(fact, value, at: now, into: &out)
    case .snooze(let reminder, let span): command(.snooze(reminder, for: span), at: now, into: &out)
    }
  }

  // MARK: - Start, zone, clock and power

  /// Sets the facts that the app had stored before its first launch. Their ages count from `now`.
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

  /// Begins the simulation of the phone: reports its initial state and starts the battery. The app has just
  /// been launched, so it observes that state even if its process no longer runs.
  package mutating func begin(at now: Instant, into out: inout PhoneOutput) {
    reportInitialState(at: now, into: &out)
    if settings.regionReporting == .geometric { known.inside = inside }
    scheduleBattery(at: now, into: &out)
  }

  private mutating func travel(to zone: ZoneID, at now: Instant, into out: inout PhoneOutput) {
    guard zone != clock.zone else { return out.remark(.ignored(.alreadySo)) }
    clock.zone = zone
    recordTruth(.zoneChanged, at: now, into: &out)
    if settings.floatingMoves {
      centre.zoneChanged(
        to: self.zone, at: clock.wall(at: now), losesSkipped: !settings.jumpedOverShown, into: &out)
      moveRepeats(at: clock.wall(at: now), into: &out)
      scheduleDelivery(at: now, into: &out)
    }
    scheduleSummary(replaces: true, at: now, into: &out)
    if settings.clockChangeWakes { resumeIfAllowed(at: now, into: &out) }
    stateChanged(.zoneChanged, at: now, into: &out)
    scheduleUsage(at: now, into: &out)
  }

  private mutating func setClock(ahead: TimeSpan, at now: Instant, into out: inout PhoneOutput) {
    guard ahead != clock.ahead else { return out.remark(.ignored(.alreadySo)) }
    let delta = ahead - clock.ahead
    clock.ahead = ahead
    shiftSpans(by: delta, into: &out)
    recordTruth(.clockChanged, at: now, into: &out)
    scheduleDelivery(at: now, into: &out)
    scheduleSummary(at: now, into: &out)
    for reminder in wakes.all {
      // Alarms that the clock change passed over go off before the app observes the change.
      let goesOff = settings.clockChangeWakes && wakes[reminder] <= clock.wall(at: now)
      if goesOff { wake(reminder, at: now, into: &out) } else { scheduleWake(reminder, at: now, into: &out) }
    }
    if settings.clockChangeWakes { resumeIfAllowed(at: now, into: &out) }
    stateChanged(.clockChanged, at: now, into: &out)
    scheduleUsage(at: now, into: &out)
  }

  private mutating func powerOff(at now: Instant, into out: inout PhoneOutput) {
    closeOtherApp(at: now, into: &out)
    catchUpBattery(at: now)
    battery.setOn(false, at: now)
    scheduleBattery(at: now, into: &out)
    isOn = false
    isLocked = true
    returnsAtUnlock = false
    doze.isScreenOff = false
    if process.state != .stopped { process.state = .terminated }
  }

  private mutating func powerOn(at now: Instant, into out: inout PhoneOutput) {
    guard !isOn else { return out.remark(.ignored(.alreadySo)) }
    isOn = true
    isBeforeFirstUnlock = true
    dataLocksAt = now
    clock.reboot(at: now)
    catchUpBattery(at: now)
    battery.setOn(true, at: now)
    scheduleBattery(at: now, into: &out)
    restartRegions(at: now, into: &out)
    if settings.centre.afterReboot == .loseAll {
      losePending(to: .clearedByReboot, at: now, into: &out)
    } else {
      changingPending(at: now, into: &out) { phone, out in
        let wall = phone.clock.wall(at: now)
        phone.centre.rebooted(at: wall, into: &out)
        if phone.settings.centre.afterReboot == .dropMissed { phone.skipMissed(at: wall, into: &out) }
      }
    }
    scheduleSummary(at: now, into: &out)
    scheduleWakes(at: now, into: &out)
    startAfterBoot(.atBoot, at: now, into: &out)
    _ = isRunning(at: now, into: &out)
  }
}
