import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import Geofencing

struct GeodesicTests {
  private static func point(_ latitude: Double, _ longitude: Double) -> SurfacePoint {
    SurfacePoint(Coordinate(latitude: latitude, longitude: longitude))
  }

  /// A degree of the equator has the length π a / 180. The length of a quarter of the meridian is a known
  /// constant of the ellipsoid.
  @Test func `known geodesics have their lengths`() {
    let equator = Geodesic(from: Self.point(0, 179.5), to: Self.point(0, -179.5)).length
    #expect(abs(equator - 111_319.490_793_273_57) < 1e-7)
    let quarter = Geodesic(from: Self.point(0, 77), to: Self.point(90, 0)).length
    #expect(abs(quarter - 10_001_965.729_312_3) < 1e-6)
    let overThePole = Geodesic(from: Self.point(89, 0), to: Self.point(89, 180)).length
    let degree = Geodesic(from: Self.point(89, 20), to: Self.point(90, -100)).length
    #expect(abs(overThePole - 2 * degree) < 1e-7)
    #expect(Geodesic(from: Self.point(12, 34), to: Self.point(12, 34)).length == 0)
    #expect(Geodesic(from: Self.point(-90, 34), to: Self.point(-90, -120)).length == 0)
  }

  /// Compares lengths with results of GeographicLib 2. Its manual contains the path from New York to London.
  @Test(arguments: [
    (40.6, -73.8, 51.6, -0.5, 5_551_759.400_318_679),
    (52.36, 13.5, 37.62, -122.38, 9_161_222.089_827_387),
    (36.493_497_614_22, 0, -71.213_310_191_49, 83.273_912_707_57, 13_563_977.395_863_328),
  ])
  func publishedLengths(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ metres: Double) {
    let length = Geodesic(from: Self.point(a, b), to: Self.point(c, d)).length
    #expect(abs(length - metres) < 1e-7)
  }

  /// The distances of a point from the start and from the end add up to the length. That is true only for
  /// points of the shortest path.
  @Test func `points divide the path in the given ratio`() {
    var generator = SplitMix64(seed: 1)
    for n in 0..<2_000 {
      let latitude = n % 5 == 0 ? 90.0 : Double.random(in: -90...90, using: &generator)
      let from = Self.point(latitude, Double.random(in: -180...180, using: &generator))
      let to = Self.point(
        n % 7 == 0 ? -89.999 : Double.random(in: -90...90, using: &generator),
        Double.random(in: -180...180, using: &generator))
      let path = Geodesic(from: from, to: to)
      guard path.length < 19_000_000 else { continue }
      let fraction = Double.random(in: 0...1, using: &generator)
      let between = path.point(at: fraction)
      let done = Geodesic(from: from, to: between).length
      let left = Geodesic(from: between, to: to).length
      #expect(abs(done - fraction * path.length) < 1e-6, "path \(n)")
      #expect(abs(left - (1 - fraction) * path.length) < 1e-6, "path \(n)")
      #expect(abs(Geodesic(from: to, to: from).length - path.length) < 1e-7, "path \(n)")
    }
  }

  /// The accuracy for nearly antipodal points is as documented.
  @Test func `nearly antipodal points have an approximate distance`() {
    let from = Self.point(30, 0)
    for n in 0..<200 {
      let path = Geodesic(from: from, to: Self.point(-30 + Double(n) / 100, 180 - Double(n) / 150))
      #expect(path.length > 19_700_000 && path.length < 20_100_000, "\(n): \(path.length)")
      #expect(path.point(at: 0.5).unit.length.isFinite)
    }
  }

  /// Compares the series for short chords with the solved geodesic, near the limit between the two.
  @Test func `the series and the geodesic agree at the limit between them`() throws {
    var generator = SplitMix64(seed: 2)
    for n in 0..<1_000 {
      let center = Coordinate(
        latitude: n % 9 == 0 ? 90 : Double.random(in: -90...90, using: &generator),
        longitude: Double.random(in: -180...180, using: &generator))
      let frame = RegionFrame(try CircularRegion(id: RegionID(0), center: center, radius: 100))
      let there = Self.point(
        max(-90, center.latitude - Double.random(in: 0...0.05, using: &generator)), center.longitude + 0.03)
      let solved = Geodesic(from: SurfacePoint(center), to: there).length
      guard solved < 9_000 else { continue }
      #expect(abs(frame.distance(to: there) - solved) < 3e-8, "\(n)")
    }
  }

  @Test func `the arc tangent agrees with the C library`() {
    var generator = SplitMix64(seed: 3)
    for n in 0..<50_000 {
      let scale = Double.random(in: 1e-9...1, using: &generator)
      let x = Double.random(in: -1...1, using: &generator)
      let y = Double.random(in: -1...1, using: &generator) * scale
      let expected = Foundation.atan2(y, x)
      #expect(abs(arcTangent(y: y, x: x) - expected) <= 2 * expected.ulp, "\(n): \(y), \(x)")
    }
    #expect(arcTangent(y: 0, x: 0) == 0)
    #expect(arcTangent(y: 0, x: -1) == .pi)
    #expect(arcTangent(y: -1, x: 0) == -.pi / 2)
  }

  /// The bounds replace calls of GEOS, so they must never be wrong.
  @Test func `chords give correct bounds of their arcs`() {
    var generator = SplitMix64(seed: 4)
    for n in 0..<5_000 {
      let a = Self.point(
        Double.random(in: -90...90, using: &generator), Double.random(in: -180...180, using: &generator))
      let reach = Double.random(in: 0...(n % 2 == 0 ? 10 : 170), using: &generator)
      let b = Self.point(
        Double.random(in: -90...90, using: &generator),
        Double.random(in: 0...reach, using: &generator))
      let chord = (a.position - b.position).length
      let arc = Geodesic(from: a, to: b).length
      #expect(chord <= arc + 1e-8, "\(n): \(chord), \(arc)")
      #expect(arc <= ChordBounds.longestArc(over: chord) + 1e-8, "\(n): \(chord), \(arc)")
    }
  }
}
