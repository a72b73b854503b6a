import DeviceSimulation
import ScenarioModel
import TriggerEngine
import TriggerModel

/// The built-in engine in its own process, next to the process of another engine under test.
///
/// The twin observes the same events in the same steps, and has its own store. The phone does not carry out
/// its effects. As long as both engines have the same effects, the twin shows exactly what the built-in engine
/// would have requested. A reconstruction of that engine from the records could differ from it.
struct EngineTwin: Sendable {
  /// The effects of one engine at the present instant that determine its requests and its observations.
  private struct Demands: Sendable {
    var ofReminders: [ReminderID: [Demand]] = [:]
    /// The effects that concern several reminders.
    var common: [EngineEffect] = []
    var isEmpty: Bool { ofReminders.isEmpty && common.isEmpty }
  }

  /// An effect that concerns one reminder.
  private enum Demand: Hashable, Sendable {
    /// A request with its scheduled time. Its other properties do not determine whether it was called for.
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
  /// The reminders for which the two engines have ever had different effects.
  private var differing: Set<ReminderID> = []
  /// Whether the two engines have ever registered different regions.
  private var differsInCommon = false

  init(_ program: Program, device: Int) {
    let engine = program.makeEngine(explainsMisses: false)
    process = EngineProcess(engine, program, device: device)
    if program.scenario.stored != nil { store.write(engine.storedState()) }
  }

  /// Returns whether the engine under test has ever had other effects for a reminder than the built-in engine
  /// after the same observations.
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

  /// Decides up to the next request for which the system's answer is needed.
  mutating func settle(at moment: Moment) {
    if !isUnsettled { return }
    isUnsettled = process.engine.settle(at: moment, into: &effects) && !effects.isEmpty
    takeEffects()
  }

  /// Ends the process after it has decided everything that it observed.
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
    // Decisions and explanations do not change what is requested.
    case .noRequest, .decided, .add, .removeShown, .wakeForRelease, .persist, .storeUnusable: break
    }
  }

  /// Compares the effects of both engines since the last comparison. The engine under test must have decided
  /// everything.
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
