import NotificationGateway
import ReminderEngine
package import ReminderMatching
package import TriggerModel

/// A matching half and a deciding half that form one engine. It routes events and effects between them, and
/// stores the state of both.
///
/// ``BuiltInEngine`` joins the reminder engine and the cap scheduler. If an engine in another process
/// provides only one half, it is joined with the built-in other half.
package struct JoinedHalves<Matching: MatchingHalf, Deciding: DecidingHalf>: EngineUnderTest {
  package var matching: Matching
  package var deciding: Deciding
  /// The names under which reminders and types are stored.
  var names: StoreNames
  /// The clock and the events since the launch while the store is locked, or `nil` if the store is readable.
  private var closed: ClosedStore? { didSet { isClosed = closed != nil } }
  private var scratch: [EngineEffect] = []
  /// See ``TriggerModel/EngineUnderTest/countsInBulk``. Has an effect only if both halves support it.
  package var countsInBulk = false { didSet { matching.countsInBulk = countsInBulk && closed == nil } }

  package init(_ matching: Matching, _ deciding: Deciding, names: StoreNames) {
    self.matching = matching
    self.deciding = deciding
    self.names = names
  }

  /// Whether the store is unreadable. It is a separate property, because comparing the large optional
  /// ``closed`` with `nil` copies it.
  package private(set) var isClosed = false

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let isClosed = isClosed
    if matching.countsInBulk != (countsInBulk && !isClosed) {
      matching.countsInBulk = countsInBulk && !isClosed
    }
    if event.kind == .storeAvailable {
      if isClosed {
        processMissedEvents(event, into: &effects)
      } else {
        take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
      }
    } else if !isClosed {
      take(event, as: event, into: &effects)
    } else if event.kind == .launched {
      startWithoutStore(event)
    } else {
      letTriggerPass(event, into: &effects)
    }
  }

  /// - Parameter name: The event in the form in which the matching half observes it.
  private mutating func take(
    _ event: ObservedEvent, as name: ObservedEvent, into effects: inout [EngineEffect]
  ) {
    if matching.isHolding, !matching.holdsBeside(event) {
      let first = effects.count
      scratch.removeAll(keepingCapacity: true)
      matching.requestHeld(into: &scratch)
      for effect in scratch { route(effect, at: event.moment, since: first, into: &effects) }
    }
    scratch.removeAll(keepingCapacity: true)
    matching.process(name, into: &scratch)
    // The deciding half processes the event before the requests that the event caused, so that it releases
    // counts first.
    let first = effects.count
    deciding.process(event, into: &effects)
    if event.kind == .preferencesChanged || event.kind == .deliveredElsewhere {
      // The reminder engine processes commands and permissions itself. However, it does not know which types
      // are disabled or what other devices have delivered.
      matching.settled(Array(effects[first...]), at: event.moment, into: &scratch)
    }
    for effect in scratch { route(effect, at: event.moment, since: first, into: &effects) }
  }

  /// Passes an effect of the matching half to the deciding half or to the caller.
  /// - Parameter first: The index of the first effect of this event.
  /// - Parameter first: The position of the first effect of this event.
  mutating func route(
    _ effect: EngineEffect, at moment: Moment, since first: Int, into effects: inout [EngineEffect]
  ) {
    switch effect {
    case .request(let request):
      effects.append(effect)
      deciding.submit(request)
    case .remove(let request, let reason):
      deciding.withdraw(request, because: reason, at: moment, into: &effects)
      // According to the clocks, the request was delivered. After a journey, or because of a late alarm, the
      // system may still hold it.
      if !effects[first...].contains(where: { $0.removes(request) }) { effects.append(effect) }
    case .withdraw(let reminder, let reason):
      deciding.withdraw(reminder, because: reason, at: moment, into: &effects)
      // This also withdraws requests that the scheduler counts as delivered but that the system still holds.
      effects.append(effect)
    case .noRequest, .decided, .dropped, .add, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake,
      .wakeForRelease, .persist, .storeUnusable:
      effects.append(effect)
    }
  }

  package mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    if isClosed { return false }
    let first = effects.count
    let holdsMore = matching.isHolding && decideHeld(at: moment, into: &effects)
    let releases = deciding.releases(at: moment)
    if !releases.isEmpty {
      let stale = matching.stale(among: releases, at: moment)
      if !stale.isEmpty { deciding.withdrawStale(stale, at: moment, into: &effects) }
    }
    keepRoom(forReleases: releases.count, at: moment, into: &effects)
    let hasMore = deciding.settle(at: moment, into: &effects) || holdsMore || deciding.hasNewReleases
    if effects.count == first { return hasMore }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: effects[first...])
    matching.settled(scratch, at: moment, into: &effects)
    return hasMore
  }

  private mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    let first = effects.count
    scratch.removeAll(keepingCapacity: true)
    matching.keepRoom(forReleases: count, at: moment, into: &scratch)
    for effect in scratch { route(effect, at: moment, since: first, into: &effects) }
  }

  private mutating func decideHeld(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let first = effects.count
    scratch.removeAll(keepingCapacity: true)
    let holdsMore = matching.decideHeld(by: &deciding, at: moment, into: &scratch)
    for effect in scratch { route(effect, at: moment, since: first, into: &effects) }
    return holdsMore
  }

  package mutating func takeCounted(into counted: inout [CountedReminders]) {
    matching.takeCounted(into: &counted)
  }

  package func irrelevantEvents(at moment: Moment) -> IrrelevantEvents {
    isClosed
      ? .none : matching.irrelevantEvents(at: moment).intersection(deciding.irrelevantEvents(at: moment))
  }

  // MARK: - Storing

  /// Returns the state of both halves in one form. While the store is locked, its contents are unknown. The
  /// result is then empty, and `persist` is not emitted.
  package func storedState() -> [UInt8] {
    if let closed, !closed.isOpen { return [] }
    if matching.isHolding { return withHeldRequests.storedState() }
    var used = UsedNames()
    matching.collectNames(into: &used)
    deciding.collectNames(names, into: &used)
    var writer = StateWriter(used)
    matching.write(to: &writer)
    deciding.write(to: &writer)
    if let own = matching.ownState ?? deciding.ownState { writer.part(.other) { $0.append(own) } }
    return writer.sealed()
  }

  /// A copy in which all held matches have made their requests, as at the end of the process.
  private var withHeldRequests: Self {
    var withHeldRequests = self
    var requests: [EngineEffect] = []
    withHeldRequests.matching.requestHeld(into: &requests)
    for case .request(let request) in requests { withHeldRequests.deciding.submit(request) }
    return withHeldRequests
  }

  // MARK: - Starting

  package mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    closed = launch.store == .locked ? ClosedStore(now: launch.moment) : nil
    restore(launch.store.bytes, into: &effects) { (halves, stored, effects) throws(StoreProblem) in
      try halves.matching.begin(launch, stored, into: &effects)
      try halves.deciding.begin(launch, stored, names: halves.names, into: &effects)
    }
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    guard let now = closed?.now, store != .locked else { return }
    restore(store.bytes, into: &effects) { (halves, stored, effects) throws(StoreProblem) in
      try halves.matching.open(stored, at: now, into: &effects)
      try halves.deciding.open(stored, names: halves.names, at: now, into: &effects)
    }
    closed?.isOpen = true
  }

  /// Restores the halves from the stored state. If that fails, starts with an empty state and reports the
  /// reason.
  private mutating func restore(
    _ bytes: [UInt8]?, into effects: inout [EngineEffect],
    _ body: (inout Self, StoredState?, inout [EngineEffect]) throws(StoreProblem) -> Void
  ) {
    let first = effects.count
    do throws(StoreProblem) {
      try body(&self, try bytes.map { (bytes) throws(StoreProblem) in try StoredState(bytes) }, &effects)
    } catch {
      effects.removeSubrange(first...)
      // A start with an empty state never throws.
      try? body(&self, nil, &effects)
      effects.append(.storeUnusable(error))
    }
  }

  // MARK: - The closed store

  /// Starts a process that cannot read its store. The matching half knows its reminders, so it can report the
  /// triggers that it skips.
  private mutating func startWithoutStore(_ event: ObservedEvent) {
    scratch.removeAll(keepingCapacity: true)
    matching.process(event, into: &scratch)
  }

  /// Processes the events since the launch that affect the stored state, and then the launch itself.
  private mutating func processMissedEvents(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let missedEvents = closed?.missedEvents ?? []
    closed = nil
    for earlier in missedEvents {
      let state = earlier.withoutTrigger(at: event.moment)
      take(state, as: state, into: &effects)
    }
    take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
  }

  /// Skips the triggers of an event because the store is unreadable.
  private mutating func letTriggerPass(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    scratch.removeAll(keepingCapacity: true)
    matching.look(event, into: &scratch)
    for effect in scratch {
      switch effect {
      case .request(let request):
        matching.takeBack(request, at: event.moment)
        effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
      case .noRequest: effects.append(effect)
      case .decided, .dropped, .add, .remove, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch,
        .wake, .wakeForRelease, .persist, .storeUnusable:
        break
      }
    }
    closed?.now = event.moment
    if event.kind.changesStoredState { closed?.missedEvents.append(event) }
  }
}

// MARK: - Packing

/// Packs everything except the names, which change only when reminders are declared while the engine is
/// running.
extension JoinedHalves: Packable where Matching: Packable, Deciding: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.keep(&closed, unless: closed == nil)
    parcel.carry(&countsInBulk)
    matching.pack(in: &parcel)
    deciding.pack(in: &parcel)
  }
}

/// The events to process when the locked store becomes readable.
private struct ClosedStore: Sendable {
  /// The events that affect the stored state, in order.
  var missedEvents: [ObservedEvent] = []
  var now: Moment
  /// Whether the store has been read, but the events have not been processed yet.
  var isOpen = false
}

extension EngineEffect {
  fileprivate func removes(_ id: RequestID) -> Bool {
    switch self {
    case .remove(let request, _): request == id
    case .dropped(let request, _): request.id == id
    default: false
    }
  }
}

extension ObservedEvent {
  /// Returns the event as of the current moment, without its trigger, which was skipped.
  fileprivate func withoutTrigger(at now: Moment) -> ObservedEvent {
    // The event's effects are planned from the current moment on.
    var event = observed(at: now)
    if kind == .factChanged || kind == .factFound {
      event.kind = .factFound
      event.age = age + now.elapsed(since: moment)
    }
    if kind == .deliveredElsewhere { event.age = age + now.elapsed(since: moment) }
    switch kind {
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited, .opened:
      event.value = Self.reportedState
    default: break
    }
    return event
  }
}

extension ObservedEvent.Kind {
  /// Whether the event affects the stored state, or the requests in it, other than as a trigger.
  fileprivate var changesStoredState: Bool {
    switch self {
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .launched, .storeAvailable, .woken,
      .zoneChanged, .clockChanged, .located:
      false
    case .chargingStarted, .chargingStopped, .opened, .regionEntered, .regionExited, .regionFailed,
      .factChanged, .factFound, .permissionChanged, .reinstalled, .addFailed, .pendingDropped, .delivered,
      .tapped, .dismissed, .acted, .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged,
      .deliveredElsewhere:
      true
    }
  }
}

/// Adds, replaces and removes reminders while an engine with both halves is running.
extension JoinedHalves<ReminderEngine, NotificationGateway> {
  /// Adds a reminder, like `BuiltInEngine.add(_:at:into:)`.
  package mutating func add(
    _ declaration: ReminderDeclaration, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    var added = ReminderID(0)
    try change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      added = try matching.declare(declaration, into: &effects)
    }
    if !declaration.isCreatedLater { make(added, at: moment, into: &effects) }
    return added
  }

  /// Replaces a reminder, like `BuiltInEngine.replace(_:with:at:into:)`.
  package mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      try matching.redeclare(reminder, declaration, into: &effects)
    }
    if !declaration.isCreatedLater { make(reminder, at: moment, into: &effects) }
  }

  /// Removes a reminder, like `BuiltInEngine.remove(_:at:into:)`.
  package mutating func remove(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard reminder.index < matching.program.reminderCount, !matching.program.isRemoved(reminder) else {
      return
    }
    process(ObservedEvent(.cancel, subject: reminder.rawValue, at: moment), into: &effects)
    // This cannot fail, because the remaining declarations compiled before.
    try? change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      matching.undeclare(reminder, into: &effects)
    }
  }

  private mutating func make(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    process(ObservedEvent(.create, subject: reminder.rawValue, at: moment), into: &effects)
  }

  /// Changes the program. First releases the reference to its names, so that the change does not copy them.
  private mutating func change(
    at moment: Moment, into effects: inout [EngineEffect],
    _ body: (inout ReminderEngine, inout [EngineEffect]) throws(ReminderCompileError) -> Void
  ) throws(ReminderCompileError) {
    let renumberings = names.renumberings
    names = StoreNames(reminders: [], types: [])
    defer {
      names = matching.program.storeNames
      if names.renumberings != renumberings { deciding.rank(by: names) }
    }
    var done: [EngineEffect] = []
    try body(&matching, &done)
    let first = effects.count
    // While the store is unreadable, effects are discarded. They are made again when it becomes readable.
    for effect in done where !isClosed { route(effect, at: moment, since: first, into: &effects) }
  }
}
