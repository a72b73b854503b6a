import TriggerModel

/// Which of several checks comes first, in any order: two look-ups, because the obvious search through the
/// order is a third of a decision.
struct FirstChecks: Hashable, Sendable {
  /// For each set of the checks with the seven lowest raw values the place of its first in the order, and then
  /// for each set of the seven next; 255 for the empty sets.
  private var places: [UInt8]
  private static let half = 7
  private static let lowest = Reason.notRegistered.rawValue

  init(_ order: [Reason]) {
    let lowest = UInt64(Self.lowest)
    precondition(
      order.allSatisfy { ($0.rawValue &- Self.lowest) < 2 * Self.half }, "more checks than the table holds")
    places = (0..<UInt64(256)).map { index in
      let set = index < 128 ? index : (index & 127) << 7
      return order.firstIndex { set >> (UInt64($0.rawValue) - lowest) & 1 == 1 }.map(UInt8.init) ?? .max
    }
  }

  /// The place in the order of the first of a set of checks, which is not empty.
  @inline(__always)
  func place(of checks: ReasonSet) -> Int {
    let bits = Int(truncatingIfNeeded: checks.rawValue >> UInt64(Self.lowest))
    return places.withUnsafeBufferPointer { Int(min($0[bits & 127], $0[bits >> 7 & 127 | 128])) }
  }
}
