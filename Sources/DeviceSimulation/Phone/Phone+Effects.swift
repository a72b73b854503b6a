package import TriggerModel

extension Phone {
  /// Does what the app asks of the system. Effects that ask nothing of it are passed over.
  package mutating func perform(_ effect: EngineEffect, at now: Instant, into out: inout PhoneOutput) {
    switch effect {
    case .add(let request): add(request, at: now, into: &out)
    case .remove(let id, let reason): _ = centre.remove(id, reason, into: &out)
    case .withdraw(let reminder, let reason): centre.removePending(of: reminder, reason, into: &out)
    case .wake(let reminder, let wall): setWake(reminder, wall, at: now, into: &out)
    case .wakeForRelease(let wall): setWake(.heldRequests, wall, at: now, into: &out)
    case .monitor(let region): monitor(region, at: now, into: &out)
    case .unmonitor(let region): unmonitor(region)
    case .watch(let circle): watch(circle, at: now, into: &out)
    case .unwatch: unwatch()
    case .request, .noRequest, .decided, .dropped, .persist, .storeUnusable: break
    }
  }

  private mutating func add(_ request: NotificationRequest, at now: Instant, into out: inout PhoneOutput) {
    changingPending(at: now, into: &out) { phone, out in
      // What is posted now is no alarm.
      let taken = phone.asTaken(request, at: phone.clock.wall(at: now))
      let isAlarm = taken.deliverAt > phone.clock.wall(at: now)
      let lateness = isAlarm ? phone.lateness(ofAlarm: request.id.reminder, at: taken.deliverAt) : nil
      let home = phone.settings.floatingMoves || request.repeats == nil ? nil : phone.clock.zone
      let refusal = phone.centre.add(
        taken, lateness: lateness, zone: phone.zone, home: home,
        isFit: !phone.blueprint.refused.contains(request.id.reminder), into: &out)
      if refusal != nil { return phone.tell(.addFailed, of: request.id, .atOnce, at: now, into: &out) }
      guard taken.scheduledFor != request.scheduledFor, phone.centre.isPending(request.id) else { return }
      out.outcomes.append(
        .repeated(request.id, for: taken.deliverAt, due: taken.deliverAt + (lateness ?? .zero)))
    }
  }

  // MARK: - Wake-ups

  private mutating func setWake(
    _ reminder: ReminderID, _ wall: Instant, at now: Instant, into out: inout PhoneOutput
  ) {
    wakes[reminder] = wall
    timeWake(reminder, at: now, into: &out)
  }

  func timeWake(_ reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard wakes[reminder] != .distantFuture else { return }
    let wall = max(wakes[reminder], clock.wall(at: now))
    let due =
      settings.backgroundWake == .alarm ? release(wake: reminder, at: wall) : clock.instant(ofWall: wall)
    let instant = max(now, due)
    out.timers.append(ScheduledTimer(instant: instant, timer: .wake(reminder)))
  }

  /// Asks for a timer for every wish, after a boot.
  func timeWakes(at now: Instant, into out: inout PhoneOutput) {
    for reminder in wakes.all { timeWake(reminder, at: now, into: &out) }
  }

  /// The time of a wish has come, if it has not been changed since.
  mutating func wake(_ reminder: ReminderID, at now: Instant, into out: inout PhoneOutput) {
    guard isOn, !areWakesLost, wakes[reminder] <= clock.wall(at: now) else { return }
    if settings.backgroundWake == .alarm, wakes[reminder] != .distantPast {
      guard release(wake: reminder, at: wakes[reminder]) <= now else {
        return timeWake(reminder, at: now, into: &out)
      }
      wentOff(at: now)
    }
    wakes.miss(reminder)
    switch settings.backgroundWake {
    case .exact, .alarm:
      if let cause = whyNotStarted { return out.remark(.missed(.woken, subject: 0, cause)) }
      resume(isWaking: true, at: now, into: &out)
      catchUp(isResuming: false, at: now, into: &out)
    case .opportunistic, .never:
      if isRunning(at: now, into: &out) {
        catchUp(isResuming: false, at: now, into: &out)
      } else if settings.backgroundWake == .opportunistic {
        // One refresh at a time serves all whose time has come (rule U6).
        let delay = luck.around(settings.refreshDelay, .refreshDelay, at: now)
        refreshAlarm.require(now + delay, now: now, .backgroundRefresh, into: &out)
      }
    }
  }

  /// The system gives our app some time in the background, if everything allows it.
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
    resume(isWaking: true, at: now, into: &out)
  }
}
