/// Where an entry stands.
public struct EntryPlace: Sendable, BitwiseCopyable {
  public var bucket: UInt32
  public var entry: UInt32

  @inlinable
  public init(bucket: UInt32, entry: UInt32) {
    self.bucket = bucket
    self.entry = entry
  }
}
