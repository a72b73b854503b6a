/// The digest of a list of fires, as the shared workload defines it: FNV-1a over event and reminder.
@usableFromInline
package struct FireDigest: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325
  @usableFromInline package var fires = 0

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func add(event: Int, reminder: UInt32) {
    value = (value ^ UInt64(truncatingIfNeeded: event)) &* 0x100_0000_01B3
    value = (value ^ UInt64(reminder)) &* 0x100_0000_01B3
    fires &+= 1
  }

  /// Sixteen lower-case hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
