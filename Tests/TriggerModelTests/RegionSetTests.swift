import Testing
import TriggerModel

/// Sets of regions, however many there are.
@Suite struct RegionSetTests {
  /// Numbers that fall into the first word, and into others.
  private static let numbers: [UInt32] = [0, 1, 5, 31, 32, 63, 64, 65, 127, 128, 500, 999]

  private static func set(_ bits: Int) -> (set: RegionSet, model: Set<UInt32>) {
    var (set, model) = (RegionSet(), Set<UInt32>())
    for (place, number) in numbers.enumerated() where bits >> place & 1 == 1 {
      set.insert(RegionID(number))
      model.insert(number)
    }
    return (set, model)
  }

  private static func members(_ set: RegionSet) -> [UInt32] { set.regions.map(\.rawValue) }

  @Test func isAsGoodAsAnyOtherSet() {
    for first in stride(from: 0, to: 1 << Self.numbers.count, by: 37) {
      let (a, modelA) = Self.set(first)
      #expect(Self.members(a) == modelA.sorted() && a.isEmpty == modelA.isEmpty)
      for second in stride(from: 0, to: 1 << Self.numbers.count, by: 331) {
        let (b, modelB) = Self.set(second)
        #expect(Self.members(a.union(b)) == modelA.union(modelB).sorted())
        #expect(Self.members(a.intersection(b)) == modelA.intersection(modelB).sorted())
        #expect(Self.members(a.symmetricDifference(b)) == modelA.symmetricDifference(modelB).sorted())
        #expect((a == b) == (modelA == modelB))
        #expect(a.symmetricDifference(b).symmetricDifference(b) == a)
      }
    }
  }

  @Test func forgetsWhatIsTakenOut() {
    var set = RegionSet()
    for number in Self.numbers { set.insert(RegionID(number)) }
    for number in Self.numbers.reversed() {
      #expect(set.contains(RegionID(number)))
      set.remove(RegionID(number))
      #expect(!set.contains(RegionID(number)))
    }
    #expect(set.isEmpty && set == [] && !set.contains(RegionID(UInt32.max)))
    set.remove(RegionID(7_000))
    #expect(set == RegionSet())
  }
}

/// Points in whole numbers.
@Suite struct PositionTests {
  @Test func goesThroughTheValueOfAnEvent() {
    for latitude in [-900_000_000, -1, 0, 1, 900_000_000] as [Int32] {
      for longitude in [-1_800_000_000, -1, 0, 1, 1_800_000_000] as [Int32] {
        let position = Position(latitude: latitude, longitude: longitude)
        #expect(Position(bits: position.bits) == position)
        #expect(Position(position.coordinate) == position)
      }
    }
  }
}
