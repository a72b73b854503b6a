import Foundation
import Geofencing
import TestSupport
import Testing
import TriggerModel

/// Compares results with the shared test vectors, which GeographicLib and PROJ computed: 4,000 memberships
/// and 1,500 segments, including poles and the antimeridian. Without the shared folder, the test uses 200 and
/// 150 of them.
@Suite struct VectorTests {
  struct Place: Decodable {
    var latitude: Double
    var longitude: Double
    var radius: Double?
    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
  }

  struct Membership: Decodable {
    var region: Place
    var fix: Place
    var distance: Double
    var inside: Bool
  }

  struct Crossing: Decodable {
    var region: Place
    var from: Place
    var to: Place
    var hit: Bool
    var enter: Double?
    var exit: Double?
    var length: Double
  }

  static func lines<Line: Decodable>(_ name: String) throws -> [Line] {
    let data = try Shared.wholeOrSample("vectors/geofence/\(name).ndjson")
    return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Line.self, from: $0) }
  }

  static func table(_ place: Place) throws -> RegionTable {
    let radius = try #require(place.radius)
    return try RegionTable([CircularRegion(id: RegionID(0), center: place.coordinate, radius: radius)])
  }

  @Test(arguments: RegionMonitor.Mode.allCases)
  func `memberships agree with the vectors`(_ mode: RegionMonitor.Mode) throws {
    let vectors: [Membership] = try Self.lines("membership")
    #expect(vectors.count == (Shared.isAvailable ? 4_000 : 200))
    for (n, vector) in vectors.enumerated() {
      let table = try Self.table(vector.region)
      let inside = RegionMonitor(table, geos: mode).membership(of: vector.fix.coordinate)
      #expect(inside.contains(RegionID(0)) == vector.inside, "vector \(n)")
      let distance = table.distance(from: vector.fix.coordinate, to: RegionID(0))
      // The vectors contain distances with six decimals.
      #expect(abs(distance - vector.distance) < 2e-6, "vector \(n): \(distance - vector.distance)")
    }
  }

  @Test(arguments: RegionMonitor.Mode.allCases)
  func `crossings agree with the vectors`(_ mode: RegionMonitor.Mode) throws {
    let vectors: [Crossing] = try Self.lines("crossings")
    #expect(vectors.count == (Shared.isAvailable ? 1_500 : 150))
    for (n, vector) in vectors.enumerated() {
      let monitor = RegionMonitor(try Self.table(vector.region), geos: mode)
      let visit = monitor.visit(to: RegionID(0), from: vector.from.coordinate, to: vector.to.coordinate)
      #expect((visit != nil) == vector.hit, "vector \(n)")
      guard let visit, let enter = vector.enter, let exit = vector.exit else { continue }
      #expect(abs(visit.enter - enter) * vector.length < 0.001, "vector \(n): \(visit.enter) \(enter)")
      #expect(abs(visit.exit - exit) * vector.length < 0.001, "vector \(n): \(visit.exit) \(exit)")
    }
  }
}
