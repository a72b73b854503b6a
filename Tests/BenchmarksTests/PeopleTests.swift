import PopulationRuns
import Testing

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
      if let bytes = row.bytesPerItem { #expect(bytes <= 12_288, "a person at rest") }
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
