package import TriggerModel

/// A set of regions in two machine words.
package struct RegionSet: Hashable, Sendable, BitwiseCopyable {
  /// How many regions can be told apart: more than any platform watches.
  package static let capacity = 128

  private var bits: UInt128 = 0

  package init() {}

  package var isEmpty: Bool { bits == 0 }
  package var count: Int { bits.nonzeroBitCount }
  /// The first of them, in the order of declaration.
  package var first: RegionID? { bits == 0 ? nil : RegionID(bits.trailingZeroBitCount) }

  package func contains(_ region: RegionID) -> Bool {
    bits >> UInt128(region.rawValue) & 1 == 1
  }

  package mutating func insert(_ region: RegionID) {
    bits |= 1 << UInt128(region.rawValue)
  }

  package mutating func remove(_ region: RegionID) {
    bits &= ~(1 << UInt128(region.rawValue))
  }

  /// Those that are in one of the two sets only.
  package func symmetricDifference(_ other: RegionSet) -> RegionSet {
    var result = RegionSet()
    result.bits = bits ^ other.bits
    return result
  }
}
