package import TriggerModel

/// The process of the app under test.
package struct AppProcess: Hashable, Sendable, BitwiseCopyable {
  package enum State: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case foreground
    /// Not in front; it executes until ``AppProcess/runsUntil`` and is suspended from then on.
    case background
    /// Ended by the system, or never started; the system may start it again.
    case terminated
    /// Ended by the user, which the platform takes as a wish to be left alone.
    case forceQuit
    /// Stopped by the user in the system's settings, which nothing but the user undoes.
    case stopped
  }

  package var state = State.background
  /// Simulation time; of meaning in the background only.
  package var runsUntil: Instant

  /// Whether its code executes, so that the platform can tell it something.
  package func isRunning(at instant: Instant) -> Bool {
    state == .foreground || (state == .background && instant < runsUntil)
  }

  /// Whether a process exists, suspended ones included: its memory is still there.
  package var exists: Bool { state == .foreground || state == .background }
}
