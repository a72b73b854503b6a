package import Geofencing

/// What a worker needs to follow fixes through a program's regions: a monitor for the truth and, where
/// the system does not report geometry, two for what it sees. Monitors serve one thread at a time, so
/// every worker makes its own.
package final class PlaceWatch {
  /// In the order of ``PlaceState/Circle``: the truth, then the system's circles, one to be entered and
  /// one to be left.
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

/// At which distances from its centre the system takes a region for entered and for left, in metres
/// (rules L3, L5 and L7).
package struct SystemRadii: Hashable, Sendable, BitwiseCopyable {
  package let enter: Double
  package let exit: Double

  package init(radius: Double, _ settings: ProfileSettings) {
    let effective = max(radius, settings.minimumRadius)
    // Going in, a cushion of more than half the radius would ask for more than anybody does in a shop.
    enter = effective - min(settings.regionCushion, effective / 2)
    let left = max(effective * settings.exitFactor, effective + settings.regionCushion)
    exit = min(max(left, settings.exitMinimumDistance), CircularRegion.largestRadius)
  }
}
