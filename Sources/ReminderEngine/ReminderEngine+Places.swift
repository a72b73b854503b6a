import CivilTime
import ReminderMatching
import TriggerModel

/// Which places the system watches.
///
/// A system watches so many regions for an app (rule L1) and refuses the next. Where reminders name more, the engine
/// has those watched that reminders which wait need, and where these are too many, the nearest of them, and around
/// them the ``TriggerModel/Surroundings`` within which they will do. An app that leaves those runs and learns where it
/// is; it chooses again, then and whenever else it learns that it has left them. What a choice leaves out is said with ``Reason/regionLimit`` when it is left out. No system tells of a place
/// that the phone is in when it is asked to watch it (rule L6): one that was not watched and that the phone has come
/// into since the choice before counts as entered. Until the app knows where it is, the first places in the
/// order of their names are watched.
extension ReminderEngine {
  /// Whether the system watches fewer regions than reminders name. Where not, nothing here is ever asked.
  private var isScarce: Bool { program.places.count > regionCapacity && regionCapacity > 0 }

  /// The regions that are needed, in the order of their names: of a reminder that waits for nothing none is. Where
  /// there is room for all that reminders name, it is all of them.
  ///
  /// - Complexity: O(*n*) in the declarations that name one
  private var neededPlaces: [RegionID] {
    isScarce ? program.places.regions(of: isNeeded) : program.regions
  }

  /// Whether a reminder waits by a declaration: it exists, has not expired, and does not sleep for want of a plan.
  private func isNeeded(_ declaration: UInt32) -> Bool {
    let plan = program.plans[Int(declaration)]
    if persisted.cancelled.contains(plan.reminder) || persisted.expired[plan.reminder] != nil { return false }
    if declarationInForce(plan.reminder) != declaration { return false }
    // What was paid for is no matter of time.
    let zone = memory.viewpoint.zone
    let moment = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: zone)
    return !plan.conditions.contains { condition in
      guard case .fact(let fact) = condition else { return false }
      return fact.isUnpaid(in: matcher.facts, at: moment, zone: zones[zone])
    }
  }

  /// One is kept for the surroundings.
  private var room: Int { max(1, regionCapacity - 1) }

  /// A process starts: asks for what is to be watched. To ask for what is watched already changes nothing.
  ///
  /// - Parameter before: What was watched when the process before it ended.
  mutating func watchPlaces(before: WatchedPlaces?, into effects: inout [EngineEffect]) {
    let needed = neededPlaces
    guard needed.count > regionCapacity, isScarce else {
      if persisted.choice != nil {
        effects.append(.unwatch)
        persisted.choice = nil
      }
      stopWatching(before?.watched ?? [], but: needed, into: &effects)
      return effects.append(contentsOf: needed.map { .monitor($0) })
    }
    guard var choice = persisted.choice else {
      let first = Array(needed.prefix(regionCapacity))
      stopWatching(before?.watched ?? [], but: first, into: &effects)
      effects.append(contentsOf: first.map { .monitor($0) })
      return leaveOut(where: { !first.contains($0) }, into: &effects)
    }
    let all = Set(needed)
    if choice.watched.count != room || !choice.watched.allSatisfy({ all.contains($0) }) {
      // The app was updated, or something has expired.
      choice = choose(at: choice.around.center, of: needed, into: &effects)
    }
    watch(choice.around, into: &effects)
    effects.append(contentsOf: choice.watched.map { .monitor($0) })
  }

  /// The regions that the system was asked to watch, as far as the app knows, and those that are needed.
  struct WatchedPlaces {
    var watched: [RegionID]
    var needed: [RegionID]
  }

  var watchedPlaces: WatchedPlaces {
    let needed = neededPlaces
    let first = isScarce ? Array(needed.prefix(regionCapacity)) : needed
    return WatchedPlaces(watched: persisted.choice?.watched ?? first, needed: needed)
  }

  /// What is watched before an event that may bring it about that other regions are needed; nil: it cannot.
  func placesToReview(by event: ObservedEvent) -> WatchedPlaces? {
    guard isScarce else { return nil }
    switch event.kind {
    case .launched, .create, .edit, .cancel, .reinstalled, .factChanged: return watchedPlaces
    default: return persisted.deadlines.next <= event.moment.wall ? watchedPlaces : nil
    }
  }

  /// Other regions may be needed than before.
  mutating func watchOthers(than before: WatchedPlaces, into effects: inout [EngineEffect]) {
    let needed = neededPlaces
    if needed == before.needed { return }
    let known = Set(before.needed)
    if let choice = persisted.choice {
      if needed.count > regionCapacity, isScarce {
        let after = choose(at: choice.around.center, of: needed, into: &effects).watched
        return leaveOut(where: { !known.contains($0) && !after.contains($0) }, into: &effects)
      }
      effects.append(.unwatch)
      persisted.choice = nil
    }
    let after = watchedPlaces.watched
    let watched = Set(before.watched)
    stopWatching(before.watched, but: after, into: &effects)
    for region in after where !watched.contains(region) { effects.append(.monitor(region)) }
    leaveOut(
      where: { !after.contains($0) && (watched.contains($0) || !known.contains($0)) }, into: &effects)
  }

  private mutating func stopWatching(
    _ before: [RegionID], but after: [RegionID], into effects: inout [EngineEffect]
  ) {
    let kept = Set(after)
    for region in before where !kept.contains(region) {
      effects.append(.unmonitor(region))
      // Nobody will tell when it is left. Where there is room for all, only an app that has changed its reminders asks
      // for this, and what it knows of the region holds if it names that again at once.
      if isScarce { setInside(region, false) }
    }
  }

  /// The app learns where it is: it chooses again when it has left the surroundings of the last choice.
  mutating func located(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard isScarce else { return }
    let needed = neededPlaces
    guard needed.count > regionCapacity else { return }
    let position = event.position
    let before = persisted.choice
    if let around = before?.around,
      PlaceTable.distance(around.center, position) < Double(around.radius)
    {
      return
    }
    let watched = Set(before?.watched ?? Array(needed.prefix(regionCapacity)))
    let choice = choose(at: position, of: needed, into: &effects)
    for region in choice.watched where !watched.contains(region) {
      guard !isInside(region), program.places.holds(region, position) else { continue }
      // Nobody knows how the phone came into a place that it was in when it was looked at last.
      if let before, !program.places.holds(region, before.around.center) {
        look(ObservedEvent(.regionEntered, subject: region.rawValue, at: event.moment), into: &effects)
        memory.entered.append(region)
      } else {
        setInside(region, true)
      }
      stateChanged(at: event.moment, into: &effects)
    }
  }

  /// The system tells of a crossing: what the app has entered by where it is counts once.
  ///
  /// - Returns: Whether it is an enter that the app has made so already.
  mutating func takeEntered(_ event: ObservedEvent) -> Bool {
    guard let known = memory.entered.firstIndex(of: RegionID(event.subject)) else { return false }
    memory.entered.remove(at: known)
    return event.kind == .regionEntered
  }

  private mutating func choose(
    at position: Position, of needed: [RegionID], into effects: inout [EngineEffect]
  ) -> PlaceChoice {
    let choice = program.places.nearest(room, of: needed, to: position, after: persisted.choice) {
      isInside($0)
    }
    let before = persisted.choice?.watched ?? Array(needed.prefix(regionCapacity))
    persisted.choice = choice
    stopWatching(before, but: choice.watched, into: &effects)
    watch(choice.around, into: &effects)
    let (watched, after) = (Set(before), Set(choice.watched))
    effects.append(contentsOf: choice.watched.filter { !watched.contains($0) }.map { .monitor($0) })
    leaveOut(where: { watched.contains($0) && !after.contains($0) }, into: &effects)
    return choice
  }

  private func watch(_ around: Surroundings, into effects: inout [EngineEffect]) {
    if regionCapacity > 1 { effects.append(.watch(around)) }
  }

  private func leaveOut(where isLeftOut: (RegionID) -> Bool, into effects: inout [EngineEffect]) {
    let declarations = program.places.declarations(naming: isLeftOut).filter(isNeeded)
    for reminder in declarations.map({ program.plans[Int($0)].reminder }).distinct {
      effects.append(.noRequest(reminder, .regionLimit, failed: []))
    }
  }

  // MARK: Where the phone is

  func isInside(_ region: RegionID) -> Bool {
    region.hasBit
      ? persisted.inside >> region.rawValue & 1 == 1 : matcher.facts.farRegions.contains(region)
  }

  mutating func setInside(_ region: RegionID, _ isInside: Bool) {
    if region.hasBit {
      if isInside {
        persisted.inside |= 1 << region.rawValue
      } else {
        persisted.inside &= ~(1 << region.rawValue)
      }
    } else {
      matcher.setInside(region, isInside)
    }
  }

  // MARK: Storing

  /// Nothing where all that reminders name is watched.
  func writeChoice(to writer: inout StateWriter) {
    guard let choice = persisted.choice else { return }
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
    persisted.choice = PlaceChoice(
      watched: names.compactMap { program.names.region($0) },
      around: Surroundings(center: center, radius: radius), spare: spare)
  }
}
