import CivilTime
import Geofencing
package import TriggerModel

/// One simulated phone: what happens to it, and what it tells the app under test.
///
/// A value: a copy continues exactly as the original would. It calls nobody; every call fills a
/// ``PhoneOutput`` with what really happened (truth), what the app is told (observed), and timers for
/// the future event list. Which truth is told, when and in what disguise, is the platform profile's.
///
/// Calls must come in the order of simulation time, `begin` first, and before it only `find`.
package struct Phone: Sendable {
  let blueprint: PhoneBlueprint
  let luck: PhoneLuck
  private let passing = HandedOnByAddress()

  // MARK: The phone
  package internal(set) var clock: PhoneClock
  package internal(set) var isOn = true
  package internal(set) var isLocked: Bool
  /// An app came to the front, though nobody said that the phone was unlocked for it.
  var isUsedSinceLock = false
  /// After a boot and before the first unlock, files cannot be read.
  package internal(set) var isBeforeFirstUnlock = false
  package internal(set) var battery: Battery
  /// The story says something of charger or level; otherwise the phone is charged when nobody looks.
  let isBatteryTold: Bool
  /// Somebody listens to every per cent.
  let stepsBattery: Bool
  package internal(set) var place = PlaceState()
  package internal(set) var locationPermission: LocationPermission
  package internal(set) var isPreciseLocation: Bool
  /// What is allowed of the place ends when our app is left.
  var isLocationOnce = false
  package internal(set) var screenTime: ScreenTimePermission
  /// The other apps whose use ours may not know of.
  var unchosenApps: Set<AppID>
  package internal(set) var isLocationOn = true
  package internal(set) var isFocused = false
  package internal(set) var hasSummary = false
  package internal(set) var isInAirplaneMode = false
  package internal(set) var allowsBackgroundRefresh = true
  package internal(set) var isInLowPowerMode = false
  var idle = IdleState()

  // MARK: Our app
  package internal(set) var process: AppProcess
  package var store = PhoneStore()
  var known: AppKnowledge
  var inbox = AppInbox()
  var reading: FactReading
  var wakes = WakeWishes()
  /// The system has lost them; the app asks for them again when it runs.
  var areWakesLost = false
  var refreshAlarm = Alarm()
  /// Our app was in front when the phone was locked, and will be when it is unlocked.
  var returnsAtUnlock = false
  /// When our app goes from the front by itself; `.distantFuture` unless a tap brought it there.
  var sessionEnds = Instant.distantFuture
  var sessionAlarm = Alarm()

  // MARK: Unlocks
  /// The phone was unlocked and the app has not been given a sign of it.
  var isUnlockUnseen = false
  /// When protected data becomes unavailable after the last lock; of meaning where that is the sign of an unlock.
  var dataLocksAt: Instant

  // MARK: Notifications
  package internal(set) var centre: NotificationCentre
  var deliveryAlarm = Alarm()
  var prompts = PromptHistory()
  var summaryAlarm = Alarm()
  /// On the wall clock: when what is held is to be shown.
  var summaryDue = Instant.distantFuture
  var channels: Channels
  var mayUseExactAlarms: Bool

  // MARK: Battery
  var batteryAlarm = Alarm()
  var levelNoticeAlarm = Alarm()
  /// When the app was last told a level.
  var lastLevelNotice = Instant.distantPast

  // MARK: Regions
  var crossingAlarm = Alarm()
  /// By region.
  var reporters: [RegionReporter] = []
  /// In the order of their due times.
  var reports: [RegionReport] = []
  var reportAlarm = Alarm()
  /// What the app wants to be told of leaving.
  var surroundings: WatchedSurroundings?
  /// Where and when the last significant change was.
  var lastSignificant: Fix?

  // MARK: Other apps
  var usage = UsageTracker()
  var usageAlarm = Alarm()
  var usageReports: [UsageReport] = []
  var usageReportAlarm = Alarm()
  /// The local day of the last report, and of the last unlock.
  var usageDays = UsageDays()

  package init(_ start: PhoneStart, blueprint: PhoneBlueprint) {
    let settings = blueprint.settings
    self.blueprint = blueprint
    luck = PhoneLuck(key: start.key, start: start.instant)
    clock = PhoneClock(start: start.instant, zone: start.zone)
    isLocked = start.isLocked
    dataLocksAt = start.instant
    locationPermission = start.locationPermission
    isPreciseLocation = start.isPreciseLocation
    screenTime = start.screenTime
    unchosenApps = Set(start.unchosenApps)
    isBatteryTold = start.isBatteryTold
    stepsBattery = start.stepsBattery
    battery = Battery(
      level: start.batteryLevel, isPluggedIn: start.isPluggedIn, at: start.instant,
      steps: blueprint.batterySteps, step: settings.levelStep, limit: settings.chargeLimit,
      holdLength: settings.chargeHold == .off ? nil : settings.chargeHoldLength)
    centre = NotificationCentre(rules: settings.centre, permission: start.notificationPermission)
    channels = Channels(areSilent: settings.channelsSilent)
    mayUseExactAlarms = settings.exactAlarms == .granted
    process = AppProcess(
      runsUntil: settings.backgroundExecution == .always ? .distantFuture : start.instant)
    reading = FactReading(blueprint.facts, denied: start.unreadable)
    known = AppKnowledge(
      zone: start.zone, isCharging: start.isPluggedIn && settings.batteryMonitored,
      level: battery.publicLevel, permission: start.notificationPermission)
  }

  /// What the phone's three clocks read at an instant of simulation time.
  package func moment(at instant: Instant) -> Moment { clock.moment(at: instant) }

  /// The regions that the phone really is in.
  package var inside: RegionSet { place.inside }

  @inline(__always)
  var settings: ProfileSettings { blueprint.settings }
  var zone: Zone { blueprint.zones[clock.zone] }

  /// Whether what is delivered now finds our app in front.
  package var isAppInFront: Bool { process.state == .foreground }

  /// Whether files cannot be read: the app finds an empty store.
  package var isStoreUnavailable: Bool { isBeforeFirstUnlock && settings.storeNeedsFirstUnlock }
}
