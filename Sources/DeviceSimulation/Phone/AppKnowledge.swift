import Geofencing
import TriggerModel

/// What the app was last told of the state of things.
///
/// Zone, clock, charger and the like are states: a process that did not run while they changed finds
/// the difference when it runs again, and is told of that. What came and went in between it never
/// learns.
struct AppKnowledge: Hashable, Sendable {
  var ahead = TimeSpan.zero
  var zone: ZoneID
  var isCharging: Bool
  /// The level as the platform tells it, in per cent.
  var level: Int
  var permission: NotificationPermission
  /// Whether the store could be read when the process was started.
  var storeReadable = true
  var inside = RegionSet()
}
