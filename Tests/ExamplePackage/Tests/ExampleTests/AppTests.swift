import SimulationKernel
import TestBench
import Testing
import TriggerEngine
import TriggerModel

enum Folder {
  /// The scenarios of the tool.
  static let scenarios =
    #filePath.split(separator: "/").dropLast(5).reduce("") { $0 + "/" + $1 } + "/scenarios"
}

/// An app's engine as it ships. It stores its state on request, and nothing else survives its process.
struct StoringApp: EngineUnderTest {
  var engine: BuiltInEngine

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine.launch(launch, into: &effects)
  }

  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
  }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    // Saves and resumes before every event, so that unstored state is lost.
    var resumed = engine
    var found: [EngineEffect] = []
    let saved = engine.storedState()
    let isSaved = !saved.isEmpty
    if isSaved {
      resumed.launch(
        ProcessLaunch(store: .bytes(saved), permission: .authorized, moment: event.moment), into: &found)
    }
    #expect(found.isEmpty, "what was stored can be used")
    #expect(!isSaved || resumed.storedState() == saved, "and is stored again as the same bytes")
    engine.process(event, into: &effects)
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    engine.settle(at: moment, into: &effects)
  }

  func storedState() -> [UInt8] { engine.storedState() }
}

@Test("an app saves and resumes")
func savesAndResumes() throws {
  let scenario = try Scenario(contentsOf: Folder.scenarios + "/lapse-and-return.yaml")
  let report = try scenario.run { StoringApp(engine: $0.builtInEngine) }
  #expect(report.failures.isEmpty)
}

actor Watcher {
  private(set) var looks = 0

  func live(by clock: SimulationClock) async throws {
    while true {
      try await Task.sleep(for: .seconds(600), clock: clock)
      looks += 1
    }
  }
}

@Test("an actor sleeps through a week immediately")
func aWeek() async {
  let start = Instant(millisecondsSince1970: 1_772_434_800_000)
  let clock = SimulationClock(now: start)
  let watcher = Watcher()
  let life = Task(executorPreference: clock.executor) { try await watcher.live(by: clock) }
  clock.run(until: start + .days(7))
  #expect(await watcher.looks == 7 * 24 * 6)
  life.cancel()
}
