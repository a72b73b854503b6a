/// The positions of the bits that are set, ascending.
public struct Bits: Sequence, IteratorProtocol {
  @usableFromInline var rest: UInt64

  /// - Parameter bits: Those of which the positions are wanted, 0…63.
  @inlinable
  public init(_ bits: UInt64) { rest = bits }

  @inlinable
  public mutating func next() -> Int? {
    if rest == 0 { return nil }
    let bit = rest.trailingZeroBitCount
    rest &= rest - 1
    return bit
  }
}
