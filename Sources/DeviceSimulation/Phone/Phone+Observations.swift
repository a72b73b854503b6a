package import TriggerModel

/// Everything that reaches the app. Almost all writes to the observed track are here.
extension Phone {
  /// Records what really happened.
  func recordTruth(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) {
    guard out.truthKinds.contains(kind) else { return }
    out.truth.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
  }

  /// Records what really happened to a request.
  func recordTruth(
    _ kind: ObservedEvent.Kind, of request: RequestID, at now: Instant, into out: inout PhoneOutput
  ) {
    let value = Int64(request.occurrence)
    recordTruth(kind, subject: request.reminder.rawValue, value: value, at: now, into: &out)
  }

  // MARK: - Single events

  /// Notifies the app if its process runs, or always may.
  /// - Returns: Whether the app was notified.
  mutating func notifyIfRunning(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) -> Bool {
    guard isRunning(at: now, into: &out) else { return false }
    notifyRunning(kind, subject: subject, value: value, at: now, into: &out)
    return true
  }

  /// Notifies the running app, unless the event is one that it is indifferent to.
  func notifyRunning(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64, at now: Instant,
    into out: inout PhoneOutput
  ) {
    let moment = moment(at: now)
    if out.irrelevantEvents.covers(kind, at: moment) { return }
    out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment))
  }

  /// Notifies the app, starting its process if necessary and allowed. The phone must be on.
  ///
  /// - Parameter startsAnyway: Whether the process starts whatever ended it, because its user is in the app
  ///   or the caller has checked that it may start.
  mutating func notifyStarting(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, startsAnyway: Bool = false,
    at now: Instant, into out: inout PhoneOutput
  ) {
    if !startsAnyway, let cause = whyNotStarted {
      return out.remark(.missed(kind, subject: subject, cause))
    }
    resume(at: now, into: &out)
    out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
  }

  /// Notifies the app now if its process runs, otherwise when it runs again.
  private mutating func notifyNowOrLater(
    _ kind: ObservedEvent.Kind, subject: UInt32, value: Int64, at now: Instant, into out: inout PhoneOutput
  ) {
    if !notifyIfRunning(kind, subject: subject, value: value, at: now, into: &out) {
      inbox.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
    }
  }

  /// Notifies the app of what happened to a request, at the time that a rule determines.
  mutating func notify(
    _ kind: ObservedEvent.Kind, of request: RequestID, _ visibility: Visibility, at now: Instant,
    into out: inout PhoneOutput
  ) {
    let subject = request.reminder.rawValue
    let value = Int64(request.occurrence)
    switch visibility {
    case .atOnce where whyNotStarted == nil:
      notifyStarting(kind, subject: subject, value: value, at: now, into: &out)
    case .atOnce, .nextRun: notifyNowOrLater(kind, subject: subject, value: value, at: now, into: &out)
    case .never: out.remark(.missed(kind, subject: subject, .noSign))
    }
  }

  // MARK: - States

  /// Notifies the app that a state changed: now if its process runs, otherwise when it runs again.
  mutating func stateChanged(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, at now: Instant, into out: inout PhoneOutput
  ) {
    if isRunning(at: now, into: &out) {
      catchUp(isResuming: false, at: now, into: &out)
    } else {
      out.remark(.missed(kind, subject: subject, isOn ? .notRunning : .poweredOff))
    }
  }

  /// Notifies a running process of every state that differs from what it knows, then of the events in its
  /// inbox.
  ///
  /// - Parameter isResuming: Whether the process did not run until now.
  mutating func catchUp(isResuming: Bool, at now: Instant, into out: inout PhoneOutput) {
    let moment = moment(at: now)
    func notify(_ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0) {
      out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment))
    }
    if !known.storeReadable, !isStoreUnavailable {
      known.storeReadable = true
      notify(.storeAvailable)
    }
    if known.permission != centre.permission {
      known.permission = centre.permission
      notify(.permissionChanged, value: Int64(known.permission.rawValue))
    }
    if known.ahead != clock.ahead {
      known.ahead = clock.ahead
      notify(.clockChanged)
    }
    if known.zone != clock.zone {
      known.zone = clock.zone
      notify(.zoneChanged)
    }
    let isCharging = isSeenCharging(at: now)
    if known.isCharging != isCharging {
      known.isCharging = isCharging
      if !isResuming || settings.chargerSeen != .never {
        notify(known.isCharging ? .chargingStarted : .chargingStopped)
      }
    }
    if settings.regionReporting == .geometric {
      let changed = known.inside.symmetricDifference(inside)
      known.inside = inside
      changed.forEach { region in
        notify(inside.contains(region) ? .regionEntered : .regionExited, subject: region.rawValue)
      }
    }
    let readsFacts = !isLocked || settings.lockedFacts == .atOnce
    inbox.take(facts: readsFacts) { event in
      // Facts and deliveries carry their age, however late the app observes them.
      let hasAge =
        event.kind == .factChanged || event.kind == .delivered || event.kind == .deliveredElsewhere
      let age = hasAge ? event.age + moment.elapsed(since: event.moment) : .zero
      out.observed.append(
        ObservedEvent(event.kind, subject: event.subject, value: event.value, at: moment, age: age))
    }
    // Iterates over positions to avoid a copy.
    for index in wakes.overdue.indices where wakes[wakes.overdue[index]] <= moment.wall {
      let reminder = wakes.overdue[index]
      if wakes.take(reminder) { notify(.woken, subject: reminder.rawValue) }
    }
    if !wakes.overdue.isEmpty { wakes.clearOverdue() }
    if isResuming { noticeLevel(at: now, into: &out) }
  }

  /// Lets a new process read the charger.
  ///
  /// It finds a charger that the process before it knew of. A charger that was connected since is reported as
  /// a missed change, unless the platform reports no changes: then it is found too.
  mutating func findCharger(at now: Instant, into out: inout PhoneOutput) {
    guard isSeenCharging(at: now), known.isCharging || settings.chargerSeen == .never else { return }
    known.isCharging = true
    out.observed.append(
      ObservedEvent(.chargingStarted, value: ObservedEvent.reportedState, at: moment(at: now)))
  }

  /// Reports the state of the phone to a new installation.
  mutating func reportInitialState(at now: Instant, into out: inout PhoneOutput) {
    func report(_ kind: ObservedEvent.Kind, subject: UInt32 = 0, isSeen: Bool) {
      let event = ObservedEvent(
        kind, subject: subject, value: ObservedEvent.reportedState, at: moment(at: now))
      if out.truthKinds.contains(kind) { out.truth.append(event) }
      if isSeen { out.observed.append(event) }
    }
    if battery.isPluggedIn { report(.chargingStarted, isSeen: known.isCharging) }
    // With delayed reporting, the system reports regions when the app registers them.
    for region in inside.regions {
      report(.regionEntered, subject: region.rawValue, isSeen: settings.regionReporting == .geometric)
    }
    notifyPosition(at: now, into: &out)
  }

  // MARK: - Facts

  mutating func setFact(_ fact: FactID, _ value: FactValue, at now: Instant, into out: inout PhoneOutput) {
    // An equal value is new: its age counts from now. A missing value has no age.
    if value.isMissing, !reading.isKnown(fact) { return out.remark(.ignored(.alreadySo)) }
    let event = ObservedEvent(.factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now))
    out.truth.append(event)
    reading.set(fact, value, at: now)
    guard reading.isReadable(fact) else {
      return out.remark(.missed(.factChanged, subject: fact.rawValue, .readingDenied))
    }
    notifyFact(event, at: now, into: &out)
  }

  /// Allows or forbids the app to read a source of facts. The app is not notified of that: it finds other
  /// values, or none.
  mutating func setReading(
    _ source: FactSourceID, isAllowed: Bool, at now: Instant, into out: inout PhoneOutput
  ) {
    guard reading.isAllowed(source) != isAllowed else {
      return out.remark(.ignored(.alreadySo))
    }
    out.outcomes.append(.readingChanged(source, isAllowed: isAllowed))
    for (fact, value, since) in reading.allow(source, isAllowed, at: now) {
      notifyFact(
        ObservedEvent(
          .factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now), age: now - since),
        at: now, into: &out)
    }
  }

  /// Puts a fact into the inbox, which the app reads now or when its process runs again.
  private mutating func notifyFact(_ event: ObservedEvent, at now: Instant, into out: inout PhoneOutput) {
    inbox.append(event)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
  }

  // MARK: - Other devices

  /// Whether the phone can receive from and send to other devices.
  package var isOnline: Bool { isOn && !isInAirplaneMode }

  /// Whether a silent push starts the app.
  ///
  /// It does not if its user ended the app in a way that the platform respects, or without background
  /// refresh. (Apple: "Pushing background updates to your App"; Android: FCM's data messages reach every app
  /// except stopped ones.)
  package var takesSilentPushes: Bool {
    isOnline && whyNotStarted == nil && (allowsBackgroundRefresh || settings.backgroundExecution == .always)
  }

  /// Notifies the app of what its user did on another device: now if it runs or may be started, otherwise
  /// when it runs again.
  package mutating func learn(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    if takesSilentPushes { resumeIfAllowed(at: now, into: &out) }
    if case .fact(let fact, let value) = event { return setFact(fact, value, at: now, into: &out) }
    guard let (kind, subject, value) = inApp(event, at: now) else { return }
    recordTruth(kind, subject: subject, value: value, at: now, into: &out)
    notifyNowOrLater(kind, subject: subject, value: value, at: now, into: &out)
  }

  /// Notifies the app of a delivery on another device, at the same times.
  ///
  /// - Parameter wall: The reading of that device's wall clock then. A reading ahead of this phone's counts
  ///   as now.
  package mutating func learn(
    deliveredElsewhere type: TypeID, _ bucket: Bucket, wall: Instant, at now: Instant,
    into out: inout PhoneOutput
  ) {
    if takesSilentPushes { resumeIfAllowed(at: now, into: &out) }
    let moment = moment(at: now)
    let event = ObservedEvent(
      deliveredElsewhere: type, bucket, at: moment, age: max(.zero, moment.wall - wall))
    if isRunning(at: now, into: &out) { out.observed.append(event) } else { inbox.append(event) }
  }
}
