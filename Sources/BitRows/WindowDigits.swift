public import CivilTime

/// The minutes of the day at which windows begin and end, as digits that stand in rows. So 64 windows are compared with
/// the clock at once, by five rows for each edge.
///
/// A minute is written as its quarter of an hour and its place there, the quarter in digits of base six, four and four.
/// For each digit of either edge and each value but zero there is a row of the windows whose digit is that or a greater
/// one. The place within the quarter, which most windows do not need, has a row for each of four binary digits: these
/// are kept only where some window does.
public struct WindowDigits: Sendable {
  private let window: DailyWindow?

  /// - Parameter window: nil: always open.
  public init(_ window: DailyWindow?) { self.window = window }

  /// Of the windows that are never open: their beginning counts as later than any minute.
  @usableFromInline static let never = 0
  /// Of all.
  @usableFromInline static let all = 1
  /// Of those that end on the day after that on which they begin, or never.
  @usableFromInline static let wraps = 2
  @usableFromInline static let from = 3
  @usableFromInline static let to = from + 11
  /// So many rows the quarters take,
  public static let count = to + 11
  /// and so many the places within them.
  public static let minuteCount = 8

  /// The rows of ``count`` in which it stands.
  public var rows: [Int] {
    guard let window else { return [Self.all, Self.wraps] }
    if window.isEmpty { return [Self.never, Self.all] + Self.rows(1_439, Self.from) }
    return [Self.all] + (window.to < window.from ? [Self.wraps] : []) + Self.rows(window.from, Self.from)
      + Self.rows(window.to, Self.to)
  }

  private static func rows(_ minute: Int, _ first: Int) -> [Int] {
    let quarter = minute / 15
    return Array(first..<first + quarter >> 4) + Array(first + 5..<first + 5 + quarter >> 2 & 3)
      + Array(first + 8..<first + 8 + quarter & 3)
  }

  /// The rows of ``minuteCount`` in which it stands; none if it begins and ends with quarters.
  public var minuteRows: [Int] {
    guard let window, !window.isEmpty else { return [] }
    let digits = window.from % 15 | (window.to % 15) << 4
    return (0..<Self.minuteCount).filter { digits >> $0 & 1 == 1 }
  }
}

/// Where an instant stands for the windows of all entries.
public struct WindowTime: Sendable {
  /// What begins by then has begun.
  @usableFromInline let opening: EdgeTime
  /// What ends by then has ended,
  @usableFromInline let closing: EdgeTime
  /// on the day before: a fold goes on over midnight.
  @usableFromInline let isDayBefore: Bool

  /// - Parameters:
  ///   - minute: 0…1,439
  ///   - quarters: The one there is, from where it is at hand.
  @inlinable @inline(__always)
  public init(minute: Int, _ quarters: QuarterTable = .shared) {
    let minute = Int32(truncatingIfNeeded: minute)
    let quarter = QuarterTable.quarter(minute)
    let rows = quarters[quarter]
    opening = EdgeTime(minute: minute, quarter: quarter, rows: rows.from)
    closing = EdgeTime(minute: minute, quarter: quarter, rows: rows.to)
    isDayBefore = false
  }

  public init(_ hands: WindowHands) {
    let day = hands.start.floorDivided(by: 1_440)
    let end = hands.end - day * 1_440
    // Where more than a day comes again, everything that has begun goes on, and everything has.
    opening = WindowTime(minute: end < -1_440 ? 1_439 : Int(hands.start - day * 1_440)).opening
    closing = WindowTime(minute: Int(end.floorRemainder(by: 1_440))).closing
    isDayBefore = end < 0
  }

  /// Of the day: by it what begins has begun.
  public var minute: Int { Int(opening.minute) }

  /// Outside a fold windows stay open, or not, until it changes.
  ///
  /// - Parameter hasMinutes: Some of them begin or end between quarters of an hour.
  @inlinable @inline(__always)
  public func slot(hasMinutes: Bool) -> Int32 { hasMinutes ? opening.minute : opening.quarter }
}

/// A minute of the day among the beginnings of windows, or the ends.
@usableFromInline struct EdgeTime: Sendable {
  @usableFromInline let minute: Int32
  @usableFromInline let quarter: Int32
  /// See ``RowsOfQuarter``.
  @usableFromInline let rows: UInt64

  @inlinable @inline(__always)
  init(minute: Int32, quarter: Int32, rows: UInt64) {
    (self.minute, self.quarter, self.rows) = (minute, quarter, rows)
  }

  /// In its quarter of an hour.
  var place: Int32 { minute - 15 * quarter }
}

/// The numbers of the rows that say which beginnings of windows, and which ends, are later than a quarter of an hour.
@usableFromInline struct RowsOfQuarter: Sendable {
  // In a byte each, from the lowest digit: the row of those whose digit is greater, and of those whose is not less.
  @usableFromInline let from: UInt64
  @usableFromInline let to: UInt64

  init(quarter: Int) {
    let digits = [(quarter & 3, 8, 3), (quarter >> 2 & 3, 5, 3), (quarter >> 4, 0, 5)]
    func rows(_ first: Int) -> UInt64 {
      digits.reversed().reduce(0) { rows, digit in
        let (value, place, most) = digit
        let greater = value == most ? WindowDigits.never : first + place + value
        let notLess = value == 0 ? WindowDigits.all : first + place + value - 1
        return rows << 16 | UInt64(notLess << 8 | greater)
      }
    }
    from = rows(WindowDigits.from)
    to = rows(WindowDigits.to)
  }
}

/// ``RowsOfQuarter`` by quarter: to work them out costs more than a look.
// Unchecked: nobody changes what it points at.
public struct QuarterTable: @unchecked Sendable {
  @usableFromInline let rows: UnsafePointer<RowsOfQuarter>

  /// The only one, which is never freed.
  public static let shared = QuarterTable()

  private init() {
    let rows = UnsafeMutableBufferPointer<RowsOfQuarter>.allocate(capacity: 96)
    _ = rows.initialize(from: (0..<96).map { RowsOfQuarter(quarter: $0) })
    self.rows = UnsafePointer(rows.baseAddress.unsafelyUnwrapped)
  }

  @inlinable @inline(__always)
  subscript(quarter: Int32) -> RowsOfQuarter {
    assert(0..<96 ~= quarter, "a quarter of an hour of a day")
    return rows[Int(quarter)]
  }

  /// Of so small a number as a minute of the day is 4,370 / 65,536.
  @inlinable @inline(__always)
  static func quarter(_ minute: Int32) -> Int32 { (minute &* 4_370) &>> 16 }
}

/// Which windows of some entries are open at some time.
public protocol OpenWindows {
  func open<Words: BitWords>(at word: Int) -> Words
}

/// Outside a fold, where all windows begin and end with quarters of an hour.
public struct QuarterRows: OpenWindows {
  @usableFromInline let rows: UnsafePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let opening: UInt64
  @usableFromInline let closing: UInt64

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``.
  ///   - stride: From row to row.
  @inlinable @inline(__always)
  public init(_ rows: UnsafePointer<UInt64>, stride: Int, at time: WindowTime) {
    self.rows = rows
    self.stride = stride
    (opening, closing) = (time.opening.rows, time.closing.rows)
  }

  @inlinable @inline(__always)
  public func open<Words: BitWords>(at word: Int) -> Words {
    let isLater: Words = later(opening, lowest: row(opening, 0, word), word)
    let endsLater: Words = later(closing, lowest: row(closing, 0, word), word)
    return open(isLater, endsLater, word)
  }

  /// Two of three hold: it has begun, it has not ended, it wraps.
  @inlinable @inline(__always)
  func open<Words: BitWords>(_ isLater: Words, _ endsLater: Words, _ word: Int) -> Words {
    let wraps = Words(at: rows + WindowDigits.wraps &* stride + word)
    return ~isLater & (endsLater | wraps) | endsLater & wraps
  }

  /// - Parameter numbers: See ``RowsOfQuarter``.
  @inlinable @inline(__always)
  func row<Words: BitWords>(_ numbers: UInt64, _ place: UInt64, _ word: Int) -> Words {
    Words(at: rows + Int(truncatingIfNeeded: numbers &>> (8 &* place) & 0xFF) &* stride + word)
  }

  /// The entries of some words of which an edge is later.
  ///
  /// - Parameter lowest: Those of which it is if the higher digits are the same.
  @inlinable @inline(__always)
  func later<Words: BitWords>(_ numbers: UInt64, lowest: Words, _ word: Int) -> Words {
    row(numbers, 4, word) | row(numbers, 5, word) & (row(numbers, 2, word) | row(numbers, 3, word) & lowest)
  }
}

/// At any time, whatever the windows.
public struct WindowRows: OpenWindows {
  private let quarters: QuarterRows
  private let minutes: UnsafePointer<UInt64>?
  private let time: WindowTime

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``,
  ///   - minutes: and the ``WindowDigits/minuteCount``, if there are.
  ///   - stride: From row to row.
  public init(
    _ rows: UnsafePointer<UInt64>, minutes: UnsafePointer<UInt64>?, stride: Int, at time: WindowTime
  ) {
    quarters = QuarterRows(rows, stride: stride, at: time)
    self.minutes = minutes
    self.time = time
  }

  public func open<Words: BitWords>(at word: Int) -> Words {
    let isLater: Words = later(
      quarters.opening, minutes, place: time.opening.place, word)
    let endsLater: Words = later(
      quarters.closing, minutes.map { $0 + 4 * quarters.stride },
      place: time.closing.place, word)
    if !time.isDayBefore { return quarters.open(isLater, endsLater, word) }
    // One of three, where the day before goes on.
    let wraps = Words(at: quarters.rows + WindowDigits.wraps * quarters.stride + word)
    let never = Words(at: quarters.rows + WindowDigits.never * quarters.stride + word)
    return (~isLater | endsLater | wraps) & ~never
  }

  /// - Parameter place: in the quarter of an hour.
  private func later<Words: BitWords>(
    _ numbers: UInt64, _ minutes: UnsafePointer<UInt64>?, place: Int32, _ word: Int
  ) -> Words {
    var lowest: Words = quarters.row(numbers, 0, word)
    if let minutes {
      // Digit after digit, from the lowest.
      var isLater = Words.none
      for digit in 0..<4 {
        let digits = Words(at: minutes + digit * quarters.stride + word)
        isLater = place >> digit & 1 == 1 ? digits & isLater : digits | isLater
      }
      lowest = lowest | quarters.row(numbers, 1, word) & isLater
    }
    return quarters.later(numbers, lowest: lowest, word)
  }
}
