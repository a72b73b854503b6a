/// How often each entry of a trigger has missed it, where nobody was told of each miss: only when the trigger came,
/// and who waited for it then.
///
/// What an entry that waits misses follows from the weekday, the charger and the time of day, but for its region. So
/// looks at which these were the same are one number, whoever waited. What an entry has missed while it waited is
/// what these numbers say at the end of that, less what they said at the beginning: a look is counted once, and only
/// what begins or ends to wait, or comes to its region or leaves it, is looked at by itself.
public struct LookTally: Sendable {
  /// Of one entry.
  public struct Misses: Equatable, Sendable {
    /// How often the trigger came while it waited and did not match.
    public var all = 0
    /// By kind of condition that did not hold, of which one miss may have several: the window, the weekday, the
    /// region, the charger.
    public var failed = SIMD4<Int32>.zero

    mutating func add(_ other: Self, times: Int) {
      all += times * other.all
      failed &+= Int32(times) &* other.failed
    }
  }

  private let wordCount: Int
  /// Which stretch of the day each slot belongs to: at all times of one the same windows are open,
  private let stretches: [Int]
  /// which it has words of here, stretch after stretch.
  private let open: [UInt64]
  private let minutesOfSlot: Int
  /// By stretch: how often the trigger came, by weekday and charger, with ``place(_:_:)``.
  private var looks: [SIMD16<UInt32>]
  private var allLooks = SIMD16<UInt32>.zero
  /// Those that wait, and those of them whose region is the wrong one.
  private var waiting: [UInt64]
  private var outOfPlace: [UInt64]
  /// What each entry has missed, and less what the looks said when it began to wait; empty while that is nothing.
  private var settled: [Misses] = []

  /// The trigger has not come, and nobody waits.
  public init(_ rows: LookRows) {
    wordCount = rows.wordCount
    minutesOfSlot = rows.minutes == nil ? 15 : 1
    var found: [[UInt64]] = []
    stretches = stride(from: 0, to: 1_440, by: minutesOfSlot).map { minute in
      let windows = rows.windows(at: minute)
      let open = (0..<rows.wordCount).map { windows.open(word: $0) }
      if let known = found.lastIndex(of: open) { return known }
      found.append(open)
      return found.count - 1
    }
    open = found.flatMap(\.self)
    looks = Array(repeating: .zero, count: found.count)
    waiting = Array(repeating: 0, count: rows.wordCount)
    outOfPlace = waiting
  }

  /// The trigger has come.
  ///
  /// - Parameters:
  ///   - minute: of the local day.
  ///   - weekday: 0…6, from Monday.
  ///   - isCharging: Whether the phone is on the charger.
  /// - Complexity: O(1)
  public mutating func look(minute: Int, weekday: Int, isCharging: Bool) {
    let place = Self.place(weekday, isCharging)
    looks[stretches[minute / minutesOfSlot]][place] &+= 1
    allLooks[place] &+= 1
  }

  /// From now on these entries of a word wait, and no others.
  ///
  /// - Parameters:
  ///   - word: Among those of all triggers.
  ///   - bits: Those that wait.
  ///   - away: Those of them whose region is the wrong one.
  ///   - rows: Those that it was made of.
  public mutating func wait(_ word: Int, _ bits: UInt64, outOfPlace away: UInt64, _ rows: LookRows) {
    let word = word - rows.firstWord
    let before = (waiting[word], outOfPlace[word])
    (waiting[word], outOfPlace[word]) = (bits, away)
    if allLooks == .zero { return }
    if settled.isEmpty { settled = Array(repeating: Misses(), count: wordCount * 64) }
    for bit in Bits((before.0 ^ bits) | (before.1 ^ away)) {
      let mask: UInt64 = 1 << UInt64(bit)
      if before.0 & mask != 0 {
        settled[word * 64 + bit].add(misses(word, mask, isOut: before.1 & mask != 0, rows), times: 1)
      }
      if bits & mask != 0 {
        settled[word * 64 + bit].add(misses(word, mask, isOut: away & mask != 0, rows), times: -1)
      }
    }
  }

  /// Calls the body for each entry that has missed something.
  public func forEach(_ rows: LookRows, _ body: (_ word: Int, _ bit: Int, _ misses: Misses) -> Void) {
    for word in 0..<wordCount {
      for bit in 0..<64 {
        let mask: UInt64 = 1 << UInt64(bit)
        var misses = settled.isEmpty ? Misses() : settled[word * 64 + bit]
        if waiting[word] & mask != 0 {
          misses.add(self.misses(word, mask, isOut: outOfPlace[word] & mask != 0, rows), times: 1)
        }
        if misses.all != 0 { body(rows.firstWord + word, bit, misses) }
      }
    }
  }

  /// What an entry would have missed that had waited at all looks.
  ///
  /// - Complexity: O(stretches of the day)
  private func misses(_ word: Int, _ mask: UInt64, isOut: Bool, _ rows: LookRows) -> Misses {
    var inWindow = SIMD16<UInt32>.zero
    for stretch in looks.indices where open[stretch * wordCount + word] & mask != 0 {
      inWindow &+= looks[stretch]
    }
    var misses = Misses()
    var matched = 0
    for weekday in 0..<7 {
      let isDay = rows.weekday(weekday, word) & mask != 0
      for isCharging in [false, true] {
        let place = Self.place(weekday, isCharging)
        let all = Int(allLooks[place])
        if all == 0 { continue }
        let isCharged = rows.charging(isCharging, word) & mask != 0
        misses.all += all
        let (each, missed) = (Int32(truncatingIfNeeded: all), allLooks[place] &- inWindow[place])
        misses.failed &+= SIMD4(
          Int32(truncatingIfNeeded: missed), isDay ? 0 : each, isOut ? each : 0, isCharged ? 0 : each)
        if isDay, isCharged, !isOut { matched += Int(inWindow[place]) }
      }
    }
    misses.all -= matched
    return misses
  }

  private static func place(_ weekday: Int, _ isCharging: Bool) -> Int {
    2 * weekday + (isCharging ? 1 : 0)
  }
}

/// The rows of a trigger's entries that say at which looks the conditions of each hold, but for those on regions.
public struct LookRows {
  private let weekdays: UnsafePointer<UInt64>
  private let chargers: UnsafePointer<UInt64>
  private let quarters: UnsafePointer<UInt64>
  let minutes: UnsafePointer<UInt64>?
  /// Of the trigger, among those of all.
  let firstWord: Int
  /// Words in each row.
  let wordCount: Int

  /// - Parameters:
  ///   - weekdays: Seven rows, from Monday.
  ///   - chargers: Two: not charging, and charging.
  ///   - quarters: As those of ``WindowRows``.
  ///   - minutes: As those of ``WindowRows``.
  ///   - firstWord: Of the trigger, among those of all.
  ///   - wordCount: Words in each row.
  public init(
    weekdays: UnsafePointer<UInt64>, chargers: UnsafePointer<UInt64>, quarters: UnsafePointer<UInt64>,
    minutes: UnsafePointer<UInt64>?, firstWord: Int, wordCount: Int
  ) {
    (self.weekdays, self.chargers, self.quarters) = (weekdays, chargers, quarters)
    (self.minutes, self.firstWord, self.wordCount) = (minutes, firstWord, wordCount)
  }

  func windows(at minute: Int) -> WindowRows {
    WindowRows(quarters, minutes: minutes, stride: wordCount, at: WindowTime(minute: minute))
  }

  func weekday(_ weekday: Int, _ word: Int) -> UInt64 { weekdays[weekday * wordCount + word] }

  func charging(_ isCharging: Bool, _ word: Int) -> UInt64 { chargers[(isCharging ? wordCount : 0) + word] }
}
