import DeviceSimulation
import TestSupport
import Testing
import TriggerModel

/// What a battery says of the next level at which something happens, held against one change after the other.
@Suite struct BatteryTurnTests {
  /// The changes up to the first that matters; nil: none ever does.
  private func changes(of battery: Battery, after now: Instant, falling: Int?, rising: Int?) -> [Instant]? {
    var (battery, last, changes) = (battery, now, [Instant]())
    while true {
      let isHeld = battery.isHolding(at: last)
      let next = battery.nextChange(after: last)
      if next == .distantFuture { return nil }
      _ = battery.advance(to: next)
      changes.append(next)
      let matters =
        battery.isPluggedIn
        ? isHeld || battery.isHolding(at: next) || battery.percent >= rising ?? 101
        : battery.percent == falling
      if matters { return changes }
      last = next
    }
  }

  @Test func aTurnIsCloseBeforeTheLevelThatMatters() {
    var random = SplitMix64(seed: 21)
    var (turns, ends, atTheLevel) = (0, 0, 0)
    for round in 0..<3_000 {
      let isPluggedIn = random.below(2) == 0
      let limit = [100, 90][random.below(2)]
      var battery = Battery(
        level: Double(random.below(limit * 10 + 1)) / 10, isPluggedIn: isPluggedIn, at: PhoneRig.start,
        limit: limit, holdLength: random.below(2) == 0 ? .hours(1) : nil)
      // From a level on its way as well as from one just reached.
      var now = PhoneRig.start
      for _ in 0..<random.below(4) {
        guard case let next = battery.nextChange(after: now), next != .distantFuture else { break }
        now = next
        _ = battery.advance(to: now)
      }
      // Often the level itself, or one beside it.
      let near = battery.percent - 2 + random.below(5)
      let level = min(max(random.below(2) == 0 ? near : random.below(101), 0), limit)
      let (falling, rising) = random.below(5) == 0 ? (nil, nil) : (level, level)
      let turn = battery.nextTurn(after: now, falling: falling, rising: rising)
      if let changes = changes(of: battery, after: now, falling: falling, rising: rising) {
        turns += 1
        let left = changes.count { $0 >= turn }
        #expect(left >= 1 && left <= 2, "round \(round): \(battery), \(level)")
      } else {
        ends += 1
        if !isPluggedIn, battery.percent == falling { atTheLevel += 1 }
        #expect(turn == .distantFuture, "round \(round): \(battery), \(level)")
      }
    }
    #expect(turns > 1_000 && ends > 500 && atTheLevel > 50)
  }
}
