import Geofencing
import Testing
import TriggerModel

@testable import Benchmarks

/// The baseline of the regions suite must give the same results. Otherwise the comparison would be invalid.
@Suite struct PreparedPolygonsTests {
  @Test func `polygons contain the same points as the regions`() throws {
    let table = try RegionTable(CityTrace.fences())
    let (polygons, monitor) = (PreparedPolygons(table), RegionMonitor(table, geos: .always))
    var inside = 0
    let city = CityTrace(fences: table.regions).prefix(3_000).map(\.coordinate)
    let boundary = BoundaryFixes(fences: table.regions).prefix(3_000).map(\.coordinate)
    // Points around each region, near its boundary and closer to its centre.
    let around = table.regions.flatMap { region in
      (0..<72).map { turn in
        let metres = region.radius * [0.5, 0.99, 1, 1.01][turn % 4]
        let angle = Double(turn) * 5
        let (east, north) = (metres * sine(angle), metres * sine(angle + 90))
        return Coordinate(
          latitude: region.center.latitude + north / 111_272,
          longitude: region.center.longitude + east / 67_870)
      }
    }
    for coordinate in city + boundary + around {
      let expected = monitor.membership(of: coordinate)
      #expect(polygons.membership(of: coordinate) == expected, "\(coordinate)")
      if expected != [] { inside += 1 }
    }
    #expect(inside > 1_000)
  }

  /// Returns the approximate sine of an angle in degrees.
  private func sine(_ degrees: Double) -> Double {
    let turn = degrees.truncatingRemainder(dividingBy: 360) / 180
    let half = turn > 1 ? turn - 1 : turn
    let value = 16 * half * (1 - half) / (5 - 4 * half * (1 - half))
    return turn > 1 ? -value : value
  }

  @Test func `all implementations of the regions suite agree`() throws {
    var options = BenchOptions(rounds: 1)
    options.events = 1_000
    let modes = try BenchSuite.regions.run(options).rows.map(\.mode)
    #expect(modes == ["city", "boundary"])
  }
}
