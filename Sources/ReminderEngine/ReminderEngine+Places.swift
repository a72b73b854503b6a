import ReminderGrowth
import ReminderMatching
import TriggerModel

/// Which places the system watches.
///
/// A system watches so many regions for an app (rule L1) and refuses the next. Where reminders name more, the engine
/// has the nearest watched, and around them the ``TriggerModel/Surroundings`` within which they will do. An app that
/// leaves those runs and learns where it is; it chooses again, then and whenever else it learns that it has left
/// them. What a choice leaves out is said with ``Reason/regionLimit`` when it is left out. No system tells of a place
/// that the phone is in when it is asked to watch it (rule L6): one that was not watched and that the phone has come
/// into since the choice before counts as entered. Until the app knows where it is, the first places in the
/// order of their names are watched.
extension ReminderEngine {
  /// Whether the system watches fewer regions than reminders name. Where not, nothing here is ever asked.
  private var choosesPlaces: Bool { program.places.count > regionCapacity && regionCapacity > 0 }

  /// One is kept for the surroundings.
  private var room: Int { max(1, regionCapacity - 1) }

  /// A process starts: asks for what is to be watched. To ask for what is watched already changes nothing.
  mutating func watchPlaces(into effects: inout [EngineEffect]) {
    guard choosesPlaces else {
      if notebook.choice != nil {
        effects.append(.unwatch)
        notebook.choice = nil
      }
      return effects.append(contentsOf: program.regions.map { .monitor($0) })
    }
    guard var choice = notebook.choice else {
      let first = program.places.first(regionCapacity)
      effects.append(contentsOf: first.map { .monitor($0) })
      return leaveOut(where: { !first.contains($0) }, into: &effects)
    }
    let needed = Set(program.regions)
    if choice.watched.count != room || !choice.watched.allSatisfy({ needed.contains($0) }) {
      // The app was updated.
      choice = choose(at: choice.around.center, into: &effects)
    }
    watch(choice.around, into: &effects)
    effects.append(contentsOf: choice.watched.map { .monitor($0) })
  }

  /// The regions that the system was asked to watch, as far as the app knows.
  var watchedPlaces: [RegionID] {
    if !choosesPlaces { return program.regions }
    return notebook.choice?.watched ?? program.places.first(regionCapacity)
  }

  /// Reminders name other regions than before.
  ///
  /// - Parameter before: Those that are watched.
  mutating func watchOthers(than before: [RegionID], into effects: inout [EngineEffect]) {
    if let choice = notebook.choice {
      if choosesPlaces {
        _ = choose(at: choice.around.center, into: &effects)
        return
      }
      effects.append(.unwatch)
      notebook.choice = nil
    }
    let after = watchedPlaces
    let (kept, watched) = (Set(after), Set(before))
    for region in before where !kept.contains(region) { effects.append(.unmonitor(region)) }
    for region in after where !watched.contains(region) { effects.append(.monitor(region)) }
  }

  /// The app learns where it is: it chooses again when it has left the surroundings of the last choice.
  mutating func located(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard choosesPlaces else { return }
    let position = event.position
    let before = notebook.choice
    if let around = before?.around,
      PlaceTable.distance(around.center, position) < Double(around.radius)
    {
      return
    }
    let choice = choose(at: position, into: &effects)
    let watched = Set(before?.watched ?? program.places.first(regionCapacity))
    for region in choice.watched where !watched.contains(region) {
      guard !isInside(region), program.places.holds(region, position) else { continue }
      // Nobody knows how the phone came into a place that it was in when it was looked at last.
      if let before, !program.places.holds(region, before.around.center) {
        look(ObservedEvent(.regionEntered, subject: region.rawValue, at: event.moment), into: &effects)
        memory.entered.append(region)
      } else {
        setInside(region, true)
      }
      foreseeStateAnew(at: event.moment, into: &effects)
    }
  }

  /// Whether the app knows of an enter already, from where it is.
  mutating func isKnown(_ event: ObservedEvent) -> Bool {
    guard let known = memory.entered.firstIndex(of: RegionID(event.subject)) else { return false }
    memory.entered.remove(at: known)
    return event.kind == .regionEntered
  }

  private mutating func choose(at position: Position, into effects: inout [EngineEffect]) -> PlaceChoice {
    let choice = program.places.nearest(room, to: position, after: notebook.choice) { isInside($0) }
    let before = notebook.choice?.watched ?? program.places.first(regionCapacity)
    notebook.choice = choice
    let after = Set(choice.watched)
    let leaving = before.filter { !after.contains($0) }
    for region in leaving {
      effects.append(.unmonitor(region))
      // Nobody will tell when it is left.
      setInside(region, false)
    }
    watch(choice.around, into: &effects)
    let watched = Set(before)
    effects.append(contentsOf: choice.watched.filter { !watched.contains($0) }.map { .monitor($0) })
    leaveOut(where: { leaving.contains($0) }, into: &effects)
    return choice
  }

  private func watch(_ around: Surroundings, into effects: inout [EngineEffect]) {
    if regionCapacity > 1 { effects.append(.watch(around)) }
  }

  private func leaveOut(where isLeftOut: (RegionID) -> Bool, into effects: inout [EngineEffect]) {
    for reminder in program.places.reminders(naming: isLeftOut) where !notebook.cancelled.contains(reminder) {
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
      if isInside {
        notebook.inside |= 1 << region.rawValue
      } else {
        notebook.inside &= ~(1 << region.rawValue)
      }
    } else {
      matcher.setInside(region, isInside)
    }
  }

  // MARK: Storing

  /// Nothing where all that reminders name is watched.
  func writeChoice(to writer: inout StateWriter) {
    guard let choice = notebook.choice else { return }
    writer.list(choice.watched.map { program.names.regions[$0.index] }) { $0.text($1) }
    writer.signed(Int64(choice.around.center.latitude))
    writer.signed(Int64(choice.around.center.longitude))
    writer.number(choice.around.radius)
    writer.number(choice.spare)
  }

  mutating func readChoice(from reader: inout StateReader) throws(StoreProblem) {
    if reader.isAtEnd { return }
    let names = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.text()
    }
    let (latitude, longitude) = (try reader.signed(), try reader.signed())
    let (radius, spare) = (try reader.number32(), try reader.number32())
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000, radius > 0,
      radius <= Surroundings.largestRadius, spare <= Surroundings.largestRadius
    else { throw .contradictory }
    let center = Position(latitude: Int32(latitude), longitude: Int32(longitude))
    notebook.choice = PlaceChoice(
      watched: names.compactMap { program.names.region($0) },
      around: Surroundings(center: center, radius: radius), spare: spare)
  }
}
