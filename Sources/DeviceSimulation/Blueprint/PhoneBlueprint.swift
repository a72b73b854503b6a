package import CivilTime
package import Geofencing
package import TriggerModel

/// The immutable data that all phones of one program share.
package final class PhoneBlueprint: Sendable {
  package let settings: ProfileSettings
  package let zones: ZoneTable
  /// The regions, or `nil` for a program without places.
  package let regions: RegionTable?
  /// The number of other apps that the program names.
  package let appCount: Int
  /// By fact.
  package let facts: [FactAccess]
  package let names: DrawNames
  /// The links for which the system opens the browser or another app.
  package let linksElsewhere: Set<LinkID>
  /// The reminders whose requests the system refuses because of their attachments.
  package let refused: Set<ReminderID>
  let batterySteps: BatterySteps

  /// Whether the program has more places than the system monitors, so that an app must know its position to
  /// choose among them.
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
