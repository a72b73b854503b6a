package import TriggerModel

/// How long other apps were in front, as the system adds it up for those who watch usage (rules D1
/// and D2).
///
/// There is no event for an app's opening. The system adds up usage in intervals of the local day and
/// tells once in an interval that a threshold was reached: long after the opening, and again in the
/// next interval though nobody opened the app again.
package struct UsageTracker: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    /// Number of the interval that `used` and `isReported` belong to.
    var interval: Int64 = .min
    var used = TimeSpan.zero
    var isReported = false
    /// The app was opened and no report has come since.
    var isOpeningUnseen = false
  }

  /// Local time, which the intervals are counted in.
  package struct Now {
    package var instant: Instant
    /// Milliseconds of the local time line.
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

  /// An app comes to the front.
  package mutating func open(_ app: AppID, at now: Now, interval: TimeSpan) {
    close(at: now, interval: interval)
    if app.index >= entries.count {
      entries.append(contentsOf: repeatElement(Entry(), count: app.index + 1 - entries.count))
    }
    front = app
    since = now.instant
    entries[app.index].isOpeningUnseen = true
  }

  /// Nothing, or our own app, is in front.
  package mutating func close(at now: Now, interval: TimeSpan) {
    addUp(at: now, interval: interval)
    front = nil
  }

  /// When the app in front reaches the threshold.
  package mutating func nextReport(at now: Now, threshold: TimeSpan, interval: TimeSpan) -> Instant? {
    guard let front else { return nil }
    addUp(at: now, interval: interval)
    let entry = entries[front.index]
    let left = TimeSpan(milliseconds: interval.milliseconds - Self.position(now.local, in: interval))
    let missing = threshold - entry.used
    // Reached at the very end of the interval is not reached in it.
    if !entry.isReported, missing < left { return now.instant + max(missing, .zero) }
    return threshold < interval ? now.instant + left + threshold : nil
  }

  /// Takes the report that is due now, if there is one.
  package mutating func takeReport(at now: Now, threshold: TimeSpan, interval: TimeSpan) -> AppID? {
    guard let front else { return nil }
    addUp(at: now, interval: interval)
    guard !entries[front.index].isReported, entries[front.index].used >= threshold else { return nil }
    entries[front.index].isReported = true
    return front
  }

  /// The app is told.
  /// - Returns: Whether there was an opening that it had not been told of.
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
      // What was used before the interval began does not count in it.
      let begun = now.instant - TimeSpan(milliseconds: Self.position(now.local, in: interval))
      since = max(since, begun)
    }
    entries[front.index].used = entries[front.index].used + (now.instant - since)
    since = now.instant
  }

  /// Milliseconds since the interval began.
  private static func position(_ local: Int64, in interval: TimeSpan) -> Int64 {
    let rest = local % interval.milliseconds
    return rest < 0 ? rest + interval.milliseconds : rest
  }
}
