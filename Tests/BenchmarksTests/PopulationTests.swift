import Experiments
import Foundation
import TestSupport
import Testing

@testable import Benchmarks

/// All implementations of the specification POPCAP-1 must have the same counters.
@Suite struct PopulationTests {
  /// The output of `popcap.c`, a part of the specification, for 20 people and 30 days.
  private static let twenty = """
    {"events":90096,"candidates":33827,"sup":[16044,6690,3867,3204,555,2503,2],\
    "fired":[33,33,243,248,244,130,31],"taps":[3,10,58,63,55,18,16],"optouts":1,"lat_sum":218520,\
    "lat_hist":[0,0,1,5,5,12,13,14,42,47,54,30,0,0,0,0],\
    "fired_hour":[0,0,0,0,0,0,0,257,52,18,4,142,98,51,18,50,94,63,43,41,15,16,0,0],\
    "tap_hour":[0,0,0,0,0,0,0,67,13,5,3,38,19,11,5,7,20,10,11,7,4,3,0,0],"users":20,"users_reached":11,\
    "S_f2":85174,"S_t2":5213,"S_ft":19916,"checksum":11445131772900017482}

    """

  @Test func `twenty people have the counters of the specification`() throws {
    let run = try PopulationRun(seed: 1, days: 30)
    #expect(run.counts(of: 0..<20, jobs: 1).counts.json == Self.twenty)
  }

  /// The expected values are the denials and checksums that `popcap.c` prints for the same people under two
  /// other policies.
  @Test func `other policies have the counters of the specification`() throws {
    let often = try PopulationRun(minimumInterval: 10_800, seed: 1, days: 30).counts(of: 0..<20, jobs: 1)
      .counts
    #expect(often["sup"] == [16044, 6690, 3840, 3540, 827, 1904, 2])
    #expect(often["checksum"] == [4_421_060_529_812_873_134])
    let seldom = try PopulationRun(dailyCap: 1, seed: 1, days: 30).counts(of: 0..<20, jobs: 1).counts
    #expect(seldom["sup"] == [15336, 6926, 2136, 1713, 7346, 0, 2])
    #expect(seldom["checksum"] == [15_017_616_907_033_869_408])
  }

  /// A reference result. The parameters are in its file name, for example `u500-1000_d30_s1_mi3h.json`.
  private struct Reference {
    var people: Range<UInt64>
    var run: PopulationRun

    init(_ name: String) throws {
      let parts = name.dropLast(".json".count).split(separator: "_")
      let words = parts[0].dropFirst().split(separator: "-")
      let ends = words.map { UInt64($0.hasSuffix("M") ? $0.dropLast() + "000000" : $0) }
      let last = try #require(ends.last ?? nil)
      people = ends.count == 2 ? try #require(ends[0])..<last : 0..<last
      run = try PopulationRun(
        minimumInterval: parts[3] == "mi3h" ? 10_800 : 14_400, dailyCap: parts[3] == "cap1" ? 1 : 3,
        seed: try #require(UInt64(parts[2].dropFirst())), days: try #require(Int(parts[1].dropFirst())))
    }
  }

  /// The references that this build can reproduce within a few seconds.
  private static let references: [String] = {
    let short = ["u20_d30_s1_default.json", "u500-1000_d30_s1_default.json"]
    let thousands = ["s1_default", "s1_mi3h", "s1_cap1", "s2_default", "s77_default"].map {
      "u1000_d30_\($0).json"
    }
    let isWhole = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
    #if DEBUG
      return isWhole ? short + thousands : short
    #else
      return short + thousands + (isWhole ? ["u1M_d30_s1_default.json"] : [])
    #endif
  }()

  @Test(
    "all counters equal the reference; a million people only in a release build with TRIGGERBENCH_ALL",
    .enabled(if: Shared.isAvailable, Shared.skipReason), arguments: references)
  func reference(_ name: String) throws {
    let reference = try Reference(name)
    let expected = try Shared.data("workloads/population/reference/\(name)")
    let counts = reference.run.counts(of: reference.people, jobs: 2).counts
    #expect(counts.json == String(decoding: expected, as: UTF8.self))
  }

  @Test func `parts add up to the whole`() throws {
    let run = try PopulationRun(seed: 5, days: 9)
    let whole = run.counts(of: 0..<211, jobs: 1).counts
    for jobs in [2, 3, 8] { #expect(run.counts(of: 0..<211, jobs: jobs).counts == whole) }
    var sum = PopulationCounts()
    for part in [150..<211, 0..<1, 1..<70, 70..<150] as [Range<UInt64>] {
      sum += run.counts(of: part, jobs: 2).counts
    }
    #expect(sum.json == whole.json)
    #expect(whole["users"] == [211])
  }

  @Test func `a person has the same counters in a run of one and in a larger population`() throws {
    let run = try PopulationRun(seed: 3, days: 30)
    var (arm, among) = (run.arm, PopulationCounts())
    arm.count(0..<24, into: &among)
    var sum = PopulationCounts()
    for number in (0..<24 as Range<UInt64>).reversed() {
      var (arm, alone) = (run.arm, PopulationCounts())
      arm.count(number..<number + 1, into: &alone)
      sum += alone
    }
    #expect(sum == among)
  }

  // A debug build makes allocations that an optimised build avoids.
  #if !DEBUG
    @Test func `nothing is allocated once tables have grown`() throws {
      let run = try PopulationRun(seed: 1, days: 30)
      var (arm, counts) = (run.arm, PopulationCounts())
      arm.count(0..<64, into: &counts)
      let allocations = Allocations.count { arm.count(64..<160, into: &counts) }
      if let allocations { #expect(allocations == 0) }
    }
  #endif

  @Test func `the population suite reports times and counts`() throws {
    var options = BenchOptions(sizes: [40], rounds: 1)
    options.alone = true
    let row = try #require(try BenchSuite.population.run(options).rows.first)
    #expect(row.events > 170_000)
    #expect(row.fires ?? 0 > 1_500)
    #expect(row.counts.first?.name == "candidates")
    #expect(throws: BenchError.self) {
      try BenchSuite.population.run(BenchOptions(mode: "other"))
    }
  }
}
