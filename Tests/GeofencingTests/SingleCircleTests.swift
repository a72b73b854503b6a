import TestSupport
import Testing
import TriggerModel

@testable import Geofencing

/// A circle without a monitor has the same crossings as a region with one.
@Suite struct SingleCircleTests {
  private static func walk(_ seed: UInt64, steps: Int, degrees: Double) -> [Fix] {
    var generator = SplitMix64(seed: seed)
    func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    var (latitude, longitude) = (52.5, 13.4)
    return (0..<steps).map { step in
      latitude += (unit() - 0.5) * degrees
      longitude += (unit() - 0.5) * degrees
      // Some steps leave the person at the same place.
      return fix(Int64(step * 30), latitude, longitude)
    }
  }

  @Test(arguments: [(200.0, 0.004), (5_000, 0.05), (50_000, 0.9)])
  func `a circle has the same crossings as a region`(radius: Double, degrees: Double) throws {
    var crossed = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      let fixes = Self.walk(seed, steps: 150, degrees: degrees)
      let table = try table([(52.5, 13.4, radius)])
      let expected = RegionMonitor(table).follow(fixes).crossings
      var circle = try SingleCircle(
        center: Coordinate(latitude: 52.5, longitude: 13.4), radius: radius, from: fixes[0])
      var found: [RegionCrossing] = []
      for fix in fixes.dropFirst() { circle.advance(to: fix, into: &found) }
      #expect(found == expected, "seed \(seed)")
      crossed += found.count
    }
    #expect(crossed > 20)
  }

  /// The crossings on the rest of a path are the same whether the circle is created at the start of the path
  /// or on it.
  @Test func `a circle that is created during a movement has the remaining crossings`() throws {
    var crossed = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      let ends = Self.walk(seed, steps: 2, degrees: 0.05)
      let middle = ends[0].instant + .seconds(11)
      let there = Fix(instant: middle, coordinate: ends[0].position(on: ends[1], at: middle))
      let center = Coordinate(latitude: 52.5, longitude: 13.4)
      var whole = try SingleCircle(center: center, radius: 900, from: ends[0])
      var rest = try SingleCircle(center: center, radius: 900, from: there)
      var (all, some): ([RegionCrossing], [RegionCrossing]) = ([], [])
      whole.advance(to: ends[1], into: &all)
      rest.advance(to: ends[1], into: &some)
      let later = all.filter { $0.instant > middle }
      #expect(some.map(\.kind) == later.map(\.kind), "seed \(seed)")
      for (a, b) in zip(some, later) {
        #expect(abs((a.instant - b.instant).milliseconds) <= 1, "seed \(seed)")
      }
      crossed += some.count
    }
    #expect(crossed > 20)
  }

  @Test func `a person found elsewhere crosses no boundary`() throws {
    let center = Coordinate(latitude: 52.5, longitude: 13.4)
    var circle = try SingleCircle(center: center, radius: 300, from: fix(0, 52.5, 13.4))
    circle.find(at: fix(10, 52.6, 13.4))
    var found: [RegionCrossing] = []
    circle.advance(to: fix(20, 52.5, 13.4), into: &found)
    #expect(found.map(\.kind) == [.enter])
    #expect(circle.holds(center) && !circle.holds(Coordinate(latitude: 52.51, longitude: 13.4)))
    #expect(throws: RegionProblem.radiusNotPositive(0)) {
      try SingleCircle(center: center, radius: 0, from: fix(0, 52.5, 13.4))
    }
  }
}
