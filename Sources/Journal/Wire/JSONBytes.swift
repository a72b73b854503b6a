import CivilTime
import Recordings
import TextFormats
import TriggerModel

/// Appends JSON to a buffer, which is reused for each line.
extension [UInt8] {
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func append(ascii character: Unicode.Scalar) {
    append(UInt8(ascii: character))
  }

  /// Appends a number given in thousandths, with as many decimals as necessary.
  mutating func append(thousandths number: Int64) {
    if number < 0 { append(ascii: "-") }
    append(number.magnitude / 1_000)
    var rest = number.magnitude % 1_000
    if rest == 0 { return }
    append(ascii: ".")
    var unit: UInt64 = 100
    while rest > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / unit))
      rest %= unit
      unit /= 10
    }
  }

  /// Appends bytes as a base64 string with padding.
  mutating func append(base64 data: [UInt8]) {
    append(ascii: "\"")
    for start in stride(from: 0, to: data.count, by: 3) {
      let count = Swift.min(3, data.count - start)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(data[start + offset]) : 0) }
      for place in 0..<4 {
        append(place <= count ? Base64.letters[Int(group >> UInt32(18 - 6 * place)) & 63] : UInt8(ascii: "="))
      }
    }
    append(ascii: "\"")
  }

  /// Appends an instant in ISO 8601, with milliseconds only if they are not zero. The time is in UTC, or in
  /// the local time of a zone whose wall clock is `offset` milliseconds ahead of UTC.
  ///
  /// An instant whose year does not have four digits is appended in milliseconds since 1970. The two distant
  /// instants are appended by name.
  mutating func append(_ instant: Instant, offset: Int64? = nil) {
    // RFC 3339 has no form for an offset with seconds, such as Monrovia once had, so UTC is used.
    guard let offset, offset % 60_000 == 0 else { return append(instant, shown: 0, isUTC: true) }
    append(instant, shown: offset, isUTC: false)
  }

  private mutating func append(_ instant: Instant, shown offset: Int64, isUTC: Bool) {
    let (wall, overflow) = instant.millisecondsSince1970.addingReportingOverflow(offset)
    guard !overflow, Timestamp.range.contains(wall), Timestamp.range.contains(instant.millisecondsSince1970)
    else { return append(distant: instant) }
    let start = count
    append("\"0000-00-00T00:00:00")
    let day = wall.floorDivided(by: 86_400_000)
    let (year, month, date) = CivilDate(dayNumber: Int32(day)).components
    let time = wall - day * 86_400_000
    withUnsafeMutableBufferPointer { bytes in
      bytes.write(year / 100, at: start + 1)
      bytes.write(year % 100, at: start + 3)
      bytes.write(month, at: start + 6)
      bytes.write(date, at: start + 9)
      bytes.write(Int(time / 3_600_000), at: start + 12)
      bytes.write(Int(time / 60_000 % 60), at: start + 15)
      bytes.write(Int(time / 1_000 % 60), at: start + 18)
    }
    let milliseconds = Int(time % 1_000)
    if milliseconds != 0 {
      append(ascii: ".")
      append(UInt8(ascii: "0") + UInt8(milliseconds / 100))
      append(twoDigits: milliseconds % 100)
    }
    if isUTC { return append("Z\"") }
    append(ascii: offset < 0 ? "-" : "+")
    let minutes = Int(offset.magnitude / 60_000)
    append(twoDigits: minutes / 60)
    append(ascii: ":")
    append(twoDigits: minutes % 60)
    append(ascii: "\"")
  }

  private mutating func append(distant instant: Instant) {
    switch instant {
    case .distantFuture: append("\"distantFuture\"")
    case .distantPast: append("\"distantPast\"")
    default: append(instant.millisecondsSince1970)
    }
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes two digits.
  @inline(__always)
  fileprivate func write(_ number: Int, at index: Int) {
    self[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    self[index + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
  }
}

/// Base64 as defined in RFC 4648, section 4.
package enum Base64 {
  static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// Returns the decoded bytes, or `nil` if the text is not canonical base64 with padding.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    let letters = text.dropLast(padding)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var bits = 0
    for letter in letters {
      let value = values[Int(letter)]
      guard value < 64 else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    guard group & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }
}
