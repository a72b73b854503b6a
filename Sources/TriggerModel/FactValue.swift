/// The value of a fact in eight bytes: a Boolean, a number, an instant, a date or a name.
///
/// Numbers are fixed point with three decimals, so that comparisons are exact and equal on all machines. The
/// fact's declaration determines how the bits are decoded.
public struct FactValue: Hashable, Sendable, BitwiseCopyable {
  /// The encoded value, according to the ``FactKind`` of the fact. The lowest number is ``missing``.
  public var bits: Int64

  /// Creates a value from its encoded bits.
  @inlinable
  public init(bits: Int64) {
    self.bits = bits
  }

  /// The missing value.
  public static let missing = FactValue(bits: .min)

  /// Returns the value of a Boolean: 1 for `true` and 0 for `false`.
  @inlinable
  public static func truth(_ value: Bool) -> FactValue { FactValue(bits: value ? 1 : 0) }

  /// Returns the value of a number in thousandths. For example, 1,500 represents 1.5.
  @inlinable
  public static func number(thousandths: Int64) -> FactValue { FactValue(bits: thousandths) }

  /// Returns the value of an instant: the milliseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public static func instant(_ instant: Instant) -> FactValue {
    FactValue(bits: instant.millisecondsSince1970)
  }

  /// Returns the value of a name: its position in the list of names in the fact's declaration.
  @inlinable
  public static func name(_ position: Int) -> FactValue { FactValue(bits: Int64(position)) }

  /// Whether the value is missing. All comparisons with a missing value fail.
  @inlinable
  public var isMissing: Bool { bits == .min }
}

/// The type of a fact, which determines how its bits are decoded.
public enum FactKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Values created by `truth`, `number`, `instant` and `name` of ``FactValue``.
  case truth, number, instant, name
  /// A calendar date, which does not depend on the zone, encoded as its midnight in UTC.
  case date
}
