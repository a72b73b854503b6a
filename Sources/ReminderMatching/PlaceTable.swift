package import TriggerModel

/// Where the regions are that reminders name, and which of them to have watched where the system watches fewer.
///
/// Distances are chords through the ellipsoid, of arithmetic that is the same on every processor: up to 100 km they
/// are a metre short of the way along the ground.
package struct PlaceTable: Sendable {
  private struct Place: Sendable {
    var region: RegionID
    var origin: Point
    var radius: Double
    /// The declarations that name it, in the order of their reminders' names.
    var declarations: [UInt32]

    init(_ region: RegionID, _ names: EngineNames, _ declarations: [UInt32]) {
      let circle = names.circles[region.index]
      self.region = region
      origin = Point(circle.center)
      radius = circle.radius
      self.declarations = declarations
    }
  }

  /// In metres from the earth's centre.
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

  /// In the order of their names, so that another order of the declarations changes nothing.
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

  /// A declaration names a region.
  ///
  /// - Parameter rank: Of a declaration, in the order of their reminders' names.
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

  /// Nothing can bring a declaration that names a region into force any more.
  package mutating func remove(_ declaration: UInt32, _ region: RegionID) {
    guard let place = places.firstIndex(where: { $0.region == region }) else { return }
    places[place].declarations.removeAll { $0 == declaration }
    if places[place].declarations.isEmpty { places.remove(at: place) }
  }

  package var count: Int { places.count }

  /// The regions that some declarations name, in the order of their names.
  package func regions(of isMeant: (UInt32) -> Bool) -> [RegionID] {
    places.filter { $0.declarations.contains(where: isMeant) }.map(\.region)
  }

  /// The nearest to a position, by what is left of the way to their boundaries.
  ///
  /// - Parameters:
  ///   - needed: Which are to be chosen from.
  ///   - before: The choice before this one.
  package func nearest(
    _ count: Int, of needed: [RegionID], to position: Position, after before: PlaceChoice?,
    inside: (RegionID) -> Bool
  ) -> PlaceChoice {
    let needed = Set(needed)
    let places = places.filter { needed.contains($0.region) }
    let here = Point(position.coordinate)
    let ways = places.map { here.distance(to: $0.origin) - $0.radius }
    // What the phone is in, as the app knows, stays watched until it is told that it has left.
    let stays = places.indices.map { ways[$0] < PlaceChoice.untoldWay && inside(places[$0].region) }
    let order = places.indices.sorted { a, b in
      if stays[a] != stays[b] { return stays[a] }
      return ways[a] != ways[b] ? ways[a] < ways[b] : a < b
    }
    let chosen = order.prefix(count).sorted()
    let reach = order.dropFirst(count).map { ways[$0] }.min() ?? .infinity
    var spare = 0.0
    if let before {
      let way = Self.distance(before.around.center, position)
      spare = min(max(Double(before.spare) + way - PlaceChoice.price, 0), PlaceChoice.mostSpare)
    }
    let least = max(PlaceChoice.shortest, PlaceChoice.price - spare.rounded(.down))
    let exit = min(reach / 2, reach - PlaceChoice.lateness)
    let radius = min(max(exit / PlaceChoice.exitFactor, least), PlaceChoice.longest)
    return PlaceChoice(
      watched: chosen.map { places[$0].region },
      around: Surroundings(center: position, radius: UInt32(radius)), spare: UInt32(spare))
  }

  /// Whether a region holds a position.
  package func holds(_ region: RegionID, _ position: Position) -> Bool {
    guard let place = places.first(where: { $0.region == region }) else { return false }
    return Point(position.coordinate).distance(to: place.origin) < place.radius
  }

  /// The declarations that name any of some regions: place by place in the order of the names.
  package func declarations(naming isNamed: (RegionID) -> Bool) -> [UInt32] {
    places.filter { isNamed($0.region) }.flatMap(\.declarations)
  }

  /// In metres.
  package static func distance(_ a: Position, _ b: Position) -> Double {
    Point(a.coordinate).distance(to: Point(b.coordinate))
  }
}

/// Which places are watched, and for how long that will do.
package struct PlaceChoice: Hashable, Sendable {
  /// In the order of their names.
  package var watched: [RegionID]
  /// While the phone is inside, no place that was left out comes in reach.
  ///
  /// The system tells of an exit some minutes late (rule L4): half of the way to the nearest of them is left for
  /// that, or ``lateness`` if that is more.
  package var around: Surroundings
  /// So many metres of the way so far are not spent on choices. Each takes a kilometre: whoever leaves the
  /// surroundings has what the next one takes.
  package var spare: UInt32

  package init(watched: [RegionID], around: Surroundings, spare: UInt32) {
    self.watched = watched
    self.around = around
    self.spare = spare
  }

  /// What a choice takes of the way, in metres: there is at most one a kilometre.
  package static let price = 1_000.0
  /// What is kept for times at which there is more to choose than that, in metres.
  package static let mostSpare = 10_000.0
  /// What a car goes in a town, in metres, until an exit is told.
  package static let lateness = 3_000.0
  /// At so many radii from its centre systems take a region for left (rule L5).
  package static let exitFactor = 1.5
  /// The least radius in metres at which systems see somebody leave: twice what they watch at all (rule L5).
  package static let shortest = 200.0
  /// No phone refuses to watch a circle of this radius in metres (rule L2).
  package static let longest = 50_000.0
  /// So many metres a car may go before the app is told that it has left a place.
  package static let untoldWay = 20_000.0
}
