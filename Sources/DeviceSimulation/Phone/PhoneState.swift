package import TriggerModel

/// Converts simulation time to the phone's wall clock, monotonic clock and zone.
package struct PhoneClock: Hashable, Sendable, BitwiseCopyable {
  /// The difference between the wall clock, as the user has set it, and simulation time. Negative if the wall
  /// clock is behind.
  package var ahead = TimeSpan.zero
  package var zone: ZoneID
  /// The number of reboots.
  private var boot: UInt32 = 0
  /// The simulation time of the last boot.
  private var bootedAt: Instant

  init(start: Instant, zone: ZoneID) {
    self.zone = zone
    self.bootedAt = start
  }

  /// Returns the readings of the three clocks at an instant of simulation time.
  package func moment(at instant: Instant) -> Moment {
    Moment(wall: wall(at: instant), uptime: Uptime(boot: boot, span: instant - bootedAt), zone: zone)
  }

  package func wall(at instant: Instant) -> Instant { instant + ahead }

  /// Returns the simulation time at which the wall clock, as it is set now, reads `wall`.
  package func instant(ofWall wall: Instant) -> Instant {
    wall == .distantFuture ? .distantFuture : wall - ahead
  }

  mutating func reboot(at instant: Instant) {
    boot += 1
    bootedAt = instant
  }
}

/// Tracks how long the phone has been idle, for Doze and its maintenance windows (rule A3).
struct DozeState: Hashable, Sendable, BitwiseCopyable {
  /// Whether an event of the scenario switched the screen off. Without such an event, the phone never enters
  /// Doze.
  var isScreenOff = false
  /// The instant at which the phone was last used, locked or moved, or its charger changed.
  var idleSince = Instant.distantPast
  /// The position at which the phone rests, or `nil` if it is unspecified.
  private var place: Coordinate?
  /// The instant at which an alarm last went off in Doze.
  var lastAlarm = Instant.distantPast

  /// The maximum distance between fixes of a resting phone, in degrees of latitude. It corresponds to about
  /// 100 m.
  private static let jitter = 0.000_9

  /// Returns whether a coordinate is away from the phone's resting position.
  func isElsewhere(_ coordinate: Coordinate) -> Bool {
    guard let place else { return true }
    let north = abs(coordinate.latitude - place.latitude)
    let east = abs(coordinate.longitude - place.longitude)
    return north > Self.jitter || east * DeterministicMath.cosDegrees(place.latitude) > Self.jitter
  }

  /// Records that the phone is at a coordinate or is moving to it.
  /// - Returns: Whether the phone moved.
  mutating func move(to coordinate: Coordinate, at now: Instant) -> Bool {
    guard isElsewhere(coordinate) else { return false }
    defer { place = coordinate }
    if place == nil { return false }
    idleSince = now
    return true
  }

  /// Returns the first maintenance window at or after an instant, for a Doze period that began at `start`.
  ///
  /// Each gap between windows is twice as long as the previous one, up to a maximum.
  static func maintenanceWindow(
    notBefore instant: Instant, start: Instant, firstGap: TimeSpan, longestGap longest: TimeSpan
  ) -> Instant {
    var gap = firstGap
    var window = start + gap
    while window < instant, gap < longest {
      gap = min(gap + gap, longest)
      window = window + gap
    }
    guard window < instant else { return window }
    // All later gaps have the maximum length.
    let steps = ((instant - window).milliseconds + longest.milliseconds - 1) / longest.milliseconds
    return window + TimeSpan(milliseconds: steps * longest.milliseconds)
  }
}

/// Limits how often the app is notified of battery levels (rule P3).
struct LevelThrottle: Hashable, Sendable, BitwiseCopyable {
  /// The instant at which the app last observed a level.
  private var last = Instant.distantPast
  private var alarm = Alarm()

  /// Records a notice if the throttle allows one now. Otherwise schedules a timer for the earliest allowed
  /// instant.
  /// - Returns: Whether the app may be notified now.
  mutating func takeNotice(throttle: TimeSpan, at now: Instant, into out: inout PhoneOutput) -> Bool {
    let earliest = last == .distantPast ? now : last + throttle
    guard now >= earliest else {
      alarm.require(earliest, now: now, .batteryNotice, into: &out)
      return false
    }
    last = now
    return true
  }

  mutating func timerFired(at now: Instant) { alarm.fired(at: now) }
}

/// The next scheduled summary, which shows the notifications that are held for it (rule N12).
struct ScheduledSummary: Hashable, Sendable, BitwiseCopyable {
  /// The due instant on the wall clock.
  private var due = Instant.distantFuture
  private var alarm = Alarm()

  /// Schedules the summary for a wall-clock instant.
  ///
  /// - Parameter replaces: Whether `next` replaces an earlier due instant, for example after a change of
  ///   zone.
  mutating func schedule(
    _ next: Instant, replaces: Bool, _ clock: PhoneClock, now: Instant, into out: inout PhoneOutput
  ) {
    due = replaces ? next : min(due, next)
    alarm.require(clock.instant(ofWall: due), now: now, .summary, into: &out)
  }

  /// Checks whether the summary is due, and clears its due instant if so.
  /// - Returns: Whether the summary is due.
  mutating func timerFired(at now: Instant, wall: Instant) -> Bool {
    alarm.fired(at: now)
    guard wall >= due else { return false }
    due = .distantFuture
    return true
  }
}
