import CivilTime
import ReminderMatching
import TriggerModel

/// Chooses the regions that the system watches.
///
/// A system watches a limited number of regions for an app and refuses further ones (rule L1). If reminders
/// name more regions, the engine registers only those that waiting reminders need. If these are still too
/// many, it registers the nearest ones and the ``TriggerModel/Surroundings`` within which this choice is
/// valid.
///
/// The engine chooses again when the app observes that the phone has left the surroundings. A region that is
/// left out is then reported with ``Reason/regionLimit``. Some systems do not report a region that contains
/// the phone when it is registered (rule L6). The engine therefore counts a newly registered region as
/// entered if the phone has entered it since the previous choice. Until the app knows its position, the
/// system watches the first regions in the order of their names.
extension ReminderEngine {
  /// Whether reminders name more regions than the system watches. If not, the engine need not choose.
  private var isScarce: Bool { program.places.count > regionCapacity && regionCapacity > 0 }

  /// The regions to watch, in the order of their names. They are the regions of waiting reminders, or all
  /// regions if the system has room for them.
  ///
  /// - Complexity: O(*n*) in the number of declarations that name a region.
  private var neededPlaces: [RegionID] {
    isScarce ? program.places.regions(of: isNeeded) : program.regions
  }

  /// Returns whether a declaration is in force and its reminder is waiting, that is, exists, is not expired,
  /// and has its entitlements.
  private func isNeeded(_ declaration: UInt32) -> Bool {
    let plan = program.plans[Int(declaration)]
    if persisted.cancelled.contains(plan.reminder) || persisted.expired[plan.reminder] != nil { return false }
    if declarationInForce(plan.reminder) != declaration { return false }
    // Entitlements do not depend on the time.
    let zone = memory.viewpoint.zone
    let moment = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: zone)
    return !plan.conditions.contains { condition in
      guard case .fact(let fact) = condition else { return false }
      return fact.isUnpaid(in: matcher.facts, at: moment, zone: zones[zone])
    }
  }

  /// The number of regions available for reminders. One region is reserved for the surroundings.
  private var room: Int { max(1, regionCapacity - 1) }

  /// Registers the regions to watch when a process starts. Registering a region that is already watched has
  /// no effect.
  ///
  /// - Parameter before: The regions that were watched when the previous process ended.
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
      // An update of the app or the expiry of a reminder has changed the needed regions.
      choice = choose(at: choice.around.center, of: needed, into: &effects)
    }
    watch(choice.around, into: &effects)
    effects.append(contentsOf: choice.watched.map { .monitor($0) })
  }

  /// The regions that the app has asked the system to watch, and those that are needed.
  struct WatchedPlaces {
    var watched: [RegionID]
    var needed: [RegionID]
  }

  var watchedPlaces: WatchedPlaces {
    let needed = neededPlaces
    let first = isScarce ? Array(needed.prefix(regionCapacity)) : needed
    return WatchedPlaces(watched: persisted.choice?.watched ?? first, needed: needed)
  }

  /// Returns the watched regions before an event that may change the needed regions, or `nil` for other
  /// events.
  func placesToReview(by event: ObservedEvent) -> WatchedPlaces? {
    guard isScarce else { return nil }
    switch event.kind {
    case .launched, .create, .edit, .cancel, .reinstalled, .factChanged: return watchedPlaces
    default: return persisted.deadlines.next <= event.moment.wall ? watchedPlaces : nil
    }
  }

  /// Updates the watched regions if the needed regions have changed.
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
      // The system does not report the exit of an unwatched region. If there is room for all regions, the app
      // must have changed its reminders. The known state then remains valid if the app names the region again
      // immediately.
      if isScarce { setInside(region, false) }
    }
  }

  /// Handles a fix. Chooses regions again if the phone has left the surroundings of the last choice.
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
      // The phone was outside this region at the last choice, so it has entered since.
      if let before, !program.places.holds(region, before.around.center) {
        look(ObservedEvent(.regionEntered, subject: region.rawValue, at: event.moment), into: &effects)
        memory.entered.append(region)
      } else {
        if before == nil { expectEnter(of: region, at: event.moment) }
        setInside(region, true)
      }
      stateChanged(at: event.moment, into: &effects)
    }
  }

  /// Handles a reported crossing, so that an enter that a fix already implied counts only once.
  ///
  /// - Returns: Whether the event is an enter that the engine has already processed.
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

  // MARK: Initial enters

  /// Registers the regions of a new reminder that contain the phone again, so that the system reports the
  /// phone's state. Whether it reports an enter depends on the platform (rule L6).
  mutating func registerAgain(for reminder: ReminderID, into effects: inout [EngineEffect]) {
    let triggers = program.declarations[Int(declarationInForce(reminder))].triggers
    let regions = triggers.compactMap { trigger in
      if case .regionEntered(let name) = trigger { program.names.region(name) } else { nil }
    }
    for region in regions.distinct where isInside(region) {
      persisted.expectingEnter.insert(reminder)
      effects.append(.unmonitor(region))
      effects.append(.monitor(region))
    }
  }

  /// Expects an initial enter of a region that the app has just begun to watch, because the first known
  /// position is inside it.
  private mutating func expectEnter(of region: RegionID, at moment: Moment) {
    let enter = ObservedEvent(.regionEntered, subject: region.rawValue, at: moment)
    for declaration in program.places.declarations(naming: { $0 == region }) {
      let reminder = program.plans[Int(declaration)].reminder
      guard declaration == declarationInForce(reminder), program.listens(declaration, to: enter),
        !persisted.cancelled.contains(reminder)
      else { continue }
      persisted.expectingEnter.insert(reminder)
    }
  }

  /// Evaluates the reminders that expect the initial enter which the system reports. The app knew that the
  /// phone was inside, so the event is not an arrival for other reminders.
  mutating func lookAtInitialEnter(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    buffer.clear()
    if persisted.expectingEnter.isEmpty { return }
    let view = view(at: event.moment)
    for reminder in persisted.expectingEnter.sorted()
    where program.listens(declarationInForce(reminder), to: event) {
      matcher.look(at: event, declarationInForce(reminder), view, into: &buffer)
      if buffer.wantsMisses, ledgers[reminder].snooze != nil {
        buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
      }
    }
  }

  /// Forgets which reminders expected an initial enter of a region, after the system has reported it.
  mutating func forgetExpectedEnter(_ region: RegionID, at moment: Moment) {
    if persisted.expectingEnter.isEmpty { return }
    let enter = ObservedEvent(.regionEntered, subject: region.rawValue, at: moment)
    persisted.expectingEnter = persisted.expectingEnter.filter {
      !program.listens(declarationInForce($0), to: enter)
    }
  }

  // MARK: The position of the phone

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

  /// Encodes the choice of regions. Writes nothing if all named regions are watched.
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
