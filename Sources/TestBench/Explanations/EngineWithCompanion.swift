import TriggerEngine
import TriggerModel

/// An engine under test with a built-in engine as its companion. The companion observes the same events, and
/// its effects are discarded. It answers at any instant what the declarations and the policy require.
///
/// Only the tested engine affects the run. A new process of the companion starts with the state that the
/// companion had when the tested engine stored the bytes that its own process finds.
struct EngineWithCompanion: EngineUnderTest {
  private var tested: any EngineUnderTest
  private(set) var companion: BuiltInEngine
  /// The companion's state for each stored state of the tested engine.
  private var companionStates: [[UInt8]: [UInt8]] = [:]
  private var discarded: [EngineEffect] = []

  init(_ tested: any EngineUnderTest, companion: BuiltInEngine) {
    self.tested = tested
    self.companion = companion
    // The stored state that the scenario declares.
    companionStates[tested.storedState()] = companion.storedState()
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    tested.launch(launch, into: &effects)
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
    tested.process(event, into: &effects)
    companion.process(event, into: &discarded)
    recordState(effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let hasMore = tested.settle(at: moment, into: &effects)
    // The companion hands over one request at a time, in step with the tested engine. The rest follows the
    // tested engine's last request.
    while companion.settle(at: moment, into: &discarded), !hasMore {}
    recordState(effects)
    return hasMore
  }

  func storedState() -> [UInt8] { tested.storedState() }

  var failure: EngineFailure? { tested.failure }

  private func contents(_ store: StoreContents) -> StoreContents {
    guard case .bytes(let bytes) = store else { return store }
    // The tested engine did not store these bytes, so they are torn. They are no valid state of the companion
    // either.
    return .bytes(companionStates[bytes] ?? bytes)
  }

  private mutating func recordState(_ effects: [EngineEffect]) {
    discarded.removeAll(keepingCapacity: true)
    if effects.contains(.persist) { companionStates[tested.storedState()] = companion.storedState() }
  }
}
