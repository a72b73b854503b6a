public import CivilTime
public import ReminderMatching
public import TriggerModel

/// Decides which reminders ask for a notification: events in, effects out, no timers, no clock of its own.
///
/// A value: a copy goes on exactly as the original would. Everything it knows of the world it was told
/// by events, and everything it does is an ``TriggerModel/EngineEffect``.
public struct ReminderEngine: Sendable {
  /// What it was compiled from; shared with its copies, and with every engine made of it.
  public internal(set) var program: ReminderProgram
  /// Its state and its facts are kept: see ``storedState()``.
  var matcher: Matcher
  /// Kept too.
  var notebook: Notebook { didSet { hasNewNotes = true } }
  /// Not kept: a new process starts without.
  var memory: Memory
  /// Those of the program, and those that only what was stored names.
  var zones: ZoneTable
  var hasNewNotes = false
  /// How many requests the system keeps for later: 64 on iOS. What is handed over stays within it.
  public var pendingCapacity = Int.max
  /// How many regions the system watches for the app: 20 on iOS. What it is asked to watch stays within it.
  public var regionCapacity = Int.max
  /// The system may show what is pending later than it was asked for: it is pending until the app is told.
  public var alarmsMayBeLate = false
  /// How many requests the system has that were put off until quiet hours end.
  package var releasesPending = 0
  /// Matches that would ask alike are held until they are decided on, and what comes to nothing alike is counted:
  /// see ``takeCounted(into:)``.
  package var countsInBulk = false
  /// The matches of this instant that are held.
  package var held = HeldLooks()
  var counted: [CountedReminders] = []

  /// What a restart forgets.
  struct Memory: Sendable {
    var viewpoint: Viewpoint
    var buffer: MatchBuffer
    /// See ``ReminderEngine/endedReminders``.
    var ended: [EndedReminder] = []
    /// What was planned by declarations that an update of the app has changed, by their marks.
    var oldPlans: [ReminderID: UInt32] = [:]
    /// When everything was planned last, and what was handed over beforehand at that moment.
    var plannedAt: Moment?
    var fresh: [RequestID] = []
    /// When the process was started, and the wake-ups whose time had come by then.
    var startedAt: Moment?
    var dueAtStart = ReminderTable<Instant>()
    /// Of ``Notebook/leftOut``.
    var leftOutOrder = LeftOutOrder()
    /// Before this instant there is no room for what was left out.
    var fullUntil = Instant.distantPast
    /// There was no room for what was to be handed over last.
    var hadNoRoom = false
    /// What is planned together.
    var round = PlanningRound()
    /// The lapses of which stages may be pending; nil: to be found.
    var staged: ReminderTable<Void>?
    /// The room of those that come to nothing, empty between two answers.
    var lost: [RequestID] = []
    /// The room of stages that are forgotten, empty between two lapses.
    var stages: [OpenMatches.Entry] = []
    /// Regions that were entered by where the app is, of which the system may tell yet.
    var entered: [RegionID] = [] {
      didSet { usualRegions = entered.isEmpty ? ReminderProgram.regionBits : 0 }
    }
    /// An event about one of so many regions says no more than that: it has a bit, and is none of ``entered``.
    private(set) var usualRegions = ReminderProgram.regionBits

    init(zone: ZoneID, of zones: ZoneTable, explainsMisses: Bool) {
      viewpoint = Viewpoint(zone, of: zones)
      buffer = MatchBuffer(wantsMisses: explainsMisses)
    }
  }

  /// A fresh installation's.
  ///
  /// - Parameters:
  ///   - program: The reminders, which wait from now on.
  ///   - zones: Every zone that an event's moment may name.
  ///   - zone: The phone's zone at the start.
  ///   - explainsMisses: Tell each miss apart as an effect, not only count them.
  public init(program: ReminderProgram, zones: ZoneTable, zone: ZoneID, explainsMisses: Bool = false) {
    let state = EngineState(of: program)
    self.program = program
    self.zones = zones
    matcher = state.matcher(of: program, zone: zones[zone])
    notebook = state.notebook
    memory = Memory(zone: zone, of: zones, explainsMisses: explainsMisses)
  }

  /// What the app knows.
  var facts: FactStore { matcher.facts }

  var explainsMisses: Bool { memory.buffer.wantsMisses }

  /// Bytes that this engine holds for itself, beside the program that it shares with others.
  public var stateBytes: Int { matcher.state.bytes }

  /// How often reminders matched, and why not.
  package var totals: MatchTotals { matcher.totals }

  /// Which reminders match an event, without asking for anything: the hot path alone.
  ///
  /// - Complexity: O(*m* + *r* / 64): matches, and reminders that listen to the event. Nothing is allocated once the buffer has grown.
  package mutating func match(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    withUnsafePointer(to: event) { match(at: $0, into: &buffer) }
  }

  /// As ``match(_:into:)``, of an event that is read where it lies, as it does in a list of events: to copy it takes a
  /// tenth of the time of a match.
  @inline(never)
  package mutating func match(at event: UnsafePointer<ObservedEvent>, into buffer: inout MatchBuffer) {
    let range = matcher.range(of: event.pointee.kind)
    let news = range.pointee.news
    let subject = event.pointee.subject
    let asksForMore: UInt8 = buffer.collectsDetails ? 1 : 0
    let isUnusualRegion: UInt8 = subject >= memory.usualRegions ? news.region : 0
    if isNews(event.pointee.moment) || event.pointee.value == ObservedEvent.reportedState
      || news.needsFullProcessing | asksForMore | isUnusualRegion != 0
    {
      return matchUnusual(event, into: &buffer)
    }
    let bit = UInt32(news.region) &<< subject
    let (hadNewNotes, wasCharging) =
      (hasNewNotes ? 1 : 0, memory.viewpoint.isCharging ? 1 : 0) as (UInt8, UInt8)
    notebook.inside = notebook.inside & ~bit | UInt32(news.enters) &<< subject
    hasNewNotes = hadNewNotes | news.region != 0
    memory.viewpoint.isCharging = wasCharging & news.charger | news.charger &>> 1 != 0
    matcher.look(for: event, in: range, from: &memory.viewpoint, inside: notebook.inside, into: &buffer)
  }

  /// As ``match(_:into:)`` whatever the event says.
  @inline(never)
  private mutating func matchUnusual(_ event: UnsafePointer<ObservedEvent>, into buffer: inout MatchBuffer) {
    follow(event.pointee.moment)
    buffer.clearDetails()
    if !event.pointee.kind.isTriggerOnly, !note(event.pointee, into: &buffer) { return }
    let range = matcher.range(of: event.pointee.kind)
    matcher.look(for: event, in: range, from: &memory.viewpoint, inside: notebook.inside, into: &buffer)
    if buffer.wantsMisses, !notebook.snoozes.isEmpty { appendSnoozed(event.pointee, into: &buffer) }
  }

  /// Takes in what an event says beside being a trigger.
  /// - Returns: Whether it is one; if not, the buffer holds what matches all the same.
  @inline(never)
  private mutating func note(_ event: ObservedEvent, into buffer: inout MatchBuffer) -> Bool {
    let isNews = event.value != ObservedEvent.reportedState
    switch event.kind {
    case .chargingStarted:
      memory.viewpoint.isCharging = true
      if isNews { return true }
    case .chargingStopped:
      memory.viewpoint.isCharging = false
      return true
    case .regionEntered, .regionExited:
      setInside(RegionID(event.subject), event.kind == .regionEntered)
      if isNews, !takeEntered(event) { return true }
    case .opened: if isNews { return true }
    case .factChanged: if set(event) { return true }
    case .factFound: _ = set(event)
    case .woken:
      buffer.clear()
      lookAtSchedule(of: ReminderID(event.subject), event.moment, into: &buffer)
      return false
    case .located: break
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .regionFailed, .zoneChanged, .clockChanged,
      .permissionChanged, .launched, .storeAvailable, .reinstalled, .addFailed, .pendingDropped, .delivered,
      .tapped, .dismissed, .acted, .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged,
      .deliveredElsewhere:
      return true
    }
    buffer.clear()
    return false
  }

  /// Whether a moment is of another zone than the last, or after a deadline.
  @inline(__always)
  private func isNews(_ moment: Moment) -> Bool {
    moment.zone != memory.viewpoint.zone || notebook.deadlines.next <= moment.wall
  }

  /// Time has passed, and the phone may be elsewhere.
  @inline(__always)
  mutating func follow(_ moment: Moment) {
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    if notebook.deadlines.next <= moment.wall { passDeadlines(at: moment) }
  }

  private mutating func set(_ event: ObservedEvent) -> Bool {
    matcher.set(
      FactID(event.subject), FactValue(bits: event.value), at: event.moment, age: event.age,
      zones[event.moment.zone])
  }

  /// Takes one event and appends what is to be done.
  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let first = effects.count
    let places = placesToReview(by: event)
    look(event, into: &effects)
    let asked = effects.count
    follow(event, watching: places, into: &effects)
    if asked > first { withdrawFirst(from: first, to: asked, in: &effects) }
    if !notebook.leftOut.isEmpty { fillUp(after: event, into: &effects) }
    finish(into: &effects)
  }

  /// Plans that are replaced are taken back before the event's own trigger asks, which is no plan.
  private func withdrawFirst(from first: Int, to asked: Int, in effects: inout [EngineEffect]) {
    var start = first
    for index in asked..<effects.count {
      guard case .withdraw(let reminder, .superseded) = effects[index],
        effects[first..<asked].contains(where: { $0.asks(for: reminder) })
      else { continue }
      effects.insert(effects.remove(at: index), at: start)
      start += 1
    }
  }

  /// Takes in what an event says, and asks for what it triggers: what ``process(_:into:)`` does first. It
  /// makes no plans, and does nothing that the person asks for.
  public mutating func look(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    // Most of what is told triggers nothing.
    if event.kind.isTriggerOnly, !matcher.listens(to: event) { return follow(event.moment) }
    var buffer = MatchBuffer()
    swap(&buffer, &memory.buffer)
    buffer.collectsBatches = countsInBulk
    match(event, into: &buffer)
    ask(buffer, of: event, into: &effects)
    for miss in buffer.misses {
      effects.append(.noRequest(miss.reminder, miss.reason, failed: miss.failed))
    }
    if countsInBulk { keep(buffer, of: event) }
    swap(&buffer, &memory.buffer)
  }

  /// Of what nothing would come if it were told: what no reminder listens to, as long as no deadline passes.
  public func irrelevantEvents(at moment: Moment) -> IrrelevantEvents {
    guard notebook.leftOut.isEmpty, held.isEmpty, releasesPending == 0, !hasNewNotes, !matcher.hasChanged,
      memory.viewpoint.zone == moment.zone
    else { return .none }
    var irrelevantEvents = IrrelevantEvents(
      to: ObservedEvent.Kind.frequent, until: notebook.deadlines.next, at: moment)
    for kind in ObservedEvent.Kind.frequent where matcher.listens(to: ObservedEvent(kind, at: moment)) {
      irrelevantEvents.markRelevant(kind)
    }
    return irrelevantEvents
  }

  /// Asks for what matched an event.
  mutating func ask(_ buffer: MatchBuffer, of event: ObservedEvent, into effects: inout [EngineEffect]) {
    let moment = event.moment
    for index in 0..<buffer.count {
      let match = buffer[index]
      let day = dayOfTurn(of: match.reminder, by: event)
      let request = request(for: match, at: moment)
      effects.append(.request(request))
      remember(request, on: day.dayNumber, of: match.declaration, at: moment)
    }
  }

  /// Does what an event asks for beside the triggers.
  ///
  /// - Parameter places: What is watched, where that may change.
  private mutating func follow(
    _ event: ObservedEvent, watching places: WatchedPlaces?, into effects: inout [EngineEffect]
  ) {
    defer { if let places, event.kind != .launched { watchOthers(than: places, into: &effects) } }
    switch event.kind {
    case .launched:
      watchPlaces(before: places, into: &effects)
      planAll(isLaunch: true, at: event.moment, into: &effects)
    case .located: located(event, into: &effects)
    case .factChanged:
      countAnew(from: FactID(event.subject), at: event.moment, into: &effects)
      foreseeAnew(FactID(event.subject), at: event.moment, into: &effects)
    case .zoneChanged, .clockChanged: planAll(at: event.moment, into: &effects)
    case .woken:
      let reminder = ReminderID(event.subject)
      memory.dueAtStart[reminder] = nil
      if let due = notebook.wakes[reminder], due <= event.moment.wall { notebook.wakes[reminder] = nil }
      plan(reminder, at: event.moment, into: &effects)
    case .delivered:
      delivered(event.request)
      replenish(ReminderID(event.subject), at: event.moment, into: &effects)
    case .snooze: snooze(ReminderID(event.subject), until: event.value, at: event.moment, into: &effects)
    case .cancel: cancel(ReminderID(event.subject), into: &effects)
    case .create: create(ReminderID(event.subject), at: event.moment, into: &effects)
    case .edit: edit(ReminderID(event.subject), to: event.value, at: event.moment, into: &effects)
    case .opened:
      inOrderOfTime(at: event.moment, into: &effects) { engine, effects in
        engine.replenishAll(at: event.moment, into: &effects)
        engine.restartLapses(at: event.moment, into: &effects)
      }
    case .permissionChanged: permissionChanged(to: event.value, at: event.moment, into: &effects)
    case .preferencesChanged: preferencesChanged(event, into: &effects)
    case .addFailed: undo([event.request], isFailure: true, at: event.moment, into: &effects)
    case .pendingDropped:
      keepForbidden(event.request, at: event.moment)
      undo([event.request], at: event.moment, into: &effects)
    case .cancelAll: allTakenBack(at: event.moment, into: &effects)
    case .reinstalled: reset(at: event.moment, into: &effects)
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited:
      if event.value == ObservedEvent.reportedState {
        planAgain(at: event.moment, into: &effects)
      } else {
        foreseeStateAnew(at: event.moment, into: &effects)
      }
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .regionFailed, .storeAvailable, .tapped,
      .dismissed, .acted, .factFound, .deliveredElsewhere:
      break
    }
  }

  /// Asks to be stored, if anything that must be has changed.
  package mutating func finish(into effects: inout [EngineEffect]) {
    guard hasNewNotes || matcher.hasChanged else { return }
    hasNewNotes = false
    matcher.hasChanged = false
    effects.append(.persist)
  }

  /// Whether the conditions of a request's reminder hold now or, where it is for later, then, by what is known now:
  /// asked again of a request that was put off.
  public mutating func stillHolds(_ request: NotificationRequest, at now: Moment) -> Bool {
    if now.zone != memory.viewpoint.zone { enter(now.zone) }
    if notebook.isDeferredSnooze(request.id) { return true }
    let moment = request.deliverAt > now.wall ? now.foreseen(at: request.deliverAt) : now
    let declaration = declarationInForce(request.id.reminder)
    let view = view(at: moment)
    let conditions = program.plans[Int(declaration)].conditions
    return view.failures(of: conditions, facts: facts, zone: zones[moment.zone]) == nil
  }

  // MARK: The view

  mutating func view(at moment: Moment) -> LocalView {
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    return memory.viewpoint.view(at: moment, inside: notebook.inside)
  }

  @inline(never)
  mutating func enter(_ zone: ZoneID) {
    matcher.zone = zones[zone]
    memory.viewpoint = Viewpoint(zone, of: zones, isCharging: memory.viewpoint.isCharging)
  }

  /// The declaration that stands for a reminder: its own, or an edit's.
  package func declarationInForce(_ reminder: ReminderID) -> UInt32 {
    notebook.edits[reminder] ?? program.ownDeclarations[reminder.index]
  }

  // MARK: Requests

  func request(for match: Match, at moment: Moment) -> NotificationRequest {
    let index = Int(match.declaration)
    var request = program.plans[index].request(
      RequestID(reminder: match.reminder, occurrence: match.occurrence),
      rank: program.rank(of: match.reminder), facts, at: moment, zones)
    if program.plans[index].countsFrom != nil, let due = dueWake(of: match.reminder, at: moment),
      let copy = copy(of: program.plans[index], at: due, in: moment.zone)
    {
      request.copy = copy
    }
    return request
  }
}

extension EngineEffect {
  fileprivate func asks(for reminder: ReminderID) -> Bool {
    if case .request(let request) = self { request.id.reminder == reminder } else { false }
  }
}

extension Plan {
  /// A request that its trigger makes now.
  func request(
    _ id: RequestID, rank: UInt32, _ facts: FactStore, at moment: Moment, _ zones: ZoneTable
  ) -> NotificationRequest {
    NotificationRequest(
      id: id, type: type, bucket: bucket(facts, at: moment, zones), priority: priority,
      copy: copy(id.occurrence), scheduledFor: moment.wall, deliverAt: moment.wall,
      expiresAt: min(expires, usefulFor.map { moment.wall + $0 } ?? .distantFuture), rank: rank)
  }

  /// Which caps a request of this moment answers to.
  private func bucket(_ facts: FactStore, at moment: Moment, _ zones: ZoneTable) -> Bucket {
    if criticalConditions.isEmpty { return bucket }
    let isCritical = criticalConditions.allSatisfy {
      $0.failure(in: facts, at: moment, zone: zones[moment.zone]) == nil
    }
    return isCritical ? .critical : bucket
  }

  /// Which text the n-th request shows: the n-th, later ones the last.
  func copy(_ occurrence: UInt32) -> UInt8 {
    UInt8(clamping: min(Int(occurrence), max(0, Int(copies) - 1)))
  }
}
