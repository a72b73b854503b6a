import TriggerModel

/// Lock and unlock, apps in front, and the life of our app's process.
extension Phone {
  mutating func unlock(at now: Instant, into out: inout PhoneOutput) {
    isLocked = false
    isBeforeFirstUnlock = false
    happened(.unlock, at: now, into: &out)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
    if !tell(.unlock, at: now, into: &out) {
      out.outcomes.append(.missed(.unlock, subject: 0, .notRunning))
    }
    if returnsAtUnlock { bringToFront(at: now, into: &out) }
  }

  mutating func lock(at now: Instant, into out: inout PhoneOutput) {
    isLocked = true
    happened(.lock, at: now, into: &out)
    if !tell(.lock, at: now, into: &out) {
      out.outcomes.append(.missed(.lock, subject: 0, .notRunning))
    }
    if isAppInFront {
      leaveFront(at: now, into: &out)
      returnsAtUnlock = true
    }
  }

  mutating func openApp(_ app: AppID, at now: Instant, into out: inout PhoneOutput) {
    if isAppInFront { leaveFront(at: now, into: &out) }
    returnsAtUnlock = false
    happened(.appOpened, subject: app.rawValue, at: now, into: &out)
    if !tell(.appOpened, subject: app.rawValue, at: now, into: &out) {
      out.outcomes.append(.missed(.appOpened, subject: app.rawValue, .notRunning))
    }
  }

  /// Our app comes to the front; saying so again counts as another opening.
  mutating func bringToFront(at now: Instant, into out: inout PhoneOutput) {
    returnsAtUnlock = false
    resume(at: now, into: &out)
    process.state = .foreground
    happened(.opened, at: now, into: &out)
    _ = tell(.opened, at: now, into: &out)
  }

  /// Our app is left, swiped away or ended.
  mutating func leave(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    returnsAtUnlock = false
    if isAppInFront {
      leaveFront(at: now, into: &out)
    } else if event == .leaveOwnApp {
      out.outcomes.append(.ignored(.notInFront))
    }
    if event == .forceQuit { process.state = .forceQuit }
    if event == .terminate, process.exists { process.state = .terminated }
  }

  mutating func leaveFront(at now: Instant, into out: inout PhoneOutput) {
    happened(.backgrounded, at: now, into: &out)
    process.state = .background
    keepRunning(at: now)
    _ = tell(.backgrounded, at: now, into: &out)
  }

  /// Our app becomes active again though nobody opened it.
  mutating func activateAgain(_ count: Int, at now: Instant, into out: inout PhoneOutput) {
    guard isAppInFront else {
      out.outcomes.append(.ignored(.notInFront))
      return
    }
  }

  mutating func powerOff(at now: Instant, into out: inout PhoneOutput) {
    isOn = false
    isLocked = true
    returnsAtUnlock = false
    process.state = .terminated
  }

  mutating func powerOn(at now: Instant, into out: inout PhoneOutput) {
    guard !isOn else {
      out.outcomes.append(.ignored(.alreadySo))
      return
    }
    isOn = true
    isBeforeFirstUnlock = true
    clock.reboot(at: now)
    changingPending(at: now, into: &out) { phone, out in
      phone.centre.rebooted(at: phone.clock.wall(at: now), into: &out)
    }
    timeWakes(at: now, into: &out)
    _ = isRunning(at: now, into: &out)
  }

  /// What the person does in our app, or what it learns by itself.
  mutating func command(_ event: PhoneEvent, at now: Instant, into out: inout PhoneOutput) {
    switch event {
    case .fact(let fact, let value): setFact(fact, value, at: now, into: &out)
    case .snooze(let reminder, let span):
      command(.snooze, reminder, (clock.wall(at: now) + span).millisecondsSince1970, at: now, into: &out)
    case .snoozeUntil(let reminder, let wall):
      command(.snooze, reminder, wall.millisecondsSince1970, at: now, into: &out)
    case .cancel(let reminder): command(.cancel, reminder, 0, at: now, into: &out)
    case .edit(let reminder, let edit): command(.edit, reminder, Int64(edit), at: now, into: &out)
    case .cancelAll: command(.cancelAll, ReminderID(0 as UInt32), 0, at: now, into: &out)
    case .reinstall: reinstall(at: now, into: &out)
    default: break
    }
  }

  private mutating func command(
    _ kind: ObservedEvent.Kind, _ reminder: ReminderID, _ value: Int64, at now: Instant,
    into out: inout PhoneOutput
  ) {
    happened(kind, subject: reminder.rawValue, value: value, at: now, into: &out)
    tellWaking(kind, subject: reminder.rawValue, value: value, at: now, into: &out)
  }

  private mutating func setFact(
    _ fact: FactID, _ value: FactValue, at now: Instant, into out: inout PhoneOutput
  ) {
    let event = ObservedEvent(.factChanged, subject: fact.rawValue, value: value.bits, at: moment(at: now))
    out.truth.append(event)
    inbox.put(event)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
  }

  /// The app is deleted, with all that the system keeps for it, and installed again. What the person
  /// allows it stays as it is.
  private mutating func reinstall(at now: Instant, into out: inout PhoneOutput) {
    process.state = .terminated
    returnsAtUnlock = false
    centre.removeAll(.cancelled, into: &out)
    wakes = WakeWishes()
    inbox = AppInbox()
    happened(.reinstalled, at: now, into: &out)
    tellWaking(.reinstalled, at: now, into: &out)
  }
}
