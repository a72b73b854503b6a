package import TriggerModel

/// What a phone wants to be reminded of by the future event list.
///
/// A timer is a hint to look, not a command: whoever is woken does what is due at that instant, and
/// nothing when nothing is. Timers are therefore never cancelled; one that has been overtaken by
/// events does no harm.
package enum PhoneTimer: Hashable, Sendable, BitwiseCopyable {
  /// A pending notification is due.
  case delivery
  /// Held notifications are due for the scheduled summary.
  case summary
  /// A wake-up that the engine asked for, for a reminder or for held requests.
  case wake(ReminderID)
  /// The system may grant our app some time in the background.
  case backgroundRefresh
  /// The battery reaches its next level, or the end of a charge hold.
  case battery
  /// A battery level that was held back by the throttle may be told.
  case batteryNotice
  /// The track crosses a region's boundary.
  case crossing
  /// A region's boundary has been left behind for the dwell time.
  case regionDwell(RegionID)
  /// The system gets round to telling our app of a region.
  case regionReport
  /// Another app has been in front for as long as the usage threshold says.
  case usageThreshold
  /// The system gets round to telling our app of another app's usage.
  case usageReport
  /// Our app has been in front for as long as a session lasts.
  case session
}

/// An entry for the future event list, in simulation time.
package struct ScheduledTimer: Hashable, Sendable, BitwiseCopyable {
  /// Not before the instant at which it was asked for.
  package var instant: Instant
  package var timer: PhoneTimer
}

/// The earliest outstanding timer for one purpose, so that a deadline that stays the same, or moves
/// later, asks for no second one.
struct Alarm: Hashable, Sendable, BitwiseCopyable {
  private var next = Instant.distantFuture

  /// Sees to it that somebody looks at `instant`, or at once when that has passed.
  mutating func require(_ instant: Instant, now: Instant, _ timer: PhoneTimer, into out: inout PhoneOutput) {
    guard instant < next else { return }
    next = max(instant, now)
    out.timers.append(ScheduledTimer(instant: next, timer: timer))
  }

  /// To be called when a timer of this purpose fires.
  mutating func fired(at now: Instant) {
    if now >= next { next = .distantFuture }
  }
}
