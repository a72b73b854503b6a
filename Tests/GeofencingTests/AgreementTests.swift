import Geofencing
import TestSupport
import Testing
import TriggerModel

/// The modes `undecided` and `always` give the same results, bit for bit.
struct AgreementTests {
  #if DEBUG
    static let fixes = 500
  #else
    static let fixes = 100_000
  #endif

  /// Ten worlds: cities, a pole, the antimeridian, the equator and large regions. Fixes follow a boundary,
  /// wander, stand still or jump.
  @Test(arguments: 0..<10)
  func `both modes give the same results`(_ world: Int) throws {
    var generator = SplitMix64(seed: UInt64(world))
    let middle = [
      (52.5, 13.4), (89.98, 10.0), (-17.8, 180.0), (0.0, 0.0), (60.0, 25.0), (-90.0, 0.0), (35.7, 139.7),
      (71.3, -179.99), (-45.0, 170.0), (0.001, 179.999),
    ][world]
    let largest = world == 4 ? 400_000.0 : world == 8 ? 100_000 : 1_000
    let spread = largest / 111_000 * 4
    let stretch = 1 / max(0.002, 1 - abs(middle.0) / 90)
    func place(_ spread: Double) -> Coordinate {
      let north = middle.0 + Double.random(in: -spread...spread, using: &generator)
      var east = middle.1 + Double.random(in: -spread...spread, using: &generator) * stretch
      east = east.remainder(dividingBy: 360)
      return Coordinate(latitude: min(90, max(-90, north)), longitude: east)
    }
    let regions = try table(
      (0..<20).map { _ in
        let center = place(spread)
        return (
          center.latitude, center.longitude, largest / Double.random(in: 1...20, using: &generator)
        )
      })

    var fixes: [Fix] = []
    var here = place(spread)
    for second in 0..<Int64(Self.fixes) {
      switch Int.random(in: 0..<100, using: &generator) {
      case 0..<60:  // a step
        let step = spread / 1_000
        here.latitude += Double.random(in: -step...step, using: &generator)
        here.longitude += Double.random(in: -step...step, using: &generator) * stretch
      case 60..<80:  // to a boundary, give or take a little
        let region = regions.regions[Int.random(in: 0..<20, using: &generator)]
        let metres = region.radius * Double.random(in: 0.9999...1.0001, using: &generator)
        here = region.center
        here.latitude += metres / 111_200 * (Bool.random(using: &generator) ? 1 : -1)
      case 80..<85: here = place(spread)  // a jump
      case 85 where Int.random(in: 0..<10, using: &generator) == 0: here = place(40)  // a long one
      default: break  // standing still
      }
      here.latitude = min(90, max(-90, here.latitude))
      here.longitude = here.longitude.remainder(dividingBy: 360)
      fixes.append(fix(second, here.latitude, here.longitude))
    }

    let fast = RegionMonitor(regions).follow(fixes)
    let always = RegionMonitor(regions, geos: .always).follow(fixes)
    #expect(fast.inside == always.inside)
    #expect(fast.crossings == always.crossings)
    #expect(fast.crossings.count > 100)
    #expect(fast.end.counters.fixes == Int64(fixes.count))
    #expect(always.end.counters.geosCalls > fast.end.counters.geosCalls)
    try storyIsConsistent(fast.crossings, fast.inside, fixes)
  }

  /// Checks that enters and exits alternate, and that they lead from the regions of each fix to those of the
  /// next one.
  private func storyIsConsistent(
    _ crossings: [RegionCrossing], _ inside: [RegionSet], _ fixes: [Fix]
  ) throws {
    var current = inside[0]
    var next = 0
    for (index, fix) in fixes.enumerated().dropFirst() {
      while next < crossings.count, crossings[next].instant <= fix.instant {
        let crossing = crossings[next]
        try #require(current.contains(crossing.region) == (crossing.kind == .exit), "\(crossing)")
        try #require(crossing.instant > fixes[index - 1].instant, "\(crossing)")
        current = current.symmetricDifference(RegionSet(crossing.region))
        next += 1
      }
      try #require(current == inside[index], "fix \(index)")
    }
    #expect(next == crossings.count)
  }

  /// The copy continues with another monitor.
  @Test func `a copy of a state continues as the original does`() throws {
    let regions = try table([(52.5, 13.4, 300), (52.51, 13.41, 500)])
    let fixes = (0..<400).map { fix(Int64($0), 52.495 + Double($0) * 5e-5, 13.395 + Double($0) * 5e-5) }
    let whole = RegionMonitor(regions).follow(fixes)
    var crossings: [RegionCrossing] = []
    let first = RegionMonitor(regions)
    var state = first.begin(at: fixes[0])
    for fix in fixes[1..<200] { first.advance(&state, to: fix, into: &crossings) }
    var copy = state
    let second = RegionMonitor(regions)
    for fix in fixes[200...] { second.advance(&copy, to: fix, into: &crossings) }
    #expect(crossings == whole.crossings)
    #expect(copy == whole.end)
    #expect(state.last == fixes[199])
  }

  @Test func `a fix away from all boundaries does not check the regions`() throws {
    let monitor = RegionMonitor(try table([(52.5, 13.4, 300)]))
    let end = monitor.follow((0..<10_000).map { fix(Int64($0), 52.51, 13.4 + Double($0 % 7) * 1e-5) }).end
    #expect(end.counters.fixes == 10_000)
    #expect(end.counters.looks == 1)
    #expect(end.counters.geosCalls == 0)
  }

  @Test func `workers share the table but use their own monitors`() async throws {
    let regions = try table([(52.5, 13.4, 300), (52.51, 13.41, 500)])
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let monitor = RegionMonitor(regions, geos: .always)
          let fixes = (0..<400).map { fix(Int64($0), 52.495 + Double($0) * 5e-5, 13.395 + Double($0) * 5e-5) }
          return monitor.follow(fixes).crossings.count
        }
      }
      var counts: [Int] = []
      for await count in group { counts.append(count) }
      return counts
    }
    #expect(Set(counts).count == 1 && counts[0] > 0)
  }
}
