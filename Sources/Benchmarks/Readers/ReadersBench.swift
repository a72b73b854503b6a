import CivilTime
import Foundation
import Recordings
import TriggerModel

/// The readers suite: reads recordings with the product's readers and with naive readers.
enum ReadersBench {
  /// The result of reading an input once.
  struct Outcome {
    var fixes = 0
    /// A digest of instants and coordinates, which must be equal for all readers of an input.
    ///
    /// `nil` if the reader only counts elements.
    var hash: UInt64?
  }

  /// A reader and its input.
  private struct Contestant {
    var mode: String
    /// The mode of the naive reader to compare with, or `nil` if this reader is naive itself.
    var baseline: String?
    var input: Data
    var run: (Data) throws -> Outcome
    /// The seconds of each round, in order.
    var seconds: [Double] = []
    /// The result and the number of allocations of the last round.
    var outcome = Outcome()
    var allocations: Int?

    /// The throughput in megabytes (10⁶ bytes) per second.
    var megabytesPerSecond: Double { Double(input.count) / seconds.median / 1e6 }

    mutating func measure() throws {
      let elapsed = try ContinuousClock().measure {
        allocations = try Allocations.count { outcome = try run(input) }
      }
      seconds.append(elapsed / .seconds(1))
    }

    func row(comparedWith naive: Contestant?) -> BenchRow {
      let fixes = Double(outcome.fixes)
      var row = BenchRow(
        mode: mode, size: input.count, events: outcome.fixes, samples: seconds.map { $0 * 1e9 / fixes })
      row.hash = outcome.hash
      if let naive {
        row.baseline = Baseline(
          name: naive.mode, samples: [naive.seconds.median * 1e9 / fixes], events: outcome.fixes)
        row.counters = [("MB/s", megabytesPerSecond), ("baseline MB/s", naive.megabytesPerSecond)]
      }
      if let allocations { row.counts = [("allocations", allocations)] }
      return row
    }
  }

  /// Runs the suite for the command line. Its events are fixes.
  ///
  /// - Throws: ``BenchError`` if two readers of the same input have different results.
  static func report(_ options: BenchOptions) throws -> BenchReport {
    let fixes = options.events ?? 200_000
    // Running each reader once first keeps one-time allocations of the process out of the counts.
    for contestant in contestants(fixes: 1) { _ = try contestant.run(contestant.input) }
    var contestants = contestants(fixes: fixes).filter { !options.alone || $0.baseline != nil }
    for _ in 0..<options.rounds {
      for index in contestants.indices { try contestants[index].measure() }
    }
    let rows = try contestants.compactMap { contestant -> BenchRow? in
      let naive = contestants.first { $0.mode == contestant.baseline }
      guard contestant.outcome.fixes == fixes,
        naive?.outcome.hash == nil || naive?.outcome.hash == contestant.outcome.hash
      else { throw BenchError("\(contestant.mode) and its baseline have different results") }
      return contestant.baseline == nil ? nil : contestant.row(comparedWith: naive)
    }
    return BenchReport(
      suite: BenchSuite.readers.rawValue, sizeName: "bytes", rows: rows,
      notes: ["an event is a fix; MB/s: 10^6 bytes of the file per second"])
  }

  private static func contestants(fixes: Int) -> [Contestant] {
    let lines = Data(ReadersWorkload.ndjson(fixes: fixes).utf8)
    let gpx = Data(ReadersWorkload.gpx(fixes: fixes).utf8)
    return [
      Contestant(mode: "ndjson", baseline: "ndjson JSONDecoder", input: lines) { data in
        let stream = try EventStreamReader.readFixes(data, file: "benchmark")
        return Outcome(fixes: stream.trace.fixes.count, hash: digest(stream.trace.fixes))
      },
      Contestant(mode: "ndjson JSONDecoder", baseline: nil, input: lines, run: NaiveReaders.decodeLines),
      Contestant(mode: "gpx", baseline: "gpx XMLParser", input: gpx) { data in
        let recording = try GPXReader.read(data, file: "benchmark")
        return Outcome(fixes: recording.trace.fixes.count, hash: digest(recording.trace.fixes))
      },
      Contestant(mode: "gpx XMLParser", baseline: nil, input: gpx, run: NaiveReaders.countTrackPoints),
    ]
  }

  /// Returns a digest of fixes.
  static func digest(_ fixes: [Fix]) -> UInt64 {
    var digest = WordDigest()
    for fix in fixes {
      for word in [
        UInt64(bitPattern: fix.instant.millisecondsSince1970), fix.coordinate.latitude.bitPattern,
        fix.coordinate.longitude.bitPattern, fix.accuracy.bitPattern,
      ] {
        digest.add(word)
      }
    }
    return digest.value
  }
}

/// A walk with a fix every second, as text in each reader's format.
enum ReadersWorkload {
  /// 2026-03-02T07:00:00Z
  private static let start = Instant(millisecondsSince1970: 1_772_434_800_000)

  /// Returns a recording with one fix per line, for example
  /// `{"t":"2026-03-02T07:00:00Z","lat":52.520000,"lon":13.405000,"accuracy":8}`.
  static func ndjson(fixes: Int) -> String {
    var text = ""
    text.reserveCapacity(fixes * 80)
    for index in 0..<fixes {
      let (time, latitude, longitude) = fix(index)
      text += "{\"t\":\"\(time)\",\"lat\":\(latitude),\"lon\":\(longitude),\"accuracy\":\(5 + index % 20)}\n"
    }
    return text
  }

  /// Returns a recording as an indented GPX track with one segment.
  static func gpx(fixes: Int) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"benchmark\">\n"
    text += " <trk>\n  <trkseg>\n"
    text.reserveCapacity(fixes * 120)
    for index in 0..<fixes {
      let (time, latitude, longitude) = fix(index)
      text += "   <trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\n    <ele>\(30 + index % 9).5</ele>\n"
      text += "    <time>\(time)</time>\n   </trkpt>\n"
    }
    return text + "  </trkseg>\n </trk>\n</gpx>\n"
  }

  /// Returns a fix of a walk back and forth over 0.1 degrees.
  private static func fix(_ index: Int) -> (time: String, latitude: String, longitude: String) {
    let along = abs(index * 31 % 200_000 - 100_000)
    return ((start + .seconds(Int64(index))).iso8601, "52.\(500_000 + along)", "13.\(400_000 + along)")
  }
}

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Naive readers of the same formats.
enum NaiveReaders {
  private struct Line: Decodable {
    var t: String
    var lat: Double
    var lon: Double
    var accuracy: Double?
  }

  /// Reads lines with `JSONDecoder`, and times with the parser of `Date`.
  static func decodeLines(_ data: Data) throws -> ReadersBench.Outcome {
    let decoder = JSONDecoder()
    var fixes: [Fix] = []
    for bytes in data.split(separator: 0x0A) {
      let line = try decoder.decode(Line.self, from: bytes)
      let date = try Date(line.t, strategy: .iso8601)
      fixes.append(
        Fix(
          instant: Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded())),
          coordinate: Coordinate(latitude: line.lat, longitude: line.lon), accuracy: line.accuracy ?? -1))
    }
    return ReadersBench.Outcome(fixes: fixes.count, hash: ReadersBench.digest(fixes))
  }

  /// Counts points with Foundation's XML parser, and stores nothing. A reader that uses that parser cannot be
  /// faster.
  static func countTrackPoints(_ data: Data) -> ReadersBench.Outcome {
    let counter = Counter()
    let parser = XMLParser(stream: InputStream(data: data))
    parser.delegate = counter
    _ = parser.parse()
    return ReadersBench.Outcome(fixes: counter.points, hash: nil)
  }

  private final class Counter: NSObject, XMLParserDelegate {
    var points = 0

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      if name == "trkpt" { points += 1 }
    }
  }
}
