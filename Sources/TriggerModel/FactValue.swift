/// The value of a fact in eight bytes: a Boolean, a number, an instant, a date or a name.
///
/// Numbers have three decimals in fixed point, so that comparisons are exact and equal on all machines. The
/// fact's declaration determines how the bits are decoded.
public struct FactValue: Hashable, Sendable, BitwiseCopyable {
  /// The encoded value. The fact's ``FactKind`` determines the encoding. The lowest number is ``missing``.
  public var bits: Int64

  /// Creates a value from its encoded bits.
  @inlinable
  public init(bits: Int64) {
    self.bits = bits
  }

  /// The missing value.
  public static let missing = FactValue(bits: .min)

  /// Returns a Boolean as a value: 1 for `true` and 0 for `false`.
  @inlinable
  public static func truth(_ value: Bool) -> FactValue { FactValue(bits: value ? 1 : 0) }

  /// Returns a number, given in thousandths, as a value. For example, 1,500 represents 1.5.
  @inlinable
  public static func number(thousandths: Int64) -> FactValue { FactValue(bits: thousandths) }

  /// Returns an instant as a value: the milliseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public static func instant(_ instant: Instant) -> FactValue {
    FactValue(bits: instant.millisecondsSince1970)
  }

  /// Returns a name as a value: its index among the names of the fact's declaration.
  @inlinable
  public static func name(_ position: Int) -> FactValue { FactValue(bits: Int64(position)) }

  /// Whether the value is missing. Every comparison with a missing value fails.
  @inlinable
  public var isMissing: Bool { bits == .min }
}

/// The type of a fact, which determines how its bits are decoded.
public enum FactKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The kinds of the values that `truth`, `number`, `instant` and `name` of ``FactValue`` create.
  case truth, number, instant, name
  /// A calendar date, which does not depend on the zone. It is encoded as midnight UTC on that date.
  case date
}
