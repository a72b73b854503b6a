/// The relation between the wall clock and the monotonic clock. It changes when the wall clock is set or the
/// phone boots.
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

  /// Returns the moment at which the wall clock reads `wall`, based on this relation between the clocks.
  package func moment(wall: Instant, zone: ZoneID) -> Moment {
    Moment(wall: wall, uptime: Uptime(boot: boot, span: wall - wallAtBoot), zone: zone)
  }

  /// Converts a moment of an earlier boot to the clocks of this boot.
  ///
  /// A moment in the future counts as now. It can occur if the wall clock was set back.
  package func reckon(_ earlier: Moment, at now: Moment) -> Moment {
    moment(wall: now.wall - now.elapsed(since: earlier), zone: earlier.zone)
  }
}
