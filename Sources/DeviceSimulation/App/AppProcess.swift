package import TriggerModel

/// The process of the app under test.
package struct AppProcess: Hashable, Sendable, BitwiseCopyable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case foreground
    /// The app is not in front. The process runs until ``AppProcess/runsUntil`` and is then suspended.
    case background
    /// The system ended the process, or it never started. The system may start it again.
    case terminated
    /// The user swiped the app away. Some platforms do not start it again until the user opens it.
    case forceQuit
    /// The user stopped the app in the system's settings. Only the user can start it again.
    case stopped
  }

  package var state = State.background
  /// The end of execution in the background, in simulation time. Unused in states other than `background`.
  package var runsUntil: Instant

  /// Returns whether the app's code runs, so that the platform can notify it.
  package func isRunning(at instant: Instant) -> Bool {
    state == .foreground || (state == .background && instant < runsUntil)
  }

  /// Whether a process exists, running or suspended, and keeps its memory.
  package var exists: Bool { state == .foreground || state == .background }
}

/// The states that the app observed last.
///
/// The states are, for example, the zone, the clock and the charger. If a state changes while the process
/// does not run, the app observes the difference when it runs again. It never observes a change that was
/// reversed in between.
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

/// A session of the app that a tap opened (rule U1). The app leaves the front when the session ends.
struct TapSession: Hashable, Sendable, BitwiseCopyable {
  private var end = Instant.distantFuture
  private var alarm = Alarm()

  /// - Parameter length: The length of the session, or `nil` if it does not end automatically.
  mutating func begin(length: TimeSpan?, at now: Instant, into out: inout PhoneOutput) {
    end = length.map { now + $0 } ?? .distantFuture
    alarm.require(end, now: now, .session, into: &out)
  }

  /// Keeps the app in front until the scenario ends its session.
  mutating func cancel() { end = .distantFuture }

  /// Ends the session if its time has passed; otherwise schedules the timer again.
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
