public import TriggerModel

/// The regions of a program, compiled: immutable, and shared by all persons and workers.
public struct RegionTable: Sendable {
  public let regions: [CircularRegion]
  let frames: [RegionFrame]
  let shells: [Shell]

  /// - Parameter regions: In the order of their identifiers, which count from 0.
  public init(_ regions: [CircularRegion]) throws(RegionProblem) {
    for (position, region) in regions.enumerated() where region.id.index != position {
      throw .notDense(region.id, position: position)
    }
    self.regions = regions
    frames = regions.map(RegionFrame.init)
    shells = frames.map(Shell.init)
  }

  /// The regions in which nobody is who is in this one.
  ///
  /// - Complexity: O(*n*), a comparison of chords each.
  public func regions(apartFrom region: RegionID) -> RegionSet {
    let frame = frames[region.index]
    return regions.reduce(into: RegionSet()) { apart, other in
      let reach = frame.radius + other.radius
      let chord = (frames[other.id.index].origin - frame.origin).length
      // The way along the ground is longer, if only by so much.
      if ChordBounds.longestArc(over: chord) <= reach { return }
      if chord > reach || frame.distance(to: SurfacePoint(other.center)) > reach { apart.insert(other.id) }
    }
  }

  /// The geodesic distance of a point from a region's centre, in metres, within a micrometre.
  ///
  /// - Precondition: The coordinate is valid.
  public func distance(from coordinate: Coordinate, to region: RegionID) -> Double {
    frames[region.index].distance(to: SurfacePoint(coordinate))
  }
}

/// What decides most fixes without GEOS: two spheres around the centre between which the region's
/// boundary lies.
struct Shell: Sendable, BitwiseCopyable {
  let origin: Vector
  let radius: Double
  /// A chord shorter than this is surely inside; negative when there is none.
  let innerSquared: Double
  /// A chord longer than this is surely outside.
  let outerSquared: Double

  /// The band is 1 m or a thousandth of the radius on either side. What it has to cover is rounding
  /// (nanometres) and, inside, the arc's excess over the chord: 65 m at 400 km, 127 m of the band's 500 m at
  /// the largest radius.
  init(_ frame: RegionFrame) {
    origin = frame.origin
    radius = frame.radius
    let band = max(1, frame.radius / 1_000)
    let inner = frame.radius - band
    let outer = frame.radius + band
    innerSquared = inner > 0 ? inner * inner : -1
    outerSquared = outer * outer
  }
}
