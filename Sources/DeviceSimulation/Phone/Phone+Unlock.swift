import TriggerModel

/// Lock, unlock, and the signs by which an app learns of them (rules U1 to U4).
extension Phone {
  mutating func unlock(at now: Instant, into out: inout PhoneOutput) {
    let wasDataLocked = isLocked && now >= dataLocksAt
    let isFirst = isBeforeFirstUnlock
    isLocked = false
    isBeforeFirstUnlock = false
    touch(isScreenOff: false, at: now, into: &out)
    isUnlockUnseen = true
    happened(.unlock, at: now, into: &out)
    if isRunning(at: now, into: &out) { catchUp(isResuming: false, at: now, into: &out) }
    // The app that comes back to the front runs again by then, and hears of the unlock.
    if returnsAtUnlock { resume(at: now, into: &out) }
    switch settings.unlockSign {
    case .everyUnlock: giveUnlockSign(at: now, into: &out)
    case .didBecomeActive:
      // Only our app's own coming to the front is a sign, and it comes with that.
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

  mutating func lock(at now: Instant, into out: inout PhoneOutput) {
    // The screen goes dark, which Doze waits for, even if the phone was locked.
    touch(isScreenOff: true, at: now, into: &out)
    guard !isLocked || isUsedSinceLock else { return out.remark(.ignored(.alreadySo)) }
    isUsedSinceLock = false
    if !isLocked, case .protectedData = settings.unlockSign {
      dataLocksAt =
        now
        + luck.between(
          settings.protectedDataFrom, settings.protectedDataTo, .protectedData, at: now)
    }
    isLocked = true
    closeOtherApp(at: now, into: &out)
    happened(.lock, at: now, into: &out)
    if !tell(.lock, at: now, into: &out) {
      out.remark(.missed(.lock, subject: 0, .notRunning))
    }
    if isAppInFront {
      leaveFront(at: now, into: &out)
      returnsAtUnlock = true
    }
  }

  /// Our app becomes active, which apps take for an unlock.
  mutating func becomeActive(at now: Instant, into out: inout PhoneOutput) {
    if settings.unlockSign == .didBecomeActive { giveUnlockSign(at: now, into: &out) }
  }

  /// Our app becomes active again though nobody opened it (rule U1).
  mutating func activateAgain(_ count: Int, at now: Instant, into out: inout PhoneOutput) {
    guard isAppInFront else { return out.remark(.ignored(.notInFront)) }
    for _ in 0..<count { becomeActive(at: now, into: &out) }
  }

  /// Tells the app of an unlock, true or not, as often as signs arrive at all (rule U2).
  private mutating func giveUnlockSign(at now: Instant, into out: inout PhoneOutput) {
    guard luck.chance(percent: settings.unlockRecall, .unlockSign, at: now) else {
      return out.remark(.missed(.unlock, subject: 0, .noSign))
    }
    guard tell(.unlock, at: now, into: &out) else {
      return out.remark(.missed(.unlock, subject: 0, .notRunning))
    }
    if !isUnlockUnseen { out.remark(.falseSign(.unlock, subject: 0)) }
    isUnlockUnseen = false
  }
}
