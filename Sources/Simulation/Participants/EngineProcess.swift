import DeviceSimulation
import Histogram
import TriggerModel

/// The process of the app under test on a device. It holds the engine and the engine's access to the phone's
/// store.
///
/// Each new process starts with a copy of the original engine and with the contents of the store. The engine
/// is an existential, so the compiler does not specialize the run for each engine type. One dynamic call per
/// event had no measurable cost.
struct EngineProcess: Sendable {
  var engine: any EngineUnderTest
  /// The engine before its first event.
  let original: any EngineUnderTest
  /// The number of pending requests that the app assumes the system to keep.
  private let pendingCapacity: Int
  /// The number of regions that the app assumes the system to monitor.
  private let regionCapacity: Int
  /// Whether the system treats requests for a later time as alarms that it may delay.
  private let alarmsMayBeLate: Bool
  private let persistsEveryChange: Bool
  /// Whether the process can read and write its store.
  private var isStoreOpen = true
  /// Whether the engine has asked to store its state since the last write.
  private var hasUnwrittenState = false

  init(_ engine: any EngineUnderTest, _ program: Program, device: Int) {
    self.engine = engine
    original = engine
    pendingCapacity = program.pendingCapacity(ofDevice: device)
    regionCapacity = program.regionCapacity(ofDevice: device)
    alarmsMayBeLate = program.alarmsMayBeLate(onDevice: device)
    persistsEveryChange = type(of: engine).persistsEveryChange
  }

  /// Starts a process. It receives nothing from the previous process except the stored state.
  ///
  /// - Parameter store: The contents of the phone's store, or `nil` if it is locked.
  mutating func launch(
    from store: StoreContents?, _ permission: NotificationPermission, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    isStoreOpen = store != nil
    // Assign the property only if it differs, because assigning it copies the engine that all persons share.
    let countsInBulk = engine.countsInBulk
    engine = original
    if engine.countsInBulk != countsInBulk { engine.countsInBulk = countsInBulk }
    let launch = ProcessLaunch(
      store: store ?? .locked, permission: permission, moment: moment, pendingCapacity: pendingCapacity,
      regionCapacity: regionCapacity, alarmsMayBeLate: alarmsMayBeLate)
    engine.launch(launch, into: &effects)
  }

  /// Passes the contents of a store that was locked at launch to the engine.
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    isStoreOpen = true
    engine.open(store, into: &effects)
  }

  /// Ends the process.
  mutating func end(_ store: inout PhoneStore) {
    writeState(to: &store)
    store.endProcess()
  }

  /// Handles the engine's request to store its state. If the engine makes this request after every change, its
  /// state is read only when it is needed.
  mutating func persist(to store: inout PhoneStore) {
    guard isStoreOpen, store.takesWrites else { return }
    hasUnwrittenState = true
    if !persistsEveryChange { writeState(to: &store) }
  }

  /// Writes the engine's state if the engine has asked for this since the last write.
  mutating func writeState(to store: inout PhoneStore) {
    guard hasUnwrittenState else { return }
    hasUnwrittenState = false
    store.write(engine.storedState())
  }
}

extension EngineProcess: Packable {
  mutating func pack(in parcel: inout Parcel) {
    if let engine = engine as? any EngineUnderTest & Packable {
      self.engine = engine.packed(in: &parcel)
    } else {
      // The state of other engines is unknown, so they cannot be packed.
      parcel.keep(&engine)
    }
    parcel.carry(&self, \.isStoreOpen, \.hasUnwrittenState)
  }
}

extension EngineUnderTest where Self: Packable {
  fileprivate func packed(in parcel: inout Parcel) -> Self {
    var engine = self
    engine.pack(in: &parcel)
    return engine
  }
}

/// A function that returns nanoseconds on a monotonic clock. The caller supplies it, because the library
/// reads no clock.
package typealias Stopwatch = @Sendable () -> UInt64

/// The time per event in nanoseconds, as a high-dynamic-range histogram with three significant digits.
package struct EngineTiming: Sendable {
  private var histogram = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)

  package init() {}

  mutating func record(_ nanoseconds: UInt64) {
    _ = histogram.record(min(nanoseconds, 60_000_000_000))
  }

  package mutating func add(_ other: EngineTiming) {
    for bucket in other.histogram.recordedValues() {
      _ = histogram.record(bucket.value, count: bucket.count)
    }
  }

  package var count: UInt64 { UInt64(histogram.totalCount) }

  /// Returns the time in nanoseconds that `percent` percent of the events do not exceed.
  package func percentile(_ percent: Double) -> UInt64 { histogram.valueAtPercentile(percent) }

  package var maximum: UInt64 { histogram.totalCount == 0 ? 0 : histogram.max }
}
