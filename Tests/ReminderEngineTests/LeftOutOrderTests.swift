import Testing
import TriggerModel

@testable import ReminderEngine

/// What finds a few of many without looking at all of them finds what looking at all would.
@Suite struct LeftOutOrderTests {
  @Test(arguments: 0..<50 as Range<UInt64>) func `what is due first is found among all`(seed: UInt64) {
    var random = TestRandom(seed: seed)
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

  private struct Held: Holding, Equatable {
    var count: Int
    var holdsAny: Bool { count > 0 }
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `what holds any is all that does`(seed: UInt64) {
    var random = TestRandom(seed: seed)
    var table = HoldingTable<Held>()
    var oracle: [ReminderID: Held] = [:]
    for _ in 0..<300 {
      let reminder = ReminderID(random.below(12))
      let held = Held(count: random.below(3))
      switch random.below(3) {
      case 0: (table[reminder], oracle[reminder]) = (held, held)
      case 1: (table[reminder], oracle[reminder]) = (nil, nil)
      default:
        table.change(reminder) { $0 = held }
        if oracle[reminder] != nil { oracle[reminder] = held }
      }
      #expect(table.holding.map(\.count).sorted() == oracle.values.map(\.count).filter { $0 > 0 }.sorted())
    }
    #expect(table.keys.sorted() == oracle.keys.sorted())
  }
}
