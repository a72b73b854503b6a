public import NotificationGateway
public import ReminderEngine
public import TriggerModel

/// TriggerBench's own engine: the reminder engine, and behind it the cap scheduler.
///
/// What both have to remember when the process ends they ask for at once to be stored (`persist`), so that
/// what is stored is always their state, and a new process goes on from there.
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

  public init(reminders: ReminderEngine, gateway: NotificationGateway) {
    self.reminders = reminders
    self.gateway = gateway
  }

  public mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {}
  public mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {}
  public func storedState() -> [UInt8] { [] }
  public static var persistsEveryChange: Bool { true }

  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    switch event.kind {
    case .launched: launch(event, into: &effects)
    case .storeAvailable: open(event, into: &effects)
    default:
      if closed == nil { take(event, into: &effects) } else { letPass(event, into: &effects) }
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
    default: effects.append(effect)
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

  /// Why a reminder would, or would not, match if its trigger came now.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    reminders.explain(reminder, at: moment)
  }

  // MARK: - Starting anew

  /// What is stored and cannot be read, and what must be done when it can.
  private struct ClosedStore: Sendable {
    var state: EngineState
    /// What was told since that concerns what is stored, in order.
    var told: [ObservedEvent] = []
  }

  private mutating func launch(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    // What an earlier process was told and could not write down went with it.
    if let stored = closed?.state { reminders.adopt(stored) }
    closed = nil
    reminders.restart()
    gateway.restart()
    if event.value == 0 { return take(event, into: &effects) }
    closed = ClosedStore(state: reminders.state)
    reminders.adopt(EngineState(of: reminders.program))
    // It knows its reminders, and so what it lets pass; the plans of an empty store are nobody's.
    scratch.removeAll(keepingCapacity: true)
    reminders.process(event, into: &scratch)
  }

  /// The store can be read: goes on from there, makes up for what was told since, and does what a launch
  /// brings about.
  private mutating func open(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    if let closed {
      self.closed = nil
      reminders.adopt(closed.state)
      for earlier in closed.told { take(earlier, as: earlier.withoutTrigger, into: &effects) }
    }
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
      default: break
      }
    }
    if event.kind.concernsStore { closed?.told.append(event) }
  }
}

extension ObservedEvent {
  /// The event as news of a state, of which the trigger has passed.
  fileprivate var withoutTrigger: ObservedEvent {
    var event = self
    switch kind {
    case .factChanged: event.kind = .factFound
    case .regionEntered, .regionExited: event.value = Self.foundSo
    default: break
    }
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
