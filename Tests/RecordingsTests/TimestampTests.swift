import Foundation
import Recordings
import TestSupport
import Testing
import TriggerModel

struct TimestampTests {
  private func stamp(_ text: String) -> Timestamp? {
    Array(text.utf8).withUnsafeBufferPointer { Timestamp($0) }
  }

  /// Compares instants with those that Foundation parses.
  @Test func `instants equal those that Foundation parses`() throws {
    var generator = SplitMix64(seed: 3)
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
    for _ in 0..<3_000 {
      let seconds = Int64.random(in: -12_000_000_000...253_402_300_799, using: &generator)
      let text = style.format(Date(timeIntervalSince1970: TimeInterval(seconds)))
      #expect(stamp(text)?.instant.millisecondsSince1970 == seconds * 1_000, "\(text)")
    }
  }

  @Test func `all documented forms of a time are read`() {
    let whole: Int64 = 1_772_434_800_000
    for text in [
      "2026-03-02T07:00:00Z", "2026-03-02T07:00Z", "2026-03-02 07:00:00z", "2026-03-02t08:00:00+01:00",
      "2026-03-02T08:00:00+0100", "2026-03-02T08:00:00+01", "2026-03-01T24:00:00-07:00",
      "2026-03-02T07:00:00",
      "2026-03-02T06:59:60Z", "2026-03-02T07:00:00,000Z", "2026-03-02T12:30:00+05:30",
    ] {
      #expect(stamp(text)?.instant.millisecondsSince1970 == whole, "\(text)")
    }
    #expect(stamp("2026-03-02T07:00:00")?.offset == nil)
    #expect(stamp("2026-03-02T07:00:00Z")?.offset == 0)
    #expect(stamp("2026-03-02T07:00:00.5Z")?.instant.millisecondsSince1970 == whole + 500)
    #expect(stamp("2026-03-02T07:00:00.2079999999Z")?.instant.millisecondsSince1970 == whole + 207)
    #expect(stamp("0001-01-01T00:00:00Z")?.instant.millisecondsSince1970 == Timestamp.range.lowerBound)
    #expect(stamp("9999-12-31T23:59:59.999Z")?.instant.millisecondsSince1970 == Timestamp.range.upperBound)
  }

  @Test func `other text is rejected`() {
    for text in [
      "", "2026", "2026-03-02", "2026-02-30T07:00:00Z", "2026-13-01T07:00:00Z", "2026-00-01T07:00:00Z",
      "0000-01-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-03-02T25:00:00Z", "2026-03-02T24:00:01Z",
      "2026-03-02T07:60:00Z", "2026-03-02T07:00:61Z", "2026-03-02T07:00:00.Z", "2026-03-02T07:00:00+24:00",
      "2026-03-02T07:00:00+01:60", "2026-03-02T07:00:00ZZ", "2026-3-2T7:00:00Z", "yesterday",
      "26-03-02T07:00:00Z",
      "2026-03-02T07:00:00+1", "-2026-03-02T07:00:00Z",
    ] {
      #expect(stamp(text) == nil, "\(text)")
    }
  }
}
