import DeviceSimulation
import TestSupport
import Testing
import TriggerModel

/// Compares the usage reports with those of a counter that counts seconds.
@Suite struct UsageTests {
  /// A counter that counts use second by second, as a reference for the tracker.
  private struct SecondCounter {
    let threshold: Int
    let interval = 900
    var used = [0, 0, 0]
    var isReported = [false, false, false]
    var reports: [Int] = []

    /// Counts one second. `second` is its number since the start. `front` is the app in the foreground, or
    /// `nil` if there is none.
    mutating func count(_ second: Int, _ front: Int?) {
      if second % interval == 0 {
        used = [0, 0, 0]
        isReported = [false, false, false]
      }
      guard let front else { return }
      used[front] += 1
      // An interval excludes its end.
      let isEnd = (second + 1) % interval == 0
      if used[front] >= threshold, !isReported[front], !isEnd {
        isReported[front] = true
        reports.append((second + 1) * 10 + front)
      }
    }
  }

  @Test func `an app is reported when its use reaches the threshold`() throws {
    var random = SplitMix64(seed: 9)
    var reports = 0
    for threshold in [60, 300, 840] {
      for round in 0..<20 {
        var rig = try PhoneRig(
          .ios, ["usageLag": "0", "usageThreshold": "\(threshold)"], seed: UInt64(round))
        var counter = SecondCounter(threshold: threshold)
        var second = 0
        rig.apply(.unlock)
        for _ in 0..<40 {
          let choice = random.below(5)
          let front = choice < 3 ? choice : nil
          rig.apply(front.map { .openApp(AppID($0)) } ?? .lock)
          let length = 1 + random.below(600)
          rig.wait(.seconds(Int64(length)))
          for _ in 0..<length {
            counter.count(second, front)
            second += 1
          }
        }
        let told = rig.log.observed.filter { $0.kind == .appOpened }.map { event in
          Int((event.moment.wall - PhoneRig.start).milliseconds / 100) + Int(event.subject)
        }
        #expect(told == counter.reports, "threshold \(threshold), round \(round)")
        reports += told.count
      }
    }
    #expect(reports > 200)
  }

  @Test func `a long session is reported once per interval`() throws {
    var rig = try PhoneRig(.ios, ["usageLag": "0"])
    rig.apply(.unlock, .openApp(AppID(2)))
    rig.wait(.hours(1))
    rig.apply(.lock)
    rig.wait(.hours(1))
    #expect(rig.times(.appOpened) == [1, 16, 31, 46].map { .minutes($0) })
    // The person opened the app once, but four reports were sent. Three of them are false.
    let falseSigns = rig.log.outcomes.count { $0 == .falseSign(.appOpened, subject: 2) }
    #expect(falseSigns == 3)
  }

  @Test func `the fault dailyStall ends with the local day`() throws {
    var rig = try PhoneRig(.ios, ["usageLag": "0", "usageFault": "dailyStall"])
    for _ in 0..<3 {
      rig.apply(.unlock, .openApp(AppID(0)))
      rig.wait(.hours(2))
      rig.apply(.lock)
      rig.wait(.hours(22))
    }
    #expect(rig.times(.appOpened).map { $0.milliseconds / 86_400_000 } == [0, 1, 2])
    #expect(rig.missed(.appOpened).count == 3 * 7)
  }
}

/// Thresholds near the ends of intervals.
@Suite struct UsageTrackerTests {
  private static let interval = TimeSpan.minutes(15)
  private static let app = AppID(2)

  /// Returns an instant at a duration after the start of an interval. Local time equals the wall clock.
  private static func now(_ span: TimeSpan) -> UsageTracker.Now {
    UsageTracker.Now(instant: Instant(millisecondsSince1970: span.milliseconds), local: span.milliseconds)
  }

  /// Returns when the next report is due after an app was opened, as a duration since the start of the
  /// interval.
  private static func next(openedAt opened: TimeSpan, threshold: TimeSpan) -> TimeSpan? {
    var tracker = UsageTracker()
    tracker.open(app, at: now(opened), interval: interval)
    return tracker.nextReport(at: now(opened), threshold: threshold, interval: interval)
      .map { $0 - Instant(millisecondsSince1970: 0) }
  }

  @Test func `a threshold that is reached at the end of an interval does not count for that interval`() {
    let threshold = TimeSpan.minutes(5)
    let last = TimeSpan.minutes(10) - TimeSpan(milliseconds: 1)
    #expect(Self.next(openedAt: last, threshold: threshold) == last + threshold)
    #expect(Self.next(openedAt: .minutes(10), threshold: threshold) == .minutes(20))
    #expect(Self.next(openedAt: .minutes(14), threshold: threshold) == .minutes(20))
  }

  @Test func `a threshold as long as an interval is never reached`() {
    #expect(Self.next(openedAt: .minutes(1), threshold: Self.interval) == nil)
    let less = Self.interval - TimeSpan(milliseconds: 1)
    #expect(Self.next(openedAt: .minutes(1), threshold: less) == Self.interval + less)
  }

  @Test func `use is counted per interval, and each interval has its own report`() {
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

  @Test func `an opening is reported once`() {
    var tracker = UsageTracker()
    var told = [tracker.wasOpened(Self.app)]
    tracker.open(Self.app, at: Self.now(.zero), interval: Self.interval)
    for app in [AppID(0), AppID(3), Self.app, Self.app] { told.append(tracker.wasOpened(app)) }
    #expect(told == [false, false, false, true, false])
  }
}
