import Geofencing
import TriggerModel

/// SplitMix64: the same numbers in every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

func fix(_ seconds: Int64, _ latitude: Double, _ longitude: Double) -> Fix {
  Fix(
    instant: Instant(millisecondsSince1970: seconds * 1_000),
    coordinate: Coordinate(latitude: latitude, longitude: longitude))
}

func table(_ circles: [(latitude: Double, longitude: Double, radius: Double)]) throws -> RegionTable {
  try RegionTable(
    circles.enumerated().map { index, circle in
      try CircularRegion(
        id: RegionID(index),
        center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius)
    })
}

extension RegionMonitor {
  /// Follows a whole trace: the crossings, and the regions that hold each fix.
  func follow(_ fixes: [Fix]) -> (crossings: [RegionCrossing], inside: [RegionSet], end: RegionState) {
    var crossings: [RegionCrossing] = []
    var state = begin(at: fixes[0])
    var inside = [state.inside]
    for fix in fixes.dropFirst() {
      advance(&state, to: fix, into: &crossings)
      inside.append(state.inside)
    }
    return (crossings, inside, state)
  }
}
