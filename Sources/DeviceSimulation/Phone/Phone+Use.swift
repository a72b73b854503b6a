import TriggerModel

/// Our app in front, its process, and what the person does in it.
extension Phone {
  /// Our app comes to the front; saying so again counts as another opening.
  mutating func bringToFront(at now: Instant, into out: inout PhoneOutput) {
    let wasInFront = isAppInFront
    isUsedSinceLock = true
    returnsAtUnlock = false
    closeOtherApp(at: now, into: &out)
    touch(isScreenOff: false, at: now, into: &out)
    resume(at: now, into: &out)
    process.state = .foreground
    restoreRegions(at: now, into: &out)
    tellPosition(at: now, into: &out)
    happened(.opened, at: now, into: &out)
    _ = tell(.opened, at: now, into: &out)
    if !wasInFront { becomeActive(at: now, into: &out) }
  }

  /// A tap has opened our app. Unless somebody is still to say when it goes, it goes by itself after the
  /// session that rule U1 assumes, locked for a while in between or not.
  mutating func beginSession(isEndSaid: Bool, at now: Instant, into out: inout PhoneOutput) {
    sessionEnds = isEndSaid || settings.sessionLength == .zero ? .distantFuture : now + settings.sessionLength
    sessionAlarm.require(sessionEnds, now: now, .session, into: &out)
  }

  mutating func endSession(at now: Instant, into out: inout PhoneOutput) {
    sessionAlarm.fired(at: now)
    guard now >= sessionEnds else {
      return sessionAlarm.require(sessionEnds, now: now, .session, into: &out)
    }
    sessionEnds = .distantFuture
    returnsAtUnlock = false
    if isAppInFront { leaveFront(at: now, into: &out) }
  }

  /// Our app is left, swiped away or ended.
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
    happened(.backgrounded, at: now, into: &out)
    endLocationOnce()
    process.state = .background
    keepRunning(at: now)
    _ = tell(.backgrounded, at: now, into: &out)
  }

  /// What the person does in our app, or what it learns by itself.
  mutating func command(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    switch event {
    case .fact(let fact, let value): setFact(fact, value, at: now, into: &out)
    case .reinstall: reinstall(at: now, into: &out)
    default:
      guard let (kind, subject, value) = inApp(event, at: now) else { return }
      happened(kind, subject: subject, value: value, at: now, into: &out)
      tellWaking(kind, subject: subject, value: value, startsAnyway: true, at: now, into: &out)
    }
  }

  /// What the app's code is told when the person does it in the app; nil: nothing.
  func inApp(
    _ event: PhoneEvent, at now: Instant
  ) -> (kind: ObservedEvent.Kind, subject: UInt32, value: Int64)? {
    switch event {
    case .snooze(let reminder, let span):
      (.snooze, reminder.rawValue, (clock.wall(at: now) + span).millisecondsSince1970)
    case .snoozeUntil(let reminder, let wall): (.snooze, reminder.rawValue, wall.millisecondsSince1970)
    case .cancel(let reminder): (.cancel, reminder.rawValue, 0)
    case .create(let reminder): (.create, reminder.rawValue, 0)
    case .edit(let reminder, let edit): (.edit, reminder.rawValue, Int64(edit))
    case .cancelAll: (.cancelAll, 0, 0)
    case .preference(let change): (.preferencesChanged, change.subject, change.value)
    default: nil
    }
  }

  /// The app is deleted, with all that the system keeps for it, and installed again. What the person
  /// allows it stays as it is, or has to be asked for anew.
  private mutating func reinstall(at now: Instant, into out: inout PhoneOutput) {
    // Nobody installs an app on a phone that was not unlocked since it started.
    isBeforeFirstUnlock = false
    stopProcess(as: .terminated, at: now, into: &out)
    returnsAtUnlock = false
    centre.removeAll(.cancelled, into: &out)
    wakes = WakeWishes()
    areWakesLost = false
    inbox.keepFacts()
    reporters = []
    reports = []
    unwatch()
    channels = Channels(areSilent: settings.channelsSilent)
    happened(.reinstalled, at: now, into: &out)
    if settings.reinstallResetsPermission { forgetPermission(at: now, into: &out) }
    tellWaking(.reinstalled, startsAnyway: true, at: now, into: &out)
    findEverything(at: now, into: &out)
  }

  /// The system has forgotten what the person allowed (rule N9): the new installation finds it so.
  private mutating func forgetPermission(at now: Instant, into out: inout PhoneOutput) {
    prompts = PromptHistory()
    locationPermission = .notDetermined
    isLocationOnce = false
    screenTime = .notDetermined
    mayUseExactAlarms = settings.exactAlarms == .granted
    guard centre.permission != .notDetermined else { return }
    centre.setPermission(.notDetermined, into: &out)
    let permission = Int64(NotificationPermission.notDetermined.rawValue)
    happened(.permissionChanged, value: permission, at: now, into: &out)
  }
}
