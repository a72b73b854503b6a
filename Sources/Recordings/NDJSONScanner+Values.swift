package import CivilTime
package import TriggerModel

extension NDJSONScanner {
  /// A whole number of up to 64 bits, without sign.
  package mutating func unsigned() throws(ScanProblem) -> UInt64 {
    _ = try decimal()
    var value: UInt64 = 0
    for byte in bytes[start..<position] {
      let (tens, isTooMuch) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = tens.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, !isTooMuch, !isOver else {
        throw invalid(
          "a whole number was expected, from 0 to 18446744073709551615",
          remedy: "write it without point and sign")
      }
      value = sum
    }
    return value
  }

  /// An instant: an ISO 8601 text with its zone, or whole milliseconds since 1970.
  package mutating func instant() throws(ScanProblem) -> Instant {
    if peek() == .number {
      let milliseconds = try integer()
      guard Timestamp.range.contains(milliseconds) else {
        throw invalid("the time is not in the years 1 to 9999", remedy: "write milliseconds since 1970")
      }
      return Instant(millisecondsSince1970: milliseconds)
    }
    let text = try string()
    guard let stamp = Timestamp(text) else {
      throw invalid(
        "\"\(text.string.prefix(64))\" is not a time", remedy: "write it as 2026-03-02T07:00:00Z")
    }
    guard stamp.offset != nil else {
      throw invalid("the time has no zone", remedy: "add Z, or an offset such as +01:00")
    }
    return stamp.instant
  }

  /// A date of the calendar.
  package mutating func date() throws(ScanProblem) -> CivilDate {
    let text = try string()
    do { return try CivilDate(iso8601: text.string) } catch {
      throw invalid("\"\(text.string.prefix(64))\" is not a date", remedy: "write it as 2026-03-02")
    }
  }
}
