import Experiments
import Journal
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import Benchmarks

/// People on the full path, measured.
@Suite struct PeopleTests {
  private func bench(_ profile: String, jobs: Int = 1) -> PeopleBench {
    PeopleBench(PeopleWorkload(profile: profile, seed: 1, days: 5), people: 0..<40, jobs: jobs)
  }

  @Test(arguments: PeopleWorkload.profiles)
  func `any number of jobs comes to the same`(profile: String) throws {
    let alone = try bench(profile).json()
    #expect(try bench(profile, jobs: 3).json() == alone)
    #expect(alone.hasPrefix("{\"profile\":\"\(profile)\",\"people\":40,"))
  }

  @Test func `another policy and another seed come to something else`() throws {
    let usual = try bench("ios").json()
    var other = bench("ios")
    other.workload.dailyCap = 1
    #expect(try other.json() != usual)
    other = bench("ios")
    other.workload.seed = 2
    #expect(try other.json() != usual)
  }

  @Test func `a hundred things happen on a day, and replays show the same`() throws {
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
  func `people who are put to rest every few hours do what they would have done`(profile: String) throws {
    var arm = try PopulationArm(PeopleWorkload(profile: profile, seed: 9, days: 12).population())
    var acts = 0
    for number in UInt64(0)..<12 {
      let story = arm.story(of: number)
      var (whole, pieces, rests) = (WhatCounts(), WhatCounts(), WhatCounts())
      var world = arm.world(of: story)
      world.run(into: &whole)
      world = arm.world(of: story)
      var resting = RestingWorld(world)
      let (start, end) = (world.program.scenario.start, world.program.end)
      var hours: Int64 = 1
      while world.now < end {
        // Not on the hour, when little happens.
        let instant = start + .hours(hours) + .minutes(7 * hours % 60)
        world.run(until: instant, into: &pieces)
        var woken = resting.wake()
        woken.run(until: instant, into: &rests)
        resting = RestingWorld(woken)
        // With what the allocator adds, a kilobyte less than 4.
        #expect(resting.byteCount <= 3_000)
        hours += 5
      }
      #expect(rests.records == pieces.records, "person \(number)")
      #expect(rests.counts == pieces.counts, "person \(number)")
      // Where a run is taken up again, the app is told once of what its engine need not be told.
      #expect(rests.records.filter(\.isNoTelling) == whole.records.filter(\.isNoTelling), "person \(number)")
      #expect(rests.counts == whole.counts, "person \(number)")
      acts += whole.records.count { if case .person = $0.body { true } else { false } }
    }
    #expect(acts > 20)
  }

  /// What an experiment asks for, and no more.
  private struct WhatCounts: JournalSink {
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

  // Of a build without optimisation it would not be true.
  #if !DEBUG
    @Test func `a tenth of a request for memory an event`() throws {
      var bench = PeopleBench(PeopleWorkload(profile: "ios", seed: 3, days: 30), people: 0..<64)
      (bench.alone, bench.rounds) = (true, 1)
      for row in try bench.report().rows {
        if let allocations = row.allocationsPerEvent { #expect(allocations <= 0.1) }
      }
    }
  #endif
}

extension JournalRecord {
  fileprivate var isNoTelling: Bool { if case .observed = body { false } else { true } }
}
