import BitRows
import CivilTime
import Testing

@Suite struct WindowDigitsTests {
  /// Windows in rows are open when each by itself says so, within folds of up to two days too, by one word and by
  /// several.
  @Test func rowsAgreeWithEachWindow() {
    var random = Random(state: 1)
    var open = 0
    for round in 0..<400 {
      let step = [1, 15, 60][round % 3]
      let windows = (0..<512).map { _ in random.window(step: step) }
      let (rows, lowest) = Self.rows(windows)
      for turn in 0..<8 {
        let start = Int64(random.below(4_320)) - 1_440
        let end = turn % 2 == 0 ? start : start - Int64(random.below(2_900))
        let time =
          turn % 4 == 0 && start >= 0 && start < 1_440
          ? WindowTime(minute: Int(start)) : WindowTime(WindowHands(start: start, end: end))
        let expected = windows.map { $0?.contains(WindowHands(start: start, end: end)) ?? true }
        let found: SIMD8<UInt64> = rows.withUnsafeBufferPointer {
          time.open($0.baseAddress.unsafelyUnwrapped, stride: 8, lowest: lowest)
        }
        for word in 0..<8 {
          let alone: UInt64 = rows.withUnsafeBufferPointer {
            time.open($0.baseAddress.unsafelyUnwrapped + word, stride: 8, lowest: lowest)
          }
          #expect(alone == found[word], "round \(round), hands \(start) and \(end)")
        }
        for (entry, isOpen) in expected.enumerated() {
          open += isOpen ? 1 : 0
          #expect(
            found[entry / 64] >> UInt64(entry % 64) & 1 == (isOpen ? 1 : 0),
            "\(String(describing: windows[entry])), hands \(start) and \(end)")
        }
      }
    }
    #expect(open > 400_000 && open < 1_200_000, "\(open) of \(400 * 8 * 512) are open")
  }

  /// What is open stays so within a slot.
  @Test func nothingChangesWithinASlot() {
    var random = Random(state: 2)
    for step in [1, 15, 60] {
      let windows = (0..<64).map { _ in random.window(step: step) }
      let lowest = Int32(Self.rows(windows).lowest)
      for minute in 1..<1_440 {
        let slots = [minute - 1, minute].map { WindowTime(minute: $0).slot(from: lowest) }
        let states = [minute - 1, minute].map { minute in
          windows.map { $0?.contains(WindowHands(start: Int64(minute), end: Int64(minute))) ?? true }
        }
        #expect(slots[0] != slots[1] || states[0] == states[1], "minute \(minute), steps of \(step)")
      }
    }
  }

  /// The rows of 512 windows, and the lowest digit of any.
  private static func rows(_ windows: [DailyWindow?]) -> (rows: [UInt64], lowest: Int) {
    var rows = BitRows(count: 2 * WindowDigits.count + 1, words: 8)
    for (entry, window) in windows.enumerated() {
      let digits = WindowDigits(window)
      for digit in 0..<WindowDigits.count {
        if digits.from >> digit & 1 == 1 { rows.set(digit, entry) }
        if digits.to >> digit & 1 == 1 { rows.set(WindowDigits.count + digit, entry) }
      }
      if digits.wraps { rows.set(2 * WindowDigits.count, entry) }
    }
    return (rows.words, windows.map { WindowDigits($0).lowest }.min() ?? 0)
  }
}

@Suite struct BitTallyTests {
  /// Words added up eight at a time have as many bits as they have one by one.
  @Test func countsEveryBit() {
    var random = Random(state: 3)
    for blocks in 0..<40 {
      var tally = BitTally()
      var expected = 0
      for block in 0..<blocks {
        let words = SIMD8<UInt64>((0..<8).map { _ in block % 5 == 4 ? .max : random.next() & random.next() })
        tally.add(words)
        expected += words.indices.reduce(0) { $0 + words[$1].nonzeroBitCount }
        #expect(words.highHalf.bitCount == (4..<8).reduce(0) { $0 + words[$1].nonzeroBitCount })
      }
      #expect(tally.count == UInt64(expected), "\(blocks) blocks")
    }
  }
}

/// SplitMix64.
private struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 11) % bound }

  /// Some are empty, some wrap, and of eight one is none.
  mutating func window(step: Int) -> DailyWindow? {
    let from = below(1_440 / step) * step
    switch below(8) {
    case 0: return nil
    case 1: return DailyWindow(from: from, to: from)
    default: return DailyWindow(from: from, to: below(1_440 / step) * step)
    }
  }
}
