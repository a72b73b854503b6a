import TriggerModel

/// Locks and unlocks the phone, and gives the signs from which an app infers an unlock (rules U1 to U4).
extension Phone {
  mutating func unlock(at now: Instant, into out: inout PhoneOutput) {
    let wasDataLocked = isLocked && now >= dataLocksAt
    let isFirst = isBeforeFirstUnlock
    isLocked = false
    isBeforeFirstUnlock = false
    resetIdleTime(isScreenOff: false, at: now, into: &out)
    isUnlockUnseen = true
    recordTruth(.unlock, at: now, into: &out)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
    // An app that returns to the foreground runs before the unlock, so it observes the unlock.
    if returnsAtUnlock { resume(at: now, into: &out) }
    switch settings.unlockSign {
    case .everyUnlock: giveUnlockSign(at: now, into: &out)
    case .didBecomeActive:
      // `becomeActive` gives the sign when the app returns to the foreground.
      if !returnsAtUnlock { out.remark(.missed(.unlock, subject: 0, .noSign)) }
    case .protectedData:
      if wasDataLocked {
        giveUnlockSign(at: now, into: &out)
      } else {
        out.remark(.missed(.unlock, subject: 0, .noSign))
      }
    }
    if isFirst { startAfterBoot(.atFirstUnlock, at: now, into: &out) }
    if returnsAtUnlock { bringToFront(at: now, into: &out) }
    if case .earlyBurst = settings.usageFault { burstAtFirstUnlock(at: now, into: &out) }
  }

  /// Records that the person uses the phone. The phone must then be unlocked, even if the scenario has no
  /// unlock event.
  mutating func use(at now: Instant, into out: inout PhoneOutput) {
    isUsedSinceLock = true
    guard isBeforeFirstUnlock else { return }
    isBeforeFirstUnlock = false
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
    startAfterBoot(.atFirstUnlock, at: now, into: &out)
  }

  mutating func lock(at now: Instant, into out: inout PhoneOutput) {
    // Locking switches the screen off, even if the phone is already locked. Doze depends on the screen.
    resetIdleTime(isScreenOff: true, at: now, into: &out)
    guard !isLocked || isUsedSinceLock else { return out.remark(.ignored(.alreadySo)) }
    isUsedSinceLock = false
    if !isLocked, case .protectedData = settings.unlockSign {
      dataLocksAt =
        now
        + draws.between(
          settings.protectedDataFrom, settings.protectedDataTo, .protectedData, at: now)
    }
    isLocked = true
    closeOtherApp(at: now, into: &out)
    recordTruth(.lock, at: now, into: &out)
    if !notifyIfRunning(.lock, at: now, into: &out) {
      out.remark(.missed(.lock, subject: 0, .notRunning))
    }
    if isAppInFront {
      leaveFront(at: now, into: &out)
      returnsAtUnlock = true
    }
  }

  /// Makes the app active. An app that infers unlocks from this sign observes an unlock.
  mutating func becomeActive(at now: Instant, into out: inout PhoneOutput) {
    if settings.unlockSign == .didBecomeActive { giveUnlockSign(at: now, into: &out) }
  }

  /// Makes the app active again although nobody opened it (rule U1).
  mutating func activateAgain(_ count: Int, at now: Instant, into out: inout PhoneOutput) {
    guard isAppInFront else { return out.remark(.ignored(.notInFront)) }
    for _ in 0..<count { becomeActive(at: now, into: &out) }
  }

  /// Notifies the app of a true or false unlock, with the probability of rule U2.
  private mutating func giveUnlockSign(at now: Instant, into out: inout PhoneOutput) {
    guard draws.chance(percent: settings.unlockRecall, .unlockSign, at: now) else {
      return out.remark(.missed(.unlock, subject: 0, .noSign))
    }
    guard notifyIfRunning(.unlock, at: now, into: &out) else {
      return out.remark(.missed(.unlock, subject: 0, .notRunning))
    }
    if !isUnlockUnseen { out.remark(.falseSign(.unlock, subject: 0)) }
    isUnlockUnseen = false
  }
}
