public import CivilTime
public import ReminderMatching
public import TriggerModel

/// Decides which reminders request a notification. It receives events and returns effects. It has neither
/// timers nor a clock.
///
/// An engine is a value: a copy continues exactly as the original would. It knows only what events report,
/// and acts only through ``TriggerModel/EngineEffect`` values.
public struct ReminderEngine: Sendable {
  /// The compiled reminders. All engines that were created from the program share them.
  public internal(set) var program: ReminderProgram
  /// The matches and facts, which are persisted. See ``storedState()``.
  var matcher: Matcher
  /// The rest of the persisted state.
  var persisted: PersistedState { didSet { mustPersist = true } }
  /// The planning state of each reminder.
  var ledgers: LedgerTable {
    @inline(__always) _read { yield persisted.ledgers }
    @inline(__always) _modify { yield &persisted.ledgers }
  }
  /// The state that is not persisted. A new process starts without it.
  var memory: Memory
  /// The zones of the program, and any additional zones in the stored state.
  var zones: ZoneTable
  var mustPersist = false
  /// The maximum number of pending requests that the system keeps: 64 on iOS. The engine never has more
  /// requests pending.
  public var pendingCapacity = Int.max
  /// The maximum number of regions that the system watches for the app: 20 on iOS.
  public var regionCapacity = Int.max
  /// Whether the system may deliver alarms late. If `true`, a request remains pending until the app observes
  /// its delivery.
  public var alarmsMayBeLate = false
  /// The number of deferred requests that the system holds for the end of quiet hours.
  package var releasesPending = 0
  /// Whether the engine holds matches with similar requests until they are decided. Denied matches are then
  /// only counted. See ``takeCounted(into:)``.
  package var countsInBulk = false
  /// The held matches of the current instant.
  package var held = HeldMatches()
  var counted: [CountedReminders] = []

  /// The state that is lost at a restart.
  struct Memory: Sendable {
    var viewpoint: Viewpoint
    var buffer: MatchBuffer
    /// See ``ReminderEngine/endedReminders``.
    var ended: [EndedReminder] = []
    /// The moment of the last complete planning, and the requests that it made in advance.
    var plannedAt: Moment?
    var fresh: [RequestID] = []
    /// The requests that became due at the current instant and may have been lost.
    var missed = MissedRequests()
    /// The number of each reminder's last request that a wake-up made, while it is undecided.
    var undecided = ReminderTable<UInt32>()
    /// The occurrences without room, in chronological order.
    var leftOutOrder = LeftOutOrder()
    /// The instant before which no left-out occurrence has room.
    var fullUntil = Instant.distantPast
    /// The reconciliation in progress while requests compete for room, or `nil`.
    var pass: ReconciliationPass?
    /// The lapses that may have pending stages, or `nil` if they must be determined.
    var staged: ReminderTable<Void>?
    /// A reusable buffer for lost requests. It is empty between calls.
    var lost: [RequestID] = []
    /// A reusable buffer for stages. It is empty between calls.
    var stages: [OpenMatches.Entry] = []
    /// The regions that the phone has entered according to a fix, but whose entry the system has not reported
    /// yet.
    var entered: [RegionID] = [] {
      didSet { usualRegions = entered.isEmpty ? ReminderProgram.regionBits : 0 }
    }
    /// The number of regions whose events take the fast path: all regions with a bit, or none while
    /// ``entered`` is not empty.
    private(set) var usualRegions = ReminderProgram.regionBits

    init(zone: ZoneID, of zones: ZoneTable, explainsMisses: Bool) {
      viewpoint = Viewpoint(zone, of: zones)
      buffer = MatchBuffer(wantsMisses: explainsMisses)
    }
  }

  /// Creates an engine with the state of a fresh installation.
  ///
  /// - Parameters:
  ///   - program: The reminders, which start waiting immediately.
  ///   - zones: All zones to which the moments of events may refer.
  ///   - zone: The phone's zone at the start.
  ///   - explainsMisses: Whether each miss is reported as an effect, in addition to being counted.
  public init(program: ReminderProgram, zones: ZoneTable, zone: ZoneID, explainsMisses: Bool = false) {
    let state = EngineState(of: program)
    self.program = program
    self.zones = zones
    matcher = state.matcher(of: program, zone: zones[zone])
    persisted = state.persisted
    memory = Memory(zone: zone, of: zones, explainsMisses: explainsMisses)
  }

  /// The facts that the app knows.
  var facts: FactStore { matcher.facts }

  var explainsMisses: Bool { memory.buffer.wantsMisses }

  /// The size of this engine's state in bytes, in addition to the shared program.
  public var stateBytes: Int { matcher.state.bytes }

  /// The numbers of matches and misses so far.
  package var totals: MatchTotals { matcher.totals }

  /// Appends the reminders that match an event, without making requests. This is the hot path.
  ///
  /// - Complexity: O(*m* + *r* / 64) in the number of matches *m* and of reminders *r* that listen to the
  ///   event. Does not allocate after the buffer has grown.
  package mutating func match(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    withUnsafePointer(to: event) { match(at: $0, into: &buffer) }
  }

  /// Like ``match(_:into:)``, but reads the event in place. Copying it would lengthen a match by a tenth.
  @inline(never)
  package mutating func match(at event: UnsafePointer<ObservedEvent>, into buffer: inout MatchBuffer) {
    let range = matcher.range(of: event.pointee.kind)
    let news = range.pointee.news
    let subject = event.pointee.subject
    let asksForMore: UInt8 = buffer.collectsDetails ? 1 : 0
    let isUnusualRegion: UInt8 = subject >= memory.usualRegions ? news.region : 0
    // The event reports a state or an initial enter. Other kinds of events may also have such a value.
    let isState = UInt64(bitPattern: event.pointee.value &- 1) < 2
    if isNews(event.pointee.moment) || isState
      || news.needsFullProcessing | asksForMore | isUnusualRegion != 0
    {
      return matchUnusual(event, into: &buffer)
    }
    let bit = UInt32(news.region) &<< subject
    let (hadToPersist, wasCharging) =
      (mustPersist ? 1 : 0, memory.viewpoint.isCharging ? 1 : 0) as (UInt8, UInt8)
    persisted.inside = persisted.inside & ~bit | UInt32(news.enters) &<< subject
    mustPersist = hadToPersist | news.region != 0
    memory.viewpoint.isCharging = wasCharging & news.charger | news.charger &>> 1 != 0
    matcher.look(for: event, in: range, from: &memory.viewpoint, inside: persisted.inside, into: &buffer)
  }

  /// Like ``match(_:into:)``, but handles every kind of event.
  @inline(never)
  private mutating func matchUnusual(_ event: UnsafePointer<ObservedEvent>, into buffer: inout MatchBuffer) {
    follow(event.pointee.moment)
    buffer.clearDetails()
    if !event.pointee.kind.isTriggerOnly, !note(event.pointee, into: &buffer) { return }
    let range = matcher.range(of: event.pointee.kind)
    matcher.look(for: event, in: range, from: &memory.viewpoint, inside: persisted.inside, into: &buffer)
    if buffer.wantsMisses, !ledgers.isEmpty(.snoozed) { appendSnoozed(event.pointee, into: &buffer) }
  }

  /// Records the state that an event reports.
  ///
  /// - Returns: Whether the event is also a trigger. If `false`, the buffer already contains its matches.
  @inline(never)
  private mutating func note(_ event: ObservedEvent, into buffer: inout MatchBuffer) -> Bool {
    let isNews = event.value != ObservedEvent.reportedState
    switch event.kind {
    case .chargingStarted, .chargingStopped:
      memory.viewpoint.isCharging = event.kind == .chargingStarted
      if isNews { return true }
    case .regionEntered, .regionExited:
      let wasInside = isInside(RegionID(event.subject))
      setInside(RegionID(event.subject), event.kind == .regionEntered)
      if isNews, !takeEntered(event) {
        if !event.isInitialEnter || !wasInside { return true }
        lookAtInitialEnter(event, into: &buffer)
        return false
      }
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

  /// Returns whether a moment is in another zone than the last one, or has reached a deadline.
  @inline(__always)
  private func isNews(_ moment: Moment) -> Bool {
    moment.zone != memory.viewpoint.zone || persisted.deadlines.next <= moment.wall
  }

  /// Updates the engine's view of the clock and the zone.
  @inline(__always)
  mutating func follow(_ moment: Moment) {
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    if persisted.deadlines.next <= moment.wall { passDeadlines(at: moment) }
  }

  private mutating func set(_ event: ObservedEvent) -> Bool {
    matcher.set(
      FactID(event.subject), FactValue(bits: event.value), at: event.moment, age: event.age,
      zones[event.moment.zone])
  }

  /// Processes an event and appends its effects.
  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let first = effects.count
    let places = placesToReview(by: event)
    look(event, into: &effects)
    let asked = effects.count
    follow(event, watching: places, into: &effects)
    if asked > first { withdrawFirst(from: first, to: asked, in: &effects) }
    if !ledgers.isEmpty(.leftOut) { fillUp(after: event, into: &effects) }
    finish(into: &effects)
  }

  /// Moves the withdrawals of replaced plans before the request that the event itself triggered.
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

  /// Records the state that an event reports, and makes the requests that it triggers. This is the first step
  /// of ``process(_:into:)``. It neither plans nor executes commands.
  public mutating func look(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    // Most events trigger nothing.
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

  /// Returns the events that have no effect before the next deadline, because no reminder listens to them.
  public func irrelevantEvents(at moment: Moment) -> IrrelevantEvents {
    guard ledgers.isEmpty(.leftOut), held.isEmpty, releasesPending == 0, !mustPersist, !matcher.hasChanged,
      memory.viewpoint.zone == moment.zone
    else { return .none }
    var irrelevantEvents = IrrelevantEvents(
      to: ObservedEvent.Kind.frequent, until: persisted.deadlines.next, at: moment)
    for kind in ObservedEvent.Kind.frequent where matcher.listens(to: ObservedEvent(kind, at: moment)) {
      irrelevantEvents.markRelevant(kind)
    }
    return irrelevantEvents
  }

  /// Makes the requests of the reminders that matched an event.
  mutating func ask(_ buffer: MatchBuffer, of event: ObservedEvent, into effects: inout [EngineEffect]) {
    let moment = event.moment
    for index in 0..<buffer.count {
      let match = buffer[index]
      let day = dayOfTurn(of: match.reminder, by: event)
      var request = request(for: match, at: moment)
      if event.kind == .woken { noteWakeUp(of: &request, by: match.declaration, at: moment) }
      effects.append(.request(request))
      remember(request, on: day.dayNumber, of: match.declaration, at: moment)
    }
  }

  /// Applies the effects of an event, except those of its triggers.
  ///
  /// - Parameter places: The watched regions, if the event may change them.
  private mutating func follow(
    _ event: ObservedEvent, watching places: WatchedPlaces?, into effects: inout [EngineEffect]
  ) {
    defer { if let places, event.kind != .launched { watchOthers(than: places, into: &effects) } }
    switch event.kind {
    case .launched:
      followClock(at: event.moment)
      watchPlaces(before: places, into: &effects)
      planAll(isLaunch: true, at: event.moment, into: &effects)
    case .located: located(event, into: &effects)
    // A process plans for the first time only after it has received its facts.
    case .factFound where memory.plannedAt == nil: break
    case .factChanged, .factFound:
      factChanged(FactID(event.subject), at: event.moment, into: &effects)
    case .clockChanged:
      followClock(at: event.moment)
      wakeAfterSnoozes(into: &effects)
      planAll(at: event.moment, into: &effects)
    case .zoneChanged: planAll(at: event.moment, into: &effects)
    case .woken:
      let reminder = ReminderID(event.subject)
      serveWake(of: reminder, at: event.moment)
      plan(reminder, at: event.moment, into: &effects)
    case .delivered:
      delivered(event.request)
      reconcile(.occurrences, of: ReminderID(event.subject), at: event.moment, into: &effects)
    case .snooze: snooze(by: event, into: &effects)
    case .cancel: cancel(ReminderID(event.subject), into: &effects)
    case .create: create(ReminderID(event.subject), at: event.moment, into: &effects)
    case .edit: edit(ReminderID(event.subject), to: event.value, at: event.moment, into: &effects)
    case .opened: opened(at: event.moment, into: &effects)
    case .permissionChanged:
      followClock(at: event.moment)
      permissionChanged(to: event.value, at: event.moment, into: &effects)
    case .preferencesChanged: preferencesChanged(event, into: &effects)
    case .addFailed: undo([event.request], isFailure: true, at: event.moment, into: &effects)
    case .pendingDropped: dropped(event.request, at: event.moment, into: &effects)
    case .cancelAll: cancelAll(at: event.moment, into: &effects)
    case .reinstalled: reset(at: event.moment, into: &effects)
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited:
      let isReport = event.value == ObservedEvent.reportedState
      if !isReport, event.kind == .regionEntered || event.kind == .regionExited {
        forgetExpectedEnter(RegionID(event.subject), at: event.moment)
      }
      // A process plans for the first time after it has received its state. A state that is reported later is
      // an ordinary change.
      if isReport, memory.plannedAt ?? event.moment == event.moment {
        planAgain(at: event.moment, into: &effects)
      } else {
        stateChanged(at: event.moment, into: &effects)
      }
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .regionFailed, .storeAvailable, .tapped,
      .dismissed, .acted, .deliveredElsewhere:
      break
    }
  }

  /// Appends ``TriggerModel/EngineEffect/persist`` if the stored state has changed.
  package mutating func finish(into effects: inout [EngineEffect]) {
    guard mustPersist || matcher.hasChanged else { return }
    mustPersist = false
    matcher.hasChanged = false
    effects.append(.persist)
  }

  /// Returns whether the conditions of a request's reminder hold now, or at the due time if the request is
  /// due later.
  ///
  /// The result is based on the current facts. The engine uses it to evaluate deferred requests again.
  public mutating func stillHolds(_ request: NotificationRequest, at now: Moment) -> Bool {
    if now.zone != memory.viewpoint.zone { enter(now.zone) }
    if persisted.isDeferredSnooze(request.id) { return true }
    let moment = request.deliverAt > now.wall ? now.foreseen(at: request.deliverAt) : now
    let declaration = declarationInForce(request.id.reminder)
    let view = view(at: moment)
    let conditions = program.plans[Int(declaration)].conditions
    return view.failures(of: conditions, facts: facts, zone: zones[moment.zone]) == nil
  }

  // MARK: The view

  mutating func view(at moment: Moment) -> LocalView {
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    return memory.viewpoint.view(at: moment, inside: persisted.inside)
  }

  /// Returns the view in which the conditions of a passed occurrence are evaluated. It combines the
  /// occurrence's time of day with the current state.
  mutating func view(at moment: Moment, atTimeOf occurrence: Instant) -> LocalView {
    if moment.zone != memory.viewpoint.zone { enter(moment.zone) }
    return memory.viewpoint.view(at: moment, atTimeOf: occurrence, inside: persisted.inside)
  }

  @inline(never)
  mutating func enter(_ zone: ZoneID) {
    matcher.zone = zones[zone]
    memory.viewpoint = Viewpoint(zone, of: zones, isCharging: memory.viewpoint.isCharging)
  }

  /// Returns the declaration in force for a reminder: its own, or that of an edit.
  package func declarationInForce(_ reminder: ReminderID) -> UInt32 {
    persisted.edits[reminder] ?? program.ownDeclarations[reminder.index]
  }

  // MARK: Requests

  /// Records that a wake-up made a request. The request counts as scheduled for its due time, which may be in
  /// the past.
  private mutating func noteWakeUp(
    of request: inout NotificationRequest, by declaration: UInt32, at moment: Moment
  ) {
    memory.undecided[request.id.reminder] = request.id.occurrence
    guard let span = program.plans[Int(declaration)].usefulFor,
      let due = dueWake(of: request.id.reminder, at: moment)
    else { return }
    request.expiresAt = min(program.plans[Int(declaration)].expires, due + span)
  }

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
  /// Returns the request that a trigger makes now.
  func request(
    _ id: RequestID, rank: UInt32, _ facts: FactStore, at moment: Moment, _ zones: ZoneTable
  ) -> NotificationRequest {
    NotificationRequest(
      id: id, type: type, bucket: bucket(facts, at: moment, zones), priority: priority,
      copy: copy(id.occurrence), scheduledFor: moment.wall, deliverAt: moment.wall,
      expiresAt: min(expires, usefulFor.map { moment.wall + $0 } ?? .distantFuture), rank: rank)
  }

  /// Returns the bucket of a request at a moment.
  private func bucket(_ facts: FactStore, at moment: Moment, _ zones: ZoneTable) -> Bucket {
    if criticalConditions.isEmpty { return bucket }
    let isCritical = criticalConditions.allSatisfy {
      $0.failure(in: facts, at: moment, zone: zones[moment.zone]) == nil
    }
    return isCritical ? .critical : bucket
  }

  /// Returns the index of the text for the *n*-th request. Further requests use the last text.
  func copy(_ occurrence: UInt32) -> UInt8 {
    UInt8(clamping: min(Int(occurrence), max(0, Int(copies) - 1)))
  }
}
