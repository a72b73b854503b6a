import CivilTime
package import TriggerModel

/// A date and time in a recording (ISO 8601), to the millisecond.
///
/// It accepts more forms than ``CivilTime``, because instruments deviate from the standard. It parses bytes
/// and not strings, because a recording may contain a million times.
package struct Timestamp: Hashable, Sendable, BitwiseCopyable {
  /// The reading of the recording's clock, in milliseconds since 1970-01-01T00:00:00.
  package var shown: Int64
  /// The UTC offset of the recording's clock in minutes, or `nil` if it is unspecified.
  package var offset: Int?

  /// Parses a string in a line of JSON.
  package init?(_ text: JSONText) {
    guard text.hasEscapes else {
      self.init(text.bytes)
      return
    }
    var string = text.string
    guard let stamp = string.withUTF8({ Timestamp($0) }) else { return nil }
    self = stamp
  }

  /// The years 0001 to 9999, in milliseconds since 1970. A year in ISO 8601 has four digits.
  package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The instant. Without a zone, the time is in UTC.
  package var instant: Instant {
    Instant(millisecondsSince1970: shown - Int64(offset ?? 0) * 60_000)
  }

  /// Parses text such as `2026-03-02T07:00:00.250+01:00`, or returns `nil` for other text.
  ///
  /// `T`, `t` or a space separates date and time. Seconds are optional. A fraction starts with a point or a
  /// comma, and its digits after the third are ignored. `24:00:00` is midnight of the next day. A leap second
  /// (second 60) is the start of the next minute. The zone is `Z`, `±hh:mm`, `±hhmm`, `±hh` or absent. Years
  /// are 0001 to 9999.
  ///
  /// - Complexity: O(length), about 20 ns, without allocation.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    // A date and a time without seconds have 16 bytes.
    guard text.count >= 16 else { return nil }
    var reader = FieldReader(bytes: text, position: 16)
    let (year, month, day) = (
      reader.pair(at: 0) * 100 + reader.pair(at: 2), reader.pair(at: 5), reader.pair(at: 8)
    )
    let (hour, minute) = (reader.pair(at: 11), reader.pair(at: 14))
    guard reader.isValid, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[13] == UInt8(ascii: ":"),
      text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "), year > 0, minute < 60,
      let date = CivilDate(validYear: year, month: month, day: day)
    else { return nil }
    var second = 0
    var milliseconds = 0
    if reader.take(":") {
      guard let written = reader.pair(), written <= 60 else { return nil }
      second = written
      if reader.take(".") || reader.take(",") {
        guard let fraction = reader.fraction() else { return nil }
        milliseconds = fraction
      }
    }
    guard hour < 24 || (hour == 24 && minute == 0 && second == 0 && milliseconds == 0) else { return nil }
    guard let zone = reader.zone(), reader.isAtEnd else { return nil }
    shown =
      Int64(((Int(date.dayNumber) * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + Int64(milliseconds)
    switch zone {
    case .absent: offset = nil
    case .ahead(let minutes): offset = minutes
    }
  }
}

/// Reads fields of fixed width.
private struct FieldReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var position: Int
  /// Whether all pairs so far were digits.
  private(set) var isValid = true

  init(bytes: UnsafeBufferPointer<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  var isAtEnd: Bool { position == bytes.count }

  @inline(__always)
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Returns the two characters at an index as a number. Both must exist. If they are not digits, the result
  /// is arbitrary, and ``isValid`` becomes `false`.
  @inline(__always)
  mutating func pair(at place: Int) -> Int {
    let (tens, ones) = (bytes[place] &- UInt8(ascii: "0"), bytes[place + 1] &- UInt8(ascii: "0"))
    isValid = isValid && tens <= 9 && ones <= 9
    return Int(tens) * 10 + Int(ones)
  }

  /// Reads the next two digits, or returns `nil` if there are none.
  @inline(__always)
  mutating func pair() -> Int? {
    guard position + 2 <= bytes.count else { return nil }
    let value = pair(at: position)
    position += 2
    return isValid ? value : nil
  }

  /// Reads milliseconds. Skips all digits after the third.
  @inline(__always)
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      if count < 3 { value = value * 10 + Int(digit) }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  /// Reads a zone, or returns `nil` if the text is not one.
  @inline(__always)
  mutating func zone() -> Zone? {
    if isAtEnd { return .absent }
    if take("Z") || take("z") { return .ahead(minutes: 0) }
    let isWest = take("-")
    guard isWest || take("+"), let hours = pair(), hours < 24 else { return nil }
    var minutes = 0
    if !isAtEnd {
      _ = take(":")
      guard let written = pair(), written < 60 else { return nil }
      minutes = written
    }
    let total = hours * 60 + minutes
    return .ahead(minutes: isWest ? -total : total)
  }

  enum Zone {
    case absent
    case ahead(minutes: Int)
  }
}
