import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Compares a table indexed by reminder with a dictionary.
@Suite struct ReminderTableTests {
  @Test func `a table agrees with a dictionary`() {
    for seed: UInt64 in 0..<50 {
      var random = SplitMix64(seed: seed)
      var table = ReminderTable<[Int]>()
      var oracle: [ReminderID: [Int]] = [:]
      for step in 0..<300 {
        let reminder = ReminderID(random.below(12))
        switch random.below(3) {
        case 0, 1:
          table[reminder] = [step]
          oracle[reminder] = [step]
        default:
          table[reminder] = nil
          oracle[reminder] = nil
        }
        #expect(table.count == oracle.count && table.isEmpty == oracle.isEmpty)
      }
      #expect(table.keys.sorted() == oracle.keys.sorted(), "seed \(seed)")
      for number in 0..<14 { #expect(table[ReminderID(number)] == oracle[ReminderID(number)]) }
      let pairs = Dictionary(uniqueKeysWithValues: zip(table.keys, table.entries.map(\.value)))
      #expect(pairs == oracle)
    }
  }
}
