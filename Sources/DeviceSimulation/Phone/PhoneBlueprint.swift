package import CivilTime

/// What all phones of one program have in common and none of them changes: shared, never copied.
package final class PhoneBlueprint: Sendable {
  package let settings: ProfileSettings
  package let zones: ZoneTable

  package init(settings: ProfileSettings = ProfileSettings(), zones: ZoneTable) {
    self.settings = settings
    self.zones = zones
  }
}
