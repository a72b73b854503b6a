package import Geofencing
package import TriggerModel

/// The workload of the regions suite: a phone in a city with twenty regions, with a fix every second.
///
/// The track is a random walk between waypoints. The person moves to the centre of a region or to a random
/// point, at a speed between walking and city driving. The person then stays there for a minute to an hour.
/// Every fix has an error of up to 3 m. The walk is the same in every run.
package struct CityTrace: Sequence, IteratorProtocol {
  package static let center = Coordinate(latitude: 52.52, longitude: 13.405)
  /// Half the width of the city in degrees of latitude. The city is 20 km wide.
  private static let half = 0.09
  private static let degreesPerMetre = 1 / 111_200.0
  /// The length of a degree of longitude relative to a degree of latitude: cos 52.52°.
  private static let narrowing = 0.6085

  private let fences: [CircularRegion]
  private var generator: SplitMix64
  private var second: Int64 = 0
  private var here: Coordinate
  private var step = (north: 0.0, east: 0.0)
  private var stepsLeft = 0
  private var dwellLeft = 0

  package init(fences: [CircularRegion], seed: UInt64 = 1) {
    self.fences = fences
    generator = SplitMix64(state: seed)
    here = Self.center
  }

  /// Returns twenty regions at random places in the city. Their radii are 50 m to 1 km, and most are small.
  package static func fences(seed: UInt64 = 20) throws(RegionProblem) -> [CircularRegion] {
    var generator = SplitMix64(state: seed)
    var fences: [CircularRegion] = []
    for index in 0..<20 {
      let share = generator.unit()
      fences.append(
        try CircularRegion(
          id: RegionID(index), center: place(&generator), radius: 50 + 950 * share * share * share))
    }
    return fences
  }

  package mutating func next() -> Fix? {
    defer { second += 1 }
    if stepsLeft > 0 {
      here.latitude += step.north
      here.longitude += step.east
      stepsLeft -= 1
    } else if dwellLeft > 0 {
      dwellLeft -= 1
    } else {
      chooseDestination()
    }
    let noise = 3 * Self.degreesPerMetre
    return Fix(
      instant: Instant(millisecondsSince1970: second * 1_000),
      coordinate: Coordinate(
        latitude: here.latitude + noise * (2 * generator.unit() - 1),
        longitude: here.longitude + noise * (2 * generator.unit() - 1)))
  }

  private mutating func chooseDestination() {
    let toFence = generator.next() & 1 == 0
    let goal = toFence ? fences[Int(generator.next() % UInt64(fences.count))].center : Self.place(&generator)
    let metresPerSecond = 1 + 14 * generator.unit()
    let (north, east) = (goal.latitude - here.latitude, goal.longitude - here.longitude)
    let way = (north * north + east * east * Self.narrowing * Self.narrowing).squareRoot()
    stepsLeft = Swift.max(1, Int((way / (metresPerSecond * Self.degreesPerMetre)).rounded()))
    step = (north / Double(stepsLeft), east / Double(stepsLeft))
    dwellLeft = 60 + Int(generator.next() % 3_540)
  }

  private static func place(_ generator: inout SplitMix64) -> Coordinate {
    Coordinate(
      latitude: center.latitude + half * (2 * generator.unit() - 1),
      longitude: center.longitude + half / narrowing * (2 * generator.unit() - 1))
  }
}

/// The worst case for the fast path: fixes that repeatedly cross the boundary of one region, then that of
/// another.
package struct BoundaryFixes: Sequence, IteratorProtocol {
  /// The number of consecutive fixes near one region.
  private static let stay: Int64 = 100

  private let fences: [CircularRegion]
  private var generator: SplitMix64
  private var second: Int64 = 0
  private var fence = 0

  package init(fences: [CircularRegion], seed: UInt64 = 2) {
    self.fences = fences
    generator = SplitMix64(state: seed)
  }

  /// Returns a fix north of the region's centre, within 2 m or 2 ‰ of its boundary.
  package mutating func next() -> Fix? {
    if second % Self.stay == 0 { fence = Int(generator.next() % UInt64(fences.count)) }
    defer { second += 1 }
    let (center, radius) = (fences[fence].center, fences[fence].radius)
    let metres = radius + Swift.max(2, radius / 500) * (2 * generator.unit() - 1)
    return Fix(
      instant: Instant(millisecondsSince1970: second * 1_000),
      coordinate: Coordinate(latitude: center.latitude + metres / 111_272, longitude: center.longitude))
  }
}
