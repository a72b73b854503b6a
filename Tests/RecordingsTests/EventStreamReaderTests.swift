import Foundation
import Recordings
import Testing
import TriggerModel

struct EventStreamReaderTests {
  /// An event that exists only in these tests.
  struct Toy: Hashable, Sendable {
    var name: String
  }

  private func read(_ text: String) throws(RecordingError) -> EventStreamReader.Stream<Toy> {
    try read(Data(text.utf8))
  }

  private func read(_ data: Data) throws(RecordingError) -> EventStreamReader.Stream<Toy> {
    try EventStreamReader.read(data, file: "day.ndjson") { (scanner) throws(ScanProblem) in
      var instant = Instant.distantPast
      var toy = Toy(name: "")
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        if key == "t" {
          instant = try scanner.instant()
        } else if key == "event" {
          toy.name = try scanner.string().string
        } else {
          throw scanner.unknownKey(key, known: ["t", "event"])
        }
      }
      return (instant, toy)
    }
  }

  @Test func `a stream contains fixes and events`() throws {
    let stream = try read(
      """
      {"t":"2026-03-02T07:00:00Z","lat":52.5,"lon":-13.25,"accuracy":8}
      {"t":1772434801000,"event":"unlock"}

      { "lon" : -1325e-2 , "lat" : 52.501, "t" : "2026-03-02T08:00:02.5+01:00" }
      {"event":"openApp \\u00e9","t":1772434800500}
      {"t":1772434803000,"event":"batteryLevel"}
      """)
    #expect(
      stream.trace.fixes == [
        Fix(
          instant: Instant(millisecondsSince1970: 1_772_434_800_000),
          coordinate: Coordinate(latitude: 52.5, longitude: -13.25), accuracy: 8),
        Fix(
          instant: Instant(millisecondsSince1970: 1_772_434_802_500),
          coordinate: Coordinate(latitude: 52.501, longitude: -13.25)),
      ])
    #expect(stream.events.map(\.line) == [5, 2, 6])
    #expect(stream.events.map(\.payload.name) == ["openApp é", "unlock", "batteryLevel"])
    #expect(
      stream.summary.lines == [
        "day.ndjson: 5 read, 5 taken", "1 earlier than the previous one; sorted by time (first at line 5)",
      ])
  }

  @Test(arguments: [
    (#"{"t":1,"lat":91,"lon":0}"#, "1:14: 91.0 is out of range; write degrees from -90 to 90"),
    (#"{"t":1,"lat":0,"lon":-180.0001}"#, "1:22: -180.0001 is out of range; write degrees from -180 to 180"),
    (#"{"t":1,"lat":NaN,"lon":0}"#, "1:14: a number was expected, not N; correct the JSON of this line"),
    (#"{"t":1,"lat":1e999,"lon":0}"#, "1:14: the number is too large; keep it below 1.8e308"),
    (#"{"t":1,"lat":"52","lon":0}"#, "1:14: a number was expected, not \"; correct the JSON of this line"),
    (
      #"{"t":1,"lat":1,"lon":2,"accuracy":-1}"#,
      "1:35: the accuracy is negative; omit the key if the accuracy is unknown"
    ),
    (#"{"t":1,"lat":1,"lonn":2}"#, "1:16: unknown key \"lonn\"; did you mean lon?"),
    (
      #"{"t":1,"lat":1,"speed":2}"#,
      "1:16: unknown key \"speed\"; known: t, lat, lon, accuracy, event"
    ),
    (#"{"t":1,"lat":1,"lat":2}"#, "1:16: \"lat\" is there twice; keep one of them"),
    (#"{"t":1,"lat":1}"#, "1:1: \"lon\" is missing; add it"),
    (#"{"t":1}"#, "1:1: \"lat or event\" is missing; add it"),
    (#"{"lat":1,"lon":1}"#, "1:1: \"t\" is missing; add it"),
    (
      #"{"t":"2026-03-02T07:00:00","lat":1,"lon":1}"#,
      "1:6: the time has no zone; add Z, or an offset such as +01:00"
    ),
    (#"{"t":"today","lat":1,"lon":1}"#, "1:6: \"today\" is not a time; write it as 2026-03-02T07:00:00Z"),
    (
      #"{"t":1.5,"lat":1,"lon":1}"#,
      "1:6: a whole number was expected; write it without point, of at most 18 digits"
    ),
    (
      #"{"t":9223372036854775807,"lat":1,"lon":1}"#,
      "1:6: the time is not in the years 1 to 9999; write milliseconds since 1970"
    ),
    (#"{"t":1,"event":"unlock","lat":1}"#, "1:25: unknown key \"lat\"; known: t, event"),
    (#"{"lat":1,"t":1,"speed":2,"event":"unlock"}"#, "1:2: unknown key \"lat\"; known: t, event"),
    (
      "{\"t\":1,\"event\":\"unlock\"}\n{\"t\":1,\"event\":\"unl",
      "2:20: the line ends where the string's closing quote was expected; complete the line"
    ),
    ("\n[1]", "2:1: an object was expected, not [; correct the JSON of this line"),
    (
      #"{"t":1,"event":"unlock"} x"#,
      "1:26: the end of the line was expected, not x; correct the JSON of this line"
    ),
  ])
  func `an invalid recording is rejected with its position`(_ text: String, _ message: String) {
    let error = #expect(throws: RecordingError.self) { try read(text) }
    #expect(error?.description == "day.ndjson:" + message)
  }

  @Test func `FixRules apply to the fixes of a stream`() throws {
    let line = { (t: Int, lon: Double) in "{\"t\":\(t),\"lat\":1,\"lon\":\(lon)}\n" }
    let stream = try read(
      line(0, 1) + line(2_000, 1.002) + line(1_000, 1.001) + line(1_000, 1.001) + line(3_000, 50)
        + line(4_000, 1.003))
    #expect(stream.trace.fixes.map(\.instant.millisecondsSince1970) == [0, 1_000, 2_000, 4_000])
    #expect(stream.summary.count(.stepBack) == 1 && stream.summary.count(.repeated) == 1)
    #expect(stream.summary.count(.farOff) == 1)
    #expect(stream.summary.read == stream.summary.taken + stream.summary.leftOut)
  }

  @Test func `an empty stream has no fixes and no events`() throws {
    let stream = try read("\n")
    #expect(stream.trace.fixes.isEmpty && stream.trace.segmentStarts.isEmpty && stream.events.isEmpty)
  }

  @Test func `a damaged stream never crashes the reader`() {
    let sample = """
      {"t":"2026-03-02T07:00:00Z","lat":52.5,"lon":-13.25,"accuracy":8}
      {"t":1772434801000,"event":"unlock \\u00e9\\ud83d\\ude00"}
      """
    var refused = 0
    for mutant in Mutations(of: Array(sample.utf8), seed: 1, count: 5_000) {
      do throws(RecordingError) {
        let stream = try read(Data(mutant))
        let isValid = stream.trace.fixes.allSatisfy { $0.coordinate.isValid }
        #expect(isValid)
      } catch {
        refused += 1
        #expect(error.line != nil && error.column != nil)
      }
    }
    #expect((1_000..<5_000).contains(refused))
  }
}
