package import CivilTime
package import Geofencing
package import TriggerModel

/// The immutable data shared by all phones of one program.
package final class PhoneBlueprint: Sendable {
  package let settings: ProfileSettings
  package let zones: ZoneTable
  /// The regions, or `nil` for a program without places.
  package let regions: RegionTable?
  /// The number of other apps in the program.
  package let appCount: Int
  /// For each fact, its source and the value that the app assumes while it cannot read the source.
  package let facts: [FactAccess]
  package let names: DrawNames
  /// The links that the system opens in the browser or another app.
  package let linksElsewhere: Set<LinkID>
  /// The reminders whose requests the system refuses because an attachment is too large.
  package let refused: Set<ReminderID>
  let batterySteps: BatterySteps

  /// Whether the program has more places than the system can monitor. If so, the app needs its position to
  /// select the places that the system monitors.
  package let hasPlacesLeftOut: Bool

  package init(
    settings: ProfileSettings = ProfileSettings(), zones: ZoneTable, regions: RegionTable? = nil,
    appCount: Int = 0, facts: [FactAccess] = [], names: DrawNames = DrawNames(),
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
