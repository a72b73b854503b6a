package import TriggerModel

/// The process of the app under test.
package struct AppProcess: Hashable, Sendable, BitwiseCopyable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case foreground
    /// The process runs in the background until ``AppProcess/runsUntil``. The system then suspends it.
    case background
    /// No process exists: it has not started yet, or the system ended it. The system may start one.
    case terminated
    /// The user swiped the app away. On some platforms only the user can start it again.
    case forceQuit
    /// The user stopped the app in the system's settings. Only the user can start it again.
    case stopped
  }

  package var state = State.background
  /// The simulation time at which the system suspends a background process. Ignored in other states.
  package var runsUntil: Instant

  /// Returns whether the app's code runs, so that the platform can notify it.
  package func isRunning(at instant: Instant) -> Bool {
    state == .foreground || (state == .background && instant < runsUntil)
  }

  /// Whether a process is in memory, running or suspended.
  package var exists: Bool { state == .foreground || state == .background }
}

/// The states of the phone that the app observed last, such as the zone, the clock and the charger.
///
/// If a state changes while the process is not running, the app observes the difference when the process runs
/// again. A change that was reversed in the meantime is never observed.
struct AppKnowledge: Hashable, Sendable {
  var ahead = TimeSpan.zero
  var zone: ZoneID
  var isCharging: Bool
  /// The battery level as the platform reports it, in per cent.
  var level: Int
  var permission: NotificationPermission
  /// Whether the store was readable when the process started.
  var storeReadable = true
  var inside = RegionSet()
}

extension AppKnowledge: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.ahead, \.zone, \.isCharging, \.level, \.permission, \.storeReadable)
    inside.pack(in: &parcel)
  }
}

/// A session in the app that a tap started (rule U1). The app leaves the foreground when the session ends.
struct TapSession: Hashable, Sendable, BitwiseCopyable {
  private var end = Instant.distantFuture
  private var alarm = Alarm()

  /// - Parameter length: The length of the session, or `nil` if only a later event ends it.
  mutating func begin(length: TimeSpan?, at now: Instant, into out: inout PhoneOutput) {
    end = length.map { now + $0 } ?? .distantFuture
    alarm.require(end, now: now, .session, into: &out)
  }

  /// Cancels the timed end of the session. A later event of the scenario ends it.
  mutating func cancel() { end = .distantFuture }

  /// Ends the session if it is due. Otherwise schedules the timer again.
  /// - Returns: Whether the session ended.
  mutating func timerFired(at now: Instant, into out: inout PhoneOutput) -> Bool {
    alarm.fired(at: now)
    guard now >= end else {
      alarm.require(end, now: now, .session, into: &out)
      return false
    }
    end = .distantFuture
    return true
  }
}
