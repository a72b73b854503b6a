import Experiments
import Journal
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import Benchmarks

/// The benchmark of people, who have a phone, an app, an engine and a person model.
@Suite struct PeopleTests {
  private func bench(_ profile: String, jobs: Int = 1) -> PeopleBench {
    PeopleBench(PeopleWorkload(profile: profile, seed: 1, days: 5), people: 0..<40, jobs: jobs)
  }

  @Test(arguments: PeopleWorkload.profiles)
  func `counts do not depend on the number of jobs`(profile: String) throws {
    let alone = try bench(profile).json()
    #expect(try bench(profile, jobs: 3).json() == alone)
    #expect(alone.hasPrefix("{\"profile\":\"\(profile)\",\"people\":40,"))
  }

  @Test func `another policy or seed changes the counts`() throws {
    let usual = try bench("ios").json()
    var other = bench("ios")
    other.workload.dailyCap = 1
    #expect(try other.json() != usual)
    other = bench("ios")
    other.workload.seed = 2
    #expect(try other.json() != usual)
  }

  @Test func `a person has about a hundred events a day, and a replay has the same results`() throws {
    var bench = bench("ios")
    bench.people = 0..<21
    bench.rounds = 1
    let rows = try bench.report().rows
    #expect(rows.map(\.mode) == ["fitme, ios", "fitme, ideal"])
    for row in rows {
      #expect((80...120).contains(row.events / (21 * 5)))
      #expect(row.fires ?? 0 > 0)
      #expect(row.baseline != nil)
    }
  }

  @Test(arguments: PeopleWorkload.profiles)
  func `suspending and resuming people does not change their runs`(profile: String) throws {
    var arm = try PopulationArm(PeopleWorkload(profile: profile, seed: 9, days: 12).population())
    var acts = 0
    for number in UInt64(0)..<12 {
      let story = arm.story(of: number)
      var (whole, pieces, resumed) = (RecordLog(), RecordLog(), RecordLog())
      var world = arm.world(of: story)
      world.run(into: &whole)
      world = arm.world(of: story)
      var resting = SuspendedWorld(world)
      let (start, end) = (world.program.scenario.start, world.program.end)
      var hours: Int64 = 1
      while world.now < end {
        // Few events occur at full hours, so the instants are between full hours.
        let instant = start + .hours(hours) + .minutes(7 * hours % 60)
        world.run(until: instant, into: &pieces)
        var woken = resting.wake()
        woken.run(until: instant, into: &resumed)
        resting = SuspendedWorld(woken)
        // With the overhead of the allocator, a suspended person takes less than 4 kB.
        #expect(resting.byteCount <= 3_000)
        hours += 5
      }
      #expect(resumed.records == pieces.records, "person \(number)")
      #expect(resumed.counts == pieces.counts, "person \(number)")
      // A resumed run lets the app observe an event even if the engine does not need it, so observations are
      // ignored.
      #expect(
        resumed.records.filter(\.isNoObservation) == whole.records.filter(\.isNoObservation),
        "person \(number)")
      #expect(resumed.counts == whole.counts, "person \(number)")
      acts += whole.records.count { if case .person = $0.body { true } else { false } }
    }
    #expect(acts > 20)
  }

  /// A sink that stores all records that it receives, although it declares interest in none.
  private struct RecordLog: JournalSink {
    static let interest = RecordInterest.nothing
    let keepsEveryMiss = false
    private(set) var records: [JournalRecord] = []
    private(set) var counts: [String] = []

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      records.append(JournalRecord(body, stamp))
    }

    mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
      counts.append("\(stamp) \(counted) \(due)")
    }
  }

  // A debug build makes allocations that an optimised build avoids.
  #if !DEBUG
    @Test func `there is at most one allocation per ten events`() throws {
      var bench = PeopleBench(PeopleWorkload(profile: "ios", seed: 3, days: 30), people: 0..<64)
      (bench.alone, bench.rounds) = (true, 1)
      for row in try bench.report().rows {
        if let allocations = row.allocationsPerEvent { #expect(allocations <= 0.1) }
      }
    }
  #endif
}

extension JournalRecord {
  fileprivate var isNoObservation: Bool { if case .observed = body { false } else { true } }
}
