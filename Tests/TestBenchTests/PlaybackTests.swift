import DeviceSimulation
import Foundation
import TestSupport
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

@Suite("Recorded tracks past regions", .enabled(if: Shared.isAvailable, Shared.skipReason))
struct PlaybackTests {
  /// A recorded track with circles along it.
  struct Ride: Sendable, CustomTestStringConvertible {
    var file: String
    var start: String
    var hours: Int
    var circles: [(latitude: Double, longitude: Double, radius: Double)]
    var testDescription: String { file }
  }

  static let rides = [
    Ride(
      file: "304 to UL 2019-02-18 0745.gpx", start: "2019-02-18T07:00", hours: 3,
      circles: [
        (52.630083, -8.64384, 120), (52.63092, -8.656058, 200), (52.6424, -8.647518, 60),
        (52.65161, -8.63594, 15), (52.664344, -8.627965, 400), (52.655948, -8.605222, 33),
        (52.663875, -8.585581, 1_000), (52.5, -8.6, 500),
      ]),
    Ride(
      file: "GPXTest-TrackPointOnly.gpx", start: "2018-11-29T01:00", hours: 10,
      circles: [
        (35.672174, 139.721678, 80), (35.659875, 139.700888, 150), (35.661833, 139.701196, 25),
        (35.656669, 139.698495, 300), (35.671138, 139.70306, 50), (35.663192, 139.710207, 500),
        // This place is on the line of a GPS jump, so the phone was never there.
        (35.6350618, 139.7048547, 100),
      ]),
  ]

  @Test(arguments: rides)
  func `a replayed recording enters regions at the times of the brute-force search`(_ ride: Ride) throws {
    let data = try Shared.data("traces/gpx/\(ride.file)")
    let expected = try BruteForceTrack(gpx: data).enters(
      ride.circles.map { .init(latitude: $0.latitude, longitude: $0.longitude, radius: $0.radius) })
    #expect(expected.count >= 5)
    #expect(!expected.contains { $0.region == 6 && ride.hours == 10 })

    let begin = Self.processorSeconds()
    let program = try Self.program(ride, data)
    var journal = SparseSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &journal)
    #expect(Self.processorSeconds() - begin < 1)

    for isTruth in [true, false] {
      let enters = journal.enters(isTruth: isTruth)
      try #require(enters.map(\.region) == expected.map(\.region), "truth \(isTruth)")
      for (enter, other) in zip(enters, expected) {
        let seconds = Double(enter.instant.millisecondsSince1970) / 1_000
        #expect(abs(seconds - other.time) < 0.05, "region \(other.region)")
      }
    }
    let account = Self.accounts(program).signals.account(of: .regionEntered)
    #expect(account.truth == expected.count)
    #expect(account.matched == expected.count)
    #expect(account.delays.longest == 0)
  }

  @Test(arguments: rides, ["ideal", "ios"])
  func `replaying fixes in batches affects only the number of records`(_ ride: Ride, profile: String) throws {
    let program = try Self.program(ride, try Shared.data("traces/gpx/\(ride.file)"), profile: profile)
    var every = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &every)
    var quiet = SparseSink()
    world = World(program: program, engine: program.makeEngine())
    world.run(into: &quiet)
    func isFix(_ record: JournalRecord) -> Bool {
      if case .happened(.fix) = record.body { true } else { false }
    }
    #expect(every.records.filter { !isFix($0) } == quiet.records.filter { !isFix($0) })
    #expect(every.records.count == quiet.records.count + quiet.passed)
    #expect(quiet.passed > program.devices[0].route.fixes.count / 2)
  }

  /// Returns the CPU time of this thread in seconds. Wall-clock time would include other tests that run in
  /// parallel.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func accounts(_ program: Program) -> RunAccounts {
    ScenarioRun(program, stopwatch: { 0 }).run().result.accounts
  }

  /// Compiles a scenario file in the folder of the recording. The name of the recording contains spaces.
  private static func program(_ ride: Ride, _ recording: Data, profile: String = "ideal") throws -> Program {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try recording.write(to: folder.appendingPathComponent(ride.file))
    var lines = [
      "kind: scenario", "version: 1", "title: A ride", "start: \(ride.start)", "zone: UTC",
      "for: \(ride.hours) h", "profile: \(profile)", "places:",
    ]
    lines += ride.circles.enumerated().map { index, circle in
      "  p\(index): {at: [\(circle.latitude), \(circle.longitude)], radius: \(circle.radius) m}"
    }
    lines.append("reminders:")
    lines += ride.circles.indices.map {
      "  r\($0): {when: enter p\($0), repeat: always, notify: {title: r\($0), bucket: user}}"
    }
    lines += ["timeline:", "  - {gpx: \"\(ride.file)\"}", "expect: [requests >= 0]"]
    let path = folder.appendingPathComponent("ride.yaml")
    try Data(lines.joined(separator: "\n").utf8).write(to: path)
    switch ProgramLoader().load(path.path) {
    case .program(let program, _): return program
    case .invalid(let diagnostics): throw Unusable(description: "\(diagnostics)")
    case .otherKind: throw Unusable(description: "no scenario")
    }
  }

  private struct Unusable: Error {
    var description: String
  }
}

/// A sink that keeps all records but does not need a record of each fix.
private struct SparseSink: JournalSink {
  var records: [JournalRecord] = []
  var passed = 0

  static var wantsEveryFix: Bool { false }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    records.append(JournalRecord(body, stamp))
  }
  mutating func passed(fixes: Int) { passed += fixes }

  func enters(isTruth: Bool) -> [(region: Int, instant: Instant)] {
    records.compactMap { record in
      switch record.body {
      case .truth(let event) where isTruth && event.kind == .regionEntered && event.value == 0:
        (Int(event.subject), record.instant)
      case .observed(let event) where !isTruth && event.kind == .regionEntered && event.value == 0:
        (Int(event.subject), record.instant)
      default: nil
      }
    }
  }
}
