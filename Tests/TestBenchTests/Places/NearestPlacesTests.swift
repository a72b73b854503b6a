import Foundation
import Journal
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests runs with more places than the phone can monitor.
@Suite("The nearest places")
struct NearestPlacesTests {
  @Test(
    "twenty regions observe 95 % of the enters of sixty places along a bus line",
    .enabled(if: Shared.isAvailable, Shared.skipReason))
  func bus() throws {
    let gpx = String(decoding: try Shared.data("traces/gpx/304 to UL 2019-02-18 0745.gpx"), as: UTF8.self)
    let way = gpx.matches(of: #/<trkpt[^>]*lat="([-0-9.]+)"[^>]*lon="([-0-9.]+)"/#).compactMap { match in
      Double(match.1).flatMap { latitude in Double(match.2).map { (latitude: latitude, longitude: $0) } }
    }
    #expect(way.count > 2_000)
    var lengths = [0.0]
    for (a, b) in zip(way, way.dropFirst()) {
      // The factors are metres per degree at 52.65 degrees north.
      let (north, east) = ((a.latitude - b.latitude) * 111_195, (a.longitude - b.longitude) * 67_456)
      lengths.append(lengths[lengths.count - 1] + (north * north + east * east).squareRoot())
    }
    let whole = lengths[lengths.count - 1]
    let places = (0..<60).map { index in
      let at = lengths.firstIndex { $0 >= whole * (Double(index) + 0.5) / 60 } ?? 0
      return (name: "p\(index)", latitude: way[at].latitude, longitude: way[at].longitude, radius: 150)
    }
    let story = PlaceStory(start: "2019-02-18T07:40", length: "3 h", places: places, gpx: gpx)
    let free = PlaceTrial(try story.program(regionLimit: 0))
    let tight = PlaceTrial(try story.program(regionLimit: 20))
    let (reported, asked) = (tight.reported(of: free), tight.asked(of: free))
    print(
      "bus, \(whole / 1_000) km: \(free.enters.count) enters reported with no limit, \(reported) of them with 20",
      "regions, \(asked) known to the app; \(tight.choices) choices")
    #expect(free.enters.count >= 30 && free.choices == 0)
    #expect(reported * 100 >= free.enters.count * 95)
    #expect(asked * 100 >= free.enters.count * 95)
    #expect(Double(tight.choices) <= 1 + whole / 1_000)
    #expect(tight.leftOut >= 40)
  }

  @Test func `twenty regions observe 95 % of the enters of a week in a town of a thousand places`() throws {
    let week = TownWeek(seed: 1)
    let free = PlaceTrial(try week.story.program(regionLimit: 0))
    let tight = PlaceTrial(try week.story.program(regionLimit: 20))
    let (reported, asked) = (tight.reported(of: free), tight.asked(of: free))
    print(
      "town, \(week.kilometres) km: \(free.enters.count) enters reported with no limit, \(reported) of them with",
      "20 regions, \(asked) known to the app; \(tight.choices) choices")
    #expect(free.enters.count >= 30 && free.choices == 0)
    #expect(reported * 100 >= free.enters.count * 95)
    #expect(asked * 100 >= free.enters.count * 95)
    // The engine chooses places once at the start and at most once per kilometre.
    #expect(Double(tight.choices) <= 1 + week.kilometres)
  }

  @Test(arguments: ["ios", "android"])
  func `the order of places and reminders has no effect`(profile: String) throws {
    let week = TownWeek(seed: 2, placeCount: 60)
    let first = PlaceTrial(try week.story.program(regionLimit: 4, profile: profile))
    #expect(first.choices > 10 && !first.enters.isEmpty)
    for seed in 1...3 as ClosedRange<UInt64> {
      let other = PlaceTrial(try week.story.program(regionLimit: 4, profile: profile, shuffled: seed))
      #expect(Set(other.enters) == Set(first.enters) && other.requests == first.requests, "\(seed)")
      #expect(other.choices == first.choices && other.leftOut == first.leftOut, "\(seed)")
    }
  }

  @Test func `a restored engine keeps the monitored places`() throws {
    let program = try TownWeek(seed: 3, placeCount: 60).story.program(regionLimit: 4)
    let expected = PlaceTrial(program)
    let log = RestartingEngine.Log()
    let found = PlaceTrial(program, RestartingEngine(program.makeEngine(), log))
    #expect(log.findings.problems.isEmpty && log.findings.restarts > 100)
    #expect(expected.choices > 10)
    #expect(found.records == expected.records)
  }

  @Test(arguments: [0, 60, 61])
  func `an app whose places are all monitored does not request the phone's position`(limit: Int) throws {
    let trial = PlaceTrial(try TownWeek(seed: 4, placeCount: 60).story.program(regionLimit: limit))
    #expect(trial.choices == 0 && trial.leftOut == 0)
    let located = trial.records.filter {
      guard case .observed(let event) = $0.body else { return false }
      return event.kind == .located
    }
    #expect(located.isEmpty)
  }
}
