/// The time at which the app observes an event.
package enum Visibility: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Immediately. The platform starts the process if it is not running.
  case atOnce
  /// Immediately if the process is running, or otherwise when it next runs.
  case nextRun
  case never
}

/// The times at which the app's process can run.
package enum BackgroundExecution: String, Sendable, CaseIterable, BitwiseCopyable {
  /// At any time. Every event starts the process.
  case always
  /// While the app is in the foreground, and for a short time after the system wakes it.
  case limited
}

/// The sign from which the app infers that the phone was unlocked (rules U1 to U3).
package enum UnlockSign: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The platform reports every unlock.
  case everyUnlock
  /// The app becomes active, which can also happen without an unlock.
  case didBecomeActive
  /// Protected data becomes available while the app's process runs.
  case protectedData
}

/// The time at which the platform serves an app's request to be woken (rule U6).
package enum BackgroundWake: String, Sendable, CaseIterable, BitwiseCopyable {
  /// At the requested time.
  case exact
  /// At or after the requested time, if the system and the user allow it.
  case opportunistic
  /// As an alarm, with the lateness of the platform's alarms.
  case alarm
  case never
}

/// The limit on the system's prompts for a permission (rules N9, L9 and D1).
package enum PermissionPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Until the person has answered.
  case once
  /// A second time after the person denied the first prompt.
  case twice
  /// Whenever the app requests a permission that it does not have.
  case always
  /// Never. The person can change the permission only in the system settings.
  case never

  /// Returns whether the prompt is shown.
  ///
  /// - Parameters:
  ///   - isDecided: Whether the person has decided, at a prompt or in the settings.
  ///   - isAllowed: Whether the app has the permission.
  ///   - denials: The number of denials at the prompt.
  package func isShown(isDecided: Bool, isAllowed: Bool, denials: UInt32) -> Bool {
    switch self {
    case .always: !isAllowed
    case .once: !isDecided
    case .twice: !isDecided || !isAllowed && denials == 1
    case .never: false
    }
  }
}

/// The prompt that offers the location permission Always (rule L9).
package enum AlwaysPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every prompt offers it.
  case atOnce
  /// A second prompt offers it. The system shows that prompt once, to an app that has When In Use.
  case afterWhenInUse
  /// No prompt offers it. Only the system settings do.
  case inSettings
}

/// The region crossings that the system reports, and the times of the reports (rules L1 to L15).
package enum RegionReporting: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every crossing, at the exact instant.
  case geometric
  /// Crossings of registered regions, after the cushion, the dwell time and the latency.
  case delayed
}

/// The state that the app observes while the system holds the charge at 80 % (rule P6, disputed).
package enum ChargeHold: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The system does not hold the charge.
  case off
  /// The system holds the charge, and the app observes a charging phone.
  case seenAsCharging
  /// The system holds the charge, and the app observes an unplugged phone.
  case seenAsUnplugged
}

/// A bug in the system's reports about the use of other apps (rule D3).
package enum UsageFault: String, Sendable, CaseIterable, BitwiseCopyable {
  case none
  /// The first unlock of a day reports every threshold, even if it was not reached.
  case earlyBurst
  /// The system reports nothing.
  case neverWakes
  /// The system delivers only the first report of a day.
  case dailyStall
}

/// The time at which the app observes facts that change while the phone is locked (rule H2).
package enum LockedFacts: String, Sendable, CaseIterable, BitwiseCopyable {
  case atOnce, atUnlock
}

/// The system's report when the app registers a region that already contains the phone (rule L6, disputed).
package enum InitialTrigger: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing.
  case none
  /// The state: the phone is inside.
  case state
  /// An enter.
  case enter
}

/// The degree to which a notification may interrupt the person.
package enum InterruptionLevel: String, Sendable, CaseIterable, BitwiseCopyable {
  case active
  /// Passes Focus and the scheduled summary.
  case timeSensitive
}

/// Whether an app's alarms go off exactly at the requested time (rule A2).
package enum ExactAlarms: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Always, without a permission.
  case always
  /// While the app has the permission, which the user may revoke.
  case granted
  /// Only after the user grants the permission.
  case denied
}

/// The time at which the system starts an app after a boot, so that the app can repeat the requests that the
/// boot removed (rule A6).
package enum BootStart: String, Sendable, CaseIterable, BitwiseCopyable {
  case atBoot
  /// At the first unlock after the boot.
  case atFirstUnlock
  /// Never. Only another event starts the app.
  case never
}
