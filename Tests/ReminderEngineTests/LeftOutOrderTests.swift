import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Compares the heap with a linear search.
@Suite struct LeftOutOrderTests {
  @Test(arguments: 0..<50 as Range<UInt64>) func `the heap finds the occurrence that is due first`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var ledgers = LedgerTable()
    var order = LeftOutOrder()
    // The order of the names is the reverse of that of the reminders.
    let rank = { (reminder: ReminderID) in UInt32(100 - reminder.index) }
    for _ in 0..<400 {
      let reminder = ReminderID(random.below(20))
      switch random.below(6) {
      case 0, 1, 2:
        let instant = Instant(millisecondsSince1970: Int64(random.below(30)))
        ledgers[reminder].leftOut = instant
        order.insert(RankedOccurrence(at: instant, rank: rank(reminder), reminder: reminder))
      case 3: ledgers[reminder].leftOut = nil
      case 4:
        if let first = order.first(of: ledgers, rank: rank) {
          order.removeFirst()
          ledgers[first.reminder].leftOut = nil
        }
      default: if random.below(8) == 0 { order.forget() }
      }
      let all = ledgers.reminders(.leftOut).compactMap { reminder in
        ledgers[reminder].leftOut.map { RankedOccurrence(at: $0, rank: rank(reminder), reminder: reminder) }
      }
      #expect(order.first(of: ledgers, rank: rank) == all.min(), "seed \(seed)")
    }
  }
}
