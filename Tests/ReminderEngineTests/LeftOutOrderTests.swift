import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// The heap finds what looking at all would.
@Suite struct LeftOutOrderTests {
  @Test(arguments: 0..<50 as Range<UInt64>) func `what is due first is found among all`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var leftOut = ReminderTable<Instant>()
    var order = LeftOutOrder()
    // By name the reminders stand the other way round.
    let rank = { (reminder: ReminderID) in UInt32(100 - reminder.index) }
    for _ in 0..<400 {
      let reminder = ReminderID(random.below(20))
      switch random.below(6) {
      case 0, 1, 2:
        let instant = Instant(millisecondsSince1970: Int64(random.below(30)))
        leftOut[reminder] = instant
        order.insert(RankedOccurrence(at: instant, rank: rank(reminder), reminder: reminder))
      case 3: leftOut[reminder] = nil
      case 4:
        if let first = order.first(of: leftOut, rank: rank) {
          order.removeFirst()
          leftOut[first.reminder] = nil
        }
      default: if random.below(8) == 0 { order.forget() }
      }
      let all = zip(leftOut.keys, leftOut.values).map {
        RankedOccurrence(at: $1, rank: rank($0), reminder: $0)
      }
      #expect(order.first(of: leftOut, rank: rank) == all.min(), "seed \(seed)")
    }
  }
}
