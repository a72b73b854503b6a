import Geofencing
import TestSupport
import TriggerModel

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
  /// Follows a whole track. Returns the crossings, and the regions that contain each fix.
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
