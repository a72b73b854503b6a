import Foundation
import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios
@testable import Statistics
@testable import TestBench

/// Tests that a run may count equal misses instead of reporting each one. Counting must not affect the fires,
/// their instants, or the counts of each reminder by reason.
@Suite struct BulkCountTests {
  @Test(arguments: ["ideal", "ios", "android"])
  func `counting equal misses does not change the result of a run`(profile: String) throws {
    var seen = Seen()
    var ofCrowds = Seen()
    let formats = FormatCache()
    for seed in 1...UInt64(Self.count) {
      let program: Program?
      let isCrowded = seed % 2 == 1
      if !isCrowded {
        program = try AnyScenario.program(seed: seed, profile: profile, formats)
      } else {
        program = try Program(
          AnyScenario.read(CrowdedStory(seed: seed, profile: profile).text, "seed \(seed)", formats))
      }
      guard let program else { continue }
      let told = Self.run(program, DetailedSink())
      let counted = Self.run(program, CountingSink())
      seen.take(counted.notes)
      if isCrowded { ofCrowds.take(counted.notes) }
      let differences = Self.differences(told.accounts, counted.accounts)
      if !differences.isEmpty {
        Issue.record("\(profile), seed \(seed): \(differences.prefix(4).joined(separator: "; "))")
      }
    }
    #expect(seen.isEverything, "\(seen)")
    // Most denials concern groups of equal requests.
    #expect(ofCrowds.denied > ofCrowds.deniedAlone, "\(ofCrowds)")
  }

  private static let count = Trial.isWhole ? 1_000 : 12

  private static func run<Notes: JournalSink>(
    _ program: Program, _ notes: Notes
  ) -> (accounts: RunAccounts, notes: Notes) {
    var world = World(program: program, engine: program.makeEngine())
    var sinks = TeeSink(RunAccounts(program), notes)
    world.run(into: &sinks)
    sinks.first.close()
    return (sinks.first, sinks.second)
  }

  private static func differences(_ told: RunAccounts, _ counted: RunAccounts) -> [String] {
    var differences: [String] = []
    func same<Value: Equatable>(_ what: String, _ a: Value, _ b: Value) {
      if a != b { differences.append("\(what): \(b), and not \(a)") }
    }
    for (device, (a, b)) in zip(told.devices, counted.devices).enumerated() {
      for index in a.reminders.indices where a.reminders[index] != b.reminders[index] {
        for (one, other) in zip(
          Mirror(reflecting: a.reminders[index]).children, Mirror(reflecting: b.reminders[index]).children)
        where "\(one.value)" != "\(other.value)" {
          differences.append(
            "device \(device), \(index), \(one.label ?? ""): \(other.value), and not \(one.value)")
        }
      }
    }
    same("fires", told.fires, counted.fires)
    same("endings", told.endings, counted.endings)
    same("contradictions", told.contradictions, counted.contradictions)
    same("observed", told.observed, counted.observed)
    same("truth", told.truth, counted.truth)
    for kind in PlatformSignal.Kind.allCases {
      same(kind.name, told.signals.account(of: kind), counted.signals.account(of: kind))
    }
    return differences
  }

  /// A sink that needs a record of every miss.
  private struct DetailedSink: JournalSink {
    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {}
  }

  /// Counts the misses that are reported in groups and those that are reported individually.
  private struct CountingSink: JournalSink {
    var seen = Seen()
    var keepsEveryMiss: Bool { false }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      guard case .effect(.decided(_, let decision)) = body else { return }
      if decision.outcome == .deny { seen.deniedAlone += 1 }
    }

    mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
      switch counted.fate {
      case .missed: seen.missed += counted.bits.nonzeroBitCount
      case .denied(let reason, _):
        seen.denied += counted.bits.nonzeroBitCount
        seen.notDue += (counted.bits & ~due).nonzeroBitCount
        seen.reasons.insert(reason)
      case .waiting: seen.waiting += 1
      case .looked: seen.looked += 1
      }
    }
  }

  private struct Seen {
    var (missed, denied, deniedAlone, notDue) = (0, 0, 0, 0)
    /// The number of counted evaluations, and the number of changes of the set of waiting reminders.
    var (looked, waiting) = (0, 0)
    var reasons: ReasonSet = []

    mutating func take(_ other: CountingSink) {
      missed += other.seen.missed
      denied += other.seen.denied
      deniedAlone += other.seen.deniedAlone
      notDue += other.seen.notDue
      looked += other.seen.looked
      waiting += other.seen.waiting
      reasons.formUnion(other.seen.reasons)
    }

    /// Whether every kind of miss occurred, for several reasons, including requests that were not due.
    var isEverything: Bool {
      missed > 0 && looked > 0 && waiting > 0 && denied > 0 && notDue > 0
        && reasons.rawValue.nonzeroBitCount > 3
    }
  }
}
