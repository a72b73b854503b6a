import CivilTime
import ReminderEngine
import ReminderMatching
import TestBench
import TriggerModel

/// The matching suite: measures the reminder engine and a naive implementation on the shared workload.
struct MatchingBench {
  /// The recurrence of the reminders, and the growth of the workload with their number.
  enum Mode: String, CaseIterable {
    case once, daily
    /// Daily reminders that fire equally often at every size, so that only the cost of additional reminders
    /// grows.
    ///
    /// All reminders after the first thousand are triggered by apps that nobody opens. There are twenty such
    /// reminders per app.
    case constantFires = "daily, constant fires"
    /// Daily reminders, each with one to three conditions on facts.
    case facts

    var repeats: Repeat { self == .once ? .once : .daily }

    /// Whether the C++ program, which gives a lower bound, supports all conditions of the mode.
    var hasLimit: Bool { self == .once || self == .daily }
  }

  private let modes: [Mode]
  private let growth: [GrowthBench.Mode]
  private let sizes: [Int]
  private let events: Int
  private let options: BenchOptions

  init(_ options: BenchOptions) {
    modes = options.modes(of: Mode.self)
    growth = options.alone ? [] : options.modes(of: GrowthBench.Mode.self)
    sizes = options.sizes ?? [10, 1_000, 10_000, 100_000]
    events = options.events ?? 100_000
    self.options = options
  }

  func report() throws -> BenchReport {
    try ScratchFolder.with { folder in
      let isCompared = !options.alone && modes.contains(where: \.hasLimit)
      return try report(isCompared ? MatchingComparison(compilingIn: folder) : nil)
    }
  }

  private func report(_ limit: MatchingComparison?) throws -> BenchReport {
    var rows: [BenchRow] = []
    for mode in modes {
      for size in sizes where mode != .constantFires || size >= ReminderWorkload.listening {
        let race = try MatchingMeasurement(mode, reminders: size, events: events)
        rows.append(try race.row(options, mode.hasLimit ? limit : nil))
      }
    }
    for size in growth.isEmpty ? [] : sizes {
      let bench = try GrowthBench(reminders: size)
      for mode in growth { rows.append(try bench.row(mode, options)) }
    }
    return BenchReport(
      suite: BenchSuite.matching.rawValue, sizeName: "reminders", rows: rows,
      notes: options.alone ? [] : notes(limit, clock: rows.first?.latency?.clock ?? 0))
  }

  private func notes(_ limit: MatchingComparison?, clock: UInt64) -> [String] {
    var notes = [
      "baseline: the frozen program of the shared workload, on as many of the first events as it plays in "
        + "about a second; the ratio covers these events"
    ]
    if modes.contains(where: \.hasLimit) {
      notes.append(
        limit == nil
          ? "limit: not measured (no g++ here)"
          : "limit: the shared workload's C++ program with a row of bits for each condition, compiled for this "
            + "processor; it counts no misses and has no zones; 'of limit' is the engine's time divided by the limit"
      )
    }
    if !growth.isEmpty {
      notes.append(
        "adding, replacing: an event adds or replaces one reminder with fact conditions; the first one copies a shared "
          + "program; the baseline compiles all reminders"
      )
    }
    notes.append("p50 to max: ns of single events, with about \(clock) ns for the clock")
    return notes
  }
}

/// The measurement at one size. Rounds of the engine and of the naive implementation alternate.
private struct MatchingMeasurement {
  private let mode: MatchingBench.Mode
  private let workload: ReminderWorkload
  private let program: ReminderProgram
  private let zones: ZoneTable
  private let naiveEvents: ArraySlice<NaiveReminders.Event>

  /// The maximum number of reminders times events in one round of the naive implementation.
  private static let naiveLimit = 200_000_000

  init(_ mode: MatchingBench.Mode, reminders: Int, events: Int) throws {
    self.mode = mode
    workload =
      switch mode {
      case .constantFires: ReminderWorkload(constantFires: reminders, events: events)
      case .facts: ReminderWorkload(withFacts: reminders, events: events)
      case .once, .daily: ReminderWorkload(reminders: reminders, events: events, repeats: mode.repeats)
      }
    program = try ReminderProgram(compiling: workload.reminders, names: workload.names)
    var zones = ZoneTable()
    _ = try zones.intern("UTC")
    self.zones = zones
    naiveEvents = NaiveReminders.events(workload).prefix(max(500, Self.naiveLimit / reminders))
  }

  func row(_ options: BenchOptions, _ limit: MatchingComparison?) throws -> BenchRow {
    var buffer = MatchBuffer()
    var samples: [Double] = []
    var firstSamples: [Double] = []
    var naiveSamples: [Double] = []
    var digest = FireDigest()
    var limits: [Double] = []
    let input = limit == nil ? nil : MatchingComparison.input(workload)
    let replayed = workload.events.prefix(Int(options.replayed / 100 * Double(workload.events.count)))
    for _ in 0..<options.rounds {
      var engine = engine()
      var second = engine
      digest = FireDigest()
      samples.append(
        Stopwatch.nanoseconds(per: workload.events.count) {
          digest = play(workload.events[...], &engine, &buffer)
          if !replayed.isEmpty { _ = play(replayed, &second, &buffer) }
        })
      if options.alone { continue }
      if let limit, let input {
        let run = try limit.measure(isDaily: mode.repeats == .daily, workload, input)
        limits.append(run.nanoseconds)
        guard run.digest == digest else {
          throw BenchError("matching \(mode.rawValue): the engine and the C++ program fire differently")
        }
      }
      let naive = NaiveReminders(workload, isDaily: mode.repeats == .daily)
      var expected = FireDigest()
      var misses: [Reason: Int64]?
      naiveSamples.append(
        Stopwatch.nanoseconds(per: naiveEvents.count) {
          if mode == .facts {
            (expected, misses) = naive.playWithFacts(naiveEvents)
          } else {
            expected = naive.play(naiveEvents)
          }
        })
      var again = self.engine()
      var found = FireDigest()
      let first = workload.events.prefix(naiveEvents.count)
      firstSamples.append(
        Stopwatch.nanoseconds(per: first.count) { found = play(first, &again, &buffer) })
      guard found == expected else {
        throw BenchError(
          "matching \(mode.rawValue): the engine and the naive implementation fire differently")
      }
      if let misses, misses.filter({ $0.value > 0 }) != again.totals.misses {
        throw BenchError(
          "matching \(mode.rawValue): the engine and the naive implementation have different reasons of misses"
        )
      }
    }
    var row = row(samples, digest, &buffer)
    if options.alone { return row }
    if !limits.isEmpty {
      row.counters += [("limit ns", limits.median), ("of limit", row.nsPerEvent / limits.median)]
    }
    row.baseline = Baseline(
      name: "frozen", samples: naiveSamples, events: naiveEvents.count,
      contestant: naiveEvents.count < workload.events.count ? firstSamples : nil)
    var engine = engine()
    row.latency = Stopwatch.latency(of: row.events) { engine.match(workload.events[$0], into: &buffer) }
    return row
  }

  private func row(_ samples: [Double], _ digest: FireDigest, _ buffer: inout MatchBuffer) -> BenchRow {
    var row = BenchRow(
      mode: mode.rawValue, size: workload.reminders.count, events: workload.events.count, samples: samples)
    row.fires = digest.fires
    row.hash = digest.value
    var engine = engine()
    row.bytesPerItem = Double(program.tableBytes + engine.stateBytes) / Double(row.size)
    // The buffer has reached its final size in previous rounds.
    let allocations = Allocations.count { _ = play(workload.events[...], &engine, &buffer) }
    row.allocationsPerEvent = allocations.map { Double($0) / Double(row.events) }
    row.counters = [
      ("looks/event", Double(engine.totals.lookedAt) / Double(row.events)),
      ("triggered/event", Double(engine.totals.triggered) / Double(row.events)),
      ("fires/event", Double(engine.totals.matched) / Double(row.events)),
    ]
    row.counts = [
      ("bytes", program.tableBytes + engine.stateBytes), ("looks", Int(engine.totals.lookedAt)),
      ("triggered", Int(engine.totals.triggered)), ("fires", Int(engine.totals.matched)),
    ]
    if let allocations { row.counts.append(("allocations", allocations)) }
    return row
  }

  private func engine() -> ReminderEngine {
    ReminderEngine(program: program, zones: zones, zone: ZoneID(0))
  }

  /// Plays events in the same way as the C++ program. Reads events in place, and checks only the end of the
  /// array.
  ///
  /// - Parameter events: The first events of the workload.
  private func play(
    _ events: ArraySlice<ObservedEvent>, _ engine: inout ReminderEngine, _ buffer: inout MatchBuffer
  ) -> FireDigest {
    var digest = FireDigest()
    events.withUnsafeBufferPointer { events in
      guard let first = events.baseAddress else { return }
      var index = 0
      while index < events.count {
        engine.match(at: first + index, into: &buffer)
        for match in 0..<buffer.count { digest.add(event: index, reminder: buffer[match].reminder.rawValue) }
        index &+= 1
      }
    }
    return digest
  }
}

extension MatchTotals {
  /// The number of misses by reason. Only two reasons can occur in this workload.
  fileprivate var misses: [Reason: Int64] {
    [.conditionFailed: failed - staleData, .staleData: staleData].filter { $0.value > 0 }
  }
}
