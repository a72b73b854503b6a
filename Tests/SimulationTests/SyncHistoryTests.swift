import CivilTime
import DeviceSimulation
import Foundation
import Journal
import ScenarioModel
import Simulation
import Testing
import TriggerModel

/// Tests random histories of two devices in complete runs.
///
/// All ten thousand histories run if `TRIGGERBENCH_ALL` is set, which takes a minute. Otherwise, 220 of every
/// 1,250 run.
@Suite struct SyncHistoryTests {
  private static let shards = 8
  private static let shard = 1_250
  private static let played = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] == nil ? 220 : shard

  @Test(arguments: 0..<shards)
  func `two devices converge, lose and repeat no change, and fire nothing outdated`(shard: Int) throws {
    let base = try SyncHistory.base()
    var (overruled, repeated, refused, learned, fires, doubled, offline) = (0, 0, 0, 0, 0, 0, 0)
    for number in 0..<Self.played {
      let hasFaults = number % 2 == 1
      let seed = UInt64(shard * Self.shard + number)
      let history = SyncHistory(seed: seed, of: base, hasFaults: hasFaults)
      let engine = history.program.makeEngine()
      var ledger = SyncLedger(history.program)
      var world = World(program: history.program, scope: .acts) { _ in engine }
      world.run(until: history.reunion, into: &ledger)
      offline += ledger.written.count - ledger.stored.count - ledger.overruled.count
      // Allow time for retries: the app sends a refused change again every minute until the server accepts
      // it.
      let patience = hasFaults ? TimeSpan.minutes(50) : TimeSpan.zero
      world.run(
        until: history.reunion + SyncHistory.delay + patience + TimeSpan(milliseconds: 1), into: &ledger)
      let truth = ledger.truth
      for device in 0..<2 { #expect(ledger.state[device] == truth, "seed \(seed), device \(device)") }
      if case .fact(_, let value)? = truth[.fact(FactID(0 as Int))] {
        #expect(ledger.done == [value, value], "seed \(seed)")
      }
      if let change = truth[.reminder(ReminderID(1 as Int))] {
        let isThere = if case .cancel = change { false } else { true }
        #expect(ledger.exists[0][1] == isThere && ledger.exists[1][1] == isThere, "seed \(seed)")
      }
      #expect(ledger.losses(mayWait: false) == [], "seed \(seed)")
      world.run(into: &ledger)
      #expect(ledger.wrong == [], "seed \(seed)")
      overruled += ledger.overruled.count
      repeated += ledger.repeated.count
      refused += ledger.refusals
      learned += ledger.learned[0].count + ledger.learned[1].count
      fires += ledger.fires
      doubled += ledger.doubled
    }
    // The histories must cover every outcome.
    for count in [overruled, repeated, refused, learned, fires, doubled, offline] { #expect(count > 20) }
  }

  @Test func `a history is reproducible, and a copy of a world continues as the original would`() throws {
    let base = try SyncHistory.base()
    for seed: UInt64 in 0..<20 {
      let history = SyncHistory(seed: seed, of: base, hasFaults: true)
      var whole = RecordingSink()
      var world = World(program: history.program, engine: history.program.makeEngine())
      world.run(into: &whole)
      var parts = RecordingSink()
      var original = World(program: history.program, engine: history.program.makeEngine())
      original.run(until: history.reunion + .seconds(3), into: &parts)
      var copy = original
      copy.run(into: &parts)
      #expect(parts.records == whole.records, "seed \(seed)")
    }
  }
}
