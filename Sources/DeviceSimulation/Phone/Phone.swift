import CivilTime
package import TriggerModel

/// One simulated phone: what happens to it, and what it tells the app under test.
///
/// A value: a copy continues exactly as the original would. It calls nobody; every call fills a
/// ``PhoneOutput`` with what really happened (truth), what the app is told (observed), and timers for
/// the future event list. Which truth is told, when and in what disguise, is the platform profile's.
///
/// Calls must come in the order of simulation time.
package struct Phone: Sendable {
  let blueprint: PhoneBlueprint
  package internal(set) var clock: PhoneClock
  package internal(set) var isOn = true
  package internal(set) var isLocked: Bool
  /// After a boot and before the first unlock, files cannot be read.
  package internal(set) var isBeforeFirstUnlock = false
  package internal(set) var process: AppProcess
  package internal(set) var centre: NotificationCentre
  /// Where the phone really is, by decree or by its fixes.
  package internal(set) var inside = RegionSet()
  package internal(set) var isPluggedIn: Bool
  package internal(set) var locationPermission: LocationPermission
  package internal(set) var isPreciseLocation: Bool
  package internal(set) var isFocused = false
  package internal(set) var hasSummary = false
  package internal(set) var isInAirplaneMode = false
  package internal(set) var allowsBackgroundRefresh = true
  package internal(set) var isInLowPowerMode = false

  /// Our app was in front when the phone was locked, and will be when it is unlocked.
  var returnsAtUnlock = false
  var known: AppKnowledge
  var inbox = AppInbox()
  var wakes = WakeWishes()
  var deliveryAlarm = Alarm()
  var heldForSummary: [RequestID] = []
  var summaryAlarm = Alarm()

  package init(_ start: PhoneStart, blueprint: PhoneBlueprint) {
    let settings = blueprint.settings
    self.blueprint = blueprint
    clock = PhoneClock(start: start.instant, zone: start.zone)
    isLocked = start.isLocked
    isPluggedIn = start.isPluggedIn
    locationPermission = start.locationPermission
    isPreciseLocation = start.isPreciseLocation
    centre = NotificationCentre(rules: settings.centre, permission: start.notificationPermission)
    process = AppProcess(
      runsUntil: settings.backgroundExecution == .always ? .distantFuture : start.instant)
    known = AppKnowledge(
      zone: start.zone, isCharging: start.isPluggedIn, permission: start.notificationPermission)
  }

  /// What the phone's three clocks read at an instant of simulation time.
  package func moment(at instant: Instant) -> Moment { clock.moment(at: instant) }

  var settings: ProfileSettings { blueprint.settings }
  var zone: Zone { blueprint.zones[clock.zone] }

  /// Whether what is delivered at `instant` finds our app in front.
  var isAppInFront: Bool { process.state == .foreground }

  /// Whether files cannot be read: the app finds an empty store.
  var isStoreUnavailable: Bool { isBeforeFirstUnlock && settings.storeNeedsFirstUnlock }
}
