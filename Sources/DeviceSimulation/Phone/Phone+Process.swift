package import TriggerModel

/// Starts and ends the app's process, and applies the person's actions in the app.
extension Phone {
  /// Returns whether the app's code can execute.
  package func isAppRunning(at now: Instant) -> Bool {
    isOn && (settings.backgroundExecution == .always && whyNotStarted == nil || process.isRunning(at: now))
  }

  /// Returns whether the app's code can execute. If the platform always lets the app run, starts it first.
  mutating func isRunning(at now: Instant, into out: inout PhoneOutput) -> Bool {
    guard isOn else { return false }
    if case .always = settings.backgroundExecution { resumeIfAllowed(at: now, into: &out) }
    return process.isRunning(at: now)
  }

  // MARK: - Start and end (rules U5, A5 to A7)

  /// The reason that only the user can start the process, or `nil` if the system can start it.
  var whyNotStarted: MissCause? {
    switch process.state {
    case .foreground, .background, .terminated: nil
    case .forceQuit: settings.forceQuitUntilOpened ? .forceQuit : nil
    case .stopped: .forceStopped
    }
  }

  /// Starts or resumes the process for an event of the system, if the system may start it.
  mutating func resumeIfAllowed(at now: Instant, into out: inout PhoneOutput) {
    if isOn, whyNotStarted == nil { resume(at: now, into: &out) }
  }

  /// Starts or resumes the process in the background and notifies it of the events that it missed.
  mutating func resume(at now: Instant, into out: inout PhoneOutput) {
    let wasRunning = process.isRunning(at: now)
    if !wasRunning { catchUpBattery(at: now) }
    if !process.exists {
      process.state = .background
      known.storeReadable = !isStoreUnavailable
      out.observed.append(
        ObservedEvent(.launched, value: known.storeReadable ? 0 : 1, at: moment(at: now)))
      findCharger(at: now, into: &out)
      restorePending(at: now, into: &out)
    }
    keepRunning(at: now)
    if !wasRunning, !stepsBattery { scheduleBattery(at: now, into: &out) }
    if !wasRunning { catchUp(isResuming: true, at: now, into: &out) }
  }

  /// Lets the process run for the background time, counted from now.
  private mutating func keepRunning(at now: Instant) {
    process.runsUntil =
      settings.backgroundExecution == .always ? .distantFuture : now + settings.backgroundTime
  }

  mutating func endProcess(as state: AppProcess.State, at now: Instant, into out: inout PhoneOutput) {
    returnsAtUnlock = false
    if isAppInFront { leaveFront(at: now, into: &out) }
    // A process that its user ended stays in that state.
    if state != .terminated || process.exists { stopProcess(as: state, at: now, into: &out) }
  }

  /// Ends the process after it observed all battery levels until now. The next level may start it again.
  private mutating func stopProcess(as state: AppProcess.State, at now: Instant, into out: inout PhoneOutput)
  {
    catchUpBattery(at: now)
    process.state = state
    if !stepsBattery { scheduleBattery(at: now, into: &out) }
  }

  /// Applies a force stop that the user chose in the system settings.
  mutating func forceStop(at now: Instant, into out: inout PhoneOutput) {
    guard settings.forceStopRemoves else { return endProcess(as: .forceQuit, at: now, into: &out) }
    endProcess(as: .stopped, at: now, into: &out)
    losePending(to: .clearedByForceStop, at: now, into: &out)
    _ = centre.clearVisible()
    monitoring.loseAll()
    monitoring.reports.removeAll { _ in true }
  }

  /// Replaces the app with a newer version.
  mutating func updateApp(at now: Instant, into out: inout PhoneOutput) {
    endProcess(as: .terminated, at: now, into: &out)
    if settings.updateLosesPending { losePending(to: .clearedByUpdate, at: now, into: &out) }
    if settings.updateStarts { resumeIfAllowed(at: now, into: &out) }
  }

  /// Starts the app if the profile starts it at this point of a boot.
  mutating func startAfterBoot(_ start: BootStart, at now: Instant, into out: inout PhoneOutput) {
    if settings.bootStart == start { resumeIfAllowed(at: now, into: &out) }
  }

  /// Deletes the app and everything that the system stores for it, and installs it again. The profile
  /// determines whether permissions survive.
  private mutating func reinstall(at now: Instant, into out: inout PhoneOutput) {
    // To install an app, the person must have unlocked the phone.
    isBeforeFirstUnlock = false
    stopProcess(as: .terminated, at: now, into: &out)
    returnsAtUnlock = false
    centre.removeAll(.cancelled, into: &out)
    wakes = WakeRequests()
    inbox.keepFacts()
    monitoring.removeAll()
    unwatch()
    channels = Channels(areSilent: settings.channelsSilent)
    recordTruth(.reinstalled, at: now, into: &out)
    if settings.reinstallResetsPermission { resetPermissions(at: now, into: &out) }
    notifyStarting(.reinstalled, startsAnyway: true, at: now, into: &out)
    reportInitialState(at: now, into: &out)
  }

  // MARK: - The app in the foreground

  /// Brings the app to the foreground. If it is already there, the journal records another opening.
  mutating func bringToFront(at now: Instant, into out: inout PhoneOutput) {
    let wasInFront = isAppInFront
    use(at: now, into: &out)
    returnsAtUnlock = false
    closeOtherApp(at: now, into: &out)
    resetIdleTime(isScreenOff: false, at: now, into: &out)
    resume(at: now, into: &out)
    process.state = .foreground
    restoreRegions(at: now, into: &out)
    notifyPosition(at: now, into: &out)
    recordTruth(.opened, at: now, into: &out)
    _ = notifyIfRunning(.opened, at: now, into: &out)
    if !wasInFront { becomeActive(at: now, into: &out) }
  }

  /// Begins a session that a tap started.
  ///
  /// Unless the scenario ends the session, it ends after the duration that rule U1 defines, even if the phone
  /// is locked in the meantime.
  mutating func beginSession(hasDeclaredEnd: Bool, at now: Instant, into out: inout PhoneOutput) {
    let isEndless = hasDeclaredEnd || settings.sessionLength == .zero
    session.begin(length: isEndless ? nil : settings.sessionLength, at: now, into: &out)
  }

  mutating func endSession(at now: Instant, into out: inout PhoneOutput) {
    guard session.timerFired(at: now, into: &out) else { return }
    returnsAtUnlock = false
    if isAppInFront { leaveFront(at: now, into: &out) }
  }

  /// Sends the app to the background, swipes it away or ends it.
  mutating func leave(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    returnsAtUnlock = false
    if isAppInFront {
      leaveFront(at: now, into: &out)
    } else if event == .leaveOwnApp {
      out.remark(.ignored(.notInFront))
    }
    let state = process.state
    if event == .forceQuit { stopProcess(as: .forceQuit, at: now, into: &out) }
    if event == .terminate, process.exists { stopProcess(as: .terminated, at: now, into: &out) }
    if event != .leaveOwnApp, process.state == state { out.remark(.ignored(.alreadySo)) }
  }

  mutating func leaveFront(at now: Instant, into out: inout PhoneOutput) {
    recordTruth(.backgrounded, at: now, into: &out)
    permissions.endLocationOnce()
    process.state = .background
    keepRunning(at: now)
    _ = notifyIfRunning(.backgrounded, at: now, into: &out)
  }

  /// Applies an action of the person in the app, or an event that reaches the app without the system's
  /// involvement.
  mutating func command(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    switch event {
    case .fact(let fact, let value): setFact(fact, value, at: now, into: &out)
    case .reinstall: reinstall(at: now, into: &out)
    default:
      guard let act = inApp(event, at: now) else { return }
      if out.truthKinds.contains(act.kind) { out.truth.append(act) }
      resume(at: now, into: &out)
      out.observed.append(act)
    }
  }

  /// Returns the event that the app observes when the person acts in the app, or `nil` for other events.
  func inApp(
    _ event: PhoneEvent, at now: Instant
  ) -> ObservedEvent? {
    func act(
      _ kind: ObservedEvent.Kind, _ subject: UInt32 = 0, _ value: Int64 = 0, length: TimeSpan = .zero
    ) -> ObservedEvent {
      ObservedEvent(kind, subject: subject, value: value, at: moment(at: now), age: length)
    }
    return switch event {
    case .snooze(let reminder, let span):
      act(
        .snooze, reminder.rawValue, (clock.wall(at: now) + span).millisecondsSince1970,
        length: max(span, .zero))
    case .snoozeUntil(let reminder, let wall): act(.snooze, reminder.rawValue, wall.millisecondsSince1970)
    case .cancel(let reminder): act(.cancel, reminder.rawValue)
    case .create(let reminder): act(.create, reminder.rawValue)
    case .edit(let reminder, let edit): act(.edit, reminder.rawValue, Int64(edit))
    case .cancelAll: act(.cancelAll)
    case .preference(let change): act(.preferencesChanged, change.subject, change.value)
    default: nil
    }
  }

  // MARK: - Wake-ups (rule U6)

  mutating func requestWake(
    _ reminder: ReminderID, _ wall: Instant, at now: Instant, into out: inout PhoneOutput
  ) {
    // "If the stated trigger time is in the past, the alarm will be triggered immediately" (AlarmManager.set).
    wakes[reminder] = wall <= clock.wall(at: now) ? .distantPast : wall
    scheduleWake(reminder, at: now, into: &out)
  }

  func scheduleWake(_ reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard wakes[reminder] != .distantFuture else { return }
    let isLate = settings.backgroundWake == .alarm && wakes[reminder] != .distantPast
    let wall = max(wakes[reminder], clock.wall(at: now))
    let due = isLate ? release(wake: reminder, at: wall) : clock.instant(ofWall: wall)
    let instant = max(now, due)
    out.timers.append(ScheduledTimer(instant: instant, timer: .wake(reminder)))
  }

  func scheduleWakes(at now: Instant, into out: inout PhoneOutput) {
    for reminder in wakes.all { scheduleWake(reminder, at: now, into: &out) }
  }

  /// Serves a wake request, if it is still due.
  mutating func wake(_ reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard isOn, !wakes.areLost, wakes[reminder] <= clock.wall(at: now) else { return }
    if settings.backgroundWake == .alarm, wakes[reminder] != .distantPast {
      guard release(wake: reminder, at: wakes[reminder]) <= now else {
        return scheduleWake(reminder, at: now, into: &out)
      }
      return deliverDue(goesOff: true, at: now, into: &out)
    }
    wakes.markOverdue(reminder)
    switch settings.backgroundWake {
    case .exact, .alarm: serveOverdueWake(at: now, into: &out)
    case .opportunistic, .never:
      if isRunning(at: now, into: &out) {
        catchUp(isResuming: false, at: now, into: &out)
      } else if settings.backgroundWake == .opportunistic {
        // One background refresh serves all overdue requests.
        let delay = draws.around(settings.refreshDelay, .refreshDelay, at: now)
        refreshAlarm.require(now + delay, now: now, .backgroundRefresh, into: &out)
      }
    }
  }

  /// Returns whether a wake-up requested for this instant runs the app without delay.
  package func servesWake(at now: Instant) -> Bool {
    switch settings.backgroundWake {
    case .exact, .alarm: isOn && whyNotStarted == nil && !wakes.areLost
    case .opportunistic, .never: isAppRunning(at: now)
    }
  }

  /// Gives the app background time if the rules allow it.
  mutating func refresh(at now: Instant, into out: inout PhoneOutput) {
    refreshAlarm.fired(at: now)
    guard isOn, !wakes.overdue.isEmpty else { return }
    if process.state == .forceQuit, settings.forceQuitStopsRefresh {
      return out.remark(.missed(.woken, subject: 0, .forceQuit))
    }
    if process.state == .stopped { return out.remark(.missed(.woken, subject: 0, .forceStopped)) }
    if !allowsBackgroundRefresh || (isInLowPowerMode && settings.lowPowerStopsRefresh) {
      return out.remark(.missed(.woken, subject: 0, .notRunning))
    }
    resume(at: now, into: &out)
  }

  // MARK: - Effects

  /// Performs an effect that requests something from the system. Ignores all other effects.
  package mutating func perform(_ effect: EngineEffect, at now: Instant, into out: inout PhoneOutput) {
    switch effect {
    case .add(let request): add(request, at: now, into: &out)
    case .remove(let id, let reason): _ = centre.remove(id, reason, into: &out)
    case .withdraw(let reminder, let reason): centre.removePending(of: reminder, reason, into: &out)
    case .removeShown(let reminder): centre.removeShown(of: reminder)
    case .wake(let reminder, let wall): requestWake(reminder, wall, at: now, into: &out)
    case .wakeForRelease(let wall): requestWake(.heldRequests, wall, at: now, into: &out)
    case .monitor(let region): monitor(region, at: now, into: &out)
    case .unmonitor(let region): monitoring.stop(region, at: now)
    case .watch(let circle): watch(circle, at: now, into: &out)
    case .unwatch: unwatch()
    case .request, .noRequest, .decided, .dropped, .persist, .storeUnusable: break
    }
  }
}
