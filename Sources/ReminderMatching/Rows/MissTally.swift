/// Counts the misses of each entry of a trigger. It needs only the times of the evaluations and the entries
/// that wait.
///
/// Whether a waiting entry misses depends only on the weekday, the charging state, the time of day and its
/// region condition. Evaluations with equal values are therefore counted together for all entries. The misses
/// of an entry are the increase of these counts between the start and the end of its wait. An evaluation
/// takes constant time. Additional time is needed only for entries that start or stop waiting, or whose
/// region condition changes.
public struct MissTally: Sendable {
  /// The misses of one entry.
  public struct Misses: Equatable, Sendable {
    /// The number of evaluations at which the entry waited and did not match.
    public var all = 0
    /// The misses by kind of failing condition: window, weekday, region, charging. A miss counts for each
    /// kind that failed.
    public var failed = SIMD4<Int32>.zero

    mutating func add(_ other: Self, times: Int) {
      all += times * other.all
      failed &+= Int32(times) &* other.failed
    }
  }

  private let wordCount: Int
  /// For each slot of the day, the index of its stretch. Within a stretch, the same windows are open.
  private let stretches: [Int]
  /// The open windows of each stretch, as words.
  private let open: [UInt64]
  private let minutesOfSlot: Int
  /// The number of evaluations in each stretch. An element has one count for each weekday and charging state,
  /// at ``place(_:_:)``.
  private var looks: [SIMD16<UInt32>]
  private var allLooks = SIMD16<UInt32>.zero
  /// The waiting entries, and those of them whose region condition fails.
  private var waiting: [UInt64]
  private var outOfPlace: [UInt64]
  /// For each entry, its earlier misses, minus the counts at the start of its current wait. The array is
  /// empty while all values are zero.
  private var settled: [Misses] = []

  /// Creates a tally without evaluations and without waiting entries.
  public init(_ rows: MissRows) {
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

  /// Counts an evaluation of the trigger.
  ///
  /// - Parameters:
  ///   - minute: The minute of the local day.
  ///   - weekday: 0…6, from Monday.
  ///   - isCharging: Whether the phone is charging.
  /// - Complexity: O(1)
  public mutating func look(minute: Int, weekday: Int, isCharging: Bool) {
    let place = Self.place(weekday, isCharging)
    looks[stretches[minute / minutesOfSlot]][place] &+= 1
    allLooks[place] &+= 1
  }

  /// Sets the waiting entries of a word.
  ///
  /// - Parameters:
  ///   - word: The index of the word among the words of all triggers.
  ///   - bits: The waiting entries.
  ///   - away: The waiting entries whose region condition fails.
  ///   - rows: The rows that were passed to the initializer.
  public mutating func wait(_ word: Int, _ bits: UInt64, outOfPlace away: UInt64, _ rows: MissRows) {
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

  /// Calls the body for each entry that has misses.
  public func forEach(_ rows: MissRows, _ body: (_ word: Int, _ bit: Int, _ misses: Misses) -> Void) {
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

  /// Returns the misses that an entry would have if it had waited at all evaluations.
  ///
  /// - Complexity: O(stretches of the day)
  private func misses(_ word: Int, _ mask: UInt64, isOut: Bool, _ rows: MissRows) -> Misses {
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

/// The rows of a trigger's entries for all conditions except those on regions.
public struct MissRows {
  private let weekdays: UnsafePointer<UInt64>
  private let chargers: UnsafePointer<UInt64>
  private let quarters: UnsafePointer<UInt64>
  let minutes: UnsafePointer<UInt64>?
  /// The index of the trigger's first word among the words of all triggers.
  let firstWord: Int
  /// The number of words in each row.
  let wordCount: Int

  /// - Parameters:
  ///   - weekdays: Seven rows, from Monday.
  ///   - chargers: Two rows: not charging, and charging.
  ///   - quarters: The rows of ``WindowRows``.
  ///   - minutes: The rows of minutes of ``WindowRows``, or `nil`.
  ///   - firstWord: The trigger's first word among the words of all triggers.
  ///   - wordCount: The number of words in each row.
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

/// For each trigger, the waiting entries that were last reported, and those of them whose region condition
/// fails. With these, only changes need to be reported.
public struct ReportedRows: Sendable {
  /// Two words for each word of entries: the waiting entries, and those whose region condition fails. Words
  /// that have not been reported have impossible values.
  public var words: [UInt64]

  /// Creates rows without any report.
  ///
  /// - Parameter count: The number of words of all triggers.
  public init(count: Int = 0) {
    words = []
    words.reserveCapacity(2 * count)
    for _ in 0..<count { words += [0, .max] }
  }

  /// The number of words of all triggers.
  public var count: Int { words.count / 2 }

  /// Reports the words of a trigger that have changed.
  ///
  /// - Parameters:
  ///   - first: The trigger's first word among the words of all triggers.
  ///   - live: The waiting entries.
  ///   - apart: The entries that are reported individually.
  ///   - regionFails: The entries whose region condition fails.
  ///   - count: The number of words in each row.
  ///   - body: A closure that is called for each changed word.
  /// - Complexity: O(`count`)
  @inlinable @inline(__always)
  public mutating func update(
    from first: Int, live: UnsafePointer<UInt64>, apart: UnsafePointer<UInt64>,
    regionFails: UnsafePointer<UInt64>, count: Int,
    _ body: (_ word: Int, _ waiting: UInt64, _ outOfPlace: UInt64) -> Void
  ) {
    words.withUnsafeMutableBufferPointer { reported in
      for word in 0..<count {
        let waiting = live[word] & ~apart[word]
        let outOfPlace = waiting & regionFails[word]
        let place = 2 * (first + word)
        if reported[place] == waiting, reported[place + 1] == outOfPlace { continue }
        (reported[place], reported[place + 1]) = (waiting, outOfPlace)
        body(first + word, waiting, outOfPlace)
      }
    }
  }
}
