import ReminderMatching
import TriggerModel

/// Which places the system watches.
///
/// A system watches so many regions for an app (rule L1) and refuses the next. Where reminders name more, the engine has
/// the nearest watched, and around them the ``TriggerModel/Surroundings`` within which they stay the nearest. An
/// app that leaves those runs and learns where it is; it chooses again, then and whenever else it learns that it is
/// elsewhere. What the choice leaves out is said with ``Reason/regionLimit`` when it is left out. While nobody knows
/// where the phone is, the first places in the order of their names are watched.
extension ReminderEngine {
  /// Whether the system watches fewer regions than reminders name. Where not, nothing here is ever asked.
  private var choosesPlaces: Bool { program.places.count > regionCapacity && regionCapacity > 0 }

  /// One is kept for the surroundings.
  private var room: Int { max(1, regionCapacity - 1) }

  /// A process starts: asks for what is to be watched. To ask for what is watched already changes nothing.
  mutating func watchPlaces(into effects: inout [EngineEffect]) {
    guard choosesPlaces else {
      if notebook.around != nil {
        effects.append(.unwatch)
        notebook.around = nil
      }
      if !notebook.watched.isEmpty { notebook.watched = [] }
      return effects.append(contentsOf: program.regions.map { .monitor($0) })
    }
    let count = notebook.around == nil ? regionCapacity : room
    let needed = Set(program.regions)
    if notebook.watched.count == count, notebook.watched.allSatisfy({ needed.contains($0) }) {
      if let around = notebook.around, regionCapacity > 1 { effects.append(.watch(around)) }
      return effects.append(contentsOf: notebook.watched.map { .monitor($0) })
    }
    // The first time, or after an update of the app.
    let watched = Set(notebook.watched)
    if let around = notebook.around {
      choose(at: around.center, into: &effects)
    } else {
      watch(program.places.first(regionCapacity), nil, into: &effects)
    }
    effects.append(contentsOf: notebook.watched.filter { watched.contains($0) }.map { .monitor($0) })
  }

  /// The app learns where it is: it chooses again when it has left the surroundings of the last choice.
  mutating func located(at event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard choosesPlaces else { return }
    let position = event.position
    if let around = notebook.around, PlaceTable.distance(around.center, position) < Double(around.radius) {
      return
    }
    let choice = choose(at: position, into: &effects)
    // No system tells of a place that the phone is in already when it is asked to watch it.
    let found = choice.entered.filter { !isInside($0) }
    if found.isEmpty { return }
    for region in found { setInside(region, true) }
    foreseeStateAnew(at: event.moment, into: &effects)
  }

  @discardableResult
  private mutating func choose(at position: Position, into effects: inout [EngineEffect]) -> PlaceChoice {
    let choice = program.places.nearest(room, to: position) { isInside($0) }
    watch(choice.watched, choice.around, into: &effects)
    return choice
  }

  private mutating func watch(
    _ chosen: [RegionID], _ around: Surroundings?, into effects: inout [EngineEffect]
  ) {
    let (before, after) = (Set(notebook.watched), Set(chosen))
    for region in notebook.watched where !after.contains(region) {
      effects.append(.unmonitor(region))
      // Nobody will tell when it is left.
      setInside(region, false)
    }
    notebook.watched = chosen
    notebook.around = around
    if let around, regionCapacity > 1 { effects.append(.watch(around)) }
    for region in chosen where !before.contains(region) { effects.append(.monitor(region)) }
    let leftOut = program.places.reminders { region in
      !after.contains(region) && (before.isEmpty || before.contains(region))
    }
    for reminder in leftOut where !notebook.cancelled.contains(reminder) {
      effects.append(.noRequest(reminder, .regionLimit, failed: []))
    }
  }

  // MARK: Where the phone is

  func isInside(_ region: RegionID) -> Bool {
    region.hasBit
      ? notebook.inside >> region.rawValue & 1 == 1 : matcher.facts.farRegions.contains(region)
  }

  mutating func setInside(_ region: RegionID, _ isInside: Bool) {
    if region.hasBit {
      if isInside { notebook.inside |= 1 << region.rawValue } else { notebook.inside &= ~(1 << region.rawValue) }
    } else {
      matcher.setInside(region, isInside)
    }
  }

  // MARK: Storing

  /// Nothing where all that reminders name is watched.
  func writeWatched(to writer: inout StateWriter) {
    if notebook.watched.isEmpty { return }
    writer.list(notebook.watched.map { program.names.regions[$0.index] }) { $0.text($1) }
    writer.optional(notebook.around) { writer, around in
      writer.signed(Int64(around.center.latitude))
      writer.signed(Int64(around.center.longitude))
      writer.number(around.radius)
    }
  }

  mutating func readWatched(from reader: inout StateReader) throws(StoreProblem) {
    if reader.isAtEnd { return }
    let names = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.text()
    }
    notebook.watched = names.compactMap { program.names.region($0) }
    notebook.around = try reader.optional {
      (reader: inout StateReader) throws(StoreProblem) in
      let (latitude, longitude) = (try reader.signed(), try reader.signed())
      guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
        throw .contradictory
      }
      let radius = try reader.number32()
      guard radius > 0, radius <= Surroundings.largestRadius else { throw .contradictory }
      return Surroundings(
        center: Position(latitude: Int32(latitude), longitude: Int32(longitude)), radius: radius)
    }
  }
}
