import TriggerEngine
import TriggerModel

/// An engine under test with the built-in engine beside it, which is told the same and whose wishes nobody
/// carries out: it knows at any instant what the declarations and the policy say.
///
/// The run is the tested engine's alone. Each process of the companion begins with what it had to remember
/// when the tested engine stored what this process finds.
struct AccompaniedEngine: EngineUnderTest {
  private var tested: any EngineUnderTest
  private(set) var companion: BuiltInEngine
  /// What the companion remembered, by what the tested engine stored at that moment.
  private var remembered: [[UInt8]: [UInt8]] = [:]
  private var unheard: [EngineEffect] = []

  init(_ tested: any EngineUnderTest, companion: BuiltInEngine) {
    self.tested = tested
    self.companion = companion
    // What a scenario says is stored.
    remembered[tested.storedState()] = companion.storedState()
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    tested.launch(launch, into: &effects)
    var own = launch
    own.store = contents(launch.store)
    companion.launch(own, into: &unheard)
    note(effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    tested.open(store, into: &effects)
    companion.open(contents(store), into: &unheard)
    note(effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    tested.process(event, into: &effects)
    companion.process(event, into: &unheard)
    note(effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    let hasMore = tested.settle(at: moment, into: &effects)
    // One request that is handed over at a time, as the other; what is left over in the end at once.
    while companion.settle(at: moment, into: &unheard), !hasMore {}
    note(effects)
    return hasMore
  }

  func storedState() -> [UInt8] { tested.storedState() }

  var failure: EngineFailure? { tested.failure }

  private func contents(_ store: StoreContents) -> StoreContents {
    guard case .bytes(let bytes) = store else { return store }
    // Bytes that the engine did not store so are torn; they are no state of the companion's either.
    return .bytes(remembered[bytes] ?? bytes)
  }

  private mutating func note(_ effects: [EngineEffect]) {
    unheard.removeAll(keepingCapacity: true)
    if effects.contains(.persist) { remembered[tested.storedState()] = companion.storedState() }
  }
}
