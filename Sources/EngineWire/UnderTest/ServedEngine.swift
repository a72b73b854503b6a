import NotificationGateway
import ReminderEngine
import ReminderMatching
import TriggerEngine
import TriggerModel

/// The engine behind an ``EngineServer``: the built-in engine, or one of its halves.
protocol ServedEngine: Sendable {
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])
  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect])
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool
  /// Receives an effect of the other half.
  mutating func receive(_ effect: EngineEffect)
  /// Answers a question about the received effects.
  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect])
  func isUnsettled(at moment: Moment) -> Bool
  func storedState() -> [UInt8]
}

/// The whole built-in engine.
struct ServedWhole: ServedEngine {
  let pristine: BuiltInEngine
  var engine: BuiltInEngine
  /// The counters that the scenario declares.
  private let counters: StoreContents

  init(_ engine: BuiltInEngine, hasCounters: Bool) {
    pristine = engine
    self.engine = engine
    counters = hasCounters ? .bytes(engine.storedState()) : .empty
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine = pristine
    var launch = launch
    if launch.store == .empty { launch.store = counters }
    engine.launch(launch, into: &effects)
  }

  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect]) {
    engine.open(store == .empty ? counters : store, into: &effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    engine.process(event, into: &effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    engine.settle(at: moment, into: &effects)
  }

  // The whole engine has no other half, so the bench never calls these methods.
  func receive(_ effect: EngineEffect) {}
  func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {}

  func isUnsettled(at moment: Moment) -> Bool { engine.isUnsettled(at: moment) }
  func storedState() -> [UInt8] { engine.storedState() }
}

/// The reminder engine, which determines when reminders request a notification.
struct ServedMatching: ServedEngine {
  var reminders: ReminderEngine
  private var isLocked = false
  private var received: [EngineEffect] = []

  init(_ reminders: ReminderEngine) { self.reminders = reminders }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    isLocked = launch.store == .locked
    reminders.pendingCapacity = launch.pendingCapacity
    reminders.regionCapacity = launch.regionCapacity
    reminders.alarmsMayBeLate = launch.alarmsMayBeLate
    reminders.restart(in: launch.moment.zone)
    adopt(launch.store, into: &effects)
  }

  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect]) {
    isLocked = false
    reminders.forgetState()
    adopt(store, into: &effects)
  }

  private mutating func adopt(_ store: StoreContents, into effects: inout [EngineEffect]) {
    guard case .bytes(let bytes) = store else { return }
    var stored = reminders
    do throws(StoreProblem) {
      try stored.adopt(StoredState(bytes))
      reminders = stored
    } catch {
      effects.append(.storeUnusable(error))
    }
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard isLocked else { return reminders.process(event, into: &effects) }
    var allEffects: [EngineEffect] = []
    // While the store is locked, the reminders are known, but not the plans.
    if event.kind == .launched { return reminders.process(event, into: &allEffects) }
    reminders.look(event, into: &allEffects)
    for effect in allEffects {
      switch effect {
      case .request(let request):
        reminders.takeBack(request, at: event.moment)
        effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
      case .noRequest: effects.append(effect)
      default: break
      }
    }
  }

  func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool { false }

  mutating func receive(_ effect: EngineEffect) { received.append(effect) }

  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {
    defer { received.removeAll(keepingCapacity: true) }
    switch question {
    case .settled: reminders.settled(received, at: moment, into: &effects)
    case .release:
      for case .request(let request) in received where !reminders.stillHolds(request, at: moment) {
        effects.append(.remove(request.id, .staleAtRelease))
      }
    case .withdraw: break
    }
  }

  func isUnsettled(at moment: Moment) -> Bool { false }
  func storedState() -> [UInt8] { reminders.storedState() }
}

/// The cap scheduler, which decides requests.
struct ServedDeciding: ServedEngine {
  var gateway: NotificationGateway
  private let names: StoreNames
  /// The counters that the scenario declares.
  private let counters: [UInt8]?
  private var received: [EngineEffect] = []

  init(_ engine: BuiltInEngine, hasCounters: Bool) {
    gateway = engine.gateway
    names = engine.reminders.program.storeNames
    counters = hasCounters ? gateway.storedState(names: names) : nil
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    gateway.alarmsMayBeLate = launch.alarmsMayBeLate
    gateway.restart(permission: launch.permission)
    if launch.store == .empty, let counters {
      adopt(.bytes(counters), at: launch.moment, into: &effects)
    } else {
      adopt(launch.store, at: launch.moment, into: &effects)
    }
  }

  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect]) {
    gateway.restart(permission: gateway.permission)
    adopt(store, at: moment, into: &effects)
  }

  private mutating func adopt(
    _ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard case .bytes(let bytes) = store else { return }
    var stored = gateway
    do throws(StoreProblem) {
      try stored.adopt(StoredState(bytes), names: names, at: moment)
      gateway = stored
      if !gateway.endedReminders.isEmpty { effects.append(.persist) }
    } catch {
      effects.append(.storeUnusable(error))
    }
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    gateway.process(event, into: &effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    gateway.settle(at: moment, into: &effects) || gateway.hasNewReleases
  }

  mutating func receive(_ effect: EngineEffect) {
    if case .request(let request) = effect { gateway.submit(request) } else { received.append(effect) }
  }

  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {
    defer { received.removeAll(keepingCapacity: true) }
    var removed: Set<RequestID> = []
    var removalReason = Reason.cancelled
    for effect in received {
      switch effect {
      case .remove(let id, let reason):
        removed.insert(id)
        removalReason = reason
      case .withdraw(let reminder, let reason):
        gateway.withdraw(reminder, because: reason, at: moment, into: &effects)
      default: break
      }
    }
    // All removals in one question have the same reason.
    if removalReason == .staleAtRelease {
      gateway.withdrawStale(removed, at: moment, into: &effects)
    } else if !removed.isEmpty {
      gateway.withdraw(removed, because: removalReason, at: moment, into: &effects)
    }
    if question == .release { effects += gateway.releases(at: moment).map { .request($0) } }
  }

  func isUnsettled(at moment: Moment) -> Bool { gateway.isUnsettled(at: moment) || gateway.hasReleases }
  func storedState() -> [UInt8] { gateway.storedState(names: names) }
}
