import TestSupport
import Testing

@testable import ReminderMatching

/// Compares operations on rows of any length with operations on single words.
@Suite struct RowPassTests {
  private static let lengths = Array(0..<28) + [63, 64, 65]

  @Test func `armed entries wait again`() {
    var random = SplitMix64(seed: 5)
    for count in Self.lengths {
      for isLookedUp in [false, true] {
        var live = random.row(count)
        let armed = random.row(count)
        let expected = isLookedUp ? live : zip(live, armed).map { $0 | $1 }
        let waits = (live + armed).contains { $0 != 0 }
        let made = live.withUnsafeMutableBufferPointer { live in
          armed.withUnsafeBufferPointer {
            WaitingRows(live: live.start, armed: $0.start, count: count).arm(isLookedUp: isLookedUp)
          }
        }
        #expect(live == expected)
        #expect(Int(made.live) == expected.bits && made.waits == waits, "\(count) words")
      }
    }
    var (none, some) = ([UInt64](repeating: 0, count: 11), [UInt64](repeating: 0, count: 11))
    #expect(!WaitingRows(live: &none, armed: none, count: 11).arm(isLookedUp: false).waits)
    some[9] = 1 << 40
    #expect(WaitingRows(live: &none, armed: some, count: 11).arm(isLookedUp: true).waits)
  }

  @Test(arguments: [false, true])
  func `conditions on rows agree with conditions on single words`(isCharging: Bool) {
    var random = SplitMix64(seed: 6)
    for count in Self.lengths {
      let (live, charging) = (random.row(count), random.row(2 * count))
      let (weekday, fails) = (random.row(count), random.row(count))
      let windows = random.row(WindowDigits.count * count)
      let charged = zip(live, charging.row(isCharging ? 1 : 0, count)).map { $0 & $1 }
      let onDay = zip(charged, weekday).map { $0 & $1 }
      let expected = zip(onDay, fails).map { $0 & ~$1 }
      var (eligible, open) = (random.row(count), random.row(count))
      let rows = ConditionRows(
        live: live, charging: charging, weekday: weekday, regionFails: fails, count: count)
      let minute = random.below(1_440)
      withExtendedLifetime((live, charging, weekday, fails)) {
        #expect(Int(rows.waiting()) == live.bits)
        let counts = rows.counts(isCharging: isCharging)
        #expect(Int(counts.charged) == charged.bits && Int(counts.onDay) == onDay.bits)
        #expect(Int(rows.makeEligible(&eligible, isCharging: isCharging)) == expected.bits)
        windows.withUnsafeBufferPointer {
          let windows = QuarterRows($0.start, stride: count, in: WindowTime(minute: minute).rows)
          let isAnyOpen = windows.isAnyOpen(&open, from: eligible, count: count)
          #expect(isAnyOpen == open.contains { $0 != 0 })
          for word in 0..<count { #expect(open[word] == expected[word] & windows.open(at: word)) }
        }
      }
      #expect(eligible == expected, "\(count) words")
    }
  }

  @Test func `the bits that are set in the other row are flipped`() {
    var random = SplitMix64(seed: 7)
    for count in Self.lengths {
      var row = random.row(count)
      let other = random.row(count)
      let expected = zip(row, other).map { $0 ^ $1 }
      flipBits(of: &row, by: other, count: count)
      #expect(row == expected, "\(count) words")
    }
  }

  @Test func `the filled words are those that are not zero`() {
    var random = SplitMix64(seed: 8)
    for count in 1..<40 {
      let row = (0..<count).map { _ in random.below(3) == 0 ? random.next() : 0 }
      for first in stride(from: 0, to: count, by: 8) {
        let expected = (first..<min(first + 8, count)).filter { row[$0] != 0 }.map { $0 - first }
        #expect(Array(Bits(filledWords(row, from: first, count: count))) == expected)
      }
    }
  }

  @Test func `matched entries no longer wait`() {
    var random = SplitMix64(seed: 9)
    var (live, armed) = (random.row(3), random.row(3))
    let before = (live, armed)
    let (once, fired) = (random.row(3), random.next())
    live.withUnsafeMutableBufferPointer { live in
      armed.withUnsafeMutableBufferPointer { armed in
        once.withUnsafeBufferPointer {
          MatchedRows(live: live.start, armed: armed.start, once: $0.start).useUp(fired, 1)
        }
      }
    }
    #expect(live == [before.0[0], before.0[1] & ~fired, before.0[2]])
    #expect(armed == [before.1[0], before.1[1] & ~(fired & once[1]), before.1[2]])
  }
}

@Suite struct BitWordsTests {
  @Test func `operators on several words agree with those on one word`() {
    var random = SplitMix64(seed: 10)
    for _ in 0..<200 {
      let (a, b) = (random.row(8), random.row(8))
      #expect(Self.apply(EightWords.self, a, b) == Self.apply(UInt64.self, a, b))
      #expect(Self.apply(FourWords.self, a, b) == Self.apply(UInt64.self, a, b))
      #expect(Self.apply(TwoWords.self, a, b) == Self.apply(UInt64.self, a, b))
      for place in 0..<8 {
        var one = [UInt64](repeating: 0, count: 8)
        #expect(EightWords(at: one).isNone && FourWords(at: one).isNone && TwoWords(at: one).isNone)
        one[place] = 1 << UInt64(random.below(64))
        #expect(!EightWords(at: one).isNone)
        #expect(FourWords(at: one).isNone == (place > 3))
        #expect(TwoWords(at: one).isNone == (place > 1))
        #expect(EightWords(at: one).union == one[place])
      }
    }
  }

  private static func apply<Words: BitWords>(_: Words.Type, _ a: [UInt64], _ b: [UInt64]) -> [[UInt64]] {
    let operators: [(Words, Words) -> Words] = [{ $0 & $1 }, { $0 | $1 }, { $0 ^ $1 }, { ~$0 & $1 }]
    return operators.map { combine in
      var result = a
      let width = MemoryLayout<Words>.size / 8
      for word in stride(from: 0, to: 8, by: width) {
        let (left, right) = a.withUnsafeBufferPointer { a in
          b.withUnsafeBufferPointer { (Words(at: a.start + word), Words(at: $0.start + word)) }
        }
        result.withUnsafeMutableBufferPointer { combine(left, right).store(at: $0.start + word) }
      }
      return result
    }
  }
}

@Suite struct StepCountsTests {
  @Test func `step counts count every bit`() {
    var random = SplitMix64(seed: 11)
    for round in 0..<2_000 {
      let steps = random.steps(round, mask: .max)
      #expect(steps.counts.all == steps.all.map { Int64($0.nonzeroBitCount) })
    }
  }

  @Test func `packed step counts equal single counts until they are full`() {
    var random = SplitMix64(seed: 12)
    var few = PackedStepCounts()
    var expected: [Int64] = [0, 0, 0, 0]
    var (rounds, filled) = (0, 0)
    while filled < 3 {
      let steps = random.steps(rounds, mask: 1 << UInt64(PackedStepCounts.most) - 1)
      few.add(steps)
      for step in 0..<4 { expected[step] += Int64(steps.all[step].nonzeroBitCount) }
      rounds += 1
      #expect(few.counts.all == expected)
      if !few.isFull { continue }
      (few, expected) = (PackedStepCounts(), [0, 0, 0, 0])
      filled += 1
    }
    #expect(rounds > 6_000)
  }
}

extension WordSteps {
  fileprivate var all: [UInt64] { [live, charged, onDay, inPlace] }
}

extension StepCounts {
  fileprivate var all: [Int64] { [live, charged, onDay, inPlace] }
}

extension SplitMix64 {
  /// Returns words. Each is a subset of the previous one.
  fileprivate mutating func steps(_ round: Int, mask: UInt64) -> WordSteps {
    var steps = [round % 5 == 0 ? mask : next() & mask]
    while steps.count < 4 {
      steps.append(round % 3 == 0 ? steps[steps.count - 1] : steps[steps.count - 1] & next())
    }
    return WordSteps(live: steps[0], charged: steps[1], onDay: steps[2], inPlace: steps[3], open: 0)
  }
}

extension SplitMix64 {
  /// Returns a row in which some words are empty and some are full.
  mutating func row(_ count: Int) -> [UInt64] {
    (0..<count).map { _ in
      switch below(6) {
      case 0: 0
      case 1: .max
      default: next()
      }
    }
  }
}

extension [UInt64] {
  var bits: Int { reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Returns one of several rows.
  fileprivate func row(_ number: Int, _ count: Int) -> [UInt64] {
    Array(self[number * count..<(number + 1) * count])
  }
}

extension UnsafeBufferPointer {
  /// The base address, or a placeholder if the buffer is empty.
  var start: UnsafePointer<Element> {
    baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped
  }
}

extension UnsafeMutableBufferPointer {
  var start: UnsafeMutablePointer<Element> {
    baseAddress ?? UnsafeMutablePointer(bitPattern: 8).unsafelyUnwrapped
  }
}

@Suite struct BitsTests {
  @Test func `set bits are listed in ascending order`() {
    let few = (0..<64).map { UInt64(1) << UInt64($0) }
    let many = (1...200).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 }
    for bits in [0, .max] + few + many {
      #expect(Array(Bits(bits)) == (0..<64).filter { bits >> UInt64($0) & 1 == 1 }, "\(bits)")
    }
  }
}
