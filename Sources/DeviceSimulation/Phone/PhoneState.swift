package import TriggerModel

/// Converts simulation time to the phone's wall clock, monotonic clock and zone.
package struct PhoneClock: Hashable, Sendable, BitwiseCopyable {
  /// How far ahead of simulation time the user has set the wall clock.
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

  /// Returns the instant of simulation time at which the wall clock, with its current setting, reads `wall`.
  package func instant(ofWall wall: Instant) -> Instant {
    wall == .distantFuture ? .distantFuture : wall - ahead
  }

  mutating func reboot(at instant: Instant) {
    boot += 1
    bootedAt = instant
  }
}

/// Tracks how long the phone is idle, for the maintenance windows of Doze (rule A3).
struct DozeState: Hashable, Sendable, BitwiseCopyable {
  /// Whether the scenario switched the screen off. Without such an event, the phone never dozes.
  var isScreenOff = false
  /// The instant at which the phone was last locked, unplugged or moved.
  var idleSince = Instant.distantPast
  /// The place where the phone rests, or `nil` if its position is unspecified.
  private var place: Coordinate?
  /// The instant at which an alarm last went off in Doze.
  var lastAlarm = Instant.distantPast

  /// The maximum distance between fixes of a resting phone, in degrees. It is about 100 m along the meridian.
  private static let jitter = 0.000_9

  /// Returns whether a coordinate is outside the place where the phone rests.
  func isElsewhere(_ coordinate: Coordinate) -> Bool {
    guard let place else { return true }
    let north = abs(coordinate.latitude - place.latitude)
    let east = abs(coordinate.longitude - place.longitude)
    return north > Self.jitter || east * DeterministicMath.cosDegrees(place.latitude) > Self.jitter
  }

  /// Records that the phone is at a coordinate, or on its way there.
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
  /// Each gap between windows is twice the previous gap, up to a maximum.
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
  /// The instant at which the app was last notified of a level.
  private var last = Instant.distantPast
  private var alarm = Alarm()

  /// Records a notice if the throttle allows one now; otherwise schedules a timer for the earliest allowed
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
  /// - Parameter replaces: Whether `next` replaces an earlier due instant, as after a change of zone.
  mutating func schedule(
    _ next: Instant, replaces: Bool, _ clock: PhoneClock, now: Instant, into out: inout PhoneOutput
  ) {
    due = replaces ? next : min(due, next)
    alarm.require(clock.instant(ofWall: due), now: now, .summary, into: &out)
  }

  /// Clears the due instant if the summary is due.
  /// - Returns: Whether the summary is due.
  mutating func timerFired(at now: Instant, wall: Instant) -> Bool {
    alarm.fired(at: now)
    guard wall >= due else { return false }
    due = .distantFuture
    return true
  }
}
