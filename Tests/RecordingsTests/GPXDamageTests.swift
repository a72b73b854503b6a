import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

struct GPXDamageTests {
  /// Every reason to reject a file, with its exact message.
  @Test(arguments: [
    ("", "way.gpx: the file is empty; record it again"),
    (" \n\t", "way.gpx: the file is empty; record it again"),
    (
      "nothing",
      "way.gpx:1:1: there is no element, so this is not a GPX file; use a GPX file, or use the complete file"
    ),
    ("<gpx>\n<trk>", "way.gpx:2:6: the file ends inside an element; use the complete file"),
    ("<gpx>\n<trk></trk>\n<wpt lat=\"1\"", "way.gpx:3"),
    (
      "<gpx>\n<trk></wpt></gpx>",
      "way.gpx:2:12: a closing tag does not match the element that is open; correct the tags"
    ),
    ("<gpx/>\n<gpx/>", "way.gpx:2:1: something follows the root element; remove what follows </gpx>"),
    (
      "<gpx>\n&eacute;</gpx>",
      "way.gpx:2:9: an entity that XML does not define; write the character itself, or &amp; for &"
    ),
    ("<kml>\n</kml>", "way.gpx:1: the root element is not <gpx>; use a GPX file"),
    (
      "<gpx version=\"2.0\"/>", "way.gpx:1: GPX version \"2.0\" is not known; save the file as GPX 1.0 or 1.1"
    ),
    (
      "<gpx version=\"1.1\"/>",
      "way.gpx: the file has no track, waypoint or route point; record a track, or remove the file"
    ),
    (
      "<?xml version=\"1.0\"?>\n<!-- a -->\n<!DOCTYPE gpx>\n<gpx/>",
      "way.gpx:3: a document type definition (<!DOCTYPE …>) is not accepted; remove it; GPX needs none"
    ),
    (
      "<?xml version=\"1.0\" encoding=\"UTF-7\"?>\n<gpx/>",
      "way.gpx:1: the encoding UTF-7 is not supported; save the file as UTF-8"
    ),
    (
      "<gpx><x:trk/></gpx>",
      "way.gpx:1:12: a prefix that no xmlns attribute declares; declare it in the root element, or remove it"
    ),
  ])
  func `an invalid recording is rejected with its position`(_ text: String, _ message: String) {
    let error = #expect(throws: RecordingError.self) { try read(text) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func `entity bombs and external entities are rejected unread`() {
    let levels = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let bomb =
      "<?xml version=\"1.0\"?><!DOCTYPE gpx [<!ENTITY l0 \"ha\">\(levels.joined())]><gpx><name>&l9;</name></gpx>"
    let external = "<!DOCTYPE gpx [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><gpx><name>&x;</name></gpx>"
    for text in [bomb, external] {
      for data in [Data(text.utf8), text.data(using: .utf16), text.data(using: .utf16LittleEndian)] {
        let error = #expect(throws: RecordingError.self) {
          try GPXReader.read(data ?? Data(), file: "bomb.gpx")
        }
        #expect(error?.code == .documentType)
      }
    }
  }

  /// A file that is truncated at any byte is rejected. The error states an existing line.
  @Test func `every truncated file is rejected`() {
    let text = "<?xml version=\"1.0\"?>\n" + track([(0, 1, 1), (1, 1, 1.001), (2, 1, 1.002)])
    let lines = text.split(separator: "\n").count
    for length in 1..<text.utf8.count {
      let error = #expect(throws: RecordingError.self) {
        try GPXReader.read(Data(text.utf8.prefix(length)), file: "cut.gpx")
      }
      // If the name of the root element is truncated, it is another name, so the error may be a wrong format.
      #expect(
        error?.code == .syntax || error?.code == .wrongFormat,
        "after \(length) bytes: \(String(describing: error))")
      #expect((1...lines).contains(error?.line ?? 0), "after \(length) bytes: \(String(describing: error))")
    }
  }

  @Test func `supported encodings are read`() throws {
    let body =
      "<gpx version=\"1.1\"><wpt lat=\"1\" lon=\"2\"><name>Gänseblümchen</name><time>2026-03-02T07:00:00Z</time></wpt></gpx>"
    let declared = { (name: String) in "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n\(body)" }
    let mark = Data([0xEF, 0xBB, 0xBF])
    let files: [Data?] = [
      Data(body.utf8), mark + Data(body.utf8), mark + Data(declared("utf-8").utf8),
      declared("ISO-8859-1").data(using: .isoLatin1), declared("UTF-16").data(using: .utf16),
      declared("windows-1252").data(using: .windowsCP1252),
      Data([0xFF, 0xFE]) + (declared("UTF-16").data(using: .utf16LittleEndian) ?? Data()),
      Data([0xFE, 0xFF]) + (declared("UTF-16").data(using: .utf16BigEndian) ?? Data()),
    ]
    for (index, file) in files.enumerated() {
      let recording = try GPXReader.read(try #require(file), file: "way.gpx")
      #expect(recording.trace.fixes.count == 1, "file \(index)")
    }
    let latin = try #require(body.data(using: .isoLatin1))
    let error = #expect(throws: RecordingError.self) { try GPXReader.read(latin, file: "latin.gpx") }
    #expect(error?.message == "bytes that are not text in the file's encoding")
  }

  @Test func `a byte that the declared encoding does not define is an error at its line`() throws {
    for encoding in 1...16 where encoding != 12 {
      for name in ["ISO-8859-\(encoding)", "windows-\(1_249 + encoding)"] {
        let start = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<gpx>\n<wpt lat=\"1\" lon=\"2\"><name>"
        for byte in UInt8(0x80)...0xFF {
          let end = "</name><time>2026-03-02T07:00:00Z</time></wpt></gpx>"
          let file = Data(start.utf8) + [byte] + Data(end.utf8)
          do {
            _ = try GPXReader.read(file, file: "way.gpx")
          } catch  where error.message == "bytes that are not text in the file's encoding" {
            #expect(error.line == 3)
          } catch {
            #expect(error.message.contains("encoding"), "\(name) \(byte): \(error)")
          }
        }
      }
    }
    let undefined =
      Data("<?xml version='1.0' encoding='windows-1257'?>\n<gpx>".utf8) + [0xA1] + Data("</gpx>".utf8)
    let error = #expect(throws: RecordingError.self) { try GPXReader.read(undefined, file: "way.gpx") }
    #expect(error?.line == 2)
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `a damaged file never crashes the reader`() throws {
    let samples = [
      "gpx1.1_with_all_fields.gpx", "gpx1.0_with_all_fields.gpx", "bad.gpx", "with_accuracy.gpx",
      "unicode_with_bom.gpx",
      "track-with-empty-segment.gpx", "track-with-less-sec-time.gpx",
    ]
    for (seed, sample) in samples.enumerated() {
      let bytes = Array(try Shared.data("traces/gpx/\(sample)"))
      for mutant in Mutations(of: bytes, seed: UInt64(seed), count: 1_500) {
        do throws(RecordingError) {
          let recording = try GPXReader.read(Data(mutant), file: sample)
          let summary = recording.summary
          #expect(summary.read == summary.taken + summary.leftOut)
          #expect(
            zip(recording.trace.fixes, recording.trace.fixes.dropFirst()).allSatisfy {
              $0.instant < $1.instant
            })
        } catch {
          #expect(error.line != nil || error.code == .empty || error.code == .nothingUsable, "\(error)")
        }
      }
    }
  }
}
