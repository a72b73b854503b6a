import CivilTime
import ReminderEngine
import ReminderMatching
import TestBench
import TriggerModel

/// Measures how fast an engine adds or replaces a single reminder. The baseline compiles all reminders.
struct GrowthBench {
  enum Mode: String, CaseIterable {
    case adding, replacing
  }

  private let workload: ReminderWorkload
  private let size: Int
  private let zones: ZoneTable
  private let start: Moment

  /// The number of reminders that are added or replaced, one at a time. The first change also copies the
  /// shared program.
  private static let changes = 10_000
  /// The number of events on which the changed program and a newly compiled one are compared.
  private static let events = 2_000

  /// - Parameter size: The number of reminders before the changes.
  init(reminders size: Int) throws {
    self.size = size
    workload = ReminderWorkload(withFacts: size + Self.changes, events: Self.events)
    var zones = ZoneTable()
    _ = try zones.intern("UTC")
    self.zones = zones
    start = Moment(
      wall: ReminderWorkload.start, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  }

  func row(_ mode: Mode, _ options: BenchOptions) throws -> BenchRow {
    var (samples, compiled): ([Double], [Double]) = ([], [])
    var latency: Latency?
    var digest = FireDigest()
    for _ in 0..<options.rounds {
      var program: ReminderProgram?
      compiled.append(
        try Stopwatch.nanoseconds(per: 1) { program = try self.program(of: workload.reminders.prefix(size)) })
      guard let program else { continue }
      var engine = engine(program)
      var effects: [EngineEffect] = []
      samples.append(
        try Stopwatch.nanoseconds(per: Self.changes) {
          for change in 0..<Self.changes { try make(change, mode, &engine, &effects) }
        })
      digest = play(&engine)
      var expected = self.engine(try self.program(of: reminders(after: mode)))
      if play(&expected) != digest {
        throw BenchError("\(mode.rawValue): the changed and the compiled program fire differently")
      }
      var another = self.engine(program)
      latency = Stopwatch.latency(of: Self.changes) { change in
        effects.removeAll(keepingCapacity: true)
        // The same change succeeded above, so it cannot fail here.
        try? make(change, mode, &another, &effects)
      }
    }
    var row = BenchRow(mode: mode.rawValue, size: size, events: Self.changes, samples: samples)
    row.fires = digest.fires
    row.baseline = Baseline(name: "all compiled", samples: compiled, events: 1)
    row.latency = latency
    return row
  }

  private func make(
    _ change: Int, _ mode: Mode, _ engine: inout ReminderEngine, _ effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    effects.removeAll(keepingCapacity: true)
    switch mode {
    case .adding: try engine.add(workload.reminders[size + change], at: start, into: &effects)
    case .replacing:
      let reminder = place(change)
      try engine.replace(
        ReminderID(reminder), with: replacement(change, of: reminder), at: start, into: &effects)
    }
  }

  /// Returns the index of the reminder to replace. Successive indices are spread over the whole program.
  private func place(_ change: Int) -> Int { change * 7_919 % size }

  private func replacement(_ change: Int, of reminder: Int) -> ReminderDeclaration {
    var declaration = workload.reminders[size + change]
    declaration.id = workload.reminders[reminder].id
    return declaration
  }

  private func reminders(after mode: Mode) -> ArraySlice<ReminderDeclaration> {
    if mode == .adding { return workload.reminders[...] }
    var reminders = Array(workload.reminders.prefix(size))
    for change in 0..<Self.changes { reminders[place(change)] = replacement(change, of: place(change)) }
    return reminders[...]
  }

  private func program(of reminders: ArraySlice<ReminderDeclaration>) throws -> ReminderProgram {
    try ReminderProgram(compiling: Array(reminders), names: workload.names)
  }

  private func engine(_ program: ReminderProgram) -> ReminderEngine {
    ReminderEngine(program: program, zones: zones, zone: ZoneID(0))
  }

  /// Returns a digest of the reminders that fire at each event, in the order of their identifiers.
  private func play(_ engine: inout ReminderEngine) -> FireDigest {
    var digest = FireDigest()
    var buffer = MatchBuffer()
    for (index, event) in workload.events.enumerated() {
      engine.match(event, into: &buffer)
      for match in buffer.matches.sorted(by: { $0.reminder < $1.reminder }) {
        digest.add(event: index, reminder: match.reminder.rawValue)
      }
    }
    return digest
  }
}
