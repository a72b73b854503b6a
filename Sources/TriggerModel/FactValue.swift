/// The value of a fact that an app knows: a truth value, a number, an instant, a date or a name, in eight bytes.
///
/// Numbers are fixed point with three decimals, so that comparing is exact and the same everywhere.
/// How the bits are to be read is said once, by the fact's declaration.
public struct FactValue: Hashable, Sendable, BitwiseCopyable {
  /// To be read as the ``FactKind`` of the fact says; the lowest number is ``missing``.
  public var bits: Int64

  /// A value whose kind is known elsewhere, such as one that was stored.
  @inlinable
  public init(bits: Int64) {
    self.bits = bits
  }

  /// No value is known.
  public static let missing = FactValue(bits: .min)

  /// 1 for true, 0 for false.
  @inlinable
  public static func truth(_ value: Bool) -> FactValue { FactValue(bits: value ? 1 : 0) }

  /// A number in thousandths: 1,500 stands for 1.5.
  @inlinable
  public static func number(thousandths: Int64) -> FactValue { FactValue(bits: thousandths) }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  @inlinable
  public static func instant(_ instant: Instant) -> FactValue {
    FactValue(bits: instant.millisecondsSince1970)
  }

  /// The position of a name in the list of names that the fact's declaration gives.
  @inlinable
  public static func name(_ position: Int) -> FactValue { FactValue(bits: Int64(position)) }

  /// Whether no value is known: no comparison with it holds.
  @inlinable
  public var isMissing: Bool { bits == .min }
}

/// How the bits of a fact are to be read.
public enum FactKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// As `truth`, `number`, `instant` and `name` of ``FactValue`` make them.
  case truth, number, instant, name
  /// A day of the calendar, which is the same wherever the phone is: bits of its midnight if it were UTC.
  case date
}
