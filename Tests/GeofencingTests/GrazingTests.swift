import TestSupport
import Testing
import TriggerModel

@testable import Geofencing

/// Segments that barely touch or barely miss a region, and the millisecond of a crossing.
struct GrazingTests {
  /// A region, and a segment whose middle is close to the region's boundary.
  private struct Graze {
    var regions: RegionTable
    var fixes: [Fix]
  }

  private func graze(_ n: Int, _ generator: inout SplitMix64) throws -> Graze {
    let radius = [50.0, 1_000, 20_000, 150_000, 400_000][n % 5]
    let latitude = Double.random(in: -60...60, using: &generator)
    let longitude = n % 7 == 0 ? 180 : Double.random(in: -180...180, using: &generator)
    let regions = try table([(latitude, longitude, radius)])
    let center = SurfacePoint(regions.regions[0].center)
    // The boundary's northernmost point, found by bisection along the meridian.
    func point(_ north: Double) -> SurfacePoint {
      SurfacePoint(Coordinate(latitude: latitude + north, longitude: longitude))
    }
    var (low, high) = (0.0, radius / 100_000)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if Geodesic(from: center, to: point(middle)).length < radius { low = middle } else { high = middle }
    }
    let band = max(2, radius / 300) / 111_000
    let north = latitude + low + Double.random(in: -band...band, using: &generator)
    let east = radius / 111_000 * Double.random(in: 0.1...2, using: &generator)
    let fixes = [-east, east].enumerated().map { index, offset in
      fix(Int64(index) * 600, north, (longitude + offset).remainder(dividingBy: 360))
    }
    return Graze(regions: regions, fixes: fixes)
  }

  /// GEOS preselects the regions near a segment. It must not exclude a region that the geodesic touches.
  @Test func `GEOS excludes no region that a segment grazes`() throws {
    var generator = SplitMix64(seed: 6)
    var touched = 0
    var outside = 0
    for n in 0..<1_000 {
      let graze = try graze(n, &generator)
      let (from, to) = (graze.fixes[0].coordinate, graze.fixes[1].coordinate)
      let expected = RegionMonitor(graze.regions).visit(to: RegionID(0), from: from, to: to)
      for mode in RegionMonitor.Mode.allCases {
        let (crossings, inside, _) = RegionMonitor(graze.regions, geos: mode).follow(graze.fixes)
        guard inside == [[], []] else { continue }
        outside += 1
        touched += crossings.isEmpty ? 0 : 1
        #expect(crossings.count == (expected == nil ? 0 : 2), "graze \(n), \(mode)")
      }
    }
    #expect(touched > 200 && outside - touched > 200, "\(touched) of \(outside)")
  }

  /// At the instant of a crossing, the boundary is behind the phone. A millisecond earlier, it is not.
  @Test func `a crossing is reported at the first millisecond after it`() throws {
    var generator = SplitMix64(seed: 7)
    var crossed = 0
    for n in 0..<300 {
      let graze = try graze(n, &generator)
      let region = graze.regions.regions[0]
      let start = graze.fixes[0]
      let center = SurfacePoint(region.center)
      let path = Geodesic(
        from: SurfacePoint(start.coordinate), to: SurfacePoint(graze.fixes[1].coordinate))
      /// Returns the distance from the boundary at an instant, in metres. It is positive inside the region.
      func depth(at instant: Instant) -> Double {
        let fraction = Double((instant - start.instant).milliseconds) / 600_000
        return region.radius - Geodesic(from: center, to: path.point(at: fraction)).length
      }
      for crossing in RegionMonitor(graze.regions).follow(graze.fixes).crossings {
        crossed += 1
        let sign = crossing.kind == .enter ? 1.0 : -1.0
        let earlier = crossing.instant - TimeSpan(milliseconds: 1)
        #expect(sign * depth(at: crossing.instant) > -1e-6, "graze \(n), \(crossing)")
        #expect(sign * depth(at: earlier) < 1e-6, "graze \(n), \(crossing)")
      }
    }
    #expect(crossed > 100)
  }
}
