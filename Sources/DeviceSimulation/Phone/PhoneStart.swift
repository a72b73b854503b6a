package import SimulationKernel
package import TriggerModel

/// How a phone is found at the beginning of a scenario.
package struct PhoneStart: Hashable, Sendable {
  /// Simulation time.
  package var instant: Instant
  package var zone: ZoneID
  /// Names the phone's draws: seed, person and device, with the purpose `device`.
  package var key: RandomKey
  package var notificationPermission = NotificationPermission.authorized
  package var locationPermission = LocationPermission.always
  package var isPreciseLocation = true
  package var screenTime = ScreenTimePermission.approved
  /// The other apps whose use ours may not know of.
  package var unchosenApps: [AppID] = []
  /// The sources of facts that the user does not let the app read.
  package var unreadable: [FactSourceID] = []
  package var isLocked = true
  package var isPluggedIn = false
  /// Per cent, 0 … 100.
  package var batteryLevel = 80.0
  /// The story says something of charger or level. Of a phone whose charger it never speaks of nobody knows how
  /// empty it is: it does not fall into low power mode, which nothing would end.
  package var isBatteryTold = true
  /// Somebody listens to every per cent of the battery; otherwise it is advanced to the instants at which something
  /// comes of its level.
  package var stepsBattery = true

  package init(
    instant: Instant, zone: ZoneID, key: RandomKey = RandomKey(seed: 0, person: 0, purpose: .device)
  ) {
    self.instant = instant
    self.zone = zone
    self.key = key
  }
}
