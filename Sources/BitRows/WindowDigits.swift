public import CivilTime

/// The minutes of the day at which a window begins and ends, as digits that stand in rows: one row for each binary
/// digit of either. So 64 windows are compared with the clock at once, a digit after the other.
///
/// A minute is written as its quarter of an hour and its place there. Windows that begin and end with quarters, as
/// most do, have no digit below the fourth, and those need not be looked at.
public struct WindowDigits: Sendable {
  public let from: Int
  public let to: Int
  /// It ends on the day after that on which it begins.
  public let wraps: Bool

  /// So many digits a minute has.
  public static let count = 11

  /// - Parameter window: nil: always open.
  public init(_ window: DailyWindow?) {
    // What wraps from midnight to midnight is always open.
    guard let window else { (from, to, wraps) = (0, 0, true); return }
    // An empty one begins after the last minute of the day.
    from = Self.digits(window.isEmpty ? 1_440 : window.from)
    to = window.isEmpty ? 0 : Self.digits(window.to)
    wraps = window.to < window.from
  }

  /// The lowest digit that is not zero; ``count`` if there is none.
  public var lowest: Int { min((from | to).trailingZeroBitCount, Self.count) }

  /// - Parameter minute: 0…1,440
  @inlinable @inline(__always)
  static func digits(_ minute: Int) -> Int {
    // The quarter: of so small a number 4,370 / 65,536 of it.
    let quarter = (minute &* 4_370) &>> 16
    return minute &+ quarter
  }
}

/// Where an instant stands for the windows of all entries.
public struct WindowTime {
  /// What begins by then has begun.
  @usableFromInline let opening: Int
  /// What ends by then has ended,
  @usableFromInline let closing: Int
  /// on the day before: a fold goes on over midnight.
  @usableFromInline let isDayBefore: Bool

  @inlinable @inline(__always)
  public init(minute: Int) {
    opening = WindowDigits.digits(minute)
    closing = opening
    isDayBefore = false
  }

  @inline(never)
  public init(_ hands: WindowHands) {
    let day = hands.start.floorDivided(by: 1_440)
    let end = hands.end - day * 1_440
    // Where more than a day comes again, everything that has begun goes on, and everything has.
    opening = WindowDigits.digits(end < -1_440 ? 1_439 : Int(hands.start - day * 1_440))
    closing = WindowDigits.digits(Int(end.floorRemainder(by: 1_440)))
    isDayBefore = end < 0
  }

  /// Outside a fold windows without digits below the lowest are open until it changes.
  @inlinable @inline(__always)
  public func slot(from lowestDigit: Int32) -> Int32 { Int32(truncatingIfNeeded: opening) &>> lowestDigit }

  /// The entries of some words whose windows are open.
  ///
  /// - Parameters:
  ///   - rows: The digits of the beginnings from the lowest, those of the ends, and what wraps, at the first of the words.
  ///   - stride: From row to row.
  ///   - lowest: The lowest digit that any of the windows has.
  @inlinable @inline(__always)
  public func open<Words: BitWords>(_ rows: UnsafePointer<UInt64>, stride: Int, lowest: Int) -> Words {
    var isLater = Words.none
    var endsLater = Words.none
    var from = rows + lowest &* stride
    var to = from + WindowDigits.count &* stride
    var digit = lowest
    while digit < WindowDigits.count {
      isLater = isLater.greater(opening &>> digit & 1, Words(at: from))
      endsLater = endsLater.greater(closing &>> digit & 1, Words(at: to))
      from += stride
      to += stride
      digit &+= 1
    }
    // Two of three hold: it has begun, it has not ended, it wraps. One where the day before goes on.
    let wraps = Words(at: rows + 2 &* WindowDigits.count &* stride)
    if isDayBefore { return ~isLater | endsLater | wraps }
    return ~isLater & (endsLater | wraps) | endsLater & wraps
  }
}

extension BitWords {
  /// Whether numbers are greater than another, from the digits up to one, where these say whether they are from those
  /// below.
  ///
  /// - Parameters:
  ///   - digit: of the other.
  ///   - digits: of the numbers.
  @inlinable @inline(__always)
  func greater(_ digit: Int, _ digits: Self) -> Self {
    Self.branches
      ? digit == 1 ? digits & self : digits | self
      : digits & self | (digits | self) & Self(repeating: UInt64(truncatingIfNeeded: digit &- 1))
  }
}
