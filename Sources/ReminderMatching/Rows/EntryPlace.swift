/// Where an entry stands.
public struct EntryPlace: Sendable, BitwiseCopyable {
  /// The entries that wait for one trigger.
  public var bucket: UInt32
  /// Its bit in the rows of its bucket.
  public var entry: UInt32

  /// An entry by the number of its bucket, and of its bit in the rows there.
  @inlinable
  public init(bucket: UInt32, entry: UInt32) {
    self.bucket = bucket
    self.entry = entry
  }
}
