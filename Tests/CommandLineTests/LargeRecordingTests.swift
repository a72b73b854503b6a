import Foundation
import Testing

/// Tests that reading a recording needs memory only for its fixes, regardless of the size of the file.
@Suite(.timeLimit(.minutes(5))) struct LargeRecordingTests {
  private static let story = """
    kind: scenario
    version: 1
    title: A large track
    start: 2026-03-02T07:00
    zone: UTC
    places: {shop: {at: [52.5, 13.4], radius: 150 m}}
    reminders:
      milk: {when: enter shop, notify: {title: Milk, bucket: user}}
    timeline:
      - gpx: track.gpx
    expect:
      - milk fires once

    """

  /// Writes a track that has megabytes of comments between its two fixes.
  private static func write(_ megabytes: Int, to url: URL) throws {
    try Data(#"<gpx version="1.1" creator="test"><trk><trkseg>"#.utf8).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.seekToEnd()
    let fix = { (latitude: String, minute: Int) in
      Data("<trkpt lat=\"\(latitude)\" lon=\"13.4\"><time>2026-03-02T08:0\(minute):00Z</time></trkpt>".utf8)
    }
    try file.write(contentsOf: fix("52.49", 0))
    let comment = "<!--" + String(repeating: "x", count: 993) + "-->"
    let piece = Data(String(repeating: comment, count: 1000).utf8)
    for _ in 0..<megabytes { try file.write(contentsOf: piece) }
    try file.write(contentsOf: fix("52.5", 1))
    try file.write(contentsOf: Data("</trkseg></trk></gpx>\n".utf8))
  }

  #if os(Linux)
    /// The test limits the private memory of the process, including thread stacks. With TRIGGERBENCH_ALL, the
    /// file has 1 GB.
    @Test func `a track of 200 MB is read in 64 MB`() async throws {
      let isLong = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil
      let folder = try Folder()
      try folder.write(Self.story, to: "story.yaml")
      try Self.write(isLong ? 1000 : 200, to: folder.url("track.gpx"))
      let outcome = try await folder.shell(
        "ulimit -d 65536; triggerbench run story.yaml --jobs 1 --reports r")
      #expect(outcome.code == 0, "\(outcome)")
    }
  #endif
}
