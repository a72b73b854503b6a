import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// What finds a few of many without looking at all of them finds what looking at all would.
@Suite struct HoldingTableTests {
  private struct Held: Holding, Equatable {
    var count: Int
    var holdsAny: Bool { count > 0 }
  }

  @Test(arguments: 0..<50 as Range<UInt64>) func `what holds any is all that does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
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
