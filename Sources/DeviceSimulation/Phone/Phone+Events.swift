package import TriggerModel

extension Phone {
  /// Lets something happen to the phone at an instant of simulation time.
  ///
  /// A fix is where the phone goes to from here: it is applied when the fix before it is reached, the
  /// first one at its own instant. What is crossed on the way is then known beforehand, and happens
  /// at the instant of its crossing.
  ///
  /// - Parameters:
  ///   - watch: The worker's monitors; without them fixes move nobody.
  ///   - isEndSaid: Of a tap: it is still to be said when our app goes from the front.
  package mutating func apply(
    _ event: PhoneEvent, at now: Instant, using watch: PlaceWatch? = nil, isEndSaid: Bool = false,
    into out: inout PhoneOutput
  ) {
    switch event {
    // The many; the others take a larger frame.
    case .unlock where isOn: unlock(at: now, into: &out)
    case .lock where isOn: lock(at: now, into: &out)
    default: applyOther(event, at: now, using: watch, isEndSaid: isEndSaid, into: &out)
    }
  }

  @inline(never)
  private mutating func applyOther(
    _ event: PhoneEvent, at now: Instant, using watch: PlaceWatch?, isEndSaid: Bool,
    into out: inout PhoneOutput
  ) {
    guard isOn || event.canHappenWhileOff else {
      return out.remark(.ignored(.poweredOff))
    }
    let couldWatch = mayWatchRegions
    defer { if !couldWatch, mayWatchRegions { watchUponGrant(at: now, into: &out) } }
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
      sessionEnds = .distantFuture
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
    case .enterRegion(let region): decree(region, isInside: true, at: now, into: &out)
    case .exitRegion(let region): decree(region, isInside: false, at: now, into: &out)
    case .travel(let zone): travel(to: zone, at: now, into: &out)
    case .setClock(let ahead): setClock(ahead: ahead, at: now, into: &out)
    case .notificationPermission(let new): setPermission(new, at: now, into: &out)
    case .answerPrompt(let answer): answerPrompt(answer, at: now, into: &out)
    case .locationPermission(let new):
      set(\.locationPermission, new, into: &out)
      isLocationOnce = false
    case .screenTimePermission(let new): set(\.screenTime, new, into: &out)
    case .appChoice(let app, let isChosen):
      if isChosen { unchosenApps.remove(app) } else { unchosenApps.insert(app) }
    case .preciseLocation(let isOn): set(\.isPreciseLocation, isOn, into: &out)
    case .locationServices(let isOn): switchLocation(isOn, at: now, into: &out)
    case .exactAlarms(let isAllowed): allowExactAlarms(isAllowed, at: now, into: &out)
    case .channel(let type, let importance): setChannel(type, importance, into: &out)
    case .focus(let isOn): set(\.isFocused, isOn, into: &out)
    case .summary(let isOn): setSummary(isOn, into: &out)
    case .airplaneMode(let isOn): set(\.isInAirplaneMode, isOn, into: &out)
    case .backgroundRefresh(let isOn): set(\.allowsBackgroundRefresh, isOn, into: &out)
    case .lowPowerMode(let isOn):
      set(\.isInLowPowerMode, isOn, into: &out)
      awaitBattery(at: now, into: &out)
      reviewAlarms(at: now, into: &out)
    case .fact, .snooze, .snoozeUntil, .cancel, .create, .edit, .cancelAll, .preference, .reinstall:
      command(event, at: now, into: &out)
    case .reading(let source, let isAllowed): setReading(source, isAllowed: isAllowed, at: now, into: &out)
    case .tap(let reminder): tap(reminder, isEndSaid: isEndSaid, at: now, into: &out)
    case .dismiss(let reminder): dismiss(reminder, at: now, into: &out)
    case .act(let reminder, _): act(on: reminder, at: now, into: &out)
    case .clearNotifications:
      if !centre.clearVisible() { out.remark(.ignored(.nothingToSee)) }
    case .failNextAdd(let count): centre.failNextAdds(count)
    case .storeFault(let fault): store.happen(fault)
    // The phone's part is done when it has handed the tap over; of what is ignored it knows nothing.
    case .linkFault, .ignore: break
    // The app's own part is the bench's model of it, and so is the server.
    case .inApp, .syncRefuses, .syncRepeats: break
    }
  }

  /// Does what a timer asked to be reminded of, if it is still to be done.
  package mutating func timerFired(_ timer: PhoneTimer, at now: Instant, into out: inout PhoneOutput) {
    switch timer {
    case .delivery: deliverDue(at: now, into: &out)
    case .summary: showSummary(at: now, into: &out)
    case .wake(let reminder): wake(reminder, at: now, into: &out)
    case .backgroundRefresh: refresh(at: now, into: &out)
    case .battery: advanceBattery(at: now, into: &out)
    case .batteryNotice: levelNoticeDue(at: now, into: &out)
    case .crossing: cross(at: now, into: &out)
    case .regionDwell(let region): dwell(in: region, at: now, into: &out)
    case .regionReport: tellReports(at: now, into: &out)
    case .usageThreshold: usageAlarmFired(at: now, into: &out)
    case .usageReport: tellUsage(at: now, into: &out)
    case .session: endSession(at: now, into: &out)
    }
  }

  /// Switches something that nobody is told of.
  private mutating func set<Value: Equatable>(
    _ path: WritableKeyPath<Phone, Value>, _ value: Value, into out: inout PhoneOutput
  ) {
    if self[keyPath: path] == value { out.remark(.ignored(.alreadySo)) }
    self[keyPath: path] = value
  }
}

extension PhoneEvent {
  /// What can happen to a phone that is off: it can be carried about, plugged in and set up for the
  /// world around it, but not used.
  var canHappenWhileOff: Bool {
    switch self {
    case .plugIn, .unplug, .batteryLevel, .powerOn, .fix, .found, .enterRegion, .exitRegion, .travel, .fact,
      .failNextAdd, .linkFault, .storeFault, .ignore, .syncRefuses, .syncRepeats:
      true
    case .unlock, .lock, .openApp, .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .updateApp, .terminate,
      .powerOff, .setClock, .notificationPermission, .answerPrompt, .locationPermission, .preciseLocation,
      .screenTimePermission, .appChoice, .locationServices, .exactAlarms, .channel, .focus, .summary,
      .airplaneMode, .backgroundRefresh, .lowPowerMode, .reading, .snooze, .snoozeUntil, .cancel, .create,
      .edit,
      .cancelAll, .preference, .tap, .dismiss, .act, .clearNotifications, .pullNotificationCentre,
      .systemSheet,
      .reinstall, .openLink, .inApp:
      false
    }
  }
}
