/// When the app learns of something that happened without it.
package enum Visibility: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Whatever its process does.
  case atOnce
  /// When its process runs, or runs again.
  case nextRun
  case never
}

/// When the app's process executes.
package enum BackgroundExecution: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Always; whatever happens starts it.
  case always
  /// In front, and for a short while after it was woken.
  case limited
}

/// By which sign the app learns of an unlock (rules U1 to U3).
package enum UnlockSign: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every unlock is told.
  case everyUnlock
  /// Our app becomes active, whether the phone was unlocked or not.
  case didBecomeActive
  /// Protected data becomes available while our process runs.
  case protectedData
}

/// How an app's request to be woken at a time is served (rule U6).
package enum BackgroundWake: String, Sendable, CaseIterable, BitwiseCopyable {
  /// At that time.
  case exact
  /// Some time after it, if the system and the user allow it.
  case opportunistic
  /// As an alarm, which is as late as the alarms of its platform are.
  case alarm
  case never
}

/// How often the system asks the person for a permission (rules N9, L9 and D1).
package enum PermissionPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Until the person has answered.
  case once
  /// Once more after a first denial.
  case twice
  /// Whenever the app asks for what it may not do.
  case always
  /// It does not ask: the person decides in the system's settings alone.
  case never

  /// Whether it asks now.
  ///
  /// - Parameters:
  ///   - isDecided: The person has decided, or the settings say something.
  ///   - isAllowed: The app may do what it asks for.
  ///   - denials: How often the person has denied at the prompt.
  package func isShown(isDecided: Bool, isAllowed: Bool, denials: UInt32) -> Bool {
    switch self {
    case .always: !isAllowed
    case .once: !isDecided
    case .twice: !isDecided || !isAllowed && denials == 1
    case .never: false
    }
  }
}

/// When the system's prompt offers to let an app know the place at all times (rule L9).
package enum AlwaysPrompt: String, Sendable, CaseIterable, BitwiseCopyable {
  /// At every prompt.
  case atOnce
  /// At a second prompt, once, when the app may know the place while it is in use.
  case afterWhenInUse
  /// At none: only the system's settings offer it.
  case inSettings
}

/// How the system tells of regions (rules L1 to L15).
package enum RegionReporting: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Every region, at the instant at which its boundary is crossed.
  case geometric
  /// Regions that the app monitors, after cushion, dwell and latency.
  case delayed
}

/// What the app sees while the system holds the battery at 80 % (rule P6, disputed).
package enum ChargeHold: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The system does not hold.
  case off
  /// It holds, and the app sees a phone that charges.
  case seenAsCharging
  /// It holds, and the app sees a phone that is unplugged.
  case seenAsUnplugged
}

/// A fault in the reporting of other apps' usage (rule D3).
package enum UsageFault: String, Sendable, CaseIterable, BitwiseCopyable {
  case none
  /// Every threshold is reported at the first unlock of the day, used or not.
  case earlyBurst
  /// Nothing is reported.
  case neverWakes
  /// After the first report of a day nothing more until the next.
  case dailyStall
}

/// When facts that change on a locked phone reach the app (rule H2).
package enum LockedFacts: String, Sendable, CaseIterable, BitwiseCopyable {
  case atOnce, atUnlock
}

/// What the app is told of a region that the phone is already inside of when the app asks for it
/// (rule L6, disputed).
package enum InitialTrigger: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing.
  case none
  /// That it is inside, as a state.
  case state
  /// An enter.
  case enter
}

/// How much a notification may interrupt.
package enum InterruptionLevel: String, Sendable, CaseIterable, BitwiseCopyable {
  case active
  /// Breaks through focus and summary.
  case timeSensitive
}

/// Whether the alarms of an app come at their time (rule A2).
package enum ExactAlarms: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Whoever asks for one gets one; there is no permission for it.
  case always
  /// The app has the permission, until its user takes it back.
  case granted
  /// The app has no permission, unless its user gives it.
  case denied
}

/// When an app is started after a boot, to hand over again what the boot has lost (rule A6).
package enum BootStart: String, Sendable, CaseIterable, BitwiseCopyable {
  case atBoot
  /// When the phone is unlocked for the first time.
  case atFirstUnlock
  /// Not for the boot: when something else starts it.
  case never
}
