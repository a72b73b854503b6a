import CivilTime
package import TriggerModel

/// Measures how long other apps are in front, as the system does for apps that monitor usage (rules D1 and
/// D2).
///
/// The system does not report that an app is opened. It adds up the app's usage in intervals of the local
/// day, and reports once per interval that the usage has reached a threshold. Such a report may be delivered
/// long after the app was opened. In the next interval, the system may report the app again although it was
/// not opened again.
package struct UsageTracker: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    /// The number of the interval that `used` and `isReported` belong to.
    var interval: Int64 = .min
    var used = TimeSpan.zero
    var isReported = false
    /// Whether the app was opened since the last delivered report.
    var isOpeningUnseen = false
  }

  /// An instant and its local time. The local time determines the interval.
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

  /// Brings an app to the front.
  package mutating func open(_ app: AppID, at now: Now, interval: TimeSpan) {
    close(at: now, interval: interval)
    entries.grow(toHold: app.index, filling: Entry())
    front = app
    since = now.instant
    entries[app.index].isOpeningUnseen = true
  }

  /// Sends the app in front to the background, for the home screen or the app under test.
  package mutating func close(at now: Now, interval: TimeSpan) {
    addUp(at: now, interval: interval)
    front = nil
  }

  /// Returns when the app in front reaches the threshold, or `nil` if it does not.
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

  /// Removes and returns the app with a report that is due now, or returns `nil` if there is none.
  package mutating func takeReport(at now: Now, threshold: TimeSpan, interval: TimeSpan) -> AppID? {
    guard let front else { return nil }
    addUp(at: now, interval: interval)
    guard !entries[front.index].isReported, entries[front.index].used >= threshold else { return nil }
    entries[front.index].isReported = true
    return front
  }

  /// Records that the app under test is notified of another app's use.
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
      // Usage before the interval's start is not counted.
      let begun = now.instant - TimeSpan(milliseconds: Self.position(now.local, in: interval))
      since = max(since, begun)
    }
    entries[front.index].used = entries[front.index].used + (now.instant - since)
    since = now.instant
  }

  /// Returns the milliseconds since the interval began.
  private static func position(_ local: Int64, in interval: TimeSpan) -> Int64 {
    let rest = local % interval.milliseconds
    return rest < 0 ? rest + interval.milliseconds : rest
  }
}

/// Tracks which uses of other apps the system reports to the app under test (rules D1 to D3).
struct UsageMonitor: Hashable, Sendable {
  var tracker = UsageTracker()
  private var alarm = Alarm()
  var reports = ReportQueue<UsageReport>(timer: .usageReport)
  /// The local days of the last report and the last unlock. Some platform faults depend on them.
  private var lastReport: CivilDate?
  private var lastUnlock: CivilDate?

  /// Schedules a timer for the instant at which the app in front reaches the threshold.
  mutating func schedule(
    at now: UsageTracker.Now, threshold: TimeSpan, interval: TimeSpan, into out: inout PhoneOutput
  ) {
    let next = tracker.nextReport(at: now, threshold: threshold, interval: interval)
    if let next { alarm.require(next, now: now.instant, .usageThreshold, into: &out) }
  }

  mutating func timerFired(at now: Instant) { alarm.fired(at: now) }

  /// Records a report on a local day.
  /// - Returns: Whether a platform fault suppresses the report.
  mutating func isSuppressed(by fault: UsageFault, on today: CivilDate) -> Bool {
    if fault == .neverWakes || (fault == .dailyStall && lastReport == today) { return true }
    lastReport = today
    return false
  }

  /// Records an unlock and returns whether it is the first of the local day.
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
