/// One region that entries of a bucket ask about.
public struct RegionRow: Sendable, BitwiseCopyable {
  /// The raw value of its identifier.
  public var region: UInt8
  /// The index of its row within the bucket's rows: the entries whose condition is about it.
  public var row: UInt16

  /// A row, which the entries of a bucket share that ask about the region.
  @inlinable
  public init(region: UInt8, row: UInt16) {
    self.region = region
    self.row = row
  }
}
