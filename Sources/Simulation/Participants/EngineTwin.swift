import DeviceSimulation
import ScenarioModel
import TriggerEngine
import TriggerModel

/// A built-in engine that runs in parallel with another engine under test, in its own process.
///
/// The twin observes the same events in the same steps, and has its own store. The phone ignores its effects.
/// While both engines have the same effects, the twin shows exactly what the built-in engine would have
/// requested. A reconstruction from the records could differ.
struct EngineTwin: Sendable {
  /// The effects of one engine at the current instant that determine its requests and observations.
  private struct Demands: Sendable {
    var ofReminders: [ReminderID: [Demand]] = [:]
    /// The effects that do not concern a single reminder.
    var common: [EngineEffect] = []
    var isEmpty: Bool { ofReminders.isEmpty && common.isEmpty }
  }

  /// An effect that concerns one reminder.
  private enum Demand: Hashable, Sendable {
    /// A request with its scheduled time. Its other properties are not compared.
    case request(RequestID, Instant)
    case other(EngineEffect)
  }

  private var process: EngineProcess
  private var store = PhoneStore()
  private var effects: [EngineEffect] = []
  /// Whether the twin may still decide requests at this instant.
  private var isUnsettled = false
  private var own = Demands()
  private var tested = Demands()
  /// The reminders for which the effects of the two engines have ever differed.
  private var differing: Set<ReminderID> = []
  /// Whether the effects of the two engines on regions have ever differed.
  private var differsInCommon = false

  init(_ program: Program, device: Int) {
    let engine = program.makeEngine(explainsMisses: false)
    process = EngineProcess(engine, program, device: device)
    if program.scenario.stored != nil { store.write(engine.storedState()) }
  }

  /// Returns whether the engine under test has ever reacted differently from the built-in engine to the same
  /// observations, in its effects on this reminder or on regions.
  func differs(on reminder: ReminderID) -> Bool { differsInCommon || differing.contains(reminder) }

  // MARK: The steps of the process

  /// - Parameter isStoreOpen: Whether the process can read the store.
  mutating func launch(isStoreOpen: Bool, _ permission: NotificationPermission, at moment: Moment) {
    process.launch(from: isStoreOpen ? store.contents : nil, permission, at: moment, into: &effects)
    takeEffects()
  }

  mutating func open() {
    process.open(store.contents, into: &effects)
    takeEffects()
  }

  mutating func observe(_ event: ObservedEvent) {
    process.engine.process(event, into: &effects)
    isUnsettled = true
    takeEffects()
  }

  /// Decides requests up to the next one that needs the system's answer.
  mutating func settle(at moment: Moment) {
    if !isUnsettled { return }
    isUnsettled = process.engine.settle(at: moment, into: &effects) && !effects.isEmpty
    takeEffects()
  }

  /// Ends the process after the twin has decided everything that it observed.
  mutating func end(at moment: Moment) {
    while isUnsettled { settle(at: moment) }
    process.end(&store)
  }

  private mutating func takeEffects() {
    for effect in effects {
      if effect == .persist { process.persist(to: &store) } else { Self.note(effect, in: &own) }
    }
    effects.removeAll(keepingCapacity: true)
  }

  // MARK: The comparison

  /// Records an effect of the engine under test.
  mutating func note(_ effect: EngineEffect) { Self.note(effect, in: &tested) }

  private static func note(_ effect: EngineEffect, in demands: inout Demands) {
    switch effect {
    case .request(let request):
      demands.ofReminders[request.id.reminder, default: []].append(
        .request(request.id, request.scheduledFor))
    case .dropped(let request, _):
      demands.ofReminders[request.id.reminder, default: []].append(.other(effect))
    case .remove(let request, _): demands.ofReminders[request.reminder, default: []].append(.other(effect))
    case .withdraw(let reminder, _), .wake(let reminder, _):
      demands.ofReminders[reminder, default: []].append(.other(effect))
    case .monitor, .unmonitor, .watch, .unwatch: demands.common.append(effect)
    // These effects do not change the set of requests.
    case .noRequest, .decided, .add, .removeShown, .wakeForRelease, .persist, .storeUnusable: break
    }
  }

  /// Compares the effects of both engines since the last comparison.
  ///
  /// - Precondition: The engine under test has decided everything.
  mutating func compare(at moment: Moment) {
    while isUnsettled { settle(at: moment) }
    if own.isEmpty, tested.isEmpty { return }
    if own.common != tested.common { differsInCommon = true }
    if own.ofReminders != tested.ofReminders {
      for reminder in Set(own.ofReminders.keys).union(tested.ofReminders.keys)
      where own.ofReminders[reminder] != tested.ofReminders[reminder] {
        differing.insert(reminder)
      }
    }
    (own, tested) = (Demands(), Demands())
  }
}
