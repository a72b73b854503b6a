import CGEOS
import Geofencing
import TriggerModel

/// The regions as prepared polygons, with which GEOS tests many points fastest.
///
/// A polygon only approximates a circle, so each region has an inner and an outer polygon. The distance from
/// the centre decides for points between the two. Points and polygons are in a plane whose unit is the
/// degree.
final class PreparedPolygons {
  private struct Polygon {
    let geometry: OpaquePointer
    let prepared: OpaquePointer
  }

  private static let corners = 24
  /// The distance between the polygons and the circle: a share of the radius plus a number of metres.
  ///
  /// It exceeds the error of approximating a geodesic circle of a few kilometres by an ellipse in degrees.
  private static let share = 0.002
  private static let metres = 1.0

  private let table: RegionTable
  private let context: GEOSContextHandle_t
  private var around: [Polygon] = []
  /// The inner polygons. An element is `nil` if the circle is too small for an inner polygon.
  private var within: [Polygon?] = []

  init(_ table: RegionTable) {
    self.table = table
    guard let context = GEOS_init_r() else { fatalError("GEOS could not be started: out of memory") }
    self.context = context
    for region in table.regions {
      let band = Self.metres + Self.share * region.radius
      // The sides of the outer polygon touch its circle. The corners of the inner polygon are on its circle.
      let reach = 1 / DeterministicMath.sinCosDegrees(180 / Double(Self.corners)).cos
      around.append(polygon(region.center, (region.radius + band) * reach))
      within.append(region.radius > band ? polygon(region.center, region.radius - band) : nil)
    }
  }

  deinit {
    for polygon in around + within.compactMap(\.self) {
      GEOSPreparedGeom_destroy_r(context, polygon.prepared)
      GEOSGeom_destroy_r(context, polygon.geometry)
    }
    GEOS_finish_r(context)
  }

  /// Returns the regions that contain a point.
  func membership(of coordinate: Coordinate) -> RegionSet {
    guard let point = GEOSGeom_createPointFromXY_r(context, coordinate.longitude, coordinate.latitude) else {
      fatalError("GEOS could not make a point: out of memory")
    }
    defer { GEOSGeom_destroy_r(context, point) }
    var inside = RegionSet()
    for index in around.indices where GEOSPreparedIntersects_r(context, around[index].prepared, point) == 1 {
      let isWithin = within[index].map { GEOSPreparedIntersects_r(context, $0.prepared, point) == 1 } ?? false
      let region = RegionID(index)
      if isWithin || table.distance(from: coordinate, to: region) <= table.regions[index].radius {
        inside.insert(region)
      }
    }
    return inside
  }

  private func polygon(_ center: Coordinate, _ radius: Double) -> Polygon {
    guard let sequence = GEOSCoordSeq_create_r(context, UInt32(Self.corners + 1), 2) else {
      fatalError("GEOS could not make a polygon: out of memory")
    }
    let (sine, cosine) = DeterministicMath.sinCosDegrees(center.latitude)
    let squared = Earth.flattening * (2 - Earth.flattening)
    let w = 1 - squared * sine * sine
    let degree = 180 / Double.pi
    let north = radius / (Earth.equatorialRadius * (1 - squared) / (w * w.squareRoot())) * degree
    let east = radius / (Earth.equatorialRadius / w.squareRoot() * cosine) * degree
    for corner in 0...Self.corners {
      let turn = Double(corner % Self.corners) * 360 / Double(Self.corners)
      let (along, up) = DeterministicMath.sinCosDegrees(turn)
      GEOSCoordSeq_setXY_r(
        context, sequence, UInt32(corner), center.longitude + east * along, center.latitude + north * up)
    }
    // The ring takes ownership of the sequence, and the polygon that of the ring.
    guard let ring = GEOSGeom_createLinearRing_r(context, sequence),
      let geometry = GEOSGeom_createPolygon_r(context, ring, nil, 0),
      let prepared = GEOSPrepare_r(context, geometry)
    else { fatalError("GEOS could not make a polygon: out of memory") }
    return Polygon(geometry: geometry, prepared: prepared)
  }
}
