public import CivilTime

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
