import TestSupport
import Testing
import TriggerModel

@testable import Geofencing

/// The enters and exits between two fixes.
struct CrossingTests {
  /// A place in Berlin.
  private let latitude = 52.52
  private let longitude = 13.405
  private let metre = 1 / 67_850.0  // degrees of longitude per metre

  @Test func `a region between two fixes is entered and left`() throws {
    let monitor = RegionMonitor(try table([(latitude, longitude, 100)]))
    let (crossings, inside, _) = monitor.follow([
      fix(0, latitude, longitude - 500 * metre), fix(10, latitude, longitude + 500 * metre),
    ])
    #expect(inside == [[], []])
    try #require(crossings.map(\.kind) == [.enter, .exit])
    // The path is 1,000 m in 10 s. The crossings are 100 m before and after its middle.
    #expect(abs(crossings[0].instant.millisecondsSince1970 - 4_000) <= 2)
    #expect(abs(crossings[1].instant.millisecondsSince1970 - 6_000) <= 2)
  }

  @Test func `crossings of several regions are in chronological order`() throws {
    // Region 1 is inside region 0, and region 2 is beyond both. Region 3 equals region 0. Region 4 is far
    // away.
    let monitor = RegionMonitor(
      try table([
        (latitude, longitude, 200), (latitude, longitude, 50), (latitude, longitude + 600 * metre, 100),
        (latitude, longitude, 200), (latitude + 1, longitude, 100),
      ]))
    let (crossings, _, _) = monitor.follow([
      fix(0, latitude, longitude - 1_000 * metre), fix(60, latitude, longitude + 1_000 * metre),
    ])
    let story = crossings.map { "\($0.kind) \($0.region.rawValue)" }
    #expect(
      story == [
        "enter 0", "enter 3", "enter 1", "exit 1", "exit 0", "exit 3", "enter 2", "exit 2",
      ])
    #expect(crossings.map(\.instant) == crossings.map(\.instant).sorted())
  }

  @Test func `starting inside a region is not an enter`() throws {
    let monitor = RegionMonitor(try table([(latitude, longitude, 100)]))
    let (crossings, inside, _) = monitor.follow([
      fix(0, latitude, longitude), fix(5, latitude, longitude + 10 * metre),
      fix(20, latitude, longitude + 160 * metre),
    ])
    #expect(inside[0] == RegionSet(RegionID(0)))
    try #require(crossings.map(\.kind) == [.exit])
    #expect(abs(crossings[0].instant.millisecondsSince1970 - 14_000) <= 5)
  }

  @Test func `a crossing between two fixes with the same instant has that instant`() throws {
    let monitor = RegionMonitor(try table([(latitude, longitude, 100)]))
    let (crossings, _, _) = monitor.follow([
      fix(7, latitude, longitude - 300 * metre), fix(7, latitude, longitude + 300 * metre),
    ])
    #expect(crossings.map(\.kind) == [.enter, .exit])
    #expect(crossings.allSatisfy { $0.instant == Instant(millisecondsSince1970: 7_000) })
  }

  @Test func `segments of length zero are inside or outside`() throws {
    let monitor = RegionMonitor(try table([(latitude, longitude, 100)]))
    let inside = Coordinate(latitude: latitude, longitude: longitude + 20 * metre)
    let outside = Coordinate(latitude: latitude, longitude: longitude + 200 * metre)
    #expect(monitor.visit(to: RegionID(0), from: inside, to: inside) == RegionVisit(enter: 0, exit: 1))
    #expect(monitor.visit(to: RegionID(0), from: outside, to: outside) == nil)
  }

  @Test func `paths across the pole and the antimeridian are exact`() throws {
    let monitor = RegionMonitor(try table([(90, 0, 1_000), (-17.8, 180, 5_000), (-90, 12, 50)]))
    let pole = monitor.follow([fix(0, 89.9, 30), fix(100, 89.9, -150)]).crossings
    try #require(pole.map { "\($0.kind) \($0.region.rawValue)" } == ["enter 0", "exit 0"])
    // 0.1° of the meridian at the pole is 11,169.39 m. The path reaches the pole half-way.
    let expected = 50_000 * (1 - 1_000 / 11_169.39)
    #expect(abs(Double(pole[0].instant.millisecondsSince1970) - expected) < 5)
    let date = monitor.follow([fix(0, -17.8, 179.9), fix(100, -17.8, -179.9)]).crossings
    #expect(date.map { "\($0.kind) \($0.region.rawValue)" } == ["enter 1", "exit 1"])
    let south = monitor.follow([fix(0, -89.999, 0), fix(100, -89.999, 180)]).crossings
    #expect(south.map { "\($0.kind) \($0.region.rawValue)" } == ["enter 2", "exit 2"])
  }

  /// A flight from Berlin to San Francisco does not follow a parallel: it crosses the ice of southern
  /// Greenland.
  @Test func `long flights follow the geodesic`() throws {
    let from = Coordinate(latitude: 52.36, longitude: 13.5)
    let to = Coordinate(latitude: 37.62, longitude: -122.38)
    let path = Geodesic(from: SurfacePoint(from), to: SurfacePoint(to))
    for n in 1..<20 {
      let unit = path.point(at: Double(n) / 20).unit
      let circle = (
        latitude: degrees(unit.z / (1 - Ellipsoid.f), (unit.x * unit.x + unit.y * unit.y).squareRoot()),
        longitude: degrees(unit.y, unit.x), radius: 200.0
      )
      let monitor = RegionMonitor(try table([circle]))
      let visit = try #require(monitor.visit(to: RegionID(0), from: from, to: to), "\(n)")
      let middle = (visit.enter + visit.exit) / 2
      #expect(abs(middle - Double(n) / 20) * path.length < 0.01, "\(n)")
      #expect(abs((visit.exit - visit.enter) * path.length - 400) < 0.01, "\(n)")
    }
  }

  private func degrees(_ y: Double, _ x: Double) -> Double { arcTangent(y: y, x: x) / radiansPerDegree }

  /// Compares visits with an independent result, which is computed from the distances of many points on the
  /// segment.
  @Test func `visits agree with fine sampling`() throws {
    var generator = SplitMix64(seed: 5)
    let samples = 400
    var hits = 0
    for n in 0..<400 {
      let radius = [50.0, 1_000, 20_000, 300_000][n % 4]
      let center = Coordinate(
        latitude: n % 8 == 3 ? 89.99 : Double.random(in: -85...85, using: &generator),
        longitude: n % 8 == 5 ? 179.999 : Double.random(in: -180...180, using: &generator))
      let regions = try table([(center.latitude, center.longitude, radius)])
      let reach = radius / 111_000 * 1.5
      func near() -> Coordinate {
        let stretch = 1 / max(0.01, 1 - abs(center.latitude) / 90)
        var east = center.longitude + Double.random(in: -reach...reach, using: &generator) * stretch
        if abs(east) > 180 { east -= east > 0 ? 360 : -360 }
        let north = center.latitude + Double.random(in: -reach...reach, using: &generator)
        return Coordinate(latitude: min(90, max(-90, north)), longitude: min(180, max(-180, east)))
      }
      let (from, to) = (near(), near())
      let path = Geodesic(from: SurfacePoint(from), to: SurfacePoint(to))
      let inside = (0...samples).filter {
        let point = path.point(at: Double($0) / Double(samples))
        return Geodesic(from: SurfacePoint(center), to: point).length <= radius
      }
      let visit = RegionMonitor(regions).visit(to: RegionID(0), from: from, to: to)
      guard let first = inside.first, let last = inside.last else {
        // A visit between two samples is shorter than their spacing.
        if let visit { #expect(visit.exit - visit.enter < 1 / Double(samples), "\(n)") }
        continue
      }
      hits += 1
      let found = try #require(visit, "\(n)")
      let spacing = 1.000_001 / Double(samples)
      let (enter, exit) = (Double(first) / Double(samples), Double(last) / Double(samples))
      #expect(found.enter <= enter + 1e-9 && found.enter > enter - spacing, "\(n)")
      #expect(found.exit >= exit - 1e-9 && found.exit < exit + spacing, "\(n)")
    }
    #expect(hits > 200)
  }
}
