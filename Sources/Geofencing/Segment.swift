/// The path between two fixes: the geodesic, travelled at constant speed.
struct Segment {
  let from: SurfacePoint
  let to: SurfacePoint
  let path: Geodesic

  /// The length in metres.
  var length: Double { path.length }

  init(from: SurfacePoint, to: SurfacePoint) {
    self.from = from
    self.to = to
    path = Geodesic(from: from, to: to)
  }

  /// The maximum length in metres of a piece that a straight line in the plane of a nearby region
  /// approximates to within a metre.
  private static let straight = 25_000.0
  /// The maximum length in metres of a piece whose distance to any region within reach has a single minimum.
  private static let unimodal = 100_000.0

  /// Returns points of the segment, including its ends, that are close enough together to connect them by
  /// straight lines.
  func nodes() -> [SurfacePoint] {
    let pieces = max(1, Int((length / Self.straight).rounded(.up)))
    return (0...pieces).map { point(at: Double($0) / Double(pieces)) }
  }

  /// Returns the part of the segment inside the region, or `nil` if the segment does not touch the region.
  ///
  /// The region is convex, so the part is a single interval. Its ends are exact to a tenth of a micrometre
  /// along the path.
  func visit(to frame: RegionFrame, startsInside: Bool, endsInside: Bool) -> RegionVisit? {
    switch (startsInside, endsInside) {
    case (true, true): return RegionVisit(enter: 0, exit: 1)
    case (true, false): return RegionVisit(enter: 0, exit: boundary(of: frame, inside: 0, outside: 1))
    case (false, true): return RegionVisit(enter: boundary(of: frame, inside: 1, outside: 0), exit: 1)
    case (false, false):
      guard let within = pointInside(frame) else { return nil }
      return RegionVisit(
        enter: boundary(of: frame, inside: within, outside: 0),
        exit: boundary(of: frame, inside: within, outside: 1))
    }
  }

  private func point(at fraction: Double) -> SurfacePoint {
    if fraction == 0 { return from }
    if fraction == 1 { return to }
    return path.point(at: fraction)
  }

  /// Returns the distance to the region's boundary in metres. It is negative inside the region.
  private func clearance(of frame: RegionFrame, at fraction: Double) -> Double {
    frame.distance(to: point(at: fraction)) - frame.radius
  }

  /// Returns a fraction at which the segment is inside the region, or `nil` if there is none.
  private func pointInside(_ frame: RegionFrame) -> Double? {
    let pieces = max(1, Int((length / Self.unimodal).rounded(.up)))
    var low = 0.0
    var lowClearance = clearance(of: frame, at: 0)
    for piece in 1...pieces {
      let high = Double(piece) / Double(pieces)
      let highClearance = clearance(of: frame, at: high)
      if lowClearance <= 0 { return low }
      if highClearance <= 0 { return high }
      if let found = pointInside(frame, low, lowClearance, high, highClearance) { return found }
      (low, lowClearance) = (high, highClearance)
    }
    return nil
  }

  /// Returns a fraction inside the region between two fractions outside it, or `nil` if there is none.
  /// Searches for the closest point by golden section, and stops when the remaining interval is too short to
  /// reach the region.
  private func pointInside(
    _ frame: RegionFrame, _ start: Double, _ startClearance: Double, _ end: Double, _ endClearance: Double
  ) -> Double? {
    var (low, lowClearance, high, highClearance) = (start, startClearance, end, endClearance)
    let golden = 0x1.3c6ef372fe95p-1  // (√5 - 1) / 2
    var left = high - golden * (high - low)
    var right = low + golden * (high - low)
    var leftClearance = clearance(of: frame, at: left)
    var rightClearance = clearance(of: frame, at: right)
    while lowClearance + highClearance <= (high - low) * length {
      if leftClearance <= 0 { return left }
      if rightClearance <= 0 { return right }
      guard (high - low) * length > 1e-4 else { return nil }
      if leftClearance < rightClearance {
        (high, highClearance) = (right, rightClearance)
        (right, rightClearance) = (left, leftClearance)
        left = high - golden * (high - low)
        leftClearance = clearance(of: frame, at: left)
      } else {
        (low, lowClearance) = (left, leftClearance)
        (left, leftClearance) = (right, rightClearance)
        right = low + golden * (high - low)
        rightClearance = clearance(of: frame, at: right)
      }
    }
    return nil
  }

  /// Returns the fraction at which the segment crosses the boundary, between a fraction inside and one
  /// outside.
  ///
  /// Uses the Illinois variant of regula falsi, which keeps the root enclosed. The clearance is nearly
  /// linear, so about five steps suffice.
  private func boundary(of frame: RegionFrame, inside: Double, outside: Double) -> Double {
    var (inner, outer) = (inside, outside)
    var innerClearance = clearance(of: frame, at: inner)
    var outerClearance = clearance(of: frame, at: outer)
    // Rounding may have placed a point at the boundary on the wrong side.
    guard innerClearance < 0 else { return inner }
    guard outerClearance > 0 else { return outer }
    var lastMovedInner: Bool?
    for _ in 0..<200 {
      let middle = inner + (outer - inner) * (innerClearance / (innerClearance - outerClearance))
      let value = clearance(of: frame, at: middle)
      if abs(value) < 1e-7 || abs(outer - inner) * length < 1e-7 { return middle }
      if value < 0 {
        if lastMovedInner == true { outerClearance /= 2 }
        (inner, innerClearance, lastMovedInner) = (middle, value, true)
      } else {
        if lastMovedInner == false { innerClearance /= 2 }
        (outer, outerClearance, lastMovedInner) = (middle, value, false)
      }
    }
    return inner
  }
}
