package import TriggerModel

/// The phone's wall clock, monotonic clock and zone, over simulation time.
package struct PhoneClock: Hashable, Sendable, BitwiseCopyable {
  /// How far the wall clock is ahead of simulation time; its user may have set it wrong.
  package var ahead = TimeSpan.zero
  package var zone: ZoneID
  /// Counts reboots.
  private var boot: UInt32 = 0
  /// Simulation time of the last boot.
  private var bootedAt: Instant

  init(start: Instant, zone: ZoneID) {
    self.zone = zone
    self.bootedAt = start
  }

  /// What the three clocks read at an instant of simulation time.
  package func moment(at instant: Instant) -> Moment {
    Moment(wall: wall(at: instant), uptime: Uptime(boot: boot, span: instant - bootedAt), zone: zone)
  }

  package func wall(at instant: Instant) -> Instant { instant + ahead }

  /// The instant of simulation time at which the wall clock, as it is set now, shows `wall`.
  package func instant(ofWall wall: Instant) -> Instant {
    wall == .distantFuture ? .distantFuture : wall - ahead
  }

  mutating func reboot(at instant: Instant) {
    boot += 1
    bootedAt = instant
  }
}
