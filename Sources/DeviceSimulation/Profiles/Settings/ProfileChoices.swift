/// The time at which the app observes an event that happened while it was not running.
package enum Visibility: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Immediately. The platform starts the process if necessary.
  case atOnce
  /// While the process runs. If it is not running, the next time that it runs.
  case nextRun
  case never
}

/// The times at which the app's process runs.
package enum BackgroundExecution: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Always. Any event starts the process.
  case always
  /// While the app is in front, and briefly after the system wakes it.
  case limited
}

/// The sign from which the app infers an unlock (rules U1 to U3).
package enum UnlockSign: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every unlock is reported.
  case everyUnlock
  /// The app becomes active, which can also happen without an unlock.
  case didBecomeActive
  /// Protected data becomes available while the app's process runs.
  case protectedData
}

/// The time at which the platform serves an app's wake-up request (rule U6).
package enum BackgroundWake: String, Sendable, CaseIterable, BitwiseCopyable {
  /// At the requested time.
  case exact
  /// After the requested time, if the system and the user allow it.
  case opportunistic
  /// As an alarm, with the delays of the platform's alarms.
  case alarm
  case never
}

/// The number of times that the system asks the person for a permission (rules N9, L9 and D1).
package enum PermissionPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Only until the person has answered.
  case once
  /// A second time after a first denial.
  case twice
  /// Whenever the app requests a permission that it does not have.
  case always
  /// Never. The person changes the permission only in the system's settings.
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

/// The prompts that offer the location permission "Always" (rule L9).
package enum AlwaysPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every prompt offers it.
  case atOnce
  /// A second prompt offers it. It is shown once, to an app with the permission "When In Use".
  case afterWhenInUse
  /// No prompt offers it. Only the system's settings do.
  case inSettings
}

/// The regions that the system reports, and their timing (rules L1 to L15).
package enum RegionReporting: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every region, at the instant at which its boundary is crossed.
  case geometric
  /// Regions that the app monitors, after cushion, dwell and latency.
  case delayed
}

/// The effect on the app while the system holds the battery at 80 % (rule P6, disputed).
package enum ChargeHold: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The system does not hold the battery.
  case off
  /// The system holds the battery, and the app observes a charging phone.
  case seenAsCharging
  /// The system holds the battery, and the app observes an unplugged phone.
  case seenAsUnplugged
}

/// A fault of the system in reporting the usage of other apps (rule D3).
package enum UsageFault: String, Sendable, CaseIterable, BitwiseCopyable {
  case none
  /// At the first unlock of the day, every threshold is reported even if it was not reached.
  case earlyBurst
  /// Nothing is reported.
  case neverWakes
  /// Only the first report of a day is delivered.
  case dailyStall
}

/// The time at which the app observes facts that change on a locked phone (rule H2).
package enum LockedFacts: String, Sendable, CaseIterable, BitwiseCopyable {
  case atOnce, atUnlock
}

/// The report for a newly registered region that already contains the phone (rule L6, disputed).
package enum InitialTrigger: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing.
  case none
  /// The state of the region: the phone is inside.
  case state
  /// An enter event.
  case enter
}

/// The degree to which a notification may interrupt.
package enum InterruptionLevel: String, Sendable, CaseIterable, BitwiseCopyable {
  case active
  /// Breaks through Focus and the scheduled summary.
  case timeSensitive
}

/// Whether an app's alarms fire exactly at their time (rule A2).
package enum ExactAlarms: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Always. No permission is needed.
  case always
  /// The app has the permission until the user revokes it.
  case granted
  /// The app has no permission unless the user grants it.
  case denied
}

/// The time at which the system starts an app after a boot, so that it can repeat the requests that the boot
/// removed (rule A6).
package enum BootStart: String, Sendable, CaseIterable, BitwiseCopyable {
  case atBoot
  /// When the phone is unlocked for the first time.
  case atFirstUnlock
  /// The boot does not start the app. Only another event does.
  case never
}
