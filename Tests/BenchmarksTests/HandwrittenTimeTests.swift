import CivilTime
import Testing
import TriggerModel

@testable import Benchmarks

/// The baseline of the time suite must accept the same inputs as the product. Otherwise the comparison would
/// be invalid.
@Suite struct HandwrittenTimeTests {
  private static func instant(_ text: String) -> Int64? {
    Array(text.utf8).withUnsafeBufferPointer { HandwrittenTime.instant($0) }
  }

  @Test(arguments: [
    "2026-03-02T07:00:00Z", "2026-03-02T07:00:00.250Z", "2026-03-02T08:00:00+01:00",
    "2024-02-29T23:59:59-05:30",
    "1999-12-31T00:00:00+14:00", "2026-01-01T00:00:00.999-11:45",
  ])
  func `times with and without decimals and offsets are parsed`(_ text: String) throws {
    let expected = try Instant(iso8601: text)
    #expect(Self.instant(text) == expected.millisecondsSince1970)
  }

  @Test(arguments: [
    "2026-03-02T08:00:00*01:00", "2026-03-02T08:00:00+0100", "2026-03-02T08:00:00+01:00Z",
    "2026-13-02T08:00:00Z",
    "2026-03-02 08:00:00Z", "2026-03-02T24:00:00Z", "2026-03-02T08:00:00", "2026-03-02T08:0a:00Z",
  ])
  func `other texts are rejected`(_ text: String) {
    #expect(Self.instant(text) == nil)
  }
}
