import NotificationGateway
import ReminderEngine
import Synchronization
import TriggerModel

@testable import TriggerEngine

/// A built-in engine that starts a new process for each call. The process continues from the stored bytes and
/// from the state that the phone reports at launch. While the store is locked, the process keeps running.
struct RestartingEngine: EngineUnderTest {
  /// A record of all processes of the app.
  final class Log: Sendable {
    struct Findings: Sendable {
      var restarts = 0
      /// The size of the largest stored state in bytes.
      var largest = 0
      /// Descriptions of failed restarts.
      var problems: [String] = []
      /// The stored bytes at some of the restarts.
      var samples: [[UInt8]] = []
    }

    private let state = Mutex(Findings())
    private let sampling: Int

    init(sampling: Int = .max) { self.sampling = sampling }

    var findings: Findings { state.withLock { $0 } }

    fileprivate func note(_ bytes: [UInt8], _ again: [UInt8], _ effects: [EngineEffect]) {
      state.withLock { found in
        found.restarts += 1
        found.largest = max(found.largest, bytes.count)
        if bytes != again { found.problems.append("other bytes after \(found.restarts) restarts") }
        if !effects.isEmpty { found.problems.append("\(effects)") }
        if found.restarts % sampling == 0 { found.samples.append(bytes) }
      }
    }
  }

  private let pristine: BuiltInEngine
  private var engine: BuiltInEngine
  private let log: Log
  private var permission = NotificationPermission.notDetermined
  private var pendingCapacity = Int.max
  private var regionCapacity = Int.max
  private var alarmsMayBeLate = false
  private var isCharging = false
  private var isLocked = true

  init(_ engine: BuiltInEngine, _ log: Log) {
    pristine = engine
    self.engine = engine
    self.log = log
  }

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    permission = launch.permission
    pendingCapacity = launch.pendingCapacity
    regionCapacity = launch.regionCapacity
    alarmsMayBeLate = launch.alarmsMayBeLate
    isLocked = launch.store == .locked
    engine.launch(launch, into: &effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    restart(at: event.moment, into: &effects)
    engine.process(event, into: &effects)
    switch event.kind {
    case .chargingStarted: isCharging = true
    case .chargingStopped, .reinstalled: isCharging = false
    case .permissionChanged:
      permission = NotificationPermission(rawValue: UInt8(event.value)) ?? .notDetermined
    case .storeAvailable: isLocked = false
    default: break
    }
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    restart(at: moment, into: &effects)
    return engine.settle(at: moment, into: &effects)
  }

  func storedState() -> [UInt8] { engine.storedState() }

  static var persistsEveryChange: Bool { true }

  private mutating func restart(at moment: Moment, into effects: inout [EngineEffect]) {
    if isLocked { return }
    let bytes = engine.storedState()
    var unexpected: [EngineEffect] = []
    engine = pristine
    engine.launch(
      ProcessLaunch(
        store: .bytes(bytes), permission: permission, moment: moment, pendingCapacity: pendingCapacity,
        regionCapacity: regionCapacity, alarmsMayBeLate: alarmsMayBeLate),
      into: &unexpected)
    log.note(bytes, engine.storedState(), unexpected)
    if isCharging {
      engine.process(
        ObservedEvent(.chargingStarted, value: ObservedEvent.reportedState, at: moment), into: &effects)
    }
  }
}
