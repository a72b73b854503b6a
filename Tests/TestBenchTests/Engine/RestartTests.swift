import DeviceSimulation
import Foundation
import NotificationGateway
import PlatformRuns
import ReminderEngine
import Synchronization
import TestSupport
import Testing
import TriggerModel

@testable import Simulation
@testable import Statistics
@testable import TestBench
@testable import TriggerEngine

/// Tests the state of a new process and whether the stored state is complete.
@Suite("Restarts")
struct RestartTests {
  @Test(arguments: ["ideal", "ios"])
  func `a new process finds the phone on the charger without a charging event`(profile: String) throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: \(profile)
      knobs: {presentsInForeground: true}
      reminders:
        plugged: {when: charging starts, repeat: always, notify: {title: r, bucket: user}}
        power: {when: open, if: charging, repeat: always, notify: {title: r, bucket: user}}
      policy: {quietHours: none}
      timeline:
        - 08:00 open
        - 08:01 plug in
        - 08:02 leave
        - 09:00 terminate
        - 10:00 open
        - 10:01 leave
        - 11:00 terminate
        - 12:00 unplug
        - 13:00 open
      expect:
        - plugged fires once at 08:01
        - plugged fires = 1
        - power fires once at 10:00
        - power fires = 1
      """)
    run.expectSound("\(profile)")
  }

  @Test func `a new installation finds the charger state and, on an ideal phone, the place`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      places:
        home: {at: [52.52, 13.405], radius: 150 m}
      reminders:
        r: {when: open, if: [charging, inside home], repeat: always, notify: {title: r, bucket: user}}
        arrived: {when: [enter home, charging starts], repeat: always, notify: {title: r, bucket: user}}
      timeline:
        - 08:00 enter home
        - 08:10 plug in
        - 09:00 reinstall
        - 10:00 open
      expect: [{exact: [arrived at 08:00, arrived at 08:10, r at 10:00]}]
      """)
    run.expectSound()
    #expect(try run.account("r").dueRequests == 1)
  }

  @Test func `the app still knows its place after its process has ended`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: ios
      knobs: {regionLatency: 0, regionDwell: 0, presentsInForeground: true}
      places:
        home: {at: [52.52, 13.405], radius: 150 m}
      reminders:
        r: {when: open, if: inside home, repeat: always, notify: {title: r, bucket: user}}
      timeline:
        - 08:00 enter home
        - 09:00 terminate
        - 10:00 open
      expect: [{exact: [r at 10:00]}]
      """)
    run.expectSound()
  }

  @Test
  func `before the first unlock, fired reminders are unknown and events are handled later`()
    throws
  {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ios
      knobs: {regionLatency: 0, regionDwell: 0, presentsInForeground: true}
      facts: {score: {kind: number}}
      places:
        park: {at: [48.2, 16.38], radius: 300 m}
      reminders:
        once: {when: enter park, notify: {title: r, bucket: user}}
        inside: {when: open, if: inside park, notify: {title: r, bucket: user}}
      policy: {quietHours: none}
      timeline:
        - 08:00 enter park
        - 08:30 exit park
        - next day 03:00 reboot
        - 06:00 enter park
        - 08:00 unlock
        - 08:01 open
        - 08:02 leave
        - 09:00 exit park
        - 09:30 enter park
      expect:
        - once fires = 1
        - once fires once between 08:00 and 08:01 on day 1
        - once is not requested because staleData once between 06:00 and 06:01 on day 2
        - inside fires once at 08:01 on day 2
      """)
    run.expectSound()
  }

  /// The engine emits `persist` after every change of its state. The stored bytes are therefore always
  /// current, and a crash loses nothing.
  @Test(arguments: ["ideal", "ios", "android"])
  func `every change of the state is stored`(profile: String) throws {
    let folder = Repository.scenarios
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".yaml")
    }
    var checks = 0
    for file in files.sorted() {
      var options = Suite.Options()
      options.profile = profile
      let path = folder.appendingPathComponent(file).path
      guard case .program(let program, _) = ProgramLoader(options: options).load(path) else { continue }
      let log = StorageWatch.Log()
      var world = World(program: program, engine: StorageWatch(program.makeEngine(), log))
      var accounts = RunAccounts(program)
      world.run(into: &accounts)
      #expect(log.unstored.isEmpty, "\(file)")
      checks += log.changes
    }
    #expect(checks > 50)
  }
}

/// Checks after each call that the engine has emitted `persist` if its state has changed.
private struct StorageWatch: EngineUnderTest {
  /// The problems found in all processes.
  final class Log: Sendable {
    private let counts = Mutex((changes: 0, unstored: [ObservedEvent]()))
    var changes: Int { counts.withLock { $0.changes } }
    var unstored: [ObservedEvent] { counts.withLock { $0.unstored } }

    func change(at event: ObservedEvent, isStored: Bool) {
      counts.withLock {
        $0.changes += 1
        if !isStored { $0.unstored.append(event) }
      }
    }
  }

  private var engine: BuiltInEngine
  private let log: Log

  init(_ engine: BuiltInEngine, _ log: Log) {
    self.engine = engine
    self.log = log
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    watch(event, into: &effects) { $0.process(event, into: &$1) }
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    watch(ObservedEvent(.lock, at: moment), into: &effects) { $0.settle(at: moment, into: &$1) }
  }

  // A new process loads the stored state but does not store it again.
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine.launch(launch, into: &effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
  }

  func storedState() -> [UInt8] { engine.storedState() }

  static var persistsEveryChange: Bool { BuiltInEngine.persistsEveryChange }

  private mutating func watch<Result>(
    _ event: ObservedEvent, into effects: inout [EngineEffect],
    _ body: (inout BuiltInEngine, inout [EngineEffect]) -> Result
  ) -> Result {
    let before = engine.storedState()
    let first = effects.count
    let result = body(&engine, &effects)
    // While the store is locked, the state cannot be compared.
    if before.isEmpty || engine.storedState() == before { return result }
    log.change(at: event, isStored: effects[first...].contains(.persist))
    return result
  }
}
