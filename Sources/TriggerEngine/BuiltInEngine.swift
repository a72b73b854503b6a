public import NotificationGateway
public import ReminderEngine
public import TriggerModel

/// TriggerBench's own engine: the reminder engine, and behind it the cap scheduler.
///
/// What both have to remember when the process ends they ask for at once to be stored (`persist`), so that
/// what is stored is always their state, and a new process goes on from there:
///
/// ```swift
/// for effect in effects { if effect == .persist { write(engine.storedState()) } }
/// …
/// engine.launch(ProcessLaunch(store: .bytes(read()), permission: permission, moment: now), into: &effects)
/// ```
///
/// Before the first unlock after a boot the store cannot be read. An engine that went on with empty
/// counters would remind again of everything; this one lets its triggers pass and says `staleData`, and
/// plans nothing ahead until the store can be read.
public struct BuiltInEngine: EngineUnderTest {
  public private(set) var reminders: ReminderEngine
  public private(set) var gateway: NotificationGateway
  /// Nil: the store can be read.
  private var closed: ClosedStore?
  private var scratch: [EngineEffect] = []

  /// What is stored and cannot be read, and what must be done when it can.
  private struct ClosedStore: Sendable {
    /// What was told since that concerns what is stored, in order.
    var told: [ObservedEvent] = []
    var now: Moment
    /// What it holds is known, and what was told since is still to be made up for.
    var isOpen = false
  }

  /// - Parameter gateway: Of the types of the reminders' program, and with the same zones.
  public init(reminders: ReminderEngine, gateway: NotificationGateway) {
    self.reminders = reminders
    self.gateway = gateway
  }

  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let isClosed = closed != nil
    if event.kind == .storeAvailable {
      if isClosed {
        makeUp(event, into: &effects)
      } else {
        take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
      }
    } else if !isClosed {
      take(event, into: &effects)
    } else if event.kind == .launched {
      knowReminders(event)
    } else {
      letPass(event, into: &effects)
    }
  }

  /// - Parameter name: The event as the reminder engine is to see it.
  private mutating func take(
    _ event: ObservedEvent, as name: ObservedEvent? = nil, into effects: inout [EngineEffect]
  ) {
    scratch.removeAll(keepingCapacity: true)
    reminders.process(name ?? event, into: &scratch)
    // The accounts first: what is asked for because of an event comes after what the event took away.
    let first = effects.count
    gateway.process(event, into: &effects)
    if event.kind == .preferencesChanged {
      // Commands and permission the reminder engine knows by itself; which types are off it does not.
      reminders.settled(Array(effects[first...]), at: event.moment, into: &scratch)
    }
    for effect in scratch { pass(effect, at: event.moment, into: &effects) }
  }

  /// Hands an effect of the reminder engine to the scheduler or on.
  private mutating func pass(
    _ effect: EngineEffect, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    switch effect {
    case .request(let request):
      effects.append(effect)
      gateway.submit(request)
    case .remove(let request, let reason):
      gateway.withdraw(request, because: reason, at: moment, into: &effects)
    case .withdraw(let reminder, let reason):
      gateway.withdraw(reminder, because: reason, at: moment, into: &effects)
    case .noRequest, .decided, .dropped, .add, .monitor, .unmonitor, .wake, .wakeForRelease, .persist,
      .storeUnusable:
      effects.append(effect)
    }
  }

  public mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    if closed != nil { return false }
    let first = effects.count
    var stale: Set<RequestID> = []
    for request in gateway.dueForRelease(at: moment) where !reminders.stillHolds(request, at: moment) {
      stale.insert(request.id)
    }
    if !stale.isEmpty { gateway.withdraw(stale, because: .staleAtRelease, at: moment, into: &effects) }
    let hasMore = gateway.settle(at: moment, into: &effects)
    if effects.count == first { return hasMore }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: effects[first...])
    reminders.settled(scratch, at: moment, into: &effects)
    return hasMore
  }

  /// Whether there is anything to decide at this instant: ``settle(at:into:)`` would do nothing otherwise.
  public func isUnsettled(at moment: Moment) -> Bool { closed == nil && gateway.isUnsettled(at: moment) }

  /// Why a reminder would, or would not, match if its trigger came now.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    reminders.explain(reminder, at: moment)
  }

  // MARK: - Storing

  public static var persistsEveryChange: Bool { true }

  /// Everything that both halves have to remember, in one form. Nothing while the store is locked: what it
  /// holds is not known then, and nobody asks for it to be changed.
  public func storedState() -> [UInt8] {
    if let closed, !closed.isOpen { return [] }
    var used = UsedNames()
    reminders.collectNames(into: &used)
    gateway.collectNames(reminders.program.storeNames, into: &used)
    var writer = StateWriter(used)
    reminders.write(to: &writer)
    gateway.write(to: &writer)
    return writer.sealed()
  }

  /// The reminders that an update of the app has brought to an end, with the requests that the system may
  /// still hold: known after the launch, to be withdrawn by the app.
  public var endedReminders: [EndedReminder] { gateway.endedReminders }

  // MARK: - Starting anew

  public mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    reminders.beginAnew(in: launch.moment.zone)
    gateway.beginAnew(permission: launch.permission)
    closed = nil
    switch launch.store {
    case .empty: break
    case .locked: closed = ClosedStore(now: launch.moment)
    case .bytes(let bytes): adopt(bytes, at: launch.moment, into: &effects)
    }
  }

  public mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    guard let now = closed?.now else { return }
    // The plans of an empty store are nobody's; what the process was told by the system stays.
    reminders.forgetState()
    switch store {
    case .empty: break
    case .locked: return
    case .bytes(let bytes): adopt(bytes, at: now, into: &effects)
    }
    closed?.isOpen = true
  }

  /// Goes on from what was stored, or says why it cannot be used.
  private mutating func adopt(_ bytes: [UInt8], at now: Moment, into effects: inout [EngineEffect]) {
    var (reminders, gateway) = (self.reminders, self.gateway)
    do throws(StoreProblem) {
      let state = try StoredState(bytes)
      try reminders.adopt(state)
      try gateway.adopt(state, names: reminders.program.storeNames, at: now)
    } catch {
      return effects.append(.storeUnusable(error))
    }
    self.reminders = reminders
    self.gateway = gateway
    if !gateway.endedReminders.isEmpty { effects.append(.persist) }
  }

  /// A process starts without its store. It knows its reminders, and so what it lets pass.
  private mutating func knowReminders(_ event: ObservedEvent) {
    scratch.removeAll(keepingCapacity: true)
    reminders.process(event, into: &scratch)
  }

  /// The store can be read: makes up for what was told since the launch, and does what a launch brings
  /// about.
  private mutating func makeUp(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let told = closed?.told ?? []
    closed = nil
    for earlier in told { take(earlier, as: earlier.withoutTrigger, into: &effects) }
    take(event, as: ObservedEvent(.launched, at: event.moment), into: &effects)
  }

  /// Something happens before the store can be read.
  private mutating func letPass(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    scratch.removeAll(keepingCapacity: true)
    reminders.look(event, into: &scratch)
    for effect in scratch {
      switch effect {
      case .request(let request):
        reminders.takeBack(request, at: event.moment)
        effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
      case .noRequest: effects.append(effect)
      case .decided, .dropped, .add, .remove, .withdraw, .monitor, .unmonitor, .wake, .wakeForRelease,
        .persist, .storeUnusable:
        break
      }
    }
    closed?.now = event.moment
    if event.kind.concernsStore { closed?.told.append(event) }
  }
}

extension ObservedEvent {
  /// The event as news of a state, of which the trigger has passed.
  fileprivate var withoutTrigger: ObservedEvent {
    var event = self
    if kind == .factChanged { event.kind = .factFound }
    if kind == .regionEntered || kind == .regionExited { event.value = Self.foundSo }
    return event
  }
}

extension ObservedEvent.Kind {
  /// Whether it changes what an engine must remember, beside what it triggers.
  fileprivate var concernsStore: Bool {
    switch self {
    case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .appOpened, .backgrounded,
      .launched, .storeAvailable, .woken, .zoneChanged, .clockChanged:
      false
    case .opened, .regionEntered, .regionExited, .regionFailed, .factChanged, .factFound,
      .permissionChanged, .reinstalled, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed,
      .snooze, .cancel, .edit, .cancelAll, .preferencesChanged:
      true
    }
  }
}
