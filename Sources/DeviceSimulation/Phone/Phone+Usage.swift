import CivilTime
import TriggerModel

/// The use of other apps and the reports about it (rules D1 to D3).
extension Phone {
  mutating func openApp(_ app: AppID, at now: Instant, into out: inout PhoneOutput) {
    if isAppInFront { leaveFront(at: now, into: &out) }
    use(at: now, into: &out)
    returnsAtUnlock = false
    resetIdleTime(isScreenOff: false, at: now, into: &out)
    recordTruth(.appOpened, subject: app.rawValue, at: now, into: &out)
    if let cause = obstacle(toMonitoring: app) {
      closeOtherApp(at: now, into: &out)
      return out.remark(.missed(.appOpened, subject: app.rawValue, cause))
    }
    guard settings.usageThreshold > .zero else {
      if !notifyIfRunning(.appOpened, subject: app.rawValue, at: now, into: &out) {
        out.remark(.missed(.appOpened, subject: app.rawValue, .notRunning))
      }
      return
    }
    usage.tracker.open(app, at: usageNow(at: now), interval: settings.usageInterval)
    scheduleUsage(at: now, into: &out)
  }

  /// Sends another app to the background, because the home screen or the app under test replaces it.
  mutating func closeOtherApp(at now: Instant, into out: inout PhoneOutput) {
    guard usage.tracker.front != nil else { return }
    reportThreshold(at: now, into: &out)
    usage.tracker.close(at: usageNow(at: now), interval: settings.usageInterval)
  }

  mutating func scheduleUsage(at now: Instant, into out: inout PhoneOutput) {
    usage.schedule(
      at: usageNow(at: now), threshold: settings.usageThreshold, interval: settings.usageInterval, into: &out)
  }

  mutating func usageTimerFired(at now: Instant, into out: inout PhoneOutput) {
    usage.timerFired(at: now)
    reportThreshold(at: now, into: &out)
    scheduleUsage(at: now, into: &out)
  }

  /// Sends a report if the use of the app in the foreground has reached the threshold.
  private mutating func reportThreshold(at now: Instant, into out: inout PhoneOutput) {
    let reached = usage.tracker.takeReport(
      at: usageNow(at: now), threshold: settings.usageThreshold, interval: settings.usageInterval)
    if let reached { sendUsageReport(of: reached, at: now, into: &out) }
  }

  /// Queues a report about the use of an app, unless a known bug of the platform suppresses it.
  private mutating func sendUsageReport(of app: AppID, at now: Instant, into out: inout PhoneOutput) {
    if usage.isSuppressed(by: settings.usageFault, on: localDay(at: now)) {
      return out.remark(.missed(.appOpened, subject: app.rawValue, .usageFault))
    }
    let lag = draws.around(settings.usageLag, .usageLag, of: blueprint.names[app], at: now)
    usage.reports.add(UsageReport(due: now + lag, app: app), now: now, into: &out)
  }

  /// Delivers the usage reports that are due. The app's extension receives a report and wakes the app.
  mutating func deliverUsageReports(at now: Instant, into out: inout PhoneOutput) {
    usage.reports.timerFired(at: now)
    while let report = usage.reports.takeDue(at: now) {
      let obstacle =
        isOn ? whyNotStarted ?? obstacle(toMonitoring: report.app) : .poweredOff
      if let obstacle {
        out.remark(.missed(.appOpened, subject: report.app.rawValue, obstacle))
        continue
      }
      if !usage.tracker.wasOpened(report.app) {
        out.remark(.falseSign(.appOpened, subject: report.app.rawValue))
      }
      notifyStarting(.appOpened, subject: report.app.rawValue, at: now, into: &out)
    }
    usage.reports.scheduleNext(now: now, into: &out)
  }

  /// Applies the bug `earlyBurst`: the first unlock of a day reports every threshold.
  mutating func burstAtFirstUnlock(at now: Instant, into out: inout PhoneOutput) {
    guard usage.isFirstUnlock(on: localDay(at: now)) else { return }
    for app in 0..<blueprint.appCount where obstacle(toMonitoring: AppID(app)) == nil {
      sendUsageReport(of: AppID(app), at: now, into: &out)
    }
  }

  /// Returns the reason that the app cannot monitor the use of another app, or `nil` if it can.
  private func obstacle(toMonitoring app: AppID) -> MissCause? {
    permissions.obstacle(toMonitoring: app, limit: settings.usageAppLimit)
  }

  private func localDay(at now: Instant) -> CivilDate {
    zone.local(at: clock.wall(at: now)).date
  }

  private func usageNow(at now: Instant) -> UsageTracker.Now {
    let wall = clock.wall(at: now)
    return UsageTracker.Now(
      instant: now, local: (wall + zone.offset(at: wall)).millisecondsSince1970)
  }
}
