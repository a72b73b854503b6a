/// What a phone's three clocks read at one instant.
///
/// Days and caps use `wall`, intervals use `uptime`: a user who sets the clock back must not be
/// reminded twice, nor never again.
public struct Moment: Hashable, Sendable, BitwiseCopyable {
  /// The wall clock, which its user may have set wrong.
  public var wall: Instant
  /// The monotonic clock, which a reboot restarts.
  public var uptime: Uptime
  /// The zone that the phone is set to.
  public var zone: ZoneID

  /// Readings of the three clocks at one instant.
  @inlinable
  public init(wall: Instant, uptime: Uptime, zone: ZoneID) {
    self.wall = wall
    self.uptime = uptime
    self.zone = zone
  }

  /// The time that has passed since `earlier`, never negative.
  ///
  /// Within one boot this is the difference of the monotonic clocks. Across a reboot only the wall
  /// clocks are left; a negative difference then counts as zero, so a clock that was set back makes
  /// the phone wait again rather than for ever.
  @inlinable
  public func elapsed(since earlier: Moment) -> TimeSpan {
    let span =
      uptime.boot == earlier.uptime.boot ? uptime.span - earlier.uptime.span : wall - earlier.wall
    return max(span, .zero)
  }

  /// What the clocks will read when the wall clock shows an instant, if nobody sets them.
  @inlinable
  public func foreseen(at instant: Instant) -> Moment { earlier(by: wall - instant) }

  /// What the clocks read some time before, or would have read, had the phone been running then.
  @inlinable
  public func earlier(by span: TimeSpan) -> Moment {
    Moment(wall: wall - span, uptime: Uptime(boot: uptime.boot, span: uptime.span - span), zone: zone)
  }
}

/// A reading of the monotonic clock: which boot, and the time since it.
public struct Uptime: Hashable, Sendable, BitwiseCopyable {
  // In this order, so that the zone of a moment comes into what would else be left free.
  /// Time since the boot; not negative.
  public var span: TimeSpan
  /// Counts the reboots of this phone, from 0.
  public var boot: UInt32

  /// A reading; those of two boots cannot be compared with each other.
  @inlinable
  public init(boot: UInt32, span: TimeSpan) {
    self.boot = boot
    self.span = span
  }
}
