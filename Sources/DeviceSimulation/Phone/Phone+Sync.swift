package import TriggerModel

/// What reaches our app from the user's other devices.
extension Phone {
  /// Whether it can be reached, and reach others.
  package var isOnline: Bool { isOn && !isInAirplaneMode }

  /// Whether the app's code executes now.
  package func isAppRunning(at now: Instant) -> Bool {
    isOn && (settings.backgroundExecution == .always && whyNotStarted == nil || process.isRunning(at: now))
  }

  /// Whether the system starts the app for a silent push: not where its user has ended it in a way that the platform
  /// respects, and not without background refresh. (Apple: "Pushing background updates to your App"; Android: FCM's
  /// data messages reach every app but those that were stopped.)
  package var takesSilentPushes: Bool {
    isOnline && whyNotStarted == nil && (allowsBackgroundRefresh || settings.backgroundExecution == .always)
  }

  /// The app is told what its user did on another device: now if it runs or may be started, else when it runs again.
  package mutating func learn(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    if takesSilentPushes { resumeIfAllowed(at: now, into: &out) }
    if case .fact(let fact, let value) = event { return setFact(fact, value, at: now, into: &out) }
    guard let (kind, subject, value) = inApp(event, at: now) else { return }
    happened(kind, subject: subject, value: value, at: now, into: &out)
    if !tell(kind, subject: subject, value: value, at: now, into: &out) {
      inbox.put(ObservedEvent(kind, subject: subject, value: value, at: moment(at: now)))
    }
  }
  /// The app is told that it has notified the person on another device, as above.
  ///
  /// - Parameter wall: What that device's wall clock read then. One that is ahead of this phone's counts as now.
  package mutating func learn(
    deliveredElsewhere type: TypeID, _ bucket: Bucket, wall: Instant, at now: Instant,
    into out: inout PhoneOutput
  ) {
    if takesSilentPushes { resumeIfAllowed(at: now, into: &out) }
    let moment = moment(at: now)
    let event = ObservedEvent(
      deliveredElsewhere: type, bucket, at: moment, age: max(.zero, moment.wall - wall))
    if isRunning(at: now, into: &out) { out.observed.append(event) } else { inbox.put(event) }
  }
}
