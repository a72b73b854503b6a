import NotificationGateway
import ReminderEngine
import ReminderMatching
import TriggerEngine
import TriggerModel

/// What an ``EngineServer`` lets work: the built-in engine, or one half of it.
protocol ServedEngine: Sendable {
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])
  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect])
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool
  /// Takes in what the other half wants or says.
  mutating func tell(_ effect: EngineEffect)
  /// Answers a question about what it was told.
  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect])
  func isUnsettled(at moment: Moment) -> Bool
  func storedState() -> [UInt8]
}

/// All of it.
struct ServedWhole: ServedEngine {
  let pristine: BuiltInEngine
  var engine: BuiltInEngine
  /// What a scenario begins with.
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

  // Nobody tells or asks it anything else: there is no other half.
  func tell(_ effect: EngineEffect) {}
  func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {}

  func isUnsettled(at moment: Moment) -> Bool { engine.isUnsettled(at: moment) }
  func storedState() -> [UInt8] { engine.storedState() }
}

/// The reminder engine: says which reminders ask for a notification.
struct ServedMatching: ServedEngine {
  var reminders: ReminderEngine
  private var isLocked = false
  private var told: [EngineEffect] = []

  init(_ reminders: ReminderEngine) { self.reminders = reminders }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    isLocked = launch.store == .locked
    reminders.pendingCapacity = launch.pendingCapacity
    reminders.regionCapacity = launch.regionCapacity
    reminders.alarmsMayBeLate = launch.alarmsMayBeLate
    reminders.beginAnew(in: launch.moment.zone)
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
    var wishes: [EngineEffect] = []
    // It knows its reminders, and so what it lets pass; plans of an empty store are nobody's.
    if event.kind == .launched { return reminders.process(event, into: &wishes) }
    reminders.look(event, into: &wishes)
    for wish in wishes {
      switch wish {
      case .request(let request):
        reminders.takeBack(request, at: event.moment)
        effects.append(.noRequest(request.id.reminder, .staleData, failed: []))
      case .noRequest: effects.append(wish)
      default: break
      }
    }
  }

  func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool { false }

  mutating func tell(_ effect: EngineEffect) { told.append(effect) }

  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {
    defer { told.removeAll(keepingCapacity: true) }
    switch question {
    case .settled: reminders.settled(told, at: moment, into: &effects)
    case .release:
      for case .request(let request) in told where !reminders.stillHolds(request, at: moment) {
        effects.append(.remove(request.id, .staleAtRelease))
      }
    case .withdraw: break
    }
  }

  func isUnsettled(at moment: Moment) -> Bool { false }
  func storedState() -> [UInt8] { reminders.storedState() }
}

/// The cap scheduler: decides which requests become notifications.
struct ServedDeciding: ServedEngine {
  var gateway: NotificationGateway
  private let names: StoreNames
  /// What a scenario begins with.
  private let counters: [UInt8]?
  private var told: [EngineEffect] = []

  init(_ engine: BuiltInEngine, hasCounters: Bool) {
    gateway = engine.gateway
    names = engine.reminders.program.storeNames
    counters = hasCounters ? gateway.storedState(names: names) : nil
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    gateway.alarmsMayBeLate = launch.alarmsMayBeLate
    gateway.beginAnew(permission: launch.permission)
    if launch.store == .empty, let counters {
      adopt(.bytes(counters), at: launch.moment, into: &effects)
    } else {
      adopt(launch.store, at: launch.moment, into: &effects)
    }
  }

  mutating func open(_ store: StoreContents, at moment: Moment, into effects: inout [EngineEffect]) {
    gateway.beginAnew(permission: gateway.permission)
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

  mutating func tell(_ effect: EngineEffect) {
    if case .request(let request) = effect { gateway.submit(request) } else { told.append(effect) }
  }

  mutating func answer(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {
    defer { told.removeAll(keepingCapacity: true) }
    var removed: Set<RequestID> = []
    var because = Reason.cancelled
    for wish in told {
      switch wish {
      case .remove(let id, let reason):
        removed.insert(id)
        because = reason
      case .withdraw(let reminder, let reason):
        gateway.withdraw(reminder, because: reason, at: moment, into: &effects)
      default: break
      }
    }
    // All of one question are taken back for the same reason.
    if because == .staleAtRelease {
      gateway.withdrawStale(removed, at: moment, into: &effects)
    } else if !removed.isEmpty {
      gateway.withdraw(removed, because: because, at: moment, into: &effects)
    }
    if question == .release { effects += gateway.releases(at: moment).map { .request($0) } }
  }

  func isUnsettled(at moment: Moment) -> Bool { gateway.isUnsettled(at: moment) || gateway.hasReleases }
  func storedState() -> [UInt8] { gateway.storedState(names: names) }
}
