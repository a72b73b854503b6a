import CivilTime
import TriggerModel

/// A usage report that the system will get round to.
struct UsageReport: Hashable, Sendable, BitwiseCopyable {
  var due: Instant
  var app: AppID
}

/// Local days that the usage faults turn on.
struct UsageDays: Hashable, Sendable, BitwiseCopyable {
  var lastReport: CivilDate?
  var lastUnlock: CivilDate?
}

/// Other apps, and how the app under test learns of them (rules D1 to D3).
extension Phone {
  mutating func openApp(_ app: AppID, at now: Instant, into out: inout PhoneOutput) {
    if isAppInFront { leaveFront(at: now, into: &out) }
    isUsedSinceLock = true
    returnsAtUnlock = false
    touch(isScreenOff: false, at: now, into: &out)
    happened(.appOpened, subject: app.rawValue, at: now, into: &out)
    if let cause = whyUnwatched(app) {
      closeOtherApp(at: now, into: &out)
      return out.remark(.missed(.appOpened, subject: app.rawValue, cause))
    }
    guard settings.usageThreshold > .zero else {
      if !tell(.appOpened, subject: app.rawValue, at: now, into: &out) {
        out.remark(.missed(.appOpened, subject: app.rawValue, .notRunning))
      }
      return
    }
    usage.open(app, at: usageNow(at: now), interval: settings.usageInterval)
    awaitUsage(at: now, into: &out)
  }

  /// Nothing but the home screen, or our own app, is in front.
  mutating func closeOtherApp(at now: Instant, into out: inout PhoneOutput) {
    guard usage.front != nil else { return }
    reachThreshold(at: now, into: &out)
    usage.close(at: usageNow(at: now), interval: settings.usageInterval)
  }

  mutating func awaitUsage(at now: Instant, into out: inout PhoneOutput) {
    guard
      let next = usage.nextReport(
        at: usageNow(at: now), threshold: settings.usageThreshold, interval: settings.usageInterval)
    else { return }
    usageAlarm.require(next, now: now, .usageThreshold, into: &out)
  }

  mutating func usageAlarmFired(at now: Instant, into out: inout PhoneOutput) {
    usageAlarm.fired(at: now)
    reachThreshold(at: now, into: &out)
    awaitUsage(at: now, into: &out)
  }

  private mutating func reachThreshold(at now: Instant, into out: inout PhoneOutput) {
    let reached = usage.takeReport(
      at: usageNow(at: now), threshold: settings.usageThreshold, interval: settings.usageInterval)
    if let reached { sendUsageReport(of: reached, at: now, into: &out) }
  }

  /// Has the system report an app, unless one of the known faults is in the way.
  private mutating func sendUsageReport(of app: AppID, at now: Instant, into out: inout PhoneOutput) {
    let today = localDay(at: now)
    let isStalled = settings.usageFault == .dailyStall && usageDays.lastReport == today
    if settings.usageFault == .neverWakes || isStalled {
      return out.remark(.missed(.appOpened, subject: app.rawValue, .usageFault))
    }
    usageDays.lastReport = today
    let lag = luck.around(settings.usageLag, .usageLag, of: blueprint.names[app], at: now)
    let report = UsageReport(due: now + lag, app: app)
    usageReports.insert(report, at: usageReports.partition { $0.due <= report.due })
    usageReportAlarm.require(report.due, now: now, .usageReport, into: &out)
  }

  /// The system gets round to its usage reports; they run in an extension, which wakes our app.
  mutating func tellUsage(at now: Instant, into out: inout PhoneOutput) {
    usageReportAlarm.fired(at: now)
    while let report = usageReports.first, report.due <= now {
      usageReports.removeFirst()
      guard isOn else {
        out.remark(.missed(.appOpened, subject: report.app.rawValue, .poweredOff))
        continue
      }
      if let cause = whyNotStarted ?? whyUnwatched(report.app) {
        out.remark(.missed(.appOpened, subject: report.app.rawValue, cause))
        continue
      }
      if !usage.wasOpened(report.app) {
        out.remark(.falseSign(.appOpened, subject: report.app.rawValue))
      }
      tellWaking(.appOpened, subject: report.app.rawValue, at: now, into: &out)
    }
    if let next = usageReports.first {
      usageReportAlarm.require(next.due, now: now, .usageReport, into: &out)
    }
  }

  /// The fault `earlyBurst`: at the first unlock of a day every threshold is reported.
  mutating func burstAtFirstUnlock(at now: Instant, into out: inout PhoneOutput) {
    let today = localDay(at: now)
    defer { usageDays.lastUnlock = today }
    guard usageDays.lastUnlock != today else { return }
    for app in 0..<blueprint.appCount where whyUnwatched(AppID(app)) == nil {
      sendUsageReport(of: AppID(app), at: now, into: &out)
    }
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
