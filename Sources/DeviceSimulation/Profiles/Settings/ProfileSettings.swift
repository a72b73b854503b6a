package import TriggerModel

/// A platform profile in the packed form that a phone reads.
///
/// The initial values are those of the profile `ideal`, in which the app observes every true event
/// immediately. One rule of ``PlatformRules`` sets each field and documents its meaning, unit and source.
package struct ProfileSettings: Hashable, Sendable, BitwiseCopyable {
  // MARK: Notifications
  package var centre = CentreRules()
  package var pendingDropSeen = Visibility.atOnce
  package var deliveredSeen = Visibility.atOnce
  package var dismissSeen = Visibility.atOnce
  package var floatingMoves = true
  /// Whether a request is delivered if a change of zone skips its local time. If not, the request is lost.
  package var jumpedOverShown = true
  /// Whether a request that the system repeats starts at the first time that matches its pattern.
  package var repeatsIgnoreStart = false
  /// Whether several missed occurrences of a repeated request are shown as one notification.
  package var missedRepeatsOnce = true
  package var permissionPrompt = PermissionPrompt.always
  package var locationPrompt = PermissionPrompt.always
  package var alwaysPrompt = AlwaysPrompt.atOnce
  package var screenTimePrompt = PermissionPrompt.always
  package var provisionalIsQuiet = true
  package var criticalLevel = InterruptionLevel.timeSensitive
  package var focusHides = true
  package var summaryHolds = true
  /// The minute of the local day at which the summary is shown.
  package var summaryMinute = 18 * 60
  package var presentsInForeground = true
  package var deliveryLatenessFrom = TimeSpan.zero
  package var deliveryLatenessTo = TimeSpan.zero
  package var focusHidesList = false
  package var channels = true
  package var channelsSilent = false
  /// The system version that the app targets, as an Android API level.
  package var targetVersion = 34
  package var reinstallResetsPermission = false
  /// The maximum length of a title in characters, or 0 if titles are not truncated.
  package var titleLimit = 0
  package var attachmentsLimited = false

  // MARK: Alarms
  package var exactAlarms = ExactAlarms.always
  /// The time without use after which the phone enters Doze and defers alarms, or zero if it never does.
  package var dozeAfter = TimeSpan.zero
  package var dozeFirstWindow = TimeSpan.hours(1)
  package var dozeLongestWindow = TimeSpan.hours(6)
  package var alarmsWhileIdle = true
  package var idleAlarmInterval = TimeSpan.zero
  package var saverLateness = TimeSpan.zero
  /// Whether any rule can delay an alarm.
  package var alarmsMayBeLate: Bool { exactAlarms != .always || dozeAfter > .zero || saverLateness > .zero }

  // MARK: Place
  package var regionReporting = RegionReporting.geometric
  /// The maximum number of regions, or 0 if there is no limit.
  package var regionLimit = 0
  /// The maximum radius in metres, or 0 if there is no limit.
  package var maximumRadius = 0.0
  package var minimumRadius = 0.0
  package var regionDwell = TimeSpan.zero
  package var regionCushion = 0.0
  package var exitFactor = 1.0
  package var exitMinimumDistance = 0.0
  /// The mean delay of a report. Delays are uniformly distributed between zero and twice the mean.
  package var regionLatency = TimeSpan.zero
  package var initialTrigger = InitialTrigger.state
  /// Whether the system reports an enter when the app registers a region from inside.
  package var reportsInitialEnters: Bool { regionReporting == .delayed && initialTrigger == .enter }
  package var regionsNeedAlways = false
  package var regionsNeedPrecise = false
  package var regionsNeedNetwork = false
  package var regionsNeedRefresh = false
  /// The percentage of crossings that do not start an app which the user swiped away.
  package var forceQuitBlocksRegions = 0.0
  package var significantChangeWakes = false
  package var significantChangeDistance = 500.0
  package var significantChangeInterval = TimeSpan.seconds(300)
  package var regionsSurviveReboot = true
  package var locationOffRemovesRegions = false

  // MARK: Battery
  package var batteryMonitored = true
  package var levelStep = 1
  package var levelThrottle = TimeSpan.zero
  package var chargerSeen = Visibility.atOnce
  package var chargeHold = ChargeHold.off
  package var chargeHoldLength = TimeSpan.hours(4)
  package var chargeLimit = 100
  package var lowPowerOnAt = 0
  package var lowPowerOffAt = 80
  package var lowPowerStopsRefresh = false
  package var curve = BatteryCurve()

  // MARK: Life cycle
  package var backgroundExecution = BackgroundExecution.always
  package var backgroundTime = TimeSpan.seconds(10)
  /// The duration of a session that a tap started. If zero, the app stays in the foreground until the
  /// scenario ends the session.
  package var sessionLength = TimeSpan.minutes(30)
  package var unlockSign = UnlockSign.everyUnlock
  /// The percentage of true unlock signs that reach the app.
  package var unlockRecall = 100.0
  /// The number of additional activations each time the person pulls down Notification Centre.
  package var activationsPerPull = 0
  package var activationsPerSheet = 0
  package var protectedDataFrom = TimeSpan.zero
  package var protectedDataTo = TimeSpan.zero
  package var storeNeedsFirstUnlock = false
  package var forceQuitStopsRefresh = false
  package var forceQuitUntilOpened = false
  package var forceStopRemoves = false
  package var bootStart = BootStart.atBoot
  package var updateStarts = true
  package var updateLosesPending = false
  package var clockChangeWakes = true
  package var backgroundWake = BackgroundWake.exact
  /// The mean delay of a background refresh. Delays are uniformly distributed between zero and twice the
  /// mean.
  package var refreshDelay = TimeSpan.zero
  /// The maximum number of monitored apps, or 0 if there is no limit.
  package var usageAppLimit = 0
  package var usageInterval = TimeSpan.minutes(15)
  package var usageThreshold = TimeSpan.zero
  /// The mean delay of a usage report. Delays are uniformly distributed between zero and twice the mean.
  package var usageLag = TimeSpan.zero
  package var usageFault = UsageFault.none
  package var lockedFacts = LockedFacts.atOnce

  package init() {}
}

extension ProfileSettings {
  /// The limit on the system's prompts for notifications. An app for Android 13 or later requests the
  /// permission itself. For an older app the system does so, and a denial is final (rule A9).
  var notificationPrompt: PermissionPrompt {
    permissionPrompt == .twice && targetVersion < 33 ? .once : permissionPrompt
  }

  /// The maximum size of an attachment in megabytes, or `nil` if the system has no limit.
  ///
  /// Source: developer.apple.com, UNNotificationAttachment, its table of supported file types.
  package func attachmentLimit(_ kind: NotificationAttachment.Kind) -> Int? {
    guard attachmentsLimited else { return nil }
    return switch kind {
    case .audio: 5
    case .image: 10
    case .movie: 50
    }
  }

  /// Returns whether the system accepts a request with this attachment.
  package func takes(_ attachment: NotificationAttachment) -> Bool {
    attachmentLimit(attachment.kind).map { attachment.kilobytes <= $0 * 1_024 } ?? true
  }
}
