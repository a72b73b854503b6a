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
