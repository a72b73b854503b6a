import Foundation
import Recordings
import Testing
import TriggerModel

/// Reads GPX text as the contents of a file `way.gpx`.
func read(_ text: String, _ options: GPXReader.Options = .init()) throws(RecordingError)
  -> GPXReader.Recording
{
  try GPXReader.read(Data(text.utf8), file: "way.gpx", options: options)
}

/// Returns a track with one segment. A point is (seconds after 2026-03-02T07:00:00Z, latitude, longitude).
func track(_ points: [(seconds: Int, latitude: Double, longitude: Double)]) -> String {
  let lines = points.map { point in
    let time =
      "2026-03-02T07:\(String(point.seconds / 60 + 100).dropFirst()):\(String(point.seconds % 60 + 100).dropFirst())Z"
    return "<trkpt lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"><time>\(time)</time></trkpt>\n"
  }
  return "<gpx version=\"1.1\"><trk><trkseg>\n\(lines.joined())</trkseg></trk></gpx>"
}

struct GPXRulesTests {
  private let start: Int64 = 1_772_434_800_000

  private func seconds(_ recording: GPXReader.Recording) -> [Int64] {
    recording.trace.fixes.map { ($0.instant.millisecondsSince1970 - start) / 1_000 }
  }

  @Test func `fixes out of order are sorted and counted`() throws {
    let recording = try read(track([(0, 1, 1), (3, 1, 1.003), (1, 1, 1.001), (2, 1, 1.002), (4, 1, 1.004)]))
    #expect(seconds(recording) == [0, 1, 2, 3, 4])
    #expect(
      recording.summary.lines.dropFirst() == [
        "1 earlier than the previous one; sorted by time (first at line 4)"
      ])
    #expect(recording.trace.segmentStarts == [0])
  }

  @Test func `the first of several fixes with the same time is kept`() throws {
    let recording = try read(
      track([(0, 1, 1), (1, 1, 2e-3 + 1), (1, 1, 2e-3 + 1), (1, 1, 3e-3 + 1), (2, 1, 1)]))
    #expect(seconds(recording) == [0, 1, 2])
    #expect(recording.trace.fixes[1].coordinate.longitude == 1.002)
    #expect(recording.summary.count(.repeated) == 1 && recording.summary.count(.sameTime) == 1)
    #expect(recording.summary.read == 5 && recording.summary.taken == 3)
  }

  @Test func `a spike counts as far off`() throws {
    let points = [(0, 52.0, 13.0), (1, 52.0, 14.0), (2, 52.0, 13.0001), (3, 52.0, 13.0002)]
    let recording = try read(track(points))
    #expect(seconds(recording) == [0, 2, 3])
    #expect(
      recording.summary.lines.last == "1 too far away to be reached and left again: omitted (first at line 3)"
    )
    let unfiltered = try read(track(points), .init(rules: FixRules(maximumSpeed: nil)))
    #expect(seconds(unfiltered) == [0, 1, 2, 3])
  }

  @Test func `a jump starts a new segment`() throws {
    let recording = try read(track([(0, 52, 13), (1, 52, 13), (2, 52, 14), (3, 52, 14.0001)]))
    #expect(seconds(recording) == [0, 1, 2, 3])
    #expect(recording.trace.segmentStarts == [0, 2])
    #expect(recording.summary.count(.jump) == 1)
  }

  @Test func `interleaved segments are split where they meet`() throws {
    let point = { (second: Int) in
      "<trkpt lat=\"1\" lon=\"1.00\(second)\"><time>2026-03-02T07:00:0\(second)Z</time></trkpt>"
    }
    let recording = try read(
      "<gpx version=\"1.0\"><trk><trkseg>\(point(0))\(point(2))\(point(4))</trkseg>"
        + "<trkseg>\(point(1))\(point(3))</trkseg><trkseg></trkseg></trk></gpx>")
    #expect(seconds(recording) == [0, 1, 2, 3, 4])
    #expect(recording.trace.segmentStarts == [0, 1, 2, 3, 4])
    #expect(recording.summary.count(.stepBack) == 1)
  }

  @Test func `unusable points are counted`() throws {
    let recording = try read(
      """
      <gpx version="1.1"><trk><trkseg>
      <trkpt lat="1" lon="2"><time>2026-03-02T07:00:00Z</time></trkpt>
      <trkpt lat="91" lon="2"><time>2026-03-02T07:00:01Z</time></trkpt>
      <trkpt lat="NaN" lon="2"><time>2026-03-02T07:00:02Z</time></trkpt>
      <trkpt lat="1e999" lon="2"><time>2026-03-02T07:00:03Z</time></trkpt>
      <trkpt lon="2"><time>2026-03-02T07:00:04Z</time></trkpt>
      <trkpt lat="1" lon="2"></trkpt>
      <trkpt lat="1" lon="2"><time>yesterday</time></trkpt>
      <trkpt lat="1" lon="2"><time>1901-12-13T20:45:52Z</time></trkpt>
      <trkpt lat=" +1.0 " lon="2."><time>
        2026-03-02T07:00:05</time></trkpt>
      </trkseg></trk><wpt lat="1" lon="2"/></gpx>
      """)
    #expect(
      recording.summary.lines == [
        "way.gpx: 10 read, 2 taken",
        "4 without a valid latitude and longitude: omitted (first at line 3)",
        "1 without a time: omitted (first at line 7)",
        "1 with a time that cannot be read: omitted (first at line 8)",
        "1 with a time before GPS existed (1980-01-06): omitted (first at line 9)",
        "1 of a point kind that is not used: omitted (first at line 12)",
        "1 with a time without zone; read as UTC (first at line 11)",
      ])
  }

  @Test func `the accuracy is read from extensions or from the dilution`() throws {
    let text = """
      <gpx version="1.1" xmlns:x="u"><trk><trkseg>
      <trkpt lat="1" lon="2"><time>2026-03-02T07:00:00Z</time><hdop>2</hdop></trkpt>
      <trkpt lat="1" lon="2"><time>2026-03-02T07:00:01Z</time><hdop>2</hdop><extensions><x:a><x:accuracy>7.5</x:accuracy></x:a></extensions></trkpt>
      <trkpt lat="1" lon="2"><time>2026-03-02T07:00:02Z</time><extensions><hAcc>300</hAcc></extensions></trkpt>
      <trkpt lat="1" lon="2"><time>2026-03-02T07:00:03Z</time><extensions><accuracy>-1</accuracy></extensions></trkpt>
      </trkseg></trk></gpx>
      """
    let all = try read(text)
    #expect(all.trace.fixes.map(\.accuracy) == [10, 7.5, 300, -1])
    #expect(all.summary.count(.accuracyUnreadable) == 1 && all.summary.count(.accuracyFromDilution) == 1)
    let good = try read(text, .init(rules: FixRules(maximumAccuracy: 100), metresPerDilution: nil))
    #expect(good.trace.fixes.map(\.accuracy) == [-1, 7.5, -1])
    #expect(good.summary.count(.inaccurate) == 1 && good.summary.count(.accuracyUnknown) == 2)
  }

  /// White space around a time is ignored, however long it is. Other text that is longer than any time is not
  /// a time.
  @Test func `a long text is read as a time or rejected`() throws {
    let space = String(repeating: " ", count: 300)
    let point = { (time: String) in "<wpt lat=\"1\" lon=\"2\"><time>\(time)</time></wpt>" }
    let time = "2026-03-02T07:00:00"
    let digits = String(repeating: "0", count: 200)
    let recording = try read(
      "<gpx version=\"1.1\">" + point("\(space)\(time)Z\(space)") + point("\(time).25\(digits)Z")
        + point("\(time)\(space)Z") + point("2026&#45;03<![CDATA[-02]]><!-- - -->T07:00:01Z") + "</gpx>")
    #expect(recording.trace.fixes.map(\.instant.millisecondsSince1970) == [start, start + 1_000])
    #expect(recording.summary.count(.unreadableTime) == 2)
  }

  @Test func `a time inside extensions is not the point's time`() throws {
    let recording = try read(
      """
      <gpx version="1.1" xmlns:x="u"><trk><trkseg><trkpt lat="1" lon="2">
      <extensions><time>2020-01-01T00:00:00Z</time></extensions><x:time>2020-01-01T00:00:00Z</x:time>
      <time>2026-03-02T07:00:00Z</time></trkpt></trkseg></trk></gpx>
      """)
    #expect(recording.trace.fixes.map(\.instant.millisecondsSince1970) == [start])
  }

  @Test func `location files of Xcode are read`() throws {
    let recording = try read(
      """
      <?xml version="1.0"?>
      <gpx version="1.1" creator="Xcode">
          <wpt lat="37.331705" lon="-122.030237"><name>Cupertino</name><time>2026-03-02T07:00:00Z</time></wpt>
          <wpt lat="37.332" lon="-122.031"><time>2026-03-02T07:00:30Z</time></wpt>
      </gpx>
      """)
    #expect(recording.kind == .waypoint && recording.trace.fixes.count == 2)
    #expect(recording.trace.segmentStarts == [0])
  }

  @Test func `a schedule assigns times to points without times`() throws {
    let text =
      "<gpx version=\"1.1\"><wpt lat=\"0\" lon=\"0\"/><wpt lat=\"0\" lon=\"0.001\"/><wpt lat=\"0\" lon=\"0.003\"/></gpx>"
    let schedule = GPXReader.Schedule(start: Instant(millisecondsSince1970: start), metresPerSecond: 111.195)
    let recording = try read(text, .init(schedule: schedule))
    #expect(recording.trace.fixes.map { $0.instant.millisecondsSince1970 - start } == [0, 1_000, 3_000])
    #expect(recording.summary.count(.scheduled) == 3)
    let error = #expect(throws: RecordingError.self) { try read(text) }
    #expect(
      error?.description == "way.gpx:1: no point can be used: 3 without a time (first at line 1);"
        + " give the points times, or the entry a start and a speed, such as 'at: 08:10' and 'speed: 5 km/h'")
  }

  @Test func `a route is used only if there are no tracks and waypoints`() throws {
    let route = "<rte><rtept lat=\"1\" lon=\"2\"><time>2026-03-02T07:00:00Z</time></rtept></rte>"
    let recording = try read(
      "<g:gpx version=\"1.1\" xmlns:g=\"u\">"
        + route.replacing("</", with: "</g:")
        .replacing("<r", with: "<g:r").replacing("<t", with: "<g:t") + "</g:gpx>")
    #expect(recording.kind == .route)
    let waypoint = "<wpt lat=\"1\" lon=\"2\"><time>2026-03-02T07:00:00Z</time></wpt>"
    let both = try read("<gpx version=\"1.1\">\(route)\(waypoint)</gpx>")
    #expect(both.kind == .waypoint && both.summary.count(.otherKind) == 1)
  }

  /// Foundation's parser reads a file if one of its texts is longer than a piece of the plain reader. It
  /// would reject a single piece of more than 10,000,000 bytes.
  @Test(arguments: [100_000, 200_000]) func `large files are read`(count: Int) throws {
    let padding = String(repeating: " ", count: count)
    let points = (0..<120).map { second in
      "<trkpt lat=\"1\" lon=\"2\"><time>2026-03-02T07:0\(second / 40):\(second % 40 + 10)Z</time></trkpt>"
    }
    let text = "<gpx version=\"1.1\"><trk><trkseg>\n\(points.joined(separator: padding))</trkseg></trk></gpx>"
    #expect(text.utf8.count > 11_000_000)
    #expect(try read(text).summary.read == 120)
  }
}
