/// An operation on all words of some rows, in order. It processes up to eight words at a time.
@usableFromInline protocol RowPass {
  mutating func take<Words: BitWords>(_ words: Words.Type, at word: Int)
}

extension RowPass {
  /// - Parameter count: The number of words in each row.
  @inlinable @inline(__always)
  mutating func run(_ count: Int) {
    var word = 0
    while word &+ 8 <= count {
      take(EightWords.self, at: word)
      word &+= 8
    }
    if word &+ 4 <= count {
      take(FourWords.self, at: word)
      word &+= 4
    }
    if word &+ 2 <= count {
      take(TwoWords.self, at: word)
      word &+= 2
    }
    if word < count { take(UInt64.self, at: word) }
  }
}

/// The waiting entries, and the entries that start waiting again on another day.
public struct WaitingRows {
  let live: UnsafeMutablePointer<UInt64>
  let armed: UnsafePointer<UInt64>
  let count: Int

  /// Creates the rows, of `count` words each.
  public init(live: UnsafeMutablePointer<UInt64>, armed: UnsafePointer<UInt64>, count: Int) {
    (self.live, self.armed, self.count) = (live, armed, count)
  }

  /// Makes all armed entries wait.
  ///
  /// - Parameter isLookedUp: Whether the live entries have already been updated by looking up matches, so
  ///   that they only need to be counted.
  /// - Returns: The number of live entries, and whether any entry is live or armed.
  public func arm(isLookedUp: Bool) -> (live: Int32, waits: Bool) {
    var pass = Pass(rows: self, isLookedUp: isLookedUp)
    pass.run(count)
    return (pass.tally.count(ofWords: count), pass.waits)
  }

  private struct Pass: RowPass {
    let rows: WaitingRows
    let isLookedUp: Bool
    var waits = false
    var tally = BitTally()

    @inline(__always)
    mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
      let armed = Words(at: rows.armed + word)
      var live = Words(at: rows.live + word)
      waits = waits || !(armed | live).isNone
      if !isLookedUp { live = live | armed }
      live.count(in: &tally)
      live.store(at: rows.live + word)
    }
  }
}

/// The rows of the waiting entries, and of each condition except the time window.
public struct ConditionRows {
  @usableFromInline let live: UnsafePointer<UInt64>
  @usableFromInline let charging: UnsafePointer<UInt64>
  @usableFromInline let weekday: UnsafePointer<UInt64>
  @usableFromInline let regionFails: UnsafePointer<UInt64>
  @usableFromInline let count: Int

  /// Creates the rows, of `count` words each. `charging` has two rows: not charging, and charging.
  @inlinable @inline(__always)
  public init(
    live: UnsafePointer<UInt64>, charging: UnsafePointer<UInt64>, weekday: UnsafePointer<UInt64>,
    regionFails: UnsafePointer<UInt64>, count: Int
  ) {
    (self.live, self.charging, self.weekday) = (live, charging, weekday)
    (self.regionFails, self.count) = (regionFails, count)
  }

  /// Returns the number of waiting entries.
  public func waiting() -> Int32 { (0..<count).reduce(0) { $0 + Int32(live[$1].nonzeroBitCount) } }

  /// Returns the number of waiting entries whose charging condition is fulfilled, and the number of those
  /// whose weekday condition is fulfilled too.
  public func counts(isCharging: Bool) -> (charged: Int32, onDay: Int32) {
    var pass = CountPass(rows: self, charging: row(isCharging))
    pass.run(count)
    return (pass.charged.count(ofWords: count), pass.onDay.count(ofWords: count))
  }

  /// Computes the row of the entries for which all these conditions are fulfilled.
  ///
  /// - Returns: The number of these entries.
  public func makeEligible(_ eligible: UnsafeMutablePointer<UInt64>, isCharging: Bool) -> Int32 {
    var pass = EligiblePass(rows: self, charging: row(isCharging), eligible: eligible)
    pass.run(count)
    return pass.tally.count(ofWords: count)
  }

  private func row(_ isCharging: Bool) -> UnsafePointer<UInt64> { charging + (isCharging ? count : 0) }

  private struct CountPass: RowPass {
    let rows: ConditionRows
    let charging: UnsafePointer<UInt64>
    var charged = BitTally()
    var onDay = BitTally()

    @inline(__always)
    mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
      let left = Words(at: rows.live + word) & Words(at: charging + word)
      left.count(in: &charged)
      (left & Words(at: rows.weekday + word)).count(in: &onDay)
    }
  }

  private struct EligiblePass: RowPass {
    let rows: ConditionRows
    let charging: UnsafePointer<UInt64>
    let eligible: UnsafeMutablePointer<UInt64>
    var tally = BitTally()

    @inline(__always)
    mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
      let onDay = Words(at: rows.live + word) & Words(at: charging + word) & Words(at: rows.weekday + word)
      let left = onDay & ~Words(at: rows.regionFails + word)
      left.store(at: eligible + word)
      left.count(in: &tally)
    }
  }
}

extension QuarterRows {
  /// Computes the row of the entries whose windows are open. Both rows have `count` words.
  ///
  /// - Returns: The number of these entries.
  public func makeOpen(
    _ open: UnsafeMutablePointer<UInt64>, from entries: UnsafePointer<UInt64>, count: Int
  ) -> Int32 {
    var pass = WindowPass(entries: entries, open: open, windows: self)
    pass.run(count)
    return pass.tally.count(ofWords: count)
  }

  /// Computes the same row as ``makeOpen(_:from:count:)``, but is inlined into the caller.
  ///
  /// - Returns: Whether there are any open entries.
  @inlinable @inline(__always)
  public func isAnyOpen(
    _ open: UnsafeMutablePointer<UInt64>, from entries: UnsafePointer<UInt64>, count: Int
  ) -> Bool {
    var pass = OpenPass(entries: entries, open: open, windows: self)
    pass.run(count)
    return pass.found != 0
  }

  @usableFromInline struct OpenPass: RowPass {
    @usableFromInline let entries: UnsafePointer<UInt64>
    @usableFromInline let open: UnsafeMutablePointer<UInt64>
    @usableFromInline let windows: QuarterRows
    @usableFromInline var found: UInt64 = 0

    @inlinable @inline(__always)
    init(entries: UnsafePointer<UInt64>, open: UnsafeMutablePointer<UInt64>, windows: QuarterRows) {
      (self.entries, self.open, self.windows) = (entries, open, windows)
    }

    @inlinable @inline(__always)
    mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
      var left = Words(at: entries + word)
      if !left.isNone {
        left = left & windows.open(at: word)
        found |= left.union
      }
      left.store(at: open + word)
    }
  }
}

extension WindowRows {
  /// Computes the row of the entries whose windows are open, as ``QuarterRows`` does.
  public func makeOpen(
    _ open: UnsafeMutablePointer<UInt64>, from entries: UnsafePointer<UInt64>, count: Int
  ) -> Int32 {
    var pass = WindowPass(entries: entries, open: open, windows: self)
    pass.run(count)
    return pass.tally.count(ofWords: count)
  }
}

private struct WindowPass<Windows: OpenWindows>: RowPass {
  let entries: UnsafePointer<UInt64>
  let open: UnsafeMutablePointer<UInt64>
  let windows: Windows
  var tally = BitTally()

  @inline(__always)
  mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
    var left = Words(at: entries + word)
    if !left.isNone {
      left = left & windows.open(at: word)
      left.count(in: &tally)
    }
    left.store(at: open + word)
  }
}

/// Flips those bits of a row that are set in another row. Both rows have `count` words.
public func flipBits(
  of row: UnsafeMutablePointer<UInt64>, by other: UnsafePointer<UInt64>, count: Int
) {
  var pass = FlipPass(row: row, other: other)
  pass.run(count)
}

private struct FlipPass: RowPass {
  let row: UnsafeMutablePointer<UInt64>
  let other: UnsafePointer<UInt64>

  @inline(__always)
  mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
    (Words(at: row + word) ^ Words(at: other + word)).store(at: row + word)
  }
}

/// The rows that change when entries match that fire once or daily.
public struct MatchedRows {
  @usableFromInline let live: UnsafeMutablePointer<UInt64>
  @usableFromInline let armed: UnsafeMutablePointer<UInt64>
  @usableFromInline let once: UnsafePointer<UInt64>

  /// Creates a value with the rows of one bucket.
  @inlinable @inline(__always)
  public init(
    live: UnsafeMutablePointer<UInt64>, armed: UnsafeMutablePointer<UInt64>, once: UnsafePointer<UInt64>
  ) {
    (self.live, self.armed, self.once) = (live, armed, once)
  }

  /// Removes the matched entries of one word from the waiting entries.
  @inlinable @inline(__always)
  public func useUp(_ fired: UInt64, _ word: Int) {
    live[word] &= ~fired
    armed[word] &= ~(fired & once[word])
  }
}

/// Returns which of up to eight words of a row are not zero. Bit *i* stands for the word at offset *i*.
///
/// Avoids a branch for each word, because the result is unpredictable.
@inlinable @inline(__always)
public func filledWords(_ row: UnsafePointer<UInt64>, from word: Int, count: Int) -> UInt64 {
  let words = min(count &- word, 8)
  if words == 8, EightWords(at: row + word).isNone { return 0 }
  var filled: UInt64 = 0
  var place = word &+ words
  while place > word {
    place &-= 1
    // If a number is not zero, the highest bit is set in the number or in its negation. A comparison with
    // zero would be a branch.
    filled = filled &<< 1 | (row[place] | (0 &- row[place])) &>> 63
  }
  return filled
}
