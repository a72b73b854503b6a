/// A point on a time line, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Whether it is a point of simulation time or of a phone's wall clock is said where it is used;
/// both count the same milliseconds and neither knows leap seconds.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var millisecondsSince1970: Int64

  /// Any number is an instant; the lowest and the highest have names.
  @inlinable
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Later than every instant that a scenario can name. Stands for "never" in a deadline.
  public static let distantFuture = Instant(millisecondsSince1970: .max)

  /// Earlier than every instant that a scenario can name.
  public static let distantPast = Instant(millisecondsSince1970: .min)

  @inlinable
  public static func < (a: Instant, b: Instant) -> Bool {
    a.millisecondsSince1970 < b.millisecondsSince1970
  }

  @inlinable
  public static func + (instant: Instant, span: TimeSpan) -> Instant {
    Instant(millisecondsSince1970: instant.millisecondsSince1970 + span.milliseconds)
  }

  @inlinable
  public static func - (instant: Instant, span: TimeSpan) -> Instant {
    Instant(millisecondsSince1970: instant.millisecondsSince1970 - span.milliseconds)
  }

  /// The signed span from `b` to `a`.
  @inlinable
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    TimeSpan(milliseconds: a.millisecondsSince1970 - b.millisecondsSince1970)
  }
}

/// A signed length of time, in whole milliseconds.
public struct TimeSpan: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Negative: back in time.
  public var milliseconds: Int64

  /// Any number is a length, a negative one too.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// No time at all.
  public static let zero = TimeSpan(milliseconds: 0)

  /// Seconds of 1,000 ms; traps beyond 292 million years, as do the longer units.
  @inlinable
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 1_000) }

  /// Minutes of 60 s.
  @inlinable
  public static func minutes(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 60_000) }

  /// Hours of 60 min, whatever the clock on the wall does meanwhile.
  @inlinable
  public static func hours(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 3_600_000) }

  /// Days of exactly 24 hours; a local day may be longer or shorter (see `CivilTime`).
  @inlinable
  public static func days(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 86_400_000) }

  /// The length without its sign.
  @inlinable
  public var magnitude: TimeSpan { TimeSpan(milliseconds: abs(milliseconds)) }

  @inlinable
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.milliseconds < b.milliseconds }

  @inlinable
  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: a.milliseconds + b.milliseconds)
  }

  @inlinable
  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(milliseconds: a.milliseconds - b.milliseconds)
  }
}
