public import CivilTime

/// Where an instant stands for the windows of all entries.
public struct WindowTime: Sendable {
  /// Of the day, 0…1,439: what begins by then has begun.
  @usableFromInline let opening: Int32
  /// What ends by then has ended; within a fold it is another minute,
  @usableFromInline let closing: Int32
  /// on the day before where a fold goes on over midnight.
  @usableFromInline let isDayBefore: Bool
  /// That of ``opening``.
  @usableFromInline let quarter: Int32
  /// And the rows that say what is open then.
  public let rows: RowsOfQuarter

  /// - Parameters:
  ///   - minute: 0…1,439
  ///   - quarters: The one there is, from where it is at hand.
  @inlinable @inline(__always)
  public init(minute: Int, _ quarters: QuarterTable = .shared) {
    opening = Int32(truncatingIfNeeded: minute)
    (closing, isDayBefore) = (opening, false)
    quarter = QuarterTable.quarter(opening)
    rows = quarters[quarter]
  }

  /// At any time, in a fold too.
  public init(_ hands: WindowHands) {
    let day = hands.start.floorDivided(by: 1_440)
    let end = hands.end - day * 1_440
    // Where more than a day comes again, everything that has begun goes on, and everything has.
    opening = end < -1_440 ? 1_439 : Int32(hands.start - day * 1_440)
    closing = Int32(end.floorRemainder(by: 1_440))
    isDayBefore = end < 0
    quarter = QuarterTable.quarter(opening)
    rows = QuarterTable.shared[quarter]
  }

  /// What begins by then, and what ends, has done so: so it is outside a fold.
  var isOneMinute: Bool { !isDayBefore && opening == closing }

  /// Of the day: by it what begins has begun.
  public var minute: Int { Int(opening) }

  /// Outside a fold windows stay open, or not, until it changes.
  ///
  /// - Parameter hasMinutes: Some of them begin or end between quarters of an hour.
  @inlinable @inline(__always)
  public func slot(hasMinutes: Bool) -> Int32 { hasMinutes ? opening : quarter }
}
