/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// The context determines whether an instant is in simulation time or on a phone's wall clock. Both ignore
/// leap seconds.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number of milliseconds since 1970-01-01T00:00:00Z, negative for earlier instants.
  public var millisecondsSince1970: Int64

  /// Creates an instant from any number of milliseconds.
  @inlinable
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// An instant after all instants of a scenario. A deadline with this value never passes.
  public static let distantFuture = Instant(millisecondsSince1970: .max)

  /// An instant before all instants of a scenario.
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

  /// Returns the signed span from `b` to `a`.
  @inlinable
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    TimeSpan(milliseconds: a.millisecondsSince1970 - b.millisecondsSince1970)
  }
}

/// A signed duration, in whole milliseconds.
public struct TimeSpan: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number of milliseconds, negative for a span into the past.
  public var milliseconds: Int64

  /// Creates a span of any number of milliseconds.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The empty span.
  public static let zero = TimeSpan(milliseconds: 0)

  /// Returns a span of seconds. This method and those for longer units trap beyond 292 million years.
  @inlinable
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 1_000) }

  /// Returns a span of minutes of 60 s each.
  @inlinable
  public static func minutes(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 60_000) }

  /// Returns a span of hours of 60 min each, independent of the wall clock.
  @inlinable
  public static func hours(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 3_600_000) }

  /// Returns a span of days of exactly 24 hours each. A local day may be longer or shorter (see `CivilTime`).
  @inlinable
  public static func days(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count * 86_400_000) }

  /// The absolute value.
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

/// The readings of a phone's clocks at one instant, and the phone's zone.
///
/// Days and caps use `wall`, and intervals use `uptime`. Setting the clock back must neither make a reminder
/// fire twice nor lose it.
public struct Moment: Hashable, Sendable, BitwiseCopyable {
  /// The reading of the wall clock, which the person may have set to a wrong time.
  public var wall: Instant
  /// The reading of the monotonic clock, which restarts at a reboot.
  public var uptime: Uptime
  /// The zone of the phone.
  public var zone: ZoneID

  /// Creates a moment from simultaneous readings.
  @inlinable
  public init(wall: Instant, uptime: Uptime, zone: ZoneID) {
    self.wall = wall
    self.uptime = uptime
    self.zone = zone
  }

  /// Returns the elapsed time since `earlier`, which is never negative.
  ///
  /// Within one boot, this is the difference between the readings of the monotonic clock. Across a reboot,
  /// only the wall clock can be compared. If its difference is negative because the clock was set back, the
  /// result is zero. An interval then starts again, but still ends.
  @inlinable
  public func elapsed(since earlier: Moment) -> TimeSpan {
    let span =
      uptime.boot == earlier.uptime.boot ? uptime.span - earlier.uptime.span : wall - earlier.wall
    return max(span, .zero)
  }

  /// Returns the readings at the future instant at which the wall clock shows `instant`, if no one sets the
  /// clock before.
  @inlinable
  public func foreseen(at instant: Instant) -> Moment { earlier(by: wall - instant) }

  /// Returns the readings `span` earlier, as if the phone had been running since then.
  @inlinable
  public func earlier(by span: TimeSpan) -> Moment {
    Moment(wall: wall - span, uptime: Uptime(boot: uptime.boot, span: uptime.span - span), zone: zone)
  }
}

/// A reading of the monotonic clock: the number of the boot, and the time since that boot.
public struct Uptime: Hashable, Sendable, BitwiseCopyable {
  // In this order, the properties leave padding that holds the zone of a moment.
  /// The time since the boot, not negative.
  public var span: TimeSpan
  /// The number of times that this phone has been rebooted.
  public var boot: UInt32

  /// Creates a reading. Readings from different boots are not comparable.
  @inlinable
  public init(boot: UInt32, span: TimeSpan) {
    self.boot = boot
    self.span = span
  }
}
