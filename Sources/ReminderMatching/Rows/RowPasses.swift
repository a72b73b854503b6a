/// Something that is done with all words of some rows, in order: with as many at once as a processor takes.
@usableFromInline protocol RowPass {
  mutating func take<Words: BitWords>(_ words: Words.Type, at word: Int)
}

extension RowPass {
  /// - Parameter count: words in each row.
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

/// Which entries wait, and which will wait again on another day.
public struct WaitingRows {
  let live: UnsafeMutablePointer<UInt64>
  let armed: UnsafePointer<UInt64>
  let count: Int

  /// Two rows of `count` words.
  public init(live: UnsafeMutablePointer<UInt64>, armed: UnsafePointer<UInt64>, count: Int) {
    (self.live, self.armed, self.count) = (live, armed, count)
  }

  /// What is armed waits again.
  ///
  /// - Parameter isLookedUp: It was looked up what waits, so that nothing is changed any more.
  /// - Returns: How many wait, and whether any wait or will.
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

/// The entries that wait, and for which each condition holds but that on the time of day.
public struct ConditionRows {
  @usableFromInline let live: UnsafePointer<UInt64>
  @usableFromInline let charging: UnsafePointer<UInt64>
  @usableFromInline let weekday: UnsafePointer<UInt64>
  @usableFromInline let regionFails: UnsafePointer<UInt64>
  @usableFromInline let count: Int

  /// Rows of `count` words; `charging` are two, while the phone is not charged and while it is.
  @inlinable @inline(__always)
  public init(
    live: UnsafePointer<UInt64>, charging: UnsafePointer<UInt64>, weekday: UnsafePointer<UInt64>,
    regionFails: UnsafePointer<UInt64>, count: Int
  ) {
    (self.live, self.charging, self.weekday) = (live, charging, weekday)
    (self.regionFails, self.count) = (regionFails, count)
  }

  /// How many wait.
  public func waiting() -> Int32 { (0..<count).reduce(0) { $0 + Int32(live[$1].nonzeroBitCount) } }

  /// How many of those that wait are left by the charger, and of these by the weekday.
  public func counts(isCharging: Bool) -> (charged: Int32, onDay: Int32) {
    var pass = CountPass(rows: self, charging: row(isCharging))
    pass.run(count)
    return (pass.charged.count(ofWords: count), pass.onDay.count(ofWords: count))
  }

  /// Makes the row of those for which all hold.
  /// - Returns: How many they are.
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
  /// Makes the row of the entries whose windows are open; both rows have `count` words.
  ///
  /// - Returns: How many they are.
  public func makeOpen(
    _ open: UnsafeMutablePointer<UInt64>, from entries: UnsafePointer<UInt64>, count: Int
  ) -> Int32 {
    var pass = WindowPass(entries: entries, open: open, windows: self)
    pass.run(count)
    return pass.tally.count(ofWords: count)
  }

  /// As ``makeOpen(_:from:count:)``, and as a part of its caller.
  /// - Returns: Whether there are any.
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
  /// As that of ``QuarterRows``.
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

  init(entries: UnsafePointer<UInt64>, open: UnsafeMutablePointer<UInt64>, windows: Windows) {
    (self.entries, self.open, self.windows) = (entries, open, windows)
  }

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

/// Turns the bits of a row that another has; both have `count` words.
public func turnBits(
  of row: UnsafeMutablePointer<UInt64>, by other: UnsafePointer<UInt64>, count: Int
) {
  var pass = TurnPass(row: row, other: other)
  pass.run(count)
}

private struct TurnPass: RowPass {
  let row: UnsafeMutablePointer<UInt64>
  let other: UnsafePointer<UInt64>

  @inline(__always)
  mutating func take<Words: BitWords>(_: Words.Type, at word: Int) {
    (Words(at: row + word) ^ Words(at: other + word)).store(at: row + word)
  }
}
