import Geofencing
import Testing
import TriggerModel

struct RegionTests {
  private func problem(
    _ latitude: Double, _ longitude: Double, _ radius: Double, maximum: Double = 1_000
  ) -> RegionProblem? {
    do {
      _ = try CircularRegion(
        id: RegionID(0), center: Coordinate(latitude: latitude, longitude: longitude), radius: radius,
        maximumRadius: maximum)
      return nil
    } catch {
      return error
    }
  }

  @Test func `coordinates and radii at the limits are accepted`() {
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
      #expect(problem(latitude, longitude, 1_000) == nil)
    }
    #expect(problem(0, 0, .leastNonzeroMagnitude) == nil)
    #expect(problem(0, 0, CircularRegion.largestRadius, maximum: .infinity) == nil)
  }

  @Test func `invalid regions are rejected`() {
    #expect(problem(.infinity, 0, 100) == .notFinite(.infinity))
    #expect(problem(0, -.infinity, 100) == .notFinite(-.infinity))
    #expect(problem(0, 0, .infinity) == .notFinite(.infinity))
    #expect(problem(.nan, 0, 100)?.description == "nan is not a finite number")
    #expect(problem(0, .nan, 100)?.description == "nan is not a finite number")
    #expect(problem(0, 0, .nan)?.description == "nan is not a finite number")
    #expect(problem(90.000_001, 0, 100) == .latitudeOutOfRange(90.000_001))
    #expect(problem(0, -180.5, 100) == .longitudeOutOfRange(-180.5))
    #expect(problem(0, 0, 0) == .radiusNotPositive(0))
    #expect(problem(0, 0, -1) == .radiusNotPositive(-1))
    #expect(problem(0, 0, 1_000.5) == .radiusTooLarge(1_000.5, maximum: 1_000))
    #expect(problem(0, 0, 1e7, maximum: 1e9) == .radiusTooLarge(1e7, maximum: CircularRegion.largestRadius))
  }

  @Test func `identifiers with gaps are rejected`() throws {
    let region = try CircularRegion(
      id: RegionID(1), center: Coordinate(latitude: 0, longitude: 0), radius: 100)
    #expect(throws: RegionProblem.notDense(RegionID(1), position: 0)) { try RegionTable([region]) }
  }

  @Test func `GEOS states its version`() {
    #expect(GEOSVersion.text.contains("CAPI"))
  }

  /// Readers must reject such coordinates before they reach a monitor.
  @Test func `coordinates out of range trap`() async {
    await #expect(processExitsWith: .failure) {
      let monitor = RegionMonitor(try RegionTable([]))
      _ = monitor.begin(
        at: Fix(
          instant: Instant(millisecondsSince1970: 0), coordinate: Coordinate(latitude: .nan, longitude: 0)))
    }
  }
}
