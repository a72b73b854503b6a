import TestSupport
import Testing
import TriggerModel

@testable import NotificationGateway

/// A set of bits is a set.
@Suite struct TypeSetTests {
  @Test func holdsWhatWasPutIntoItInTheirOrder() {
    var random = SplitMix64(seed: 7)
    for round in 0..<200 {
      // Those around the ends of words too.
      let types =
        round % 2 == 0 ? [0, 1, 62, 63, 64, 65, 127, 128, 191, 192] : (0..<40).map { _ in random.below(300) }
      var (set, expected) = (TypeSet(), Set<Int>())
      for _ in 0..<random.below(60) {
        let type = types[random.below(types.count)]
        if random.below(3) > 0 {
          set.insert(TypeID(type))
          expected.insert(type)
        } else {
          set.remove(TypeID(type))
          expected.remove(type)
        }
      }
      var found: [Int] = []
      set.forEach { found.append($0.index) }
      #expect(found == expected.sorted(), "round \(round)")
      #expect(set.isEmpty == expected.isEmpty, "round \(round)")
      #expect((0..<320).filter { set.contains(TypeID($0)) } == expected.sorted(), "round \(round)")
      // However it came about.
      var other = TypeSet()
      for type in expected.sorted(by: >) { other.insert(TypeID(type)) }
      #expect(set == other, "round \(round)")
    }
  }
}
