import TriggerModel

/// What reaches the app: the only place that writes to the observed track.
extension Phone {
  /// Records what really happened.
  func happened(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) {
    guard out.truthKinds.contains(kind) else { return }
    out.truth.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
  }

  /// Tells the app, if its process runs or may be started for anything.
  /// - Returns: Whether it was told.
  mutating func tell(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) -> Bool {
    guard isRunning(at: now, into: &out) else { return false }
    say(kind, subject: subject, value: value, at: now, into: &out)
    return true
  }

  /// Tells the running app; what it need not be told is left out.
  func say(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64, at now: Instant,
    into out: inout PhoneOutput
  ) {
    let moment = moment(at: now)
    if out.indifference.covers(kind, at: moment) { return }
    out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment))
  }

  /// Tells the app, starting its process when it does not run, if that is allowed. The phone must be on.
  /// - Parameter startsAnyway: Whatever has ended the process: its user is in the app, or that was asked before.
  mutating func tellWaking(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, startsAnyway: Bool = false,
    at now: Instant, into out: inout PhoneOutput
  ) {
    if !startsAnyway, let cause = whyNotStarted {
      return out.remark(.missed(kind, subject: subject, cause))
    }
    resume(at: now, into: &out)
    out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
  }

  /// Tells the app at the time that a rule gives.
  mutating func tell(
    _ kind: ObservedEvent.Kind, of request: RequestID, _ visibility: Visibility, at now: Instant,
    into out: inout PhoneOutput
  ) {
    let subject = request.reminder.rawValue
    let value = Int64(request.occurrence)
    switch visibility {
    case .atOnce where whyNotStarted == nil:
      tellWaking(kind, subject: subject, value: value, at: now, into: &out)
    case .atOnce, .nextRun:
      if !tell(kind, subject: subject, value: value, at: now, into: &out) {
        inbox.put(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
      }
    case .never:
      out.remark(.missed(kind, subject: subject, .noSign))
    }
  }

  /// A state that the app wants to know has changed: tells it now, or else when its process runs again.
  mutating func stateChanged(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, at now: Instant, into out: inout PhoneOutput
  ) {
    if isRunning(at: now, into: &out) {
      catchUp(isResuming: false, at: now, into: &out)
    } else {
      out.remark(.missed(kind, subject: subject, isOn ? .notRunning : .poweredOff))
    }
  }

  /// Whether the app's code executes now. A platform that lets it always run restarts it here.
  mutating func isRunning(at now: Instant, into out: inout PhoneOutput) -> Bool {
    guard isOn else { return false }
    if case .always = settings.backgroundExecution { resumeIfAllowed(at: now, into: &out) }
    return process.isRunning(at: now)
  }

  /// Lets the app's process run in the background: starts it if it must be, because of a wake-up or of something else,
  /// and tells it what it missed.
  mutating func resume(isWaking: Bool = false, at now: Instant, into out: inout PhoneOutput) {
    let wasRunning = process.isRunning(at: now)
    if !wasRunning { catchUpBattery(at: now) }
    if !process.exists {
      process.state = .background
      if !isWaking { wakes.letPass() }
      known.storeReadable = !isStoreUnavailable
      out.observed.append(
        ObservedEvent(.launched, value: known.storeReadable ? 0 : 1, at: moment(at: now)))
      findCharger(at: now, into: &out)
      restorePending(at: now, into: &out)
    }
    keepRunning(at: now)
    if !wasRunning, !stepsBattery { awaitBattery(at: now, into: &out) }
    if !wasRunning { catchUp(isResuming: true, at: now, into: &out) }
  }

  /// A new process reads the charger: what the one before it knew is found so. A change it is told of like
  /// one that was missed; where the platform tells of none, that is found so too.
  private mutating func findCharger(at now: Instant, into out: inout PhoneOutput) {
    guard isSeenCharging(at: now), known.isCharging || settings.chargerSeen == .never else { return }
    known.isCharging = true
    out.observed.append(
      ObservedEvent(.chargingStarted, value: ObservedEvent.foundSo, at: moment(at: now)))
  }

  /// A new installation knows nothing: what the phone is like it finds so.
  mutating func findEverything(at now: Instant, into out: inout PhoneOutput) {
    func tell(_ kind: ObservedEvent.Kind, subject: UInt32 = 0, isSeen: Bool) {
      let event = ObservedEvent(kind, subject: subject, value: ObservedEvent.foundSo, at: moment(at: now))
      if out.truthKinds.contains(kind) { out.truth.append(event) }
      if isSeen { out.observed.append(event) }
    }
    if battery.isPluggedIn { tell(.chargingStarted, isSeen: known.isCharging) }
    // Elsewhere the system tells of regions when it is asked to watch them, in its own way.
    for region in inside.regions {
      tell(.regionEntered, subject: region.rawValue, isSeen: settings.regionReporting == .geometric)
    }
    tellPosition(at: now, into: &out)
  }

  /// Gives the process its time in the background, from now.
  mutating func keepRunning(at now: Instant) {
    process.runsUntil =
      settings.backgroundExecution == .always ? .distantFuture : now + settings.backgroundTime
  }

  /// Tells a running process every state that differs from what it knows, then what waits for it.
  /// - Parameter isResuming: It did not run until now.
  mutating func catchUp(isResuming: Bool, at now: Instant, into out: inout PhoneOutput) {
    let moment = moment(at: now)
    func tell(_ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0) {
      out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment))
    }
    if !known.storeReadable, !isStoreUnavailable {
      known.storeReadable = true
      tell(.storeAvailable)
    }
    if known.permission != centre.permission {
      known.permission = centre.permission
      tell(.permissionChanged, value: Int64(known.permission.rawValue))
    }
    if known.ahead != clock.ahead {
      known.ahead = clock.ahead
      tell(.clockChanged)
    }
    if known.zone != clock.zone {
      known.zone = clock.zone
      tell(.zoneChanged)
    }
    let isCharging = isSeenCharging(at: now)
    if known.isCharging != isCharging {
      known.isCharging = isCharging
      if !isResuming || settings.chargerSeen != .never {
        tell(known.isCharging ? .chargingStarted : .chargingStopped)
      }
    }
    if settings.regionReporting == .geometric {
      let changed = known.inside.symmetricDifference(inside)
      known.inside = inside
      changed.forEach { region in
        tell(inside.contains(region) ? .regionEntered : .regionExited, subject: region.rawValue)
      }
    }
    let readsFacts = !isLocked || settings.lockedFacts == .atOnce
    inbox.take(facts: readsFacts) { event in
      // A fact says since when it holds, a notification when it was delivered, however late the app learns of it.
      let saysWhen =
        event.kind == .factChanged || event.kind == .delivered || event.kind == .deliveredElsewhere
      let age = saysWhen ? event.age + moment.elapsed(since: event.moment) : .zero
      out.observed.append(
        ObservedEvent(event.kind, subject: event.subject, value: event.value, at: moment, age: age))
    }
    // By position: nothing is copied.
    for index in wakes.overdue.indices where wakes[wakes.overdue[index]] <= moment.wall {
      let reminder = wakes.overdue[index]
      if wakes.take(reminder) { tell(.woken, subject: reminder.rawValue) }
    }
    if !wakes.overdue.isEmpty { wakes.forgetOverdue() }
    if isResuming { noticeLevel(at: now, into: &out) }
  }
}
