import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine

/// Compares a table indexed by reminder with a dictionary.
@Suite struct ReminderTableTests {
  @Test func `a dictionary is the oracle`() {
    for seed: UInt64 in 0..<50 {
      var random = SplitMix64(seed: seed)
      var table = ReminderTable<[Int]>()
      var oracle: [ReminderID: [Int]] = [:]
      for step in 0..<300 {
        let reminder = ReminderID(random.below(12))
        switch random.below(5) {
        case 0, 1:
          table[reminder] = [step]
          oracle[reminder] = [step]
        case 2:
          table[reminder] = nil
          oracle[reminder] = nil
        case 3: #expect(table.removeValue(forKey: reminder) == oracle.removeValue(forKey: reminder))
        default:
          let count = table.change(reminder) { list -> Int in
            list.append(step)
            return list.count
          }
          oracle[reminder]?.append(step)
          #expect(count == oracle[reminder]?.count)
        }
        #expect(table.count == oracle.count && table.isEmpty == oracle.isEmpty)
      }
      #expect(table.keys.sorted() == oracle.keys.sorted(), "seed \(seed)")
      for number in 0..<14 { #expect(table[ReminderID(number)] == oracle[ReminderID(number)]) }
      let pairs = Dictionary(uniqueKeysWithValues: zip(table.keys, table.values))
      #expect(pairs == oracle)
    }
  }
}
