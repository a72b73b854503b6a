import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

/// Compares the outcome of importing each recording in the shared folder with a golden file.
///
/// Run `TRIGGERBENCH_RECORD=1 swift test --filter GPXOutcomes` to record the golden file again.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason))
struct GPXOutcomesTests {
  private func files() throws -> [String] {
    let folder = try #require(Shared.folder).appendingPathComponent("traces/gpx")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func outcome(_ file: String) throws -> [String] {
    let data = try Shared.data("traces/gpx/\(file)")
    do throws(RecordingError) {
      let recording = try GPXReader.read(data, file: file)
      let fixes = recording.trace.fixes
      let known = fixes.filter { $0.accuracy >= 0 }.count
      return [
        "imported \(recording.summary.lines[0])",
        "  GPX \(recording.version), \(recording.kind) points, segments: \(recording.trace.segmentStarts.count)"
          + ", accuracy known: \(known)",
        "  \(fixes[0].instant.millisecondsSince1970) … \(fixes[fixes.count - 1].instant.millisecondsSince1970)",
      ] + recording.summary.lines.dropFirst().map { "  " + $0 }
    } catch {
      return ["refused  \(error)"]
    }
  }

  @Test func `every file has the outcome that the golden file states`() throws {
    let table = try files().flatMap(outcome).joined(separator: "\n") + "\n"
    try Golden.expect(table, matches: "gpx-outcomes.txt")
  }

  @Test func `every point is read, and is taken or omitted`() throws {
    for file in try files() {
      let data = try Shared.data("traces/gpx/\(file)")
      guard let recording = try? GPXReader.read(data, file: file) else { continue }
      let text = String(decoding: data, as: UTF8.self)
      let points = ["<trkpt", "<wpt", "<rtept"].reduce(0) { $0 + text.ranges(of: $1).count }
      #expect(recording.summary.read == points, "\(file)")
      #expect(recording.summary.read == recording.summary.taken + recording.summary.leftOut, "\(file)")
      #expect(recording.summary.taken == recording.trace.fixes.count, "\(file)")
    }
  }

  /// Compares points and times with those that a text search finds.
  @Test func `a bus ride has the points that a text search finds`() throws {
    let file = "304 to UL 2019-02-18 0745.gpx"
    let data = try Shared.data("traces/gpx/\(file)")
    let recording = try GPXReader.read(data, file: file)
    let style = Date.ISO8601FormatStyle()
    let naive = try String(decoding: data, as: UTF8.self).components(separatedBy: "<trkpt ").dropFirst().map {
      let quoted = $0.split(separator: "\"")
      let time = try #require($0.firstRange(of: "<time>")).upperBound
      let date = try style.parse(String($0[time...].prefix(20)))
      return Fix(
        instant: Instant(millisecondsSince1970: Int64((date.timeIntervalSince1970 * 1_000).rounded())),
        coordinate: Coordinate(
          latitude: try #require(Double(quoted[1])), longitude: try #require(Double(quoted[3]))))
    }
    #expect(naive.count == 2_144)
    #expect(recording.trace.fixes == naive)
  }
}
