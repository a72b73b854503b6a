import CivilTime
import TestSupport
import Testing

@testable import ReminderMatching

/// Compares the misses of the tally with those found by checking each entry at each evaluation.
@Suite struct MissTallyTests {
  @Test(arguments: [1, 15, 60])
  func `the tally has the same misses as a check of each entry at each evaluation`(step: Int) {
    var random = SplitMix64(seed: UInt64(step))
    for round in 0..<12 {
      var story = Story(words: 1 + round % 4, step: step, &random)
      var tally = story.withRows { MissTally($0) }
      var reportedRows = ReportedRows(count: story.firstWord + story.words)
      for look in 0..<300 {
        story.change(&random)
        // A new process does not know which rows an earlier process reported.
        if look % 97 == 96 { reportedRows = ReportedRows(count: story.firstWord + story.words) }
        let (minute, weekday, isCharging) = (random.below(1_440), random.below(7), random.below(2) == 1)
        reportedRows.update(
          from: story.firstWord, live: story.live, apart: story.apart, regionFails: story.regionFails,
          count: story.words
        ) { word, waiting, outOfPlace in
          story.withRows { tally.wait(word, waiting, outOfPlace: outOfPlace, $0) }
        }
        tally.look(minute: minute, weekday: weekday, isCharging: isCharging)
        story.look(minute, weekday, isCharging)
      }
      var found = Array(repeating: MissTally.Misses(), count: story.words * 64)
      story.withRows { rows in
        tally.forEach(rows) { found[($0 - story.firstWord) * 64 + $1] = $2 }
      }
      #expect(found == story.misses, "\(story.words) words, steps of \(step)")
      #expect(found.contains { $0.all > 20 } && found.contains { $0.failed.min() > 0 })
    }
  }

  @Test func `unchanged rows are not reported again`() {
    var reportedRows = ReportedRows(count: 3)
    var calls: [[UInt64]] = []
    func update(_ live: [UInt64], _ fails: [UInt64]) {
      reportedRows.update(from: 1, live: live, apart: [0, 8], regionFails: fails, count: 2) {
        calls.append([UInt64($0), $1, $2])
      }
    }
    update([0, 12], [1, 4])
    #expect(calls == [[1, 0, 0], [2, 4, 4]], "everything is reported at first")
    update([0, 12], [1, 4])
    // In the first word, the entry whose region condition changes does not wait. In the second word, the
    // entry that starts to wait is reported individually.
    update([0, 4], [3, 4])
    #expect(calls.count == 2)
    update([0, 12], [0, 0])
    #expect(calls.dropFirst(2) == [[2, 4, 0]])
  }

  /// The entries of one trigger, with the misses of each.
  private struct Story {
    let words: Int
    let firstWord = 2
    var live: [UInt64]
    var regionFails: [UInt64]
    let apart: [UInt64]
    var misses: [MissTally.Misses]
    private let windows: [DailyWindow?]
    private var weekdays: BitRows
    private var chargers: BitRows
    private var quarters: BitRows
    private var minutes: BitRows

    init(words: Int, step: Int, _ random: inout SplitMix64) {
      self.words = words
      live = (0..<words).map { _ in random.next() }
      regionFails = live.map { _ in random.next() & random.next() }
      apart = live.map { _ in random.next() & random.next() & random.next() }
      misses = Array(repeating: MissTally.Misses(), count: words * 64)
      windows = (0..<words * 64).map { _ in random.window(step: step) }
      weekdays = BitRows(count: 7, words: words)
      chargers = BitRows(count: 2, words: words)
      quarters = BitRows(count: WindowDigits.count, words: words)
      minutes = BitRows(count: WindowDigits.minuteCount, words: words)
      for (entry, window) in windows.enumerated() {
        for weekday in 0..<7 where random.below(3) > 0 { weekdays.set(weekday, entry) }
        for charger in 0..<2 where random.below(3) > 0 { chargers.set(charger, entry) }
        for row in WindowDigits(window).rows { quarters.set(row, entry) }
        for row in WindowDigits(window).minuteRows { minutes.set(row, entry) }
      }
    }

    func withRows<Result>(_ body: (MissRows) -> Result) -> Result {
      weekdays.words.withUnsafeBufferPointer { weekdays in
        chargers.words.withUnsafeBufferPointer { chargers in
          quarters.words.withUnsafeBufferPointer { quarters in
            minutes.words.withUnsafeBufferPointer { minutes in
              body(
                MissRows(
                  weekdays: weekdays.start, chargers: chargers.start, quarters: quarters.start,
                  minutes: minutes.contains { $0 != 0 } ? minutes.start : nil, firstWord: firstWord,
                  wordCount: words))
            }
          }
        }
      }
    }

    /// Changes one entry, or sometimes many.
    mutating func change(_ random: inout SplitMix64) {
      let word = random.below(words)
      switch random.below(20) {
      case 0: live[word] = random.next()
      case 1: regionFails[word] = random.next()
      case 2..<8: live[word] ^= 1 << UInt64(random.below(64))
      case 8: regionFails[word] ^= 1 << UInt64(random.below(64))
      default: break
      }
    }

    mutating func look(_ minute: Int, _ weekday: Int, _ isCharging: Bool) {
      let hands = WindowHands(start: Int64(minute), end: Int64(minute))
      for entry in misses.indices {
        func isSet(_ rows: [UInt64], _ row: Int = 0) -> Bool {
          rows[row * words + entry / 64] >> UInt64(entry % 64) & 1 == 1
        }
        if !isSet(live) || isSet(apart) { continue }
        let failed: SIMD4<Int32> = [
          windows[entry]?.contains(hands) ?? true ? 0 : 1, isSet(weekdays.words, weekday) ? 0 : 1,
          isSet(regionFails) ? 1 : 0, isSet(chargers.words, isCharging ? 1 : 0) ? 0 : 1,
        ]
        misses[entry].failed &+= failed
        if failed != .zero { misses[entry].all += 1 }
      }
    }
  }
}
