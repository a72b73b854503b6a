package import TriggerModel

extension Coordinate {
  /// The point at a fraction 0 … 1 of the shortest way to another.
  ///
  /// - Precondition: Both coordinates are valid.
  package func onTheWay(to other: Coordinate, at fraction: Double) -> Coordinate {
    if self == other { return self }
    let point = Geodesic(from: SurfacePoint(self), to: SurfacePoint(other)).point(at: fraction)
    // tan φ = tan β / (1 - f)
    let latitude = arcTangent(y: point.unit.z, x: (1 - Ellipsoid.f) * point.cosBeta)
    let longitude = arcTangent(y: point.unit.y, x: point.unit.x)
    return Coordinate(
      latitude: min(max(latitude / radiansPerDegree, -90), 90),
      longitude: min(max(longitude / radiansPerDegree, -180), 180))
  }
}
