import RandomScenarios
import Scenarios
import TestSupport
import Testing
import TriggerModel

/// Compares the parser and the formatter of times of day with a reference implementation.
@Suite struct ClockTests {
  private func obvious(_ text: String) -> Int32? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...2).contains(parts[0].count),
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let numbers = parts.compactMap { Int32($0) }
    let seconds = numbers.count == 3 ? numbers[2] : 0
    guard numbers[0] < 24, numbers[1] < 60, seconds < 60 else { return nil }
    return (numbers[0] * 3_600 + numbers[1] * 60 + seconds) * 1_000
  }

  @Test func `times of day are unchanged after writing and reading`() {
    for second in stride(from: Int32(0), to: 86_400, by: 7) {
      #expect(Clock.milliseconds(Clock.text(second * 1_000, withSeconds: true)) == second * 1_000)
    }
    for minute in Int32(0)..<1_440 {
      #expect(Clock.milliseconds(Clock.text(minute * 60_000)) == minute * 60_000)
    }
  }

  @Test func `any text has the same result as with the reference implementation`() {
    var random = SplitMix64(seed: 3)
    var read = 0
    for _ in 0..<60_000 {
      let text = (0..<random.int(0...8)).map { _ in random.one(of: ["0", "1", "2", "5", "9", ":", ":"]) }
        .joined()
      #expect(Clock.milliseconds(text) == obvious(text), "\(text)")
      if obvious(text) != nil { read += 1 }
    }
    #expect(read > 300, "\(read)")
    for text in ["1:23", "01:2", "24:00", "23:60", "08:10:5", "08:10:60", "８:10", "08:1०", "08:10 ", "-8:10"]
    {
      #expect(Clock.milliseconds(text) == obvious(text), "\(text)")
    }
  }

  @Test func `an offset from UTC has a sign, even if it is zero`() {
    let texts: [(minutes: Int64, text: String)] = [
      (0, "+00:00"), (60, "+01:00"), (-60, "-01:00"), (345, "+05:45"), (-210, "-03:30"), (840, "+14:00"),
      (-1, "-00:01"), (1, "+00:01"),
    ]
    for (minutes, text) in texts { #expect(UTCOffset.text(.minutes(minutes)) == text) }
  }
}
