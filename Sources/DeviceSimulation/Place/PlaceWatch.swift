package import Geofencing

/// The monitors with which one worker detects that phones cross the boundaries of a program's regions.
///
/// One monitor computes the truth. If the system does not report the exact geometry, two more monitors follow
/// the system's circles. A monitor serves one thread at a time, so every worker creates its own watch.
package final class PlaceWatch {
  /// The monitors in the order of ``PlaceState/Circle``: the region itself, then the circles for the system's
  /// enters and exits.
  let monitors: [RegionMonitor]

  package init(_ blueprint: PhoneBlueprint) throws(RegionProblem) {
    let settings = blueprint.settings
    let table: RegionTable
    if let regions = blueprint.regions { table = regions } else { table = try RegionTable([]) }
    guard settings.regionReporting == .delayed else {
      monitors = [RegionMonitor(table)]
      return
    }
    var enters: [CircularRegion] = []
    var exits: [CircularRegion] = []
    for region in table.regions {
      let radii = SystemRadii(radius: region.radius, settings)
      enters.append(try CircularRegion(id: region.id, center: region.center, radius: radii.enter))
      exits.append(try CircularRegion(id: region.id, center: region.center, radius: radii.exit))
    }
    monitors = [
      RegionMonitor(table), RegionMonitor(try RegionTable(enters)), RegionMonitor(try RegionTable(exits)),
    ]
  }
}

/// The radii at which the system detects an enter and an exit of a region, in metres (rules L3, L5 and L7).
package struct SystemRadii: Hashable, Sendable, BitwiseCopyable {
  package let enter: Double
  package let exit: Double

  package init(radius: Double, _ settings: ProfileSettings) {
    let effective = max(radius, settings.minimumRadius)
    // The cushion is at most half the radius, because people do not walk far into a shop.
    enter = effective - min(settings.regionCushion, effective / 2)
    let left = max(effective * settings.exitFactor, effective + settings.regionCushion)
    exit = min(max(left, settings.exitMinimumDistance), CircularRegion.largestRadius)
  }
}
