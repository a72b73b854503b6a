/// What an engine remembers of one reminder, in eight bytes: how many requests it has made, the latest local
/// day on which it has matched since it was declared or edited, and in which of the periods before that day's.
///
/// Days come again: over the date line, or when somebody sets the clock back. So the nine periods before
/// the latest day's are kept, as bits: days, and of what repeats weekly or monthly weeks or months. Those
/// further back matter only beside what was handed over for a time to come: see ``Matcher/turns``.
package struct ReminderMemory: Hashable, Sendable, BitwiseCopyable {
  /// From the lowest: ``earlier``, and the latest day counted from ``firstDay``; 0 there: never.
  private var packed: UInt32 = 0
  /// How many requests it has made.
  package var occurrences: UInt32 = 0

  package static let never = Int32.min
  /// Days are kept within some 11,400 years of 1970.
  private static let firstDay: Int32 = -(1 << 22)
  package static let earlierBits: UInt32 = 9
  private static let earlierMask: UInt32 = 1 << earlierBits - 1

  package init() {}

  package init(lastDay: Int32, earlier: UInt32, occurrences: UInt32) {
    self.occurrences = occurrences
    set(lastDay, earlier: earlier)
  }

  /// The latest of the days; or ``never``.
  package var lastDay: Int32 {
    let day = packed >> Self.earlierBits
    return day == 0 ? Self.never : Int32(day) + Self.firstDay
  }

  /// Bit *i*: it matched in the period that is *i* + 1 before that of ``lastDay``.
  package var earlier: UInt32 { packed & Self.earlierMask }

  @inline(__always)
  private mutating func set(_ lastDay: Int32, earlier: UInt32) {
    packed =
      lastDay == Self.never ? 0 : UInt32(bitPattern: lastDay &- Self.firstDay) << Self.earlierBits | earlier
  }

  /// A match on a day, of a reminder whose periods are days, or that has none.
  /// - Returns: False when the day is too long before the latest one to be kept here.
  @inline(__always)
  mutating func use(day: Int32) -> Bool {
    guard let after = asked(on: day) else {
      return day == lastDay || use(day: day, periods: Int(day) - Int(lastDay))
    }
    packed = after.packed
    return true
  }

  /// What is remembered after one request more, for a match as that of ``use(day:)``; nil: not on a day after the latest.
  @inline(__always)
  func asked(on day: Int32) -> ReminderMemory? {
    let new = UInt32(bitPattern: day &- Self.firstDay)
    let last = packed >> Self.earlierBits
    if new <= last { return nil }
    var after = self
    // However long before the latest was, or if there was none.
    let earlier = (packed << 1 | 1) &<< min(new &- last &- 1, 31)
    after.packed = new << Self.earlierBits | earlier & Self.earlierMask
    after.occurrences &+= 1
    return after
  }

  /// A match on a day.
  ///
  /// - Parameter periods: by how many the day's period is after that of ``lastDay``; negative: before.
  /// - Returns: False when the day is too long before the latest one to be kept here.
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

  /// The period that is so many before that of ``lastDay`` is as if nothing had matched there.
  package mutating func giveBack(periodsBefore periods: Int) {
    if (1...Int(Self.earlierBits)).contains(periods) { packed &= ~(1 << UInt32(periods - 1)) }
  }

  /// Goes back from the latest day to an earlier one.
  mutating func goBack(to day: Int32, periods: Int) { set(day, earlier: earlier >> UInt32(periods)) }

  package mutating func forgetDays() { packed = 0 }
}
