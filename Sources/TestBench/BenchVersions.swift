import CivilTime
import Geofencing

/// The versions of what has an influence on results besides the tool itself.
package enum BenchVersions {
  package static var timeZoneData: String { Zone.dataVersion }
  package static var geos: String { GEOSVersion.text }
}
