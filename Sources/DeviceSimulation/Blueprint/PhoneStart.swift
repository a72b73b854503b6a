package import SimulationKernel
package import TriggerModel

/// The state of a phone at the beginning of a scenario.
package struct PhoneStart: Hashable, Sendable {
  /// The start of the scenario in simulation time.
  package var instant: Instant
  package var zone: ZoneID
  /// The key of the phone's random draws, derived from the seed, the person, the device and the purpose
  /// `device`.
  package var key: RandomKey
  package var notificationPermission = NotificationPermission.authorized
  package var locationPermission = LocationPermission.always
  package var isPreciseLocation = true
  package var screenTime = ScreenTimePermission.approved
  /// The other apps whose use the app under test may not monitor.
  package var unchosenApps: [AppID] = []
  /// The sources of facts that the app may not read.
  package var unreadable: [FactSourceID] = []
  package var isLocked = true
  package var isPluggedIn = false
  /// The initial battery level in per cent, 0…100.
  package var batteryLevel = 80.0
  /// Whether the scenario has events for the charger or the battery level. If not, the phone never enters low
  /// power mode, because nothing would end it.
  package var isBatterySpecified = true
  /// Whether an observer needs every whole per cent of the battery level. If not, the battery advances
  /// directly to the next level that has an effect.
  package var stepsBattery = true

  package init(
    instant: Instant, zone: ZoneID, key: RandomKey = RandomKey(seed: 0, person: 0, purpose: .device)
  ) {
    self.instant = instant
    self.zone = zone
    self.key = key
  }
}
