import CivilTime
package import TriggerModel

/// Measures how long other apps are in the foreground, as the system does for apps that monitor usage (rules
/// D1 and D2).
///
/// The system does not report that an app was opened. It adds up the app's use in each interval of the local
/// day, and reports once per interval that the sum has reached a threshold. The report may be delivered long
/// after the app was opened. If the app stays open, the system may report it again in the next interval.
package struct UsageTracker: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    /// The number of the interval that `used` and `isReported` belong to.
    var interval: Int64 = .min
    var used = TimeSpan.zero
    var isReported = false
    /// Whether the app was opened since the last delivered report.
    var isOpeningUnseen = false
  }

  /// An instant with its local time, which determines the interval.
  package struct Now {
    package var instant: Instant
    /// Local time in milliseconds.
    package var local: Int64

    package init(instant: Instant, local: Int64) {
      self.instant = instant
      self.local = local
    }
  }

  package private(set) var front: AppID?
  private var since = Instant.distantPast
  private var entries: [Entry] = []

  package init() {}

  /// Records that an app entered the foreground.
  package mutating func open(_ app: AppID, at now: Now, interval: TimeSpan) {
    close(at: now, interval: interval)
    entries.grow(toHold: app.index, filling: Entry())
    front = app
    since = now.instant
    entries[app.index].isOpeningUnseen = true
  }

  /// Records that the app in the foreground left it.
  package mutating func close(at now: Now, interval: TimeSpan) {
    addUp(at: now, interval: interval)
    front = nil
  }

  /// Returns the instant at which the app in the foreground reaches the threshold, or `nil` if it does not.
  package mutating func nextReport(at now: Now, threshold: TimeSpan, interval: TimeSpan) -> Instant? {
    guard let front else { return nil }
    addUp(at: now, interval: interval)
    let entry = entries[front.index]
    let left = TimeSpan(milliseconds: interval.milliseconds - Self.position(now.local, in: interval))
    let missing = threshold - entry.used
    // An interval excludes its end.
    if !entry.isReported, missing < left { return now.instant + max(missing, .zero) }
    return threshold < interval ? now.instant + left + threshold : nil
  }

  /// Returns the app whose use reached the threshold, or `nil` if there is none. Marks it as reported in this
  /// interval.
  package mutating func takeReport(at now: Now, threshold: TimeSpan, interval: TimeSpan) -> AppID? {
    guard let front else { return nil }
    addUp(at: now, interval: interval)
    guard !entries[front.index].isReported, entries[front.index].used >= threshold else { return nil }
    entries[front.index].isReported = true
    return front
  }

  /// Records that the app under test observes another app's use.
  /// - Returns: Whether the other app was opened since the last report.
  package mutating func wasOpened(_ app: AppID) -> Bool {
    guard app.index < entries.count else { return false }
    defer { entries[app.index].isOpeningUnseen = false }
    return entries[app.index].isOpeningUnseen
  }

  private mutating func addUp(at now: Now, interval: TimeSpan) {
    guard let front else { return }
    let number = (now.local - Self.position(now.local, in: interval)) / interval.milliseconds
    if entries[front.index].interval != number {
      entries[front.index].interval = number
      entries[front.index].used = .zero
      entries[front.index].isReported = false
      // Use before the interval's start does not count.
      let begun = now.instant - TimeSpan(milliseconds: Self.position(now.local, in: interval))
      since = max(since, begun)
    }
    entries[front.index].used = entries[front.index].used + (now.instant - since)
    since = now.instant
  }

  /// Returns the number of milliseconds since the interval began.
  private static func position(_ local: Int64, in interval: TimeSpan) -> Int64 {
    let rest = local % interval.milliseconds
    return rest < 0 ? rest + interval.milliseconds : rest
  }
}

/// Tracks the use of other apps that the system reports to the app under test (rules D1 to D3).
struct UsageMonitor: Hashable, Sendable {
  var tracker = UsageTracker()
  private var alarm = Alarm()
  var reports = ReportQueue<UsageReport>(timer: .usageReport)
  /// The local days of the last report and the last unlock. Some bugs of the platform depend on them.
  private var lastReport: CivilDate?
  private var lastUnlock: CivilDate?

  /// Schedules a timer for the instant at which the use of the app in the foreground reaches the threshold.
  mutating func schedule(
    at now: UsageTracker.Now, threshold: TimeSpan, interval: TimeSpan, into out: inout PhoneOutput
  ) {
    let next = tracker.nextReport(at: now, threshold: threshold, interval: interval)
    if let next { alarm.require(next, now: now.instant, .usageThreshold, into: &out) }
  }

  mutating func timerFired(at now: Instant) { alarm.fired(at: now) }

  /// Records that a usage report is due on a local day.
  /// - Returns: Whether a bug of the platform suppresses the report.
  mutating func isSuppressed(by fault: UsageFault, on today: CivilDate) -> Bool {
    if fault == .neverWakes || (fault == .dailyStall && lastReport == today) { return true }
    lastReport = today
    return false
  }

  /// Records an unlock. Returns whether it is the first one of the local day.
  mutating func isFirstUnlock(on today: CivilDate) -> Bool {
    defer { lastUnlock = today }
    return lastUnlock != today
  }
}

extension UsageMonitor: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.alarm, \.lastReport, \.lastUnlock)
    reports.pack(in: &parcel)
    parcel.keep(&tracker, unless: tracker == UsageTracker())
  }
}

/// A usage report that the system will deliver later.
struct UsageReport: DelayedReport {
  var due: Instant
  var app: AppID
}
