/// The relation of the wall clock and the monotonic clock. It changes when the wall clock is set or the phone
/// boots.
package struct ClockPair: Hashable, Sendable, BitwiseCopyable {
  package var boot: UInt32
  /// The wall-clock time at which the monotonic clock read zero.
  package var wallAtBoot: Instant

  package init(boot: UInt32, wallAtBoot: Instant) {
    self.boot = boot
    self.wallAtBoot = wallAtBoot
  }
}

extension ClockPair {
  package init(_ moment: Moment) {
    boot = moment.uptime.boot
    wallAtBoot = moment.wall - moment.uptime.span
  }

  /// Returns the moment at which the wall clock reads `wall`, on this relation of the clocks.
  package func moment(wall: Instant, zone: ZoneID) -> Moment {
    Moment(wall: wall, uptime: Uptime(boot: boot, span: wall - wallAtBoot), zone: zone)
  }

  /// Returns a moment of an earlier boot in terms of this boot's clocks.
  ///
  /// A moment in the future, which can occur if the wall clock was set back, counts as now.
  package func reckon(_ earlier: Moment, at now: Moment) -> Moment {
    moment(wall: now.wall - now.elapsed(since: earlier), zone: earlier.zone)
  }
}
