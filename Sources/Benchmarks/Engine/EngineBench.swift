import DeviceSimulation
import EngineWire
import Foundation
import Journal
import ReminderEngine
import ReminderMatching
import Simulation
import TestBench
import TriggerEngine
import TriggerModel

/// Measures an engine in another process on the workloads of the suites matching, caps and replay. Its runs
/// alternate with runs of the built-in engine in this process.
///
/// The engine is called as in a real run: once for each event, and then for the decisions at that instant. An
/// idle engine receives the same calls, which measures the cost of the connection.
struct EngineBench {
  private let engine: BenchedEngine
  private let options: BenchOptions

  /// The name of the mode that runs the workload of the caps suite.
  static let deciding = "decide"

  init(_ engine: BenchedEngine, _ options: BenchOptions) {
    self.engine = engine
    self.options = options
  }

  func report(_ suite: BenchSuite) throws -> BenchReport {
    let rows: [BenchRow]
    switch suite {
    case .matching: rows = try matching()
    case .caps: rows = try caps()
    case .replay: rows = try replay()
    case .kernel, .regions, .readers, .time, .population, .load, .scenario:
      throw BenchError.misuse("the suite \(suite.rawValue) cannot measure an engine")
    }
    return BenchReport(
      suite: suite.rawValue, sizeName: suite == .caps ? "requests" : "reminders", rows: rows,
      notes: [
        "engine: \(engine.command.command); an event with the decisions of its instant and the answers to each add",
        "baseline: the built-in engine in this process, on the same events, with the same result",
        "wire ns: the time per event of an engine that does nothing and is called as often (silent ns/question);"
          + " engine ns: the remaining time, with its longer answers",
      ])
  }

  // MARK: - The suites

  private func matching() throws -> [BenchRow] {
    let mode = options.mode ?? "daily"
    guard mode == "daily" || mode == "once" else {
      throw BenchError.misuse("unknown mode '\(mode)'; use once or daily")
    }
    return try (options.sizes ?? [1_000]).map { size in
      let workload = ReminderWorkload(
        reminders: size, events: options.events ?? 10_000, repeats: mode == "once" ? .once : .daily)
      let program = try EngineWorkload.program(workload)
      return try row(mode, size, program, workload.events)
    }
  }

  private func caps() throws -> [BenchRow] {
    try (options.sizes ?? [10_000]).map { size in
      let workload = CapsWorkload(requests: size)
      return try row(Self.deciding, size, EngineWorkload.program(workload), EngineWorkload.events(workload))
    }
  }

  /// Measures one workload with the engine, the built-in engine and the idle engine.
  private func row(
    _ mode: String, _ size: Int, _ program: Program, _ events: [ObservedEvent]
  ) throws -> BenchRow {
    let setup = try EngineProgram(program)
    var measured = Measured()
    for _ in 0..<options.rounds {
      var external = ExternalEngine(engine.command, program: setup)
      let digest = try EnginePlay.launched(&external, events, into: &measured.starts) { engine in
        let asked = engine.questions
        var digest = EngineDigest()
        measured.samples.append(
          Stopwatch.nanoseconds(per: events.count) { digest = EnginePlay.play(events, &engine) })
        measured.questions = engine.questions - asked
        return digest
      }
      var builtIn = program.makeEngine(explainsMisses: false)
      var ignored: [Double] = []
      let expected = try EnginePlay.launched(&builtIn, events, into: &ignored) { engine in
        var digest = EngineDigest()
        measured.builtIn.append(
          Stopwatch.nanoseconds(per: events.count) { digest = EnginePlay.play(events, &engine) })
        return digest
      }
      guard digest == expected else {
        throw BenchError("\(mode): the engine made \(digest), the built-in one \(expected)")
      }
      measured.digest = digest
      measured.silent.append(try silent(events, setup))
    }
    return measured.row(mode, size, events: events.count)
  }

  /// Returns the idle engine's nanoseconds per call.
  private func silent(_ events: [ObservedEvent], _ setup: EngineProgram) throws -> Double {
    var external = ExternalEngine(engine.silent, program: setup)
    var ignored: [Double] = []
    return try EnginePlay.launched(&external, events, into: &ignored) { engine in
      var effects: [EngineEffect] = []
      return Stopwatch.nanoseconds(per: events.count) {
        for event in events { engine.process(event, into: &effects) }
      }
    }
  }

  // MARK: - Replaying

  private func replay() throws -> [BenchRow] {
    let mode = options.mode ?? "year"
    return try (options.sizes ?? [100]).map { size in
      let files: ReplayScenario
      switch mode {
      case "year": files = .year(reminders: size, events: options.events ?? 5_000)
      case "fortnight": files = .fortnight(reminders: size, events: options.events ?? 2_000)
      default: throw BenchError.misuse("unknown mode '\(mode)'; use fortnight or year")
      }
      return try files.withProgram { try replay(mode, size, $0) }
    }
  }

  private func replay(_ mode: String, _ size: Int, _ program: Program) throws -> BenchRow {
    let setup = try EngineProgram(program)
    var measured = Measured()
    var observed: [ObservedEvent] = []
    for _ in 0..<options.rounds {
      let external = ExternalEngine(engine.command, program: setup)
      var (log, other) = (WorldLog(), WorldLog())
      measured.samples.append(
        Stopwatch.nanoseconds(per: 1) {
          var world = World(program: program) { _ in external }
          world.run(into: &log)
        })
      external.end()
      if let failure = external.failure { throw BenchError(failure.description) }
      measured.questions = external.questions
      measured.builtIn.append(
        Stopwatch.nanoseconds(per: 1) {
          var world = World(program: program) { _ in program.makeEngine(explainsMisses: false) }
          world.run(into: &other)
        })
      guard log.digest == other.digest else {
        throw BenchError("\(mode): the engine made \(log.digest), the built-in one \(other.digest)")
      }
      measured.digest = log.digest
      observed = other.observed
      measured.silent.append(try silent(observed, setup))
    }
    func perEvent(_ samples: [Double]) -> [Double] { samples.map { $0 / Double(max(1, observed.count)) } }
    measured.samples = perEvent(measured.samples)
    measured.builtIn = perEvent(measured.builtIn)
    return measured.row(mode, size, events: observed.count)
  }
}

/// The measurements of all rounds for one row.
private struct Measured {
  /// The engine's nanoseconds per event.
  var samples: [Double] = []
  var builtIn: [Double] = []
  /// The idle engine's nanoseconds per call.
  var silent: [Double] = []
  /// The milliseconds from the start of each engine process to its first response.
  var starts: [Double] = []
  var questions = 0
  var digest = EngineDigest()

  func row(_ mode: String, _ size: Int, events: Int) -> BenchRow {
    var row = BenchRow(mode: mode, size: size, events: events, samples: samples)
    row.fires = mode == EngineBench.deciding ? digest.admitted : digest.requests
    row.hash = digest.value
    row.baseline = Baseline(name: "built-in", samples: builtIn, events: events)
    let perEvent = Double(questions) / Double(max(1, events))
    let wire = silent.median * perEvent
    row.counters = [
      ("wire ns", wire), ("engine ns", max(0, row.nsPerEvent - wire)), ("questions/event", perEvent),
      ("silent ns/question", silent.median),
    ]
    if !starts.isEmpty { row.counters.append(("start ms", starts.median)) }
    return row
  }
}

/// A digest of an engine's requests and decisions, in the order of events.
struct EngineDigest: Hashable, CustomStringConvertible {
  private var digest = WordDigest()
  var value: UInt64 { digest.value }
  private(set) var requests = 0
  private(set) var admitted = 0

  var description: String { "\(requests) requests, \(admitted) of them admitted" }

  /// Adds the effects of one call. The order of reminders within the call does not affect the digest.
  mutating func add(_ effects: [EngineEffect]) {
    var words: [(RequestID, UInt64)] = []
    for effect in effects {
      switch effect {
      case .request(let request):
        requests += 1
        words.append((request.id, 0))
      case .decided(let request, let decision):
        if decision.outcome == .admit { admitted += 1 }
        let reason = decision.reason.map { UInt64($0.rawValue) + 1 } ?? 0
        words.append((request.id, 1 + UInt64(decision.outcome.rawValue) << 8 + reason << 16))
      default: break
      }
    }
    for (id, word) in words.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      for part in [UInt64(id.reminder.rawValue), UInt64(id.occurrence), word] {
        digest.add(part)
      }
    }
  }
}

/// Calls an engine as a real run does.
enum EnginePlay {
  /// Launches an engine and passes it to a closure. Throws if the engine fails.
  static func launched<Engine: EngineUnderTest, Result>(
    _ engine: inout Engine, _ events: [ObservedEvent], into starts: inout [Double],
    _ body: (inout Engine) -> Result
  ) throws -> Result {
    guard let first = events.first else { throw BenchError.misuse("--events must be at least 1") }
    var effects: [EngineEffect] = []
    let launch = ProcessLaunch(store: .empty, permission: .authorized, moment: first.moment)
    starts.append(Stopwatch.nanoseconds(per: 1) { engine.launch(launch, into: &effects) } / 1e6)
    let result = body(&engine)
    if let failure = engine.failure { throw BenchError(failure.description) }
    return result
  }

  /// Plays each event at its own instant, and then requests the decisions. The system accepts every request.
  static func play(_ events: [ObservedEvent], _ engine: inout some EngineUnderTest) -> EngineDigest {
    var digest = EngineDigest()
    var effects: [EngineEffect] = []
    for event in events {
      engine.process(event, into: &effects)
      digest.add(effects)
      var hasMore = true
      while hasMore {
        effects.removeAll(keepingCapacity: true)
        hasMore = engine.settle(at: event.moment, into: &effects) && !effects.isEmpty
        digest.add(effects)
      }
      effects.removeAll(keepingCapacity: true)
    }
    return digest
  }
}

/// A sink that records the events that the app observed, and a digest of the effects.
private struct WorldLog: JournalSink {
  var observed: [ObservedEvent] = []
  var digest = EngineDigest()

  static var wantsEveryFix: Bool { false }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .observed(let event): observed.append(event)
    case .effect(let effect): digest.add([effect])
    default: break
    }
  }
}
