import NotificationGateway
import ReminderEngine
package import TriggerModel

/// A matching and a deciding half as one engine: who is told what, in which order, and what is stored.
///
/// ``BuiltInEngine`` is the reminder engine and the cap scheduler joined so. An engine in another process that
/// does one half is joined with the other one of these.
package struct JoinedHalves<Matching: MatchingHalf, Deciding: DecidingHalf>: EngineUnderTest {
  package var matching: Matching
  package var deciding: Deciding
  /// By which requests and types are found again in what is stored.
  var names: StoreNames
  /// Nil: the store can be read.
  private var closed: ClosedStore? { didSet { isClosed = closed != nil } }
  private var scratch: [EngineEffect] = []
  /// See ``TriggerModel/EngineUnderTest/countsAlike``; it takes two halves that can.
  package var countsAlike = false { didSet { matching.countsAlike = countsAlike && closed == nil } }

  package init(_ matching: Matching, _ deciding: Deciding, names: StoreNames) {
    self.matching = matching
    self.deciding = deciding
    self.names = names
  }

  /// The store cannot be read yet. Apart from ``closed``: to ask a large optional whether it is nil copies it.
  package private(set) var isClosed = false

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let isClosed = isClosed
    if matching.countsAlike != (countsAlike && !isClosed) { matching.countsAlike = countsAlike && !isClosed }
    if event.kind == .storeAvailable {
      if isClosed {
        makeUp(event, into: &effects)
      } else {
        take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
      }
    } else if !isClosed {
      take(event, as: event, into: &effects)
    } else if event.kind == .launched {
      knowReminders(event)
    } else {
      letPass(event, into: &effects)
    }
  }

  /// - Parameter name: The event as the matching half is to see it.
  private mutating func take(
    _ event: ObservedEvent, as name: ObservedEvent, into effects: inout [EngineEffect]
  ) {
    if matching.isHolding, !matching.holdsBeside(event) {
      let first = effects.count
      scratch.removeAll(keepingCapacity: true)
      matching.askHeld(into: &scratch)
      for effect in scratch { pass(effect, at: event.moment, since: first, into: &effects) }
    }
    scratch.removeAll(keepingCapacity: true)
    matching.process(name, into: &scratch)
    // The accounts first: what is asked for because of an event comes after what the event took away.
    let first = effects.count
    deciding.process(event, into: &effects)
    if event.kind == .preferencesChanged || event.kind == .deliveredElsewhere {
      // Commands and permission the reminder engine knows by itself; which types are off, and what other devices
      // have spent, it does not.
      matching.settled(Array(effects[first...]), at: event.moment, into: &scratch)
    }
    for effect in scratch { pass(effect, at: event.moment, since: first, into: &effects) }
  }

  /// Hands an effect of the matching half to the deciding one or on.
  ///
  /// - Parameter first: Where the effects of this event begin.
  mutating func pass(
    _ effect: EngineEffect, at moment: Moment, since first: Int, into effects: inout [EngineEffect]
  ) {
    switch effect {
    case .request(let request):
      effects.append(effect)
      deciding.submit(request)
    case .remove(let request, let reason):
      deciding.withdraw(request, because: reason, at: moment, into: &effects)
      // By the clocks it was delivered. On a journey, or late, the system may have it still.
      if !effects[first...].contains(where: { $0.givesUp(request) }) { effects.append(effect) }
    case .withdraw(let reminder, let reason):
      deciding.withdraw(reminder, because: reason, at: moment, into: &effects)
      // What the scheduler takes for delivered and the system has still.
      effects.append(effect)
    case .noRequest, .decided, .dropped, .add, .monitor, .unmonitor, .watch, .unwatch, .wake, .wakeForRelease,
      .persist, .storeUnusable:
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
    for effect in scratch { pass(effect, at: moment, since: first, into: &effects) }
  }

  private mutating func decideHeld(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let first = effects.count
    scratch.removeAll(keepingCapacity: true)
    let holdsMore = matching.decideHeld(by: &deciding, at: moment, into: &scratch)
    for effect in scratch { pass(effect, at: moment, since: first, into: &effects) }
    return holdsMore
  }

  package mutating func takeCounted(into counted: inout [CountedReminders]) {
    matching.takeCounted(into: &counted)
  }

  package func indifference(at moment: Moment) -> Indifference {
    isClosed
      ? .none : matching.indifference(at: moment).intersection(deciding.indifference(at: moment))
  }

  // MARK: - Storing

  /// Everything that both halves have to remember, in one form. Nothing while the store is locked: what it
  /// holds is not known then, and nobody asks for it to be changed.
  package func storedState() -> [UInt8] {
    if let closed, !closed.isOpen { return [] }
    if matching.isHolding { return asking.storedState() }
    var used = UsedNames()
    matching.collectNames(into: &used)
    deciding.collectNames(names, into: &used)
    var writer = StateWriter(used)
    matching.write(to: &writer)
    deciding.write(to: &writer)
    if let own = matching.ownState ?? deciding.ownState { writer.part(.other) { $0.append(own) } }
    return writer.sealed()
  }

  /// With what is held asked for: what a process that ended now would have done.
  private var asking: Self {
    var asking = self
    var requests: [EngineEffect] = []
    asking.matching.askHeld(into: &requests)
    for case .request(let request) in requests { asking.deciding.submit(request) }
    return asking
  }

  // MARK: - Starting anew

  package mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    var isLocked = false
    var stored: [UInt8]?
    switch launch.store {
    case .empty: break
    case .locked: isLocked = true
    case .bytes(let bytes): stored = bytes
    }
    closed = isLocked ? ClosedStore(now: launch.moment) : nil
    use(stored, into: &effects) { (halves, stored, effects) throws(StoreProblem) in
      try halves.matching.begin(launch, stored, into: &effects)
      try halves.deciding.begin(launch, stored, names: halves.names, into: &effects)
    }
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    guard let now = closed?.now else { return }
    var stored: [UInt8]?
    switch store {
    case .empty: break
    case .locked: return
    case .bytes(let bytes): stored = bytes
    }
    use(stored, into: &effects) { (halves, stored, effects) throws(StoreProblem) in
      try halves.matching.open(stored, at: now, into: &effects)
      try halves.deciding.open(stored, names: halves.names, at: now, into: &effects)
    }
    closed?.isOpen = true
  }

  /// Goes on from what was stored; where it cannot be used, from nothing, and says why.
  private mutating func use(
    _ bytes: [UInt8]?, into effects: inout [EngineEffect],
    _ body: (inout Self, StoredState?, inout [EngineEffect]) throws(StoreProblem) -> Void
  ) {
    let first = effects.count
    do throws(StoreProblem) {
      try body(&self, try bytes.map { (bytes) throws(StoreProblem) in try StoredState(bytes) }, &effects)
    } catch {
      effects.removeSubrange(first...)
      // From nothing nothing can go wrong.
      try? body(&self, nil, &effects)
      effects.append(.storeUnusable(error))
    }
  }

  // MARK: - The closed store

  /// A process starts without its store. It knows its reminders, and so what it lets pass.
  private mutating func knowReminders(_ event: ObservedEvent) {
    scratch.removeAll(keepingCapacity: true)
    matching.process(event, into: &scratch)
  }

  /// The store can be read: makes up for what was told since the launch, and does what a launch brings
  /// about.
  private mutating func makeUp(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let told = closed?.told ?? []
    closed = nil
    for earlier in told {
      let news = earlier.withoutTrigger(at: event.moment)
      take(news, as: news, into: &effects)
    }
    take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
  }

  /// Something happens before the store can be read.
  private mutating func letPass(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    scratch.removeAll(keepingCapacity: true)
    matching.look(event, into: &scratch)
    for effect in scratch {
      switch effect {
      case .request(let request):
        matching.takeBack(request, at: event.moment)
        effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
      case .noRequest: effects.append(effect)
      case .decided, .dropped, .add, .remove, .withdraw, .monitor, .unmonitor, .watch, .unwatch, .wake,
        .wakeForRelease, .persist, .storeUnusable:
        break
      }
    }
    closed?.now = event.moment
    if event.kind.concernsStore { closed?.told.append(event) }
  }
}

// MARK: - At rest

/// But for the names, which change only where reminders are declared while it runs.
extension JoinedHalves: Packable where Matching: Packable, Deciding: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.keep(&closed, unless: closed == nil)
    parcel.carry(&countsAlike)
    matching.pack(in: &parcel)
    deciding.pack(in: &parcel)
  }
}

/// What is stored and cannot be read, and what must be done when it can.
private struct ClosedStore: Sendable {
  /// What was told since that concerns what is stored, in order.
  var told: [ObservedEvent] = []
  var now: Moment
  /// What it holds is known, and what was told since is still to be made up for.
  var isOpen = false
}

extension EngineEffect {
  fileprivate func givesUp(_ id: RequestID) -> Bool {
    switch self {
    case .remove(let request, _): request == id
    case .dropped(let request, _): request.id == id
    default: false
    }
  }
}

extension ObservedEvent {
  /// The event as news that is taken in now, of a state of which the trigger has passed.
  fileprivate func withoutTrigger(at now: Moment) -> ObservedEvent {
    var event = self
    // What is planned because of it is planned from now on.
    event.moment = now
    if kind == .factChanged || kind == .factFound {
      event.kind = .factFound
      event.age = age + now.elapsed(since: moment)
    }
    if kind == .deliveredElsewhere { event.age = age + now.elapsed(since: moment) }
    if kind == .regionEntered || kind == .regionExited || kind == .opened { event.value = Self.foundSo }
    return event
  }
}

extension ObservedEvent.Kind {
  /// Whether it changes what an engine must remember, beside what it triggers.
  fileprivate var concernsStore: Bool {
    switch self {
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .backgrounded,
      .launched, .storeAvailable, .woken, .zoneChanged, .clockChanged, .located:
      false
    case .opened, .regionEntered, .regionExited, .regionFailed, .factChanged, .factFound,
      .permissionChanged, .reinstalled, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .acted,
      .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged, .deliveredElsewhere:
      true
    }
  }
}
