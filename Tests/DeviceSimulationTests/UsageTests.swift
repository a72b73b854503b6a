import DeviceSimulation
import TestSupport
import Testing
import TriggerModel

/// Usage thresholds against a count of seconds.
@Suite struct UsageTests {
  /// Adds up second by second what the tracker computes.
  private struct SecondCounter {
    let threshold: Int
    let interval = 900
    var used = [0, 0, 0]
    var isReported = [false, false, false]
    var reports: [Int] = []

    /// One second, the `second`-th since the start, with an app in front or none.
    mutating func count(_ second: Int, _ front: Int?) {
      if second % interval == 0 {
        used = [0, 0, 0]
        isReported = [false, false, false]
      }
      guard let front else { return }
      used[front] += 1
      // Reached at the very end of an interval is not reached in it.
      let isEnd = (second + 1) % interval == 0
      if used[front] >= threshold, !isReported[front], !isEnd {
        isReported[front] = true
        reports.append((second + 1) * 10 + front)
      }
    }
  }

  @Test func reportsComeWhenTheThresholdIsReached() throws {
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

  @Test func oneLongSessionIsReportedOnceInEachInterval() throws {
    var rig = try PhoneRig(.ios, ["usageLag": "0"])
    rig.apply(.unlock, .openApp(AppID(2)))
    rig.wait(.hours(1))
    rig.apply(.lock)
    rig.wait(.hours(1))
    #expect(rig.times(.appOpened) == [1, 16, 31, 46].map { .minutes($0) })
    // One opening, four reports: three of them false.
    let falseSigns = rig.log.outcomes.count { $0 == .falseSign(.appOpened, subject: 2) }
    #expect(falseSigns == 3)
  }

  @Test func aStallEndsWithTheLocalDay() throws {
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
