package import TriggerModel

/// A timer that a phone schedules in the future event list.
///
/// A timer only prompts a check: when it fires, the phone performs everything that is due. Timers are
/// therefore never cancelled, and an outdated timer has no effect.
package enum PhoneTimer: Hashable, Sendable, BitwiseCopyable {
  /// A pending notification is due.
  case delivery
  /// The scheduled summary is due.
  case summary
  /// A wake-up that the engine requested, for a reminder or for deferred requests, is due.
  case wake(ReminderID)
  /// The system may grant the app background time.
  case backgroundRefresh
  /// The battery reaches its next level, or a charge hold ends.
  case battery
  /// The throttle interval is over, so a suppressed battery level may be reported.
  case batteryNotice
  /// The track crosses a region's boundary.
  case crossing
  /// The phone has stayed beyond a region's boundary for the dwell time.
  case regionDwell(RegionID)
  /// The system reports a region to the app.
  case regionReport
  /// The use of the app in the foreground reaches the usage threshold.
  case usageThreshold
  /// The system reports another app's usage to the app.
  case usageReport
  /// A session in the app that a tap started ends.
  case session
}

/// An entry for the future event list, in simulation time.
package struct ScheduledTimer: Hashable, Sendable, BitwiseCopyable {
  /// The instant at which the timer fires, at or after the instant at which it was scheduled.
  package var instant: Instant
  package var timer: PhoneTimer
}

/// The earliest timer for one purpose that has not fired yet.
///
/// If the deadline moves to a later instant, the earlier timer stays, and no second one is scheduled.
struct Alarm: Hashable, Sendable, BitwiseCopyable {
  private var next = Instant.distantFuture

  /// Ensures that a timer fires at `instant`, or now if that instant has passed.
  mutating func require(_ instant: Instant, now: Instant, _ timer: PhoneTimer, into out: inout PhoneOutput) {
    guard instant < next else { return }
    next = max(instant, now)
    out.timers.append(ScheduledTimer(instant: next, timer: timer))
  }

  /// Clears the timer if it fired.
  mutating func fired(at now: Instant) {
    if now >= next { next = .distantFuture }
  }
}

/// A report that the system delivers to the app some time after the event that caused it.
protocol DelayedReport: Hashable, Sendable, BitwiseCopyable {
  /// The simulation time at which the report is due.
  var due: Instant { get }
}

/// The undelivered reports, in the order of their due times.
struct ReportQueue<Report: DelayedReport>: Hashable, Sendable {
  private(set) var reports: [Report] = []
  private var alarm = Alarm()
  private let timer: PhoneTimer

  init(timer: PhoneTimer) { self.timer = timer }

  mutating func add(_ report: Report, now: Instant, into out: inout PhoneOutput) {
    reports.insert(report, at: reports.partition { $0.due <= report.due })
    alarm.require(report.due, now: now, timer, into: &out)
  }

  mutating func removeAll(where isGone: (Report) -> Bool) { reports.removeAll(where: isGone) }

  mutating func timerFired(at now: Instant) { alarm.fired(at: now) }

  /// Removes and returns the first report if it is due, or returns `nil` otherwise.
  mutating func takeDue(at now: Instant) -> Report? {
    guard let report = reports.first, report.due <= now else { return nil }
    return reports.removeFirst()
  }

  /// Schedules a timer for the next report, if there is one.
  mutating func scheduleNext(now: Instant, into out: inout PhoneOutput) {
    if let next = reports.first { alarm.require(next.due, now: now, timer, into: &out) }
  }
}

extension ReportQueue: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&alarm)
    parcel.carry(&reports)
  }
}
