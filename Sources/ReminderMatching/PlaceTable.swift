package import TriggerModel

/// The locations of the regions that reminders name. The table chooses which regions to monitor if the system
/// limits their number.
///
/// Distances are the lengths of chords through the ellipsoid, so they are equal on every processor. Up to 100
/// km, a chord is at most a metre shorter than the distance along the ground.
package struct PlaceTable: Sendable {
  private struct Place: Sendable {
    var region: RegionID
    var origin: Point
    var radius: Double
    /// The declarations that name the region, in the order of the names of their reminders.
    var declarations: [UInt32]

    init(_ region: RegionID, _ names: EngineNames, _ declarations: [UInt32]) {
      let circle = names.circles[region.index]
      self.region = region
      origin = Point(circle.center)
      radius = circle.radius
      self.declarations = declarations
    }
  }

  /// A point, with coordinates in metres from the earth's centre.
  private struct Point: Sendable {
    var x, y, z: Double

    func distance(to other: Point) -> Double {
      let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
      return (dx * dx + dy * dy + dz * dz).squareRoot()
    }

    init(_ coordinate: Coordinate) {
      let (a, f) = (Earth.equatorialRadius, Earth.flattening)
      let (sinLatitude, cosLatitude) = DeterministicMath.sinCosDegrees(coordinate.latitude)
      let (sinLongitude, cosLongitude) = DeterministicMath.sinCosDegrees(coordinate.longitude)
      let e2 = f * (2 - f)
      let n = a / (1 - e2 * sinLatitude * sinLatitude).squareRoot()
      x = n * cosLatitude * cosLongitude
      y = n * cosLatitude * sinLongitude
      z = n * (1 - e2) * sinLatitude
    }
  }

  /// The places in the order of their names, so that the order of declarations has no effect.
  private var places: [Place]

  package init(
    of declarations: [ReminderDeclaration], ranks: [UInt32], regions: [RegionID], _ names: EngineNames
  ) {
    guard names.circles.count == names.regions.count else {
      places = []
      return
    }
    var naming: [RegionID: [UInt32]] = [:]
    for (number, declaration) in declarations.enumerated() {
      for name in Set(declaration.regions) {
        if let region = names.region(name) { naming[region, default: []].append(UInt32(number)) }
      }
    }
    places = regions.sorted { names.regions[$0.index] < names.regions[$1.index] }.map { region in
      Place(region, names, (naming[region] ?? []).sorted { (ranks[Int($0)], $0) < (ranks[Int($1)], $1) })
    }
  }

  /// Adds a declaration to the place of a region that it names.
  ///
  /// - Parameter rank: A closure that returns the rank of a declaration in the order of reminder names.
  package mutating func insert(
    _ declaration: UInt32, _ region: RegionID, _ names: EngineNames, rank: (UInt32) -> UInt32
  ) {
    guard names.circles.count == names.regions.count else { return }
    let name = names.regions[region.index]
    let place = places.partition { names.regions[$0.region.index] < name }
    if place == places.count || places[place].region != region {
      places.insert(Place(region, names, []), at: place)
    }
    let own = (rank(declaration), declaration)
    let position = places[place].declarations.partition { (rank($0), $0) < own }
    places[place].declarations.insert(declaration, at: position)
  }

  /// Removes a replaced declaration from the place of a region that it names.
  package mutating func remove(_ declaration: UInt32, _ region: RegionID) {
    guard let place = places.firstIndex(where: { $0.region == region }) else { return }
    places[place].declarations.removeAll { $0 == declaration }
    if places[place].declarations.isEmpty { places.remove(at: place) }
  }

  package var count: Int { places.count }

  /// Returns the regions that the selected declarations name, in the order of region names.
  package func regions(of isMeant: (UInt32) -> Bool) -> [RegionID] {
    places.filter { $0.declarations.contains(where: isMeant) }.map(\.region)
  }

  /// Chooses the regions to monitor, which are those whose boundaries are nearest to a position.
  ///
  /// - Parameters:
  ///   - needed: The regions to choose from.
  ///   - before: The previous choice, or `nil`.
  package func nearest(
    _ count: Int, of needed: [RegionID], to position: Position, after before: PlaceChoice?,
    inside: (RegionID) -> Bool
  ) -> PlaceChoice {
    let needed = Set(needed)
    let places = places.filter { needed.contains($0.region) }
    let here = Point(position.coordinate)
    let ways = places.map { here.distance(to: $0.origin) - $0.radius }
    // If the app knows that the phone is in a region, the region stays monitored until the system reports the
    // exit.
    let stays = places.indices.map { ways[$0] < PlaceChoice.unreportedDistance && inside(places[$0].region) }
    let order = places.indices.sorted { a, b in
      if stays[a] != stays[b] { return stays[a] }
      return ways[a] != ways[b] ? ways[a] < ways[b] : a < b
    }
    let chosen = order.prefix(count).sorted()
    let reach = order.dropFirst(count).map { ways[$0] }.min() ?? .infinity
    var spare = 0.0
    if let before {
      let way = Self.distance(before.around.center, position)
      spare = min(max(Double(before.spare) + way - PlaceChoice.cost, 0), PlaceChoice.maximumSpare)
    }
    let least = max(PlaceChoice.shortest, PlaceChoice.cost - spare.rounded(.down))
    let exit = min(reach / 2, reach - PlaceChoice.lateness)
    let radius = min(max(exit / PlaceChoice.exitFactor, least), PlaceChoice.longest)
    return PlaceChoice(
      watched: chosen.map { places[$0].region },
      around: Surroundings(center: position, radius: UInt32(radius)), spare: UInt32(spare))
  }

  /// Returns whether a region contains a position.
  package func holds(_ region: RegionID, _ position: Position) -> Bool {
    guard let place = places.first(where: { $0.region == region }) else { return false }
    return Point(position.coordinate).distance(to: place.origin) < place.radius
  }

  /// Returns the declarations that name any of the regions, in the order of region names.
  package func declarations(naming isNamed: (RegionID) -> Bool) -> [UInt32] {
    places.filter { isNamed($0.region) }.flatMap(\.declarations)
  }

  /// Returns the distance between two positions in metres.
  package static func distance(_ a: Position, _ b: Position) -> Double {
    Point(a.coordinate).distance(to: Point(b.coordinate))
  }
}

/// The monitored regions, and the area in which this choice is valid.
package struct PlaceChoice: Hashable, Sendable {
  /// The regions that are monitored, in the order of their names.
  package var watched: [RegionID]
  /// The area in which the choice remains valid because no other region is within reach.
  ///
  /// The system reports an exit some minutes late (rule L4). The radius of the area therefore leaves a
  /// margin: half of the distance to the nearest other region, or ``lateness`` if that is more.
  package var around: Surroundings
  /// The distance in metres that was travelled and not yet used for choices. Each choice uses a kilometre of
  /// it.
  package var spare: UInt32

  package init(watched: [RegionID], around: Surroundings, spare: UInt32) {
    self.watched = watched
    self.around = around
    self.spare = spare
  }

  /// The distance in metres that a choice uses, so that there is at most one choice per kilometre.
  package static let cost = 1_000.0
  /// The maximum distance in metres that can be saved for further choices.
  package static let maximumSpare = 10_000.0
  /// The distance in metres that a car in a town covers before an exit is reported.
  package static let lateness = 3_000.0
  /// The distance from the centre at which systems report an exit, in radii of the region (rule L5).
  package static let exitFactor = 1.5
  /// The minimum distance in metres at which systems report an exit: twice the smallest monitored radius
  /// (rule L5).
  package static let shortest = 200.0
  /// The radius in metres that every phone can monitor (rule L2).
  package static let longest = 50_000.0
  /// The distance in metres that a car may cover before the app observes an exit.
  package static let unreportedDistance = 20_000.0
}
