import TriggerModel

/// The life of our app's process: what ends it, and what may start it (rules U5, A5 to A7).
extension Phone {
  /// Why nothing but its user starts the process; nil: anything may that starts processes at all.
  var whyNotStarted: MissCause? {
    switch process.state {
    case .foreground, .background, .terminated: nil
    case .forceQuit: settings.forceQuitUntilOpened ? .forceQuit : nil
    case .stopped: .forceStopped
    }
  }

  /// Starts the process for something that the system does, if it may.
  mutating func resumeIfAllowed(at now: Instant, into out: inout PhoneOutput) {
    if isOn, whyNotStarted == nil { resume(at: now, into: &out) }
  }

  mutating func endProcess(as state: AppProcess.State, at now: Instant, into out: inout PhoneOutput) {
    returnsAtUnlock = false
    if isAppInFront { leaveFront(at: now, into: &out) }
    // What its user has ended stays so.
    if state != .terminated || process.exists { stopProcess(as: state, at: now, into: &out) }
  }

  /// The process executes no more: it has been told of the levels until now, and what starts it again may be the next.
  mutating func stopProcess(as state: AppProcess.State, at now: Instant, into out: inout PhoneOutput) {
    catchUpBattery(at: now)
    process.state = state
    if !stepsBattery { awaitBattery(at: now, into: &out) }
  }

  /// In the system's settings the user stops the app.
  mutating func forceStop(at now: Instant, into out: inout PhoneOutput) {
    guard settings.forceStopRemoves else { return endProcess(as: .forceQuit, at: now, into: &out) }
    endProcess(as: .stopped, at: now, into: &out)
    losePending(at: now, into: &out)
    _ = centre.clearVisible()
    loseRegions()
    reports = []
  }

  /// The app is replaced by a newer version of itself.
  mutating func updateApp(at now: Instant, into out: inout PhoneOutput) {
    endProcess(as: .terminated, at: now, into: &out)
    if settings.updateLosesPending { losePending(at: now, into: &out) }
    if settings.updateStarts { resumeIfAllowed(at: now, into: &out) }
  }

  /// After a boot the app is started where it asks for that, and finds what was lost.
  mutating func startAfterBoot(_ start: BootStart, at now: Instant, into out: inout PhoneOutput) {
    if settings.bootStart == start { resumeIfAllowed(at: now, into: &out) }
  }

  // MARK: - Location switched off

  /// In the system's settings the user switches location on or off (rules L10 and A8).
  mutating func switchLocation(_ isOn: Bool, at now: Instant, into out: inout PhoneOutput) {
    guard isOn != isLocationOn else { return out.remark(.ignored(.alreadySo)) }
    isLocationOn = isOn
    if !isOn, settings.locationOffRemovesRegions { loseRegions() }
  }

  /// The system watches no regions any more, until the app asks for them again when it is opened.
  private mutating func loseRegions() {
    for index in reporters.indices where reporters[index].isMonitored {
      reporters[index].isMonitored = false
      reporters[index].isLost = true
    }
    surroundings?.reporter.isMonitored = false
  }

  /// The app asks again for the regions that the system has lost.
  mutating func restoreRegions(at now: Instant, into out: inout PhoneOutput) {
    for index in reporters.indices where reporters[index].isLost {
      monitor(RegionID(index), at: now, into: &out)
    }
    if let lost = surroundings, !lost.reporter.isMonitored { watch(lost.circle, at: now, into: &out) }
  }
}
