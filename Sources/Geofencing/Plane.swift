import CGEOS

/// A measure of distances in the plane around a region's centre, implemented with GEOS. The centre is the
/// origin of its plane, so one prepared point serves all regions.
///
/// Only one thread at a time may use a GEOS context. Even queries write to it, because GEOS builds indices
/// and envelopes lazily. The class is therefore not `Sendable`, and every worker creates its own instance.
/// Each query creates a new point, because GEOS would use the old envelope of a point that was moved.
final class Plane {
  private let context: GEOSContextHandle_t
  private let origin: OpaquePointer
  private let preparedOrigin: OpaquePointer

  init() {
    guard let context = GEOS_init_r(),
      let origin = GEOSGeom_createPointFromXY_r(context, 0, 0),
      let prepared = GEOSPrepare_r(context, origin)
    else { fatalError("GEOS could not be started: out of memory") }
    self.context = context
    self.origin = origin
    preparedOrigin = prepared
  }

  deinit {
    // Destroy the prepared geometry first, because it refers to its base, and both refer to the context.
    GEOSPreparedGeom_destroy_r(context, preparedOrigin)
    GEOSGeom_destroy_r(context, origin)
    GEOS_finish_r(context)
  }

  /// Returns whether a point is at most `distance` from the origin.
  func isNear(_ point: (x: Double, y: Double), _ distance: Double) -> Bool {
    ask(GEOSGeom_createPointFromXY_r(context, point.x, point.y), distance)
  }

  /// Returns whether a path of two or more points comes within `distance` of the origin.
  func isNear(path: [(x: Double, y: Double)], _ distance: Double) -> Bool {
    guard let sequence = GEOSCoordSeq_create_r(context, UInt32(path.count), 2) else { outOfMemory() }
    for (index, point) in path.enumerated() {
      GEOSCoordSeq_setXY_r(context, sequence, UInt32(index), point.x, point.y)
    }
    // The line takes ownership of the sequence.
    return ask(GEOSGeom_createLineString_r(context, sequence), distance)
  }

  private func ask(_ geometry: OpaquePointer?, _ distance: Double) -> Bool {
    guard let geometry else { outOfMemory() }
    defer { GEOSGeom_destroy_r(context, geometry) }
    let answer = GEOSPreparedDistanceWithin_r(context, preparedOrigin, geometry, distance)
    precondition(answer != 2, "GEOS raises an exception only for coordinates that are not finite")
    return answer == 1
  }

  private func outOfMemory() -> Never {
    fatalError("GEOS could not make a geometry: out of memory")
  }
}

/// The version of the GEOS library in use.
public enum GEOSVersion {
  /// The version of the library and of its C interface, for example "3.11.1-CAPI-1.17.1". Every report states
  /// it, because results at a boundary may depend on it.
  public static var text: String { String(cString: GEOSversion()) }
}
