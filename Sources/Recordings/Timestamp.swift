import CivilTime
package import TriggerModel

/// A date and time as recordings write it (ISO 8601), to the millisecond.
///
/// Wider than what ``CivilTime`` accepts of a person, and read from bytes: a recording has a million
/// of them, and instruments take liberties.
package struct Timestamp: Hashable, Sendable, BitwiseCopyable {
  /// Milliseconds since 1970-01-01T00:00:00 on the clock that is shown.
  package var shown: Int64
  /// How far that clock is ahead of UTC, in minutes; nil when it is not said.
  package var offset: Int?

  /// Reads a string of a JSON line.
  package init?(_ text: JSONText) {
    guard text.hasEscapes else {
      self.init(text.bytes)
      return
    }
    var string = text.string
    guard let stamp = string.withUTF8({ Timestamp($0) }) else { return nil }
    self = stamp
  }

  /// The years 0001 … 9999 in milliseconds since 1970: what can be written, and so what is accepted.
  package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The instant, with UTC where no zone is said.
  package var instant: Instant {
    Instant(millisecondsSince1970: shown - Int64(offset ?? 0) * 60_000)
  }

  /// Reads `2026-03-02T07:00:00.250+01:00`; nil if it is anything else.
  ///
  /// `T`, `t` or a space between date and time. Seconds may be absent. A fraction has a point or a
  /// comma; what is finer than a millisecond is cut off. `24:00:00` is the next day's midnight, and
  /// second 60, which a leap second has, the next minute. The zone is `Z`, `±hh:mm`, `±hhmm`, `±hh` or
  /// absent. Years are 0001 … 9999.
  ///
  /// - Complexity: O(length), about 20 ns; nothing is allocated.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    // A date and a time, and what may follow.
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
  /// False once a pair was none.
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

  /// The number of two digits at a place, which must be there; anything where they are no digits.
  @inline(__always)
  mutating func pair(at place: Int) -> Int {
    let (tens, ones) = (bytes[place] &- UInt8(ascii: "0"), bytes[place + 1] &- UInt8(ascii: "0"))
    isValid = isValid && tens <= 9 && ones <= 9
    return Int(tens) * 10 + Int(ones)
  }

  /// The number of two digits that come next; nil where there are none.
  @inline(__always)
  mutating func pair() -> Int? {
    guard position + 2 <= bytes.count else { return nil }
    let value = pair(at: position)
    position += 2
    return isValid ? value : nil
  }

  /// Milliseconds; digits after the third are passed over.
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

  /// nil when what is there is not a zone.
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
