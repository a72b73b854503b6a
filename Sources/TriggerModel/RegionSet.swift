/// A set of regions of a program. It stores the first 64 regions in a machine word, and all others in an
/// array.
///
/// A set of only the first 64 regions allocates no memory.
public struct RegionSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  @usableFromInline var low: UInt64 = 0
  /// The words for region 64 and above. The last word is never 0, so that equal sets have equal words.
  @usableFromInline var high: [UInt64] = []

  /// Creates an empty set.
  @inlinable
  public init() {}

  /// Creates a set with one region.
  public init(_ region: RegionID) { insert(region) }

  public init(arrayLiteral regions: RegionID...) {
    for region in regions { insert(region) }
  }

  /// Whether the set is empty.
  @inlinable
  public var isEmpty: Bool { low == 0 && high.isEmpty }

  /// Returns whether a region is a member.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func contains(_ region: RegionID) -> Bool {
    let bit = UInt64(region.rawValue & 63)
    if region.rawValue < 64 { return low >> bit & 1 == 1 }
    let word = Int(region.rawValue / 64) - 1
    return word < high.count && high[word] >> bit & 1 == 1
  }

  /// Inserts a region. Allocates memory only for regions above the first 64.
  @inlinable
  public mutating func insert(_ region: RegionID) {
    let bit: UInt64 = 1 << UInt64(region.rawValue & 63)
    if region.rawValue < 64 {
      low |= bit
      return
    }
    let word = Int(region.rawValue / 64) - 1
    if word >= high.count { high.append(contentsOf: repeatElement(0, count: word + 1 - high.count)) }
    high[word] |= bit
  }

  /// Removes a region, if it is a member.
  public mutating func remove(_ region: RegionID) {
    let bit: UInt64 = 1 << UInt64(region.rawValue & 63)
    if region.rawValue < 64 {
      low &= ~bit
      return
    }
    let word = Int(region.rawValue / 64) - 1
    guard word < high.count else { return }
    high[word] &= ~bit
    trim()
  }

  /// Returns the union of both sets.
  ///
  /// - Complexity: O(n / 64) in the highest region number, as for all set operations.
  public func union(_ other: RegionSet) -> RegionSet { combined(with: other, |) }

  /// Returns the intersection of both sets.
  public func intersection(_ other: RegionSet) -> RegionSet { combined(with: other, &) }

  /// Returns the regions that are in exactly one of the sets.
  public func symmetricDifference(_ other: RegionSet) -> RegionSet { combined(with: other, ^) }

  /// Inserts the regions of another set.
  public mutating func formUnion(_ other: RegionSet) { self = union(other) }

  /// The members, in ascending order.
  public var regions: [RegionID] {
    var regions: [RegionID] = []
    forEach { regions.append($0) }
    return regions
  }

  /// Calls the body for each member, in ascending order, without allocating memory.
  public func forEach(_ body: (RegionID) -> Void) {
    for word in 0...high.count {
      var rest = word == 0 ? low : high[word - 1]
      while rest != 0 {
        body(RegionID(word * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// The words of the set. Bit *i* of word *w* represents region 64 *w* + *i*.
  package var words: [UInt64] { [low] + high }

  private func combined(with other: RegionSet, _ operation: (UInt64, UInt64) -> UInt64) -> RegionSet {
    var result = RegionSet()
    result.low = operation(low, other.low)
    if high.isEmpty, other.high.isEmpty { return result }
    for word in 0..<max(high.count, other.high.count) {
      result.high.append(
        operation(word < high.count ? high[word] : 0, word < other.high.count ? other.high[word] : 0))
    }
    result.trim()
    return result
  }

  private mutating func trim() {
    while high.last == 0 { high.removeLast() }
  }
}

extension RegionSet: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&low)
    parcel.carry(&high)
  }
}
