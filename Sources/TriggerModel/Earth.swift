/// The figure of the earth that coordinates lie on: WGS84 (NIMA TR8350.2), of which the semi-major axis and the
/// flattening are defined.
@usableFromInline
package enum Earth {
  /// The semi-major axis: the radius of the equator, in metres.
  @inlinable package static var equatorialRadius: Double { 6_378_137 }

  @inlinable package static var flattening: Double { 1 / 298.257223563 }

  /// Of the sphere that stands for it where a per cent is near enough: the mean of the three semi-axes (IUGG), in
  /// metres.
  @inlinable package static var meanRadius: Double { 6_371_008.8 }

  /// A degree of a great circle of that sphere, in metres.
  @inlinable package static var metresPerDegree: Double { meanRadius * .pi / 180 }
}
