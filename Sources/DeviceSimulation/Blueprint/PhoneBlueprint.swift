package import CivilTime
package import Geofencing
package import TriggerModel

/// What all phones of one program have in common and none of them changes: shared, never copied.
package final class PhoneBlueprint: Sendable {
  package let settings: ProfileSettings
  package let zones: ZoneTable
  /// nil for a program without places.
  package let regions: RegionTable?
  /// How many other apps the program names.
  package let appCount: Int
  /// By fact.
  package let facts: [FactAccess]
  package let names: LuckNames
  /// Links for which the system opens the browser, or another app.
  package let linksElsewhere: Set<LinkID>
  /// Reminders whose requests the system refuses, for what is attached to them.
  package let refused: Set<ReminderID>
  let batterySteps: BatterySteps

  /// The system cannot watch all places, so that an app must choose and know where it is.
  package let hasPlacesLeftOut: Bool

  package init(
    settings: ProfileSettings = ProfileSettings(), zones: ZoneTable, regions: RegionTable? = nil,
    appCount: Int = 0, facts: [FactAccess] = [], names: LuckNames = LuckNames(),
    linksElsewhere: Set<LinkID> = [], refused: Set<ReminderID> = []
  ) {
    self.settings = settings
    batterySteps = BatterySteps(settings.curve)
    self.zones = zones
    self.regions = regions
    hasPlacesLeftOut =
      settings.regionReporting == .delayed && settings.regionLimit > 0
      && regions.map { $0.regions.count > settings.regionLimit } ?? false
    self.appCount = appCount
    self.facts = facts
    self.names = names
    self.linksElsewhere = linksElsewhere
    self.refused = refused
  }
}
