import Benchmarks
import CivilTime
import ReminderEngine
import ReminderMatching
import TestBench
import Testing
import TextFormats
import TriggerModel

@Suite struct MatchingWorkloadTests {
  /// The digests of all 100,000 events of the shared workload have been published.
  @Test func `the fires equal the published ones`() throws {
    let expected: [(Repeat, Int, String)] = [
      (.once, 964, "f530d5eb4f22fdae"), (.daily, 151_023, "17b3d12de86c3e2d"),
    ]
    for (repeats, fires, hash) in expected {
      let workload = ReminderWorkload(reminders: 1_000, events: 100_000, repeats: repeats)
      let program = try ReminderProgram(compiling: workload.reminders, names: workload.names)
      var zones = ZoneTable()
      let utc = try zones.intern("UTC")
      var engine = ReminderEngine(program: program, zones: zones, zone: utc)
      var buffer = MatchBuffer()
      var digest = FireDigest()
      for index in workload.events.indices {
        engine.match(workload.events[index], into: &buffer)
        for match in buffer.matches { digest.add(event: index, reminder: match.reminder.rawValue) }
      }
      #expect(digest.fires == fires)
      #expect(digest.value.hexadecimal == hash)
    }
  }

  @Test func `the hot path takes little memory and allocates nothing`() throws {
    let report = try BenchSuite.matching.run(
      BenchOptions(sizes: [20_000], mode: "daily", events: 2_000, rounds: 1))
    let row = try #require(report.rows.first)
    #expect(row.allocationsPerEvent ?? 0 == 0)
    #expect(row.bytesPerItem ?? .infinity <= 25, "it is 24 at 100,000 reminders, where few words are padded")
  }

  @Test func `in the mode constantFires, the number of fires does not depend on the size`() throws {
    let report = try BenchSuite.matching.run(
      BenchOptions(sizes: [1_000, 3_000], mode: "daily, constant fires", events: 2_000, rounds: 1))
    #expect(report.rows.count == 2)
    #expect(Set(report.rows.map(\.hash)).count == 1)
  }
}
