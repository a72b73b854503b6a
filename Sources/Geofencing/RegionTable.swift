public import TriggerModel

/// The regions of a program, compiled: immutable, and shared by all persons and workers.
public struct RegionTable: Sendable {
  public let regions: [CircularRegion]
  let frames: [RegionFrame]
  let shells: [Shell]
  /// By region: those that have no point in common with it.
  private let apart: [RegionSet]

  /// As many regions as iOS watches for one app (platform facts, L1).
  public static let regionLimit = 20

  /// - Parameter regions: In the order of their identifiers, which count from 0.
  public init(_ regions: [CircularRegion]) throws(RegionProblem) {
    guard regions.count <= Self.regionLimit else {
      throw .tooMany(count: regions.count, limit: Self.regionLimit)
    }
    for (position, region) in regions.enumerated() where region.id.index != position {
      throw .notDense(region.id, position: position)
    }
    self.regions = regions
    frames = regions.map(RegionFrame.init)
    shells = frames.map(Shell.init)
    apart = zip(regions, frames).map { region, frame in
      regions.reduce(into: RegionSet()) { apart, other in
        let distance = frame.distance(to: SurfacePoint(other.center))
        if distance > region.radius + other.radius { apart.insert(RegionSet(other.id)) }
      }
    }
  }

  /// The regions in which nobody is who is in this one.
  public func regions(apartFrom region: RegionID) -> RegionSet { apart[region.index] }

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

/// Some of the regions of a program, in one machine word.
public struct RegionSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// Bit i stands for region i.
  public var rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable
  public init(_ region: RegionID) {
    self.rawValue = 1 << region.rawValue
  }

  @inlinable
  public func contains(_ region: RegionID) -> Bool {
    rawValue >> region.rawValue & 1 == 1
  }
}
