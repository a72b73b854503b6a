/// The memory of one reminder in eight bytes.
///
/// It contains the number of requests, the latest local day with a match since the reminder was declared or
/// edited, and whether there was a match in each of the nine periods before. A period is a day, or a week or
/// month for reminders that repeat weekly or monthly. Earlier periods are kept because days repeat if the
/// phone crosses the date line or the clock is set back. Even earlier periods matter only for prescheduled
/// requests. See ``Matcher/turns``.
package struct ReminderMemory: Hashable, Sendable, BitwiseCopyable {
  /// The lowest bits are ``earlier``. The others are the latest day, counted from ``firstDay``, or 0 if there
  /// was no match.
  private var packed: UInt32 = 0
  /// The number of requests.
  package var occurrences: UInt32 = 0

  package static let never = Int32.min
  /// The first day that can be represented, about 11,400 years before 1970.
  private static let firstDay: Int32 = -(1 << 22)
  package static let earlierBits: UInt32 = 9
  private static let earlierMask: UInt32 = 1 << earlierBits - 1

  package init() {}

  package init(lastDay: Int32, earlier: UInt32, occurrences: UInt32) {
    self.occurrences = occurrences
    set(lastDay, earlier: earlier)
  }

  /// The latest day of a match, or ``never``.
  package var lastDay: Int32 {
    let day = packed >> Self.earlierBits
    return day == 0 ? Self.never : Int32(day) + Self.firstDay
  }

  /// Bit *i* is set if there was a match *i* + 1 periods before that of ``lastDay``.
  package var earlier: UInt32 { packed & Self.earlierMask }

  @inline(__always)
  private mutating func set(_ lastDay: Int32, earlier: UInt32) {
    packed =
      lastDay == Self.never ? 0 : UInt32(bitPattern: lastDay &- Self.firstDay) << Self.earlierBits | earlier
  }

  /// Records a match on a day, for a reminder that fires daily, once or always.
  ///
  /// - Returns: Whether the match was recorded. It is not if the day is too long before the latest one.
  @inline(__always)
  mutating func use(day: Int32) -> Bool {
    guard let after = afterRequest(on: day) else {
      return day == lastDay || use(day: day, periods: Int(day) - Int(lastDay))
    }
    packed = after.packed
    return true
  }

  /// Returns the memory after another request and a match on a day, as ``use(day:)`` records it, or `nil` if
  /// the day is not after the latest one.
  @inline(__always)
  func afterRequest(on day: Int32) -> ReminderMemory? {
    let new = UInt32(bitPattern: day &- Self.firstDay)
    let last = packed >> Self.earlierBits
    if new <= last { return nil }
    var after = self
    // This is correct for any distance from the latest day, and also if there is no latest day.
    let earlier = (packed << 1 | 1) &<< min(new &- last &- 1, 31)
    after.packed = new << Self.earlierBits | earlier & Self.earlierMask
    after.occurrences &+= 1
    return after
  }

  /// Records a match on a day.
  ///
  /// - Parameter periods: The number of periods from that of ``lastDay`` to that of the day.
  /// - Returns: Whether the match was recorded. It is not if the day is too long before the latest one.
  @inline(never)
  mutating func use(day: Int32, periods: Int) -> Bool {
    if lastDay == Self.never {
      set(day, earlier: 0)
    } else if periods == 0 {
      set(max(day, lastDay), earlier: earlier)
    } else if periods > 0 {
      set(day, earlier: (earlier << UInt32(periods) | 1 << UInt32(periods - 1)) & Self.earlierMask)
    } else if periods >= -Int(Self.earlierBits) {
      packed |= 1 << UInt32(-periods - 1)
    } else {
      return false
    }
    return true
  }

  /// Reverts the match in an earlier period. Periods are counted backwards from that of ``lastDay``.
  package mutating func revertMatch(periodsBefore periods: Int) {
    if (1...Int(Self.earlierBits)).contains(periods) { packed &= ~(1 << UInt32(periods - 1)) }
  }

  /// Sets the latest day back to an earlier one.
  mutating func goBack(to day: Int32, periods: Int) { set(day, earlier: earlier >> UInt32(periods)) }

  package mutating func forgetDays() { packed = 0 }
}
