package import TriggerModel

/// What the app was last told of the state of things.
///
/// Zone, clock, charger and the like are states: a process that did not run while they changed finds
/// the difference when it runs again, and is told of that. What came and went in between it never
/// learns.
package struct AppKnowledge: Hashable, Sendable {
  package var ahead = TimeSpan.zero
  package var zone: ZoneID
  package var isCharging: Bool
  /// The level as the platform tells it, in per cent.
  package var level: Int
  package var permission: NotificationPermission
  /// Whether the store could be read when the process was started.
  package var storeReadable = true
  package var inside = RegionSet()

  /// - Parameter level: In per cent.
  package init(zone: ZoneID, isCharging: Bool, level: Int, permission: NotificationPermission) {
    self.zone = zone
    self.isCharging = isCharging
    self.level = level
    self.permission = permission
  }
}

extension AppKnowledge: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.ahead, \.zone, \.isCharging, \.level, \.permission, \.storeReadable)
    inside.pack(in: &parcel)
  }
}
