import Foundation
import Journal
import RandomScenarios
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import TestSupport
import TextFormats
import TriggerModel

/// A run that records which places an app observes on a phone that monitors only some of them.
struct PlaceTrial {
  struct Enter: Hashable {
    var place: String
    var instant: Instant
  }

  /// The enter events that the phone reported to the app.
  private(set) var enters: [Enter] = []
  /// The number of requests after enters, by place.
  private(set) var requests: [String: Int] = [:]
  /// The number of times the engine chose places to monitor.
  private(set) var choices = 0
  /// The number of reports that a reminder was left out.
  private(set) var leftOut = 0
  private(set) var records: [JournalRecord] = []

  init(_ program: Program) { self.init(program, program.makeEngine()) }

  init(_ program: Program, _ engine: some EngineUnderTest) {
    let names = program.scenario.places.map(\.name)
    let reminders = program.scenario.reminders.map(\.declaration.id)
    records = StorageTests.journal(program, engine).records
    for record in records {
      switch record.body {
      case .observed(let event)
      where event.kind == .regionEntered && event.value != ObservedEvent.reportedState:
        enters.append(Enter(place: names[Int(event.subject)], instant: record.stamp.instant))
      case .effect(.request(let request)):
        requests[reminders[request.id.reminder.index], default: 0] += 1
      case .effect(.watch): choices += 1
      case .effect(.noRequest(_, .regionLimit, _)): leftOut += 1
      default: break
      }
    }
  }

  /// Returns the number of enters that both phones reported at the same instants.
  func reported(of other: PlaceTrial) -> Int { Set(enters).intersection(other.enters).count }

  /// Returns the number of requests that both apps made, whatever their times.
  func asked(of other: PlaceTrial) -> Int {
    other.requests.reduce(0) { $0 + min($1.value, requests[$1.key] ?? 0) }
  }
}

/// A scenario with places, each with a reminder of the same name.
struct PlaceStory {
  var start: String
  var length: String
  var places: [(name: String, latitude: Double, longitude: Double, radius: Int)]
  /// The track, with times in UTC.
  var gpx: String

  func program(regionLimit: Int, profile: String = "ios", shuffled seed: UInt64? = nil) throws -> Program {
    var places = places
    if let seed {
      var random = SplitMix64(seed: seed)
      places.shuffle(using: &random)
    }
    let rows = places.map {
      "  \($0.name): {at: [\($0.latitude), \($0.longitude)], radius: \($0.radius) m}\n"
    }
    if seed != nil { places.reverse() }
    let reminders = places.map {
      "  \($0.name): {when: enter \($0.name), repeat: always, notify: {title: Here, bucket: user}}\n"
    }
    let text = """
      kind: scenario
      version: 1
      title: places
      start: \(start)
      zone: UTC
      for: \(length)
      profile: \(profile)
      knobs: {regionLimit: \(regionLimit)}
      places:
      \(rows.joined())
      reminders:
      \(reminders.joined())
      policy: {quietHours: none}
      timeline: [{gpx: way.gpx}]
      expect: [requests >= 0]
      """
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(gpx.utf8).write(to: folder.appendingPathComponent("way.gpx"))
    let scenario = try ScenarioFile.read(Array(text.utf8), file: "places.yaml", fileExists: { _ in true })
      .get()
    return try Program(scenario, in: ReachableFiles(of: folder.path + "/places.yaml"))
  }
}

/// A week of a person in a town of a thousand places that is 40 km across. The person travels to work, and to
/// some places on foot, by bicycle and by tram.
struct TownWeek {
  private typealias Point = (east: Double, north: Double)

  private(set) var story: PlaceStory
  /// The length of the week's track.
  private(set) var kilometres = 0.0

  private var random: SplitMix64
  private var seconds = 0.0
  private var here: Point = (0, 0)
  private var fixes: [String] = []
  private static let metresPerDegree = 111_195.0

  init(seed: UInt64, placeCount: Int = 1_000) {
    random = SplitMix64(seed: seed)
    story = PlaceStory(start: "2026-03-02T00:00", length: "7 days", places: [], gpx: "")
    let (home, work) = ((east: 3_000.0, north: -4_000.0), (east: -2_000.0, north: 1_000.0))
    var places: [Point] = []
    for index in 0..<placeCount {
      let place: Point = (Double(random.int(-20_000...20_000)), Double(random.int(-20_000...20_000)))
      places.append(place)
      let (latitude, longitude) = Self.coordinate(place)
      story.places.append(("p\(index)", latitude, longitude, random.one(of: [100, 150, 200, 250])))
    }
    here = home
    fix()
    for day in 0..<7 {
      stay(until: Double(day) * 86_400 + 28_800 + Double(random.int(0...3_600)))
      if day < 5 {
        go(to: work)
        stay(until: seconds + 25_200)
      }
      for _ in 0..<random.int(2...4) {
        let near = places.sorted { Self.way(here, $0) < Self.way(here, $1) }.prefix(150)
        go(to: random.one(of: Array(near)))
        stay(until: seconds + Double(random.int(600...3_600)))
      }
      go(to: home)
    }
    story.gpx =
      "<gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
      + fixes.joined() + "</trkseg></trk></gpx>\n"
  }

  /// Moves to a place along two streets.
  private mutating func go(to place: Point) {
    let way = abs(place.east - here.east) + abs(place.north - here.north)
    let speed = way < 1_500 ? 1.4 : 5.0
    for corner in [(east: place.east, north: here.north), place] {
      let street = Self.way(here, corner)
      let start = here
      let steps = max(1, Int(street / speed / 60))
      for step in 1...steps {
        let share = Double(step) / Double(steps)
        seconds += street / speed / Double(steps)
        here = (
          start.east + (corner.east - start.east) * share, start.north + (corner.north - start.north) * share
        )
        fix()
      }
      kilometres += street / 1_000
    }
  }

  private mutating func stay(until end: Double) {
    seconds = max(seconds, end)
    fix()
  }

  private mutating func fix() {
    let (latitude, longitude) = Self.coordinate(here)
    let whole = Int(seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time =
      "2026-03-\(two(2 + whole / 86_400))T\(two(whole / 3_600 % 24)):\(two(whole / 60 % 60)):\(two(whole % 60))Z"
    fixes.append("<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><time>\(time)</time></trkpt>\n")
  }

  private static func way(_ a: Point, _ b: Point) -> Double {
    ((a.east - b.east) * (a.east - b.east) + (a.north - b.north) * (a.north - b.north)).squareRoot()
  }

  /// Converts a point to coordinates near 48.2 degrees north, where a degree of longitude is two thirds of a
  /// degree of latitude.
  private static func coordinate(_ point: Point) -> (latitude: Double, longitude: Double) {
    (
      48.2 + point.north / metresPerDegree,
      16.4 + point.east / (metresPerDegree * 0.666_5)
    )
  }
}
