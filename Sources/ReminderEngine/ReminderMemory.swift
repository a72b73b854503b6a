/// What an engine remembers of one reminder: how many requests it has made, and the local days on which it
/// has matched since it was declared or edited.
///
/// Days come again: over the date line, or when somebody sets the clock back. So the latest day and those of
/// the 32 before it are kept, as bits. Days further back matter only beside those that were handed over for
/// a time to come: see ``Matcher/turns``.
struct ReminderMemory: Hashable, Sendable, BitwiseCopyable {
  /// The latest of the days; or ``never``.
  private(set) var lastDay = Self.never
  /// Bit *i*: it matched on the day *i* + 1 before ``lastDay``.
  private(set) var earlier: UInt32 = 0
  /// How many requests it has made.
  var occurrences: UInt32 = 0
  /// One more than the number of the request that was shown last; 0: none was.
  private var shownNumber: UInt32 = 0

  static let never = Int32.min

  init() {}

  init(lastDay: Int32, earlier: UInt32, occurrences: UInt32, shown: UInt32?) {
    self.lastDay = lastDay
    self.earlier = earlier
    self.occurrences = occurrences
    self.shown = shown
  }

  /// The number of the request that was shown last, as far as the app knows.
  var shown: UInt32? {
    get { shownNumber == 0 ? nil : shownNumber - 1 }
    set { shownNumber = newValue.map { $0 &+ 1 } ?? 0 }
  }

  /// A match on a day.
  /// - Returns: False when the day is too long before the latest one to be kept here.
  @inline(__always)
  mutating func use(_ day: Int32) -> Bool {
    let gap = UInt32(bitPattern: day &- lastDay)
    if gap == 0 { return true }
    if gap <= 32 {
      earlier = earlier << gap | 1 &<< (gap &- 1)
      lastDay = day
      return true
    }
    if day > lastDay {
      earlier = 0
      lastDay = day
      return true
    }
    return useEarlier(day)
  }

  @inline(never)
  private mutating func useEarlier(_ day: Int32) -> Bool {
    guard let bit = Self.bit(of: day, before: lastDay) else { return false }
    earlier |= bit
    return true
  }

  /// The match of a day is as if it had not been.
  /// - Parameter other: The latest day that is kept elsewhere.
  mutating func giveBack(_ day: Int32, other: Int32) {
    if day != lastDay {
      if let bit = Self.bit(of: day, before: lastDay) { earlier &= ~bit }
    } else if earlier == 0 {
      lastDay = other
    } else {
      let step = Int32(earlier.trailingZeroBitCount) + 1
      earlier = earlier >> UInt32(step)
      lastDay -= step
    }
  }

  mutating func forgetDays() {
    lastDay = Self.never
    earlier = 0
  }

  /// Whether it matched on one of these days.
  func hasMatched(in days: ClosedRange<Int32>) -> Bool {
    if lastDay == Self.never { return false }
    if days.contains(lastDay) { return true }
    let first = max(Int64(days.lowerBound), Int64(lastDay) - 32)
    let last = min(Int64(days.upperBound), Int64(lastDay) - 1)
    if first > last { return false }
    let low = UInt64(Int64(lastDay) - 1 - last)
    let count = UInt64(last - first + 1)
    let mask: UInt64 = ((1 << count) - 1) << low
    return UInt64(earlier) & mask != 0
  }

  /// The days, ascending.
  var days: [Int32] {
    if lastDay == Self.never { return [] }
    var days: [Int32] = []
    for gap in (1...Int32(32)).reversed() where earlier >> UInt32(gap - 1) & 1 == 1 {
      days.append(lastDay - gap)
    }
    return days + [lastDay]
  }

  /// The bit of a day that lies 1 to 32 days before the latest; nil for another.
  private static func bit(of day: Int32, before lastDay: Int32) -> UInt32? {
    let gap = Int64(lastDay) - Int64(day)
    return (1...32).contains(gap) ? 1 << UInt32(gap - 1) : nil
  }
}
