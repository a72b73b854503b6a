import CivilTime
import Geofencing
package import TriggerModel

/// One simulated phone: its true state and the events that it reports to the app under test.
///
/// A phone is a value: a copy continues exactly as the original would. Each call fills a ``PhoneOutput`` with
/// true events, observed events and timers for the future event list. The platform profile determines which
/// true events the app observes, when, and in which form.
///
/// Call the methods in the order of simulation time. Call `begin` first; only `find` may precede it.
package struct Phone: Sendable {
  let blueprint: PhoneBlueprint
  let draws: PhoneDraws
  private let passing = PassedIndirectly()

  // MARK: The phone
  package internal(set) var clock: PhoneClock
  package internal(set) var isOn = true
  package internal(set) var isLocked: Bool
  /// Whether the person used an app since the last lock. A scenario may omit the unlock before it.
  var isUsedSinceLock = false
  /// Whether the phone has not been unlocked since it booted. Until then, files are unreadable.
  package internal(set) var isBeforeFirstUnlock = false
  package internal(set) var battery: Battery
  /// Whether the scenario has events for the charger or the battery level. If not, the phone never enters low
  /// power mode.
  let isBatterySpecified: Bool
  /// Whether an observer needs every whole per cent of the battery level.
  let stepsBattery: Bool
  var batteryAlarm = Alarm()
  var levelThrottle = LevelThrottle()
  package internal(set) var isInLowPowerMode = false
  var doze = DozeState()
  package internal(set) var isLocationOn = true
  package internal(set) var isFocused = false
  package internal(set) var hasSummary = false
  package internal(set) var isInAirplaneMode = false
  package internal(set) var allowsBackgroundRefresh = true

  // MARK: The app under test
  package internal(set) var process: AppProcess
  package var store = PhoneStore()
  var known: AppKnowledge
  var inbox = AppInbox()
  var reading: FactReading
  var wakes = WakeRequests()
  var refreshAlarm = Alarm()
  package internal(set) var permissions: AppPermissions
  /// Whether locking the phone covered the app, which then returns to the foreground at the unlock.
  var returnsAtUnlock = false
  var session = TapSession()
  /// Whether the phone was unlocked without a sign that the app observed.
  var isUnlockUnseen = false
  /// The instant after the last lock at which protected data becomes unavailable. It has an effect only if
  /// the app infers unlocks from protected data.
  var dataLocksAt: Instant

  // MARK: Notifications
  package internal(set) var centre: NotificationCentre
  var deliveryAlarm = Alarm()
  var summary = ScheduledSummary()
  var channels: Channels

  // MARK: Place
  package internal(set) var place = PlaceState()
  var crossingAlarm = Alarm()
  var monitoring = RegionMonitoring()
  var significantChanges = SignificantChanges()

  // MARK: Other apps
  var usage = UsageMonitor()

  package init(_ start: PhoneStart, blueprint: PhoneBlueprint) {
    let settings = blueprint.settings
    self.blueprint = blueprint
    draws = PhoneDraws(key: start.key, start: start.instant)
    clock = PhoneClock(start: start.instant, zone: start.zone)
    isLocked = start.isLocked
    dataLocksAt = start.instant
    permissions = AppPermissions(
      location: start.locationPermission, isPreciseLocation: start.isPreciseLocation,
      screenTime: start.screenTime, unchosenApps: Set(start.unchosenApps),
      exactAlarms: settings.exactAlarms == .granted)
    isBatterySpecified = start.isBatterySpecified
    stepsBattery = start.stepsBattery
    battery = Battery(
      level: start.batteryLevel, isPluggedIn: start.isPluggedIn, at: start.instant,
      steps: blueprint.batterySteps, step: settings.levelStep, limit: settings.chargeLimit,
      holdLength: settings.chargeHold == .off ? nil : settings.chargeHoldLength)
    centre = NotificationCentre(rules: settings.centre, permission: start.notificationPermission)
    channels = Channels(areSilent: settings.channelsSilent)
    process = AppProcess(
      runsUntil: settings.backgroundExecution == .always ? .distantFuture : start.instant)
    reading = FactReading(blueprint.facts, denied: start.unreadable)
    known = AppKnowledge(
      zone: start.zone, isCharging: start.isPluggedIn && settings.batteryMonitored,
      level: battery.publicLevel, permission: start.notificationPermission)
  }

  /// Returns the readings of the phone's three clocks at an instant of simulation time.
  package func moment(at instant: Instant) -> Moment { clock.moment(at: instant) }

  /// The regions that contain the phone, whether or not the system has detected that.
  package var inside: RegionSet { place.inside }

  @inline(__always)
  var settings: ProfileSettings { blueprint.settings }
  var zone: Zone { blueprint.zones[clock.zone] }

  /// Whether the app under test is in the foreground.
  package var isAppInFront: Bool { process.state == .foreground }

  /// Whether the app's files are unreadable. The app then finds an empty store.
  package var isStoreUnavailable: Bool { isBeforeFirstUnlock && settings.storeNeedsFirstUnlock }
}

extension Phone: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(
      &self, \.clock, \.isOn, \.isLocked, \.isUsedSinceLock, \.isBeforeFirstUnlock, \.batteryAlarm,
      \.levelThrottle, \.isInLowPowerMode, \.doze, \.isLocationOn, \.isFocused, \.hasSummary,
      \.isInAirplaneMode, \.allowsBackgroundRefresh)
    parcel.carry(
      &self, \.process, \.refreshAlarm, \.returnsAtUnlock, \.session, \.isUnlockUnseen, \.dataLocksAt,
      \.deliveryAlarm, \.summary, \.crossingAlarm, \.significantChanges)
    battery.pack(in: &parcel)
    place.pack(in: &parcel)
    store.pack(in: &parcel)
    known.pack(in: &parcel)
    inbox.pack(in: &parcel)
    reading.pack(in: &parcel)
    wakes.pack(in: &parcel)
    permissions.pack(in: &parcel)
    centre.pack(in: &parcel)
    channels.pack(in: &parcel)
    monitoring.pack(in: &parcel)
    usage.pack(in: &parcel)
  }
}
