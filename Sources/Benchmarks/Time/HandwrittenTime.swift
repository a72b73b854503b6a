import CivilTime
import TriggerModel

/// A lower bound of the time for civil-time operations.
///
/// Each function has a few lines and supports a single zone, time of day and format. It ignores gaps and
/// folds, and reports no errors.
enum HandwrittenTime {
  /// Parses a time such as `2026-03-02T07:00:00Z`, in milliseconds since 1970, or returns `nil`.
  ///
  /// Three decimals are optional, and an offset such as `+01:00` may replace the `Z`.
  @inline(__always)
  static func instant(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count >= 20 else { return nil }
    var isValid =
      text[4] == 0x2D && text[7] == 0x2D && text[10] == 0x54 && text[13] == 0x3A && text[16] == 0x3A
    let year = two(text, 0, &isValid) * 100 + two(text, 2, &isValid)
    let (month, day) = (two(text, 5, &isValid), two(text, 8, &isValid))
    let (hour, minute, second) = (two(text, 11, &isValid), two(text, 14, &isValid), two(text, 17, &isValid))
    isValid = isValid && 1...12 ~= month && 1...31 ~= day && hour < 24 && minute < 60 && second < 60
    var (at, milliseconds, ahead) = (19, 0, 0)
    if text[at] == 0x2E {
      guard text.count >= 24 else { return nil }
      milliseconds = two(text, 20, &isValid) * 10 + two(text, 21, &isValid) % 10
      at = 23
    }
    if text[at] == 0x5A {
      at += 1
    } else {
      guard text.count == at + 6, text[at] == 0x2B || text[at] == 0x2D, text[at + 3] == 0x3A else {
        return nil
      }
      ahead = two(text, at + 1, &isValid) * 60 + two(text, at + 4, &isValid)
      if text[at] == 0x2D { ahead = -ahead }
      at += 6
    }
    guard isValid, at == text.count else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let days =
      shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
      + (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 719_469
    return Int64(((days * 24 + hour) * 60 + minute - ahead) * 60 + second) * 1_000 + Int64(milliseconds)
  }

  @inline(__always)
  private static func two(_ text: UnsafeBufferPointer<UInt8>, _ at: Int, _ isValid: inout Bool) -> Int {
    let (tens, ones) = (text[at] &- 0x30, text[at + 1] &- 0x30)
    isValid = isValid && tens <= 9 && ones <= 9
    return Int(tens) * 10 + Int(ones)
  }

  /// The offsets of a zone in a table. Remembers the range and the offset of the last access.
  struct Offsets {
    private var starts: [Int64]
    private var offsets: [Int64]
    private var index = 0
    private var start = Int64.max
    private var end = Int64.max
    private var offset: Int64 = 0

    init(_ zone: Zone, in range: Range<Instant>) {
      let changes = [range.lowerBound] + zone.transitions(in: range)
      starts = changes.map(\.millisecondsSince1970) + [.max]
      offsets = changes.map { zone.offset(at: $0).milliseconds }
    }

    /// Returns the minute of the local day, from 0 to 1,439.
    @inline(__always)
    mutating func minute(at instant: Int64) -> Int64 {
      if instant < start || instant >= end { search(instant) }
      return (instant + offset) / 60_000 % 1_440
    }

    /// Returns the next instant at which the wall clock reads the given minute of the day.
    @inline(__always)
    mutating func next(minute: Int64, atOrAfter instant: Int64) -> Int64 {
      if instant < start || instant >= end { search(instant) }
      let wall = instant + offset
      var next = wall / 86_400_000 * 86_400_000 + minute * 60_000
      if next < wall { next += 86_400_000 }
      if next - offset < end { return next - offset }
      return next - offsets[index + 1]
    }

    @inline(never)
    private mutating func search(_ instant: Int64) {
      var (low, high) = (0, offsets.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if starts[middle] <= instant { low = middle } else { high = middle }
      }
      (index, start, end, offset) = (low, starts[low], starts[low + 1], offsets[low])
    }
  }
}
