import DeviceSimulation
import Testing
import TriggerModel

/// When the time that an app was in front reaches a threshold, at the edges of intervals.
@Suite struct UsageTrackerTests {
  private static let interval = TimeSpan.minutes(15)
  private static let app = AppID(2)

  /// So long after an interval began; the wall shows it too.
  private static func now(_ span: TimeSpan) -> UsageTracker.Now {
    UsageTracker.Now(instant: Instant(millisecondsSince1970: span.milliseconds), local: span.milliseconds)
  }

  /// How long after an interval began the next report is due of an app that was opened then.
  private static func next(openedAt opened: TimeSpan, threshold: TimeSpan) -> TimeSpan? {
    var tracker = UsageTracker()
    tracker.open(app, at: now(opened), interval: interval)
    return tracker.nextReport(at: now(opened), threshold: threshold, interval: interval)
      .map { $0 - Instant(millisecondsSince1970: 0) }
  }

  @Test func `what is reached at the very end of an interval is not reached in it`() {
    let threshold = TimeSpan.minutes(5)
    let last = TimeSpan.minutes(10) - TimeSpan(milliseconds: 1)
    #expect(Self.next(openedAt: last, threshold: threshold) == last + threshold)
    #expect(Self.next(openedAt: .minutes(10), threshold: threshold) == .minutes(20))
    #expect(Self.next(openedAt: .minutes(14), threshold: threshold) == .minutes(20))
  }

  @Test func `nobody waits for a threshold as long as an interval`() {
    #expect(Self.next(openedAt: .minutes(1), threshold: Self.interval) == nil)
    let less = Self.interval - TimeSpan(milliseconds: 1)
    #expect(Self.next(openedAt: .minutes(1), threshold: less) == Self.interval + less)
  }

  @Test func `what was used before an interval does not count in it, and each has a report of its own`() {
    var tracker = UsageTracker()
    tracker.open(Self.app, at: Self.now(.minutes(12)), interval: Self.interval)
    let almost = TimeSpan.minutes(20) - TimeSpan(milliseconds: 1)
    let looks: [(span: TimeSpan, isReported: Bool)] = [
      (.minutes(17), false), (almost, false), (.minutes(20), true), (.minutes(29), false),
      (.minutes(34), false), (.minutes(35), true),
    ]
    for (span, isReported) in looks {
      let told = tracker.takeReport(at: Self.now(span), threshold: .minutes(5), interval: Self.interval)
      #expect(told == (isReported ? Self.app : nil), "\(span)")
    }
  }

  @Test func `an opening is told of once`() {
    var tracker = UsageTracker()
    var told = [tracker.wasOpened(Self.app)]
    tracker.open(Self.app, at: Self.now(.zero), interval: Self.interval)
    for app in [AppID(0), AppID(3), Self.app, Self.app] { told.append(tracker.wasOpened(app)) }
    #expect(told == [false, false, false, true, false])
  }
}
