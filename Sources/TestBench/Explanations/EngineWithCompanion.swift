import NotificationGateway
import TriggerEngine
import TriggerModel

/// An engine under test with a built-in engine as its companion. The companion observes the same events and
/// knows at any instant what the declarations and the policy require. Its effects are discarded.
///
/// Only the tested engine affects the run. After a restart of the app, the companion must continue from the
/// same point as the tested engine. Therefore each stored state of the tested engine is mapped to a state of
/// the companion.
struct EngineWithCompanion: EngineUnderTest {
  private var tested: any EngineUnderTest
  private(set) var companion: BuiltInEngine
  /// A cap scheduler that counts the requests that the tested engine's scheduler admitted. The companion's
  /// own scheduler also counts requests that the tested engine did not make.
  private(set) var scheduler: NotificationGateway
  /// The companion's state for each stored state of the tested engine.
  private var companionStates: [[UInt8]: [UInt8]] = [:]
  private var discarded: [EngineEffect] = []

  init(_ tested: any EngineUnderTest, companion: BuiltInEngine) {
    self.tested = tested
    self.companion = companion
    scheduler = companion.gateway
    // The scenario declares the initial stored state.
    companionStates[tested.storedState()] = companion.storedState()
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    let first = effects.count
    tested.launch(launch, into: &effects)
    follow(effects[first...], at: launch.moment)
    var own = launch
    own.store = contents(launch.store)
    companion.launch(own, into: &discarded)
    recordState(effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    tested.open(store, into: &effects)
    companion.open(contents(store), into: &discarded)
    recordState(effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let first = effects.count
    tested.process(event, into: &effects)
    scheduler.process(event, into: &discarded)
    follow(effects[first...], at: event.moment)
    companion.process(event, into: &discarded)
    recordState(effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let first = effects.count
    let hasMore = tested.settle(at: moment, into: &effects)
    follow(effects[first...], at: moment)
    // The companion decides requests in step with the tested engine. After the tested engine's last request,
    // it decides all remaining ones.
    while companion.settle(at: moment, into: &discarded), !hasMore {}
    recordState(effects)
    return hasMore
  }

  func storedState() -> [UInt8] { tested.storedState() }

  var failure: EngineFailure? { tested.failure }

  /// Applies the effects of the tested engine to ``scheduler``.
  private mutating func follow(_ effects: ArraySlice<EngineEffect>, at moment: Moment) {
    for effect in effects {
      switch effect {
      case .decided(let request, let decision) where decision.outcome == .admit:
        scheduler.count(admitted: request, at: moment)
      case .remove(let id, let reason):
        scheduler.withdraw(id, because: reason, at: moment, into: &discarded)
      case .withdraw(let reminder, let reason):
        scheduler.withdraw(reminder, because: reason, at: moment, into: &discarded)
      default: break
      }
    }
  }

  private func contents(_ store: StoreContents) -> StoreContents {
    guard case .bytes(let bytes) = store else { return store }
    // Unknown bytes are torn, because the tested engine did not store them. The companion cannot read them
    // either.
    return .bytes(companionStates[bytes] ?? bytes)
  }

  private mutating func recordState(_ effects: [EngineEffect]) {
    discarded.removeAll(keepingCapacity: true)
    if effects.contains(.persist) { companionStates[tested.storedState()] = companion.storedState() }
  }
}
