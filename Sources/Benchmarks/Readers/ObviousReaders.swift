import Foundation
import TriggerModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The same files read the way one would without a second thought.
enum ObviousReaders {
  private struct Line: Decodable {
    var t: String
    var lat: Double
    var lon: Double
    var accuracy: Double?
  }

  /// `JSONDecoder` for each line, `Date`'s parser for the times.
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

  /// Foundation's XML parser with a delegate that counts the points and keeps nothing: the pace that a
  /// reader on top of it can have at most.
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
