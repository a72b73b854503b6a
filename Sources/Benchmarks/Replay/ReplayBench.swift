import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// Measures complete runs: reading and compiling the files, replaying them, and writing the report.
struct ReplayBench {
  /// The seconds of one replay.
  struct Times {
    /// The time to read and compile the files.
    var load = 0.0
    var replay = 0.0
    var report = 0.0
    var total: Double { load + replay + report }
  }

  struct Outcome {
    var times: [Times] = []
    /// The number of device events, including fixes.
    var happened = 0
    var requests = 0
    var fires = 0
    var reminders = 0
    /// The number of events that the app observed.
    var observed = 0
    /// The number of allocations of one replay, or `nil` if they cannot be counted.
    var allocations: Int?
    /// The duration of the scenario in days.
    var days = 0.0
  }

  /// Writes the report of a result. It is a closure, because this module does not import `Reporting`.
  let report: (ScenarioResult) throws -> Void

  /// Replays a scenario once per round.
  func run(_ files: ReplayScenario, rounds: Int) throws -> Outcome {
    try files.withFile { try run(file: $0, rounds: rounds) }
  }

  /// Replays a file once per round.
  func run(file path: String, rounds: Int) throws -> Outcome {
    var outcome = Outcome()
    for _ in 0..<rounds { try play(path, into: &outcome) }
    return outcome
  }

  private func play(_ path: String, into outcome: inout Outcome) throws {
    var times = Times()
    var loaded: Program?
    times.load = try Self.seconds {
      switch ProgramLoader().load(path) {
      case .program(let program, _): loaded = program
      case .invalid(let diagnostics):
        throw BenchError(diagnostics.map(\.summary).joined(separator: "\n"))
      case .otherKind: throw BenchError("\(path) is not a scenario")
      }
    }
    guard let program = loaded else { return }
    outcome.days = Double((program.scenario.end - program.scenario.start).milliseconds) / 86_400_000
    var result: ScenarioResult?
    outcome.allocations = Allocations.count {
      times.replay = Self.seconds { result = ScenarioRun(program, stopwatch: { 0 }).run().result }
    }
    guard let result else { return }
    if let overrun = result.overrun { throw BenchError(overrun.summary) }
    if !result.accounts.contradictions.isEmpty {
      throw BenchError("the accounts do not close: \(result.accounts.contradictions[0])")
    }
    times.report = try Self.seconds { try report(result) }
    outcome.times.append(times)
    outcome.happened = result.accounts.happened
    outcome.requests = result.accounts.total.requests
    outcome.fires = result.accounts.total.delivered
    outcome.reminders = result.accounts.reminders.count
    outcome.observed = result.accounts.observed.reduce(0, +)
  }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }
}

extension ReplayBench {
  /// The modes of the suite.
  ///
  /// They are a year under the default caps, a year without caps, two weeks with a fix every second, and a
  /// month of a person with the reminders of the pack `fitme`. In the last mode, only the number of days
  /// varies.
  enum Mode: String, CaseIterable {
    case capped, year, fortnight, person
  }

  /// Runs the suite for the command line. Its sizes are numbers of reminders. Its events do not include
  /// fixes.
  func report(_ options: BenchOptions) throws -> BenchReport {
    let modes = options.modes(of: Mode.self)
    let sizes = options.sizes ?? [1_000]
    var rows: [BenchRow] = []
    for mode in modes {
      let stories: [ReplayScenario] =
        switch mode {
        case .fortnight:
          sizes.map { ReplayScenario.fortnight(reminders: $0, events: options.events ?? 2_000) }
        case .capped, .year:
          sizes.map { .year(reminders: $0, events: options.events ?? 100_000, isCapped: mode == .capped) }
        case .person: [ReplayScenario.person(happenings: options.events ?? 3_000)]
        }
      for story in stories {
        let outcome = try run(story, rounds: options.rounds)
        rows.append(Self.row(mode.rawValue, outcome.reminders, outcome))
      }
    }
    return BenchReport(
      suite: BenchSuite.replay.rawValue, sizeName: "reminders", rows: rows,
      notes: [
        "loading, replaying and writing the report; an event is a device event or a recorded fix",
        "milliseconds: medians over the rounds; times real time: simulated time / measured time",
        "capped: a year of daily reminders under the default caps and quiet hours; year: half of them weekly, all "
          + "in the bucket user, without quiet hours, so that no cap applies",
        "person: a month with the reminders of the pack fitme, 100 device events per day",
        "allocations: of the replay, per event that the app observed",
      ])
  }

  /// Runs the suite `scenario` with the user's own file.
  func report(ofFile options: BenchOptions) throws -> BenchReport {
    guard let file = options.file else { throw BenchError.misuse("the suite scenario needs a file") }
    let outcome = try run(file: file, rounds: options.rounds)
    return BenchReport(
      suite: BenchSuite.scenario.rawValue, sizeName: BenchSuite.scenario.sizeName,
      rows: [Self.row("file", outcome.reminders, outcome)],
      notes: [
        "\(file): loading, replaying and writing the report; an event is a device event or a recorded fix",
        "milliseconds: medians over the rounds; times real time: simulated time / measured time",
        "allocations: of the replay, per event that the app observed",
      ])
  }

  private static func row(_ mode: String, _ reminders: Int, _ outcome: Outcome) -> BenchRow {
    let seconds = outcome.times.map(\.total)
    var row = BenchRow(
      mode: mode, size: reminders, events: outcome.happened,
      samples: seconds.map { $0 * 1e9 / Double(max(1, outcome.happened)) })
    row.fires = outcome.fires
    row.allocationsPerEvent = outcome.allocations.map { Double($0) / Double(max(1, outcome.observed)) }
    row.counts = [
      ("happened", outcome.happened), ("told", outcome.observed), ("requests", outcome.requests),
      ("fires", outcome.fires),
    ]
    if let allocations = outcome.allocations { row.counts.append(("allocations", allocations)) }
    row.counters = [
      ("requests", Double(outcome.requests)),
      ("load ms", outcome.times.map(\.load).median * 1e3),
      ("replay ms", outcome.times.map(\.replay).median * 1e3),
      ("report ms", outcome.times.map(\.report).median * 1e3), ("total ms", seconds.median * 1e3),
      ("times real time", outcome.days * 86_400 / seconds.median),
    ]
    return row
  }
}
