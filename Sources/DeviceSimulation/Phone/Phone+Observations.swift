package import TriggerModel

/// The events that the app observes. Almost all writes to the observed track are in this file.
extension Phone {
  /// Records an event on the truth track.
  func recordTruth(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) {
    guard out.truthKinds.contains(kind) else { return }
    out.truth.append(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
  }

  /// Records an outcome of a request on the truth track.
  func recordTruth(
    _ kind: ObservedEvent.Kind, of request: RequestID, at now: Instant, into out: inout PhoneOutput
  ) {
    let value = Int64(request.occurrence)
    recordTruth(kind, subject: request.reminder.rawValue, value: value, at: now, into: &out)
  }

  // MARK: - Single events

  /// Notifies the app if its process runs or if the platform always lets it run.
  /// - Returns: Whether the app was notified.
  mutating func notifyIfRunning(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0, at now: Instant,
    into out: inout PhoneOutput
  ) -> Bool {
    guard isRunning(at: now, into: &out) else { return false }
    notifyRunning(kind, subject: subject, value: value, at: now, into: &out)
    return true
  }

  /// Notifies the running app, unless the event is irrelevant to it.
  func notifyRunning(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64, at now: Instant,
    into out: inout PhoneOutput
  ) {
    let moment = moment(at: now)
    if out.irrelevantEvents.covers(kind, at: moment) { return }
    out.observed.append(ObservedEvent(kind, subject: subject, value: value, at: moment))
  }

  /// Notifies the app, and starts its process if necessary and allowed. The phone must be on.
  ///
  /// - Parameter startsAnyway: Whether to start the process even if the user ended it. Pass `true` if the
  ///   user is in the app, or if the caller has checked that the process may start.
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

  /// Notifies the app now if its process runs, or otherwise when it next runs.
  private mutating func notifyNowOrLater(
    _ event: ObservedEvent, at now: Instant, into out: inout PhoneOutput
  ) {
    guard isRunning(at: now, into: &out) else { return inbox.append(event) }
    if !out.irrelevantEvents.covers(event.kind, at: event.moment) { out.observed.append(event) }
  }

  /// Notifies the app of a request's outcome, at the time that the platform rule defines.
  mutating func notify(
    _ kind: ObservedEvent.Kind, of request: RequestID, _ visibility: Visibility, isPresented: Bool = true,
    at now: Instant, into out: inout PhoneOutput
  ) {
    let subject = request.reminder.rawValue
    let value = Int64(request.occurrence) | (isPresented ? 0 : ObservedEvent.unpresented)
    switch visibility {
    case .atOnce where whyNotStarted == nil:
      notifyStarting(kind, subject: subject, value: value, at: now, into: &out)
    case .atOnce, .nextRun:
      notifyNowOrLater(
        ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)), at: now, into: &out)
    case .never: out.remark(.missed(kind, subject: subject, .noSign))
    }
  }

  // MARK: - States

  /// Notifies the app of a changed state, now if its process runs, or otherwise when it next runs.
  mutating func stateChanged(
    _ kind: ObservedEvent.Kind, subject: UInt32 = 0, at now: Instant, into out: inout PhoneOutput
  ) {
    if isRunning(at: now, into: &out) {
      catchUp(isResuming: false, at: now, into: &out)
    } else {
      out.remark(.missed(kind, subject: subject, isOn ? .notRunning : .poweredOff))
    }
  }

  /// Notifies a running process of every state that differs from the one it observed last, then of the events
  /// in its inbox.
  ///
  /// - Parameter isResuming: Whether the process has just started or resumed.
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
      // The age of facts and deliveries counts from the event, even if the app observes it late.
      let hasAge =
        event.kind == .factChanged || event.kind == .delivered || event.kind == .deliveredElsewhere
      var late = event.observed(at: moment)
      if hasAge { late.age = event.age + moment.elapsed(since: event.moment) }
      out.observed.append(late)
    }
    // Iterating over the indices avoids a copy of the array.
    for index in wakes.overdue.indices where wakes[wakes.overdue[index]] <= moment.wall {
      let reminder = wakes.overdue[index]
      wakes[reminder] = .distantFuture
      notify(.woken, subject: reminder.rawValue)
    }
    if !wakes.overdue.isEmpty { wakes.clearOverdue() }
    if isResuming { noticeLevel(at: now, into: &out) }
  }

  /// Lets a new process read the state of the charger.
  ///
  /// The process reads a charger that its predecessor had observed, or any charger if the platform reports no
  /// changes. Otherwise a charger that was connected in between is reported as a missed change.
  mutating func findCharger(at now: Instant, into out: inout PhoneOutput) {
    guard isSeenCharging(at: now), known.isCharging || settings.chargerSeen == .never else { return }
    known.isCharging = true
    out.observed.append(
      ObservedEvent(.chargingStarted, value: ObservedEvent.reportedState, at: moment(at: now)))
  }

  /// Reports the state of the phone to a new installation.
  mutating func reportInitialState(at now: Instant, into out: inout PhoneOutput) {
    func report(
      _ kind: ObservedEvent.Kind, subject: UInt32 = 0, _ value: Int64 = ObservedEvent.reportedState,
      isSeen: Bool
    ) {
      let event = ObservedEvent(kind, subject: subject, value: value, at: moment(at: now))
      if out.truthKinds.contains(kind) { out.truth.append(event) }
      if isSeen { out.observed.append(event) }
    }
    if battery.isPluggedIn { report(.chargingStarted, isSeen: known.isCharging) }
    // With delayed reporting, the system reports a region when the app registers it.
    for region in inside.regions {
      let isSeen = settings.regionReporting == .geometric
      report(.regionEntered, subject: region.rawValue, initialValue, isSeen: isSeen)
    }
    notifyPosition(at: now, into: &out)
  }

  // MARK: - Facts

  mutating func setFact(_ fact: FactID, _ value: FactValue, at now: Instant, into out: inout PhoneOutput) {
    // Setting an equal value restarts the age of a fact. A missing value has no age.
    if value.isMissing, !reading.isKnown(fact) { return out.remark(.ignored(.alreadySo)) }
    let event = ObservedEvent(.factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now))
    out.truth.append(event)
    reading.set(fact, value, at: now)
    guard reading.isReadable(fact) else {
      return out.remark(.missed(.factChanged, subject: fact.rawValue, .readingDenied))
    }
    notifyFact(event, at: now, into: &out)
  }

  /// Allows or forbids the app to read a source of facts. The app is not notified of the permission. It only
  /// reads other values, or none.
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

  /// Puts a changed fact into the inbox. The app reads it now if its process runs, or otherwise when it next
  /// runs.
  private mutating func notifyFact(_ event: ObservedEvent, at now: Instant, into out: inout PhoneOutput) {
    inbox.append(event)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
  }

  // MARK: - Other devices

  /// Whether the phone can communicate with other devices.
  package var isOnline: Bool { isOn && !isInAirplaneMode }

  /// Whether a silent push starts the app.
  ///
  /// A push does not start the app if background refresh is off, or if the user ended the app in a way that
  /// the platform respects. (Apple: "Pushing background updates to your App"; Android: FCM delivers data
  /// messages to every app except stopped ones.)
  package var takesSilentPushes: Bool {
    isOnline && whyNotStarted == nil && (allowsBackgroundRefresh || settings.backgroundExecution == .always)
  }

  /// Notifies the app of an action that its user took on another device: now if the app runs or may be
  /// started, or otherwise when it next runs.
  package mutating func learn(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    if takesSilentPushes { resumeIfAllowed(at: now, into: &out) }
    if case .fact(let fact, let value) = event { return setFact(fact, value, at: now, into: &out) }
    guard let act = inApp(event, at: now) else { return }
    if out.truthKinds.contains(act.kind) { out.truth.append(act) }
    notifyNowOrLater(act, at: now, into: &out)
  }

  /// Notifies the app of a delivery on another device, with the timing of a user's action there.
  ///
  /// - Parameter wall: The instant of delivery on the other device's wall clock. If it is ahead of this
  ///   phone's clock, this phone's current instant replaces it.
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
