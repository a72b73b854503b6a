import CivilTime
import Foundation
import NotificationGateway
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import TestSupport
import Testing

@testable import TriggerEngine
@testable import TriggerModel

/// Tests that the engine either rejects a mutated stored state or continues with it safely.
@Suite("Mutated states")
struct MutatedStateTests {
  private static let files = [
    "every-event.yaml", "first-fortnight.yaml", "seventy-pending.yaml", "fitme-on-an-iphone.yaml",
    "lapse-and-return.yaml", "date-line.yaml", "express-past-three.yaml",
  ]
  private static let mutations = 10_000

  @Test func `a mutated state is rejected with a reason or used without harm (10,000 states)`() throws {
    var samples: [(program: Program, bytes: [UInt8])] = []
    for file in Self.files {
      let program = try #require(try StorageTests.program(file), "\(file)")
      let log = RestartingEngine.Log(sampling: 8)
      _ = StorageTests.journal(program, RestartingEngine(program.makeEngine(), log))
      samples += log.findings.samples.suffix(30).map { (program, $0) }
    }
    #expect(samples.count >= 60)
    var random = SplitMix64(seed: 20_260_302)
    var refused: [StoreProblem: Int] = [:]
    var used = 0
    for round in 0..<Self.mutations {
      let sample = samples[random.below(samples.count)]
      let bytes = random.mutated(sample.bytes, other: samples[random.below(samples.count)].bytes)
      var engine = sample.program.makeEngine()
      let week = Week(sample.program)
      var effects: [EngineEffect] = []
      engine.launch(
        ProcessLaunch(store: .bytes(bytes), permission: .authorized, moment: week.start), into: &effects)
      if case .storeUnusable(let problem)? = effects.first {
        refused[problem, default: 0] += 1
        if round % 50 != 0 { continue }
        var fresh = sample.program.makeEngine()
        effects = []
        fresh.launch(
          ProcessLaunch(store: .empty, permission: .authorized, moment: week.start), into: &effects)
        #expect(engine.storedState() == fresh.storedState(), "round \(round)")
      } else {
        used += 1
      }
      week.live(&engine, &random)
      // The engine must also be able to restore the state that it stores afterwards.
      effects = []
      let stored = engine.storedState()
      engine.launch(
        ProcessLaunch(store: .bytes(stored), permission: .authorized, moment: week.start), into: &effects)
      #expect(!effects.contains { if case .storeUnusable = $0 { true } else { false } }, "round \(round)")
    }
    print("refused: \(refused.sorted { $0.key.rawValue < $1.key.rawValue }), used: \(used)")
    for problem in StoreProblem.allCases { #expect(refused[problem, default: 0] > 20, "\(problem)") }
    #expect(used > 200)
  }
}

/// A week with every kind of event that the engine observes.
private struct Week {
  let program: Program
  let start: Moment

  init(_ program: Program) {
    self.program = program
    start = Moment(
      wall: program.end, uptime: Uptime(boot: 9, span: .hours(1)), zone: program.scenario.zone)
  }

  func live(_ engine: inout BuiltInEngine, _ random: inout SplitMix64) {
    var moment = start
    tell(ObservedEvent(.launched, at: moment), &engine)
    for _ in 0..<28 {
      let span = TimeSpan.minutes(Int64(random.below(720)))
      moment.wall = moment.wall + span
      moment.uptime.span = moment.uptime.span + span
      if random.below(12) == 0 { moment.zone = ZoneID(random.below(program.scenario.zones.zones.count)) }
      if random.below(20) == 0 { moment.wall = moment.wall - .hours(30) }
      tell(event(at: moment, &random), &engine)
      tell(ObservedEvent(.unlock, at: moment), &engine)
    }
  }

  private func event(at moment: Moment, _ random: inout SplitMix64) -> ObservedEvent {
    let kinds = ObservedEvent.Kind.allCases.filter { $0 != .launched && $0 != .storeAvailable }
    let kind = kinds[random.below(kinds.count)]
    let reminder = UInt32(random.below(program.reminders.reminderCount))
    switch kind {
    case .snooze:
      let until = moment.wall + .minutes(Int64(random.below(3_000)))
      return ObservedEvent(kind, subject: reminder, value: until.millisecondsSince1970, at: moment)
    case .appOpened, .regionEntered, .regionExited, .regionFailed, .factChanged, .factFound:
      return ObservedEvent(
        kind, subject: UInt32(random.below(8)), value: Int64(random.below(5_000)), at: moment)
    default:
      return ObservedEvent(kind, subject: reminder, value: Int64(random.below(6)), at: moment)
    }
  }

  private func tell(_ event: ObservedEvent, _ engine: inout BuiltInEngine) {
    var effects: [EngineEffect] = []
    engine.process(event, into: &effects)
    while engine.settle(at: event.moment, into: &effects) {}
  }
}

extension SplitMix64 {
  /// Returns the bytes with random changes, usually with a matching checksum.
  fileprivate mutating func mutated(_ bytes: [UInt8], other: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let position = below(bytes.count)
    switch below(9) {
    case 0: for _ in 0...below(4) { bytes[below(bytes.count)] ^= 1 << UInt8(below(8)) }
    case 1: bytes.removeLast(1 + below(bytes.count))
    case 2:
      let start = below(other.count)
      bytes.insert(contentsOf: other[start..<min(other.count, start + 1 + below(60))], at: position)
    case 3: bytes.removeSubrange(position..<min(bytes.count, position + 1 + below(20)))
    case 4:
      // Replace a number with the largest one.
      let end = min(bytes.count, position + 1)
      bytes.replaceSubrange(
        position..<end, with: Array(repeating: 0xFF, count: below(10)) + [UInt8(below(128))])
    case 5: bytes = (0..<below(300)).map { _ in UInt8(truncatingIfNeeded: next()) }
    case 6: bytes = Array(bytes.prefix(position)) + other.suffix(max(0, other.count - position))
    default: bytes[position] = UInt8(truncatingIfNeeded: next())
    }
    if below(4) == 0 { return bytes }
    if bytes.count < 10 { bytes += Array(repeating: 0, count: 10) }
    bytes.replaceSubrange(0..<4, with: StoredForm.magic)
    if below(20) > 0 { bytes[4] = StoredForm.version }
    let sum = CRC32.of(bytes.dropLast(4))
    for byte in 0..<4 { bytes[bytes.count - 4 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
    return bytes
  }
}
