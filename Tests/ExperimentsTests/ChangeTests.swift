import Experiments
import Testing
import TriggerModel

/// Compares gained and displaced notifications with a model that looks up each request.
@Suite struct ChangeTests {
  private static let fates: [PersonOutcome.Fate] = [
    .ignored, .tapped, .dismissed, .waiting, .lost(.dailyCap), .lost(.minimumInterval), .lost(.quietHours),
  ]

  private static func outcome() -> PersonOutcome {
    var outcome = PersonOutcome(types: 3)
    for key in UInt64(0)..<40 where Int.random(in: 0..<5) > 0 {
      outcome.decisions.append(
        PersonOutcome.Decision(
          key: key, type: UInt16(key % 3), day: 1, millisecond: Int64(key % 24) * 3_600_000,
          fate: fates.randomElement() ?? .ignored))
    }
    return outcome
  }

  @Test func `moves equal those of a request-by-request comparison`() {
    for _ in 0..<200 {
      let (base, variant) = (Self.outcome(), Self.outcome())
      var change = ChangeSums(types: 3)
      change.add(7, base: base, variant: variant)
      let old = Dictionary(uniqueKeysWithValues: base.decisions.map { ($0.key, $0) })
      let new = Dictionary(uniqueKeysWithValues: variant.decisions.map { ($0.key, $0) })
      var expected = ChangeSums.Moves()
      var (byType, byHour) = ([Int64](repeating: 0, count: 3), [Int64](repeating: 0, count: 24))
      for key in Set(old.keys).union(new.keys) {
        let (was, is_) = (old[key]?.fate.isShown ?? false, new[key]?.fate.isShown ?? false)
        if was == is_ { continue }
        byType[Int(key % 3)] += 1
        byHour[Int(key % 24)] += 1
        expected.gained += is_ ? 1 : 0
        expected.displaced += was ? 1 : 0
        if is_, new[key]?.fate == .tapped { expected.tappedGained += 1 }
        if was, old[key]?.fate == .tapped { expected.tappedDisplaced += 1 }
      }
      #expect(change.all == expected)
      #expect(change.byType.map { $0.gained + $0.displaced } == byType)
      #expect(change.byHour.map { $0.gained + $0.displaced } == byHour)
      #expect(change.reasons.reduce(0) { $0 + $1.gainedFrom } == expected.gained)
      #expect(change.reasons.reduce(0) { $0 + $1.displacedTo } == expected.displaced)
      #expect(
        change.unchanged + change.onlyGaining + change.onlyLosing + change.gainingAndLosing == 1)
    }
  }

  @Test func `the notable people do not depend on the division into parts`() {
    let pairs = (0..<60).map { (UInt64($0), Self.outcome(), Self.outcome()) }
    var whole = ChangeSums(types: 3)
    for (person, base, variant) in pairs { whole.add(person, base: base, variant: variant) }
    for parts in [2, 7] {
      var sums = (0..<parts).map { _ in ChangeSums(types: 3) }
      for (person, base, variant) in pairs.shuffled() {
        sums[Int.random(in: 0..<parts)].add(person, base: base, variant: variant)
      }
      var merged = ChangeSums(types: 3)
      for part in sums.shuffled() { merged += part }
      #expect(merged == whole)
      #expect(merged.people.ten.map(\.person) == whole.people.ten.map(\.person))
    }
    #expect(whole.people.ten.count == 10)
  }

  @Test func `a nearness bin excludes its upper bound`() {
    let bounds = PersonOutcome.Nearness.bounds
    #expect(PersonOutcome.Nearness.count == bounds.count + 1)
    #expect(PersonOutcome.Nearness.bin(nil) == bounds.count)
    for seconds in Int64(0)..<20_000 {
      let expected = bounds.firstIndex { seconds < $0 } ?? bounds.count
      #expect(PersonOutcome.Nearness.bin(seconds) == expected)
    }
  }
}
