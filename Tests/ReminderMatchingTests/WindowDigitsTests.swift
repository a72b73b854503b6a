import CivilTime
import TestSupport
import Testing

@testable import ReminderMatching

@Suite struct WindowDigitsTests {
  /// The tests include folds of up to two days, and rows of one or more words.
  @Test func `rows of windows agree with each single window`() {
    var random = SplitMix64(seed: 1)
    var open = 0
    for round in 0..<400 {
      let step = [1, 15, 60][round % 3]
      let windows = (0..<512).map { _ in random.window(step: step) }
      let rows = Rows(windows)
      for turn in 0..<8 {
        let start = Int64(random.below(4_320)) - 1_440
        let end = turn % 2 == 0 ? start : start - Int64(random.below(2_900))
        let isPlain = turn % 4 == 0 && start >= 0 && start < 1_440
        let time = isPlain ? WindowTime(minute: Int(start)) : WindowTime(WindowHands(start: start, end: end))
        let expected = windows.map { $0?.contains(WindowHands(start: start, end: end)) ?? true }
        let found = rows.open(at: time)
        if isPlain, !rows.hasMinutes { #expect(rows.openByQuarters(at: time) == found) }
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

  /// Checks windows that start and end at quarters of an hour at each minute of the day.
  @Test func `rows of quarters agree with each single window`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<4 {
      let windows = (0..<512).map { _ in random.window(step: 15) }
      let rows = Rows(windows)
      for minute in 0..<1_440 {
        let hands = WindowHands(start: Int64(minute), end: Int64(minute))
        var expected = [UInt64](repeating: 0, count: 8)
        for (entry, window) in windows.enumerated() where window?.contains(hands) ?? true {
          expected[entry / 64] |= 1 << UInt64(entry % 64)
        }
        #expect(rows.openByQuarters(at: WindowTime(minute: minute)) == expected, "minute \(minute)")
      }
    }
  }

  @Test func `open windows do not change within a slot`() {
    var random = SplitMix64(seed: 2)
    for step in [1, 15, 60] {
      let windows = (0..<64).map { _ in random.window(step: step) }
      let hasMinutes = Rows(windows).hasMinutes
      #expect(hasMinutes == (step == 1))
      for minute in 1..<1_440 {
        let slots = [minute - 1, minute].map { WindowTime(minute: $0).slot(hasMinutes: hasMinutes) }
        let states = [minute - 1, minute].map { minute in
          windows.map { $0?.contains(WindowHands(start: Int64(minute), end: Int64(minute))) ?? true }
        }
        #expect(slots[0] != slots[1] || states[0] == states[1], "minute \(minute), steps of \(step)")
      }
    }
  }

  /// The rows of 512 windows.
  private struct Rows {
    var quarters = BitRows(count: WindowDigits.count, words: 8)
    var minutes = BitRows(count: WindowDigits.minuteCount, words: 8)
    var hasMinutes = false

    init(_ windows: [DailyWindow?]) {
      for (entry, window) in windows.enumerated() {
        let digits = WindowDigits(window)
        for row in digits.rows { quarters.set(row, entry) }
        for row in digits.minuteRows { minutes.set(row, entry) }
        if !digits.minuteRows.isEmpty { hasMinutes = true }
      }
    }

    func open(at time: WindowTime) -> [UInt64] {
      quarters.words.withUnsafeBufferPointer { quarters in
        minutes.words.withUnsafeBufferPointer { minutes in
          let rows = WindowRows(
            quarters.baseAddress.unsafelyUnwrapped, minutes: hasMinutes ? minutes.baseAddress : nil,
            stride: 8,
            at: time)
          return made { rows.makeOpen($0, from: $1, count: $2) }
        }
      }
    }

    func openByQuarters(at time: WindowTime) -> [UInt64] {
      quarters.words.withUnsafeBufferPointer {
        let rows = QuarterRows($0.baseAddress.unsafelyUnwrapped, stride: 8, in: time.rows)
        return made { rows.makeOpen($0, from: $1, count: $2) }
      }
    }

    /// Checks that rows with fewer words give the same result, and that counts are correct. Returns the row
    /// of eight words.
    private func made(
      _ make: (UnsafeMutablePointer<UInt64>, UnsafePointer<UInt64>, Int) -> Int32
    ) -> [UInt64] {
      var all: [UInt64] = []
      for count in [7, 3, 8] {
        var open = [UInt64](repeating: 0, count: count)
        let left = make(&open, [UInt64](repeating: .max, count: count), count)
        #expect(Int(left) == open.reduce(0) { $0 + $1.nonzeroBitCount })
        #expect(all.isEmpty || Array(all.prefix(open.count)) == Array(open.prefix(all.count)))
        all = open
      }
      return all
    }
  }
}

extension SplitMix64 {
  /// Returns a random window. Some windows are empty, some include midnight, and one of eight is `nil`.
  mutating func window(step: Int) -> DailyWindow? {
    let from = below(1_440 / step) * step
    switch below(8) {
    case 0: return nil
    case 1: return DailyWindow(from: from, to: from)
    default: return DailyWindow(from: from, to: below(1_440 / step) * step)
    }
  }
}
