import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

/// Tests that each error has a single message, which names the wrong word and never suggests it.
@Suite struct OneMistakeTests {
  private func problems(_ sample: Sample) -> [String] {
    read(sample.text).problems.filter { !$0.contains("unknown reminder") }
  }

  @Test(arguments: [
    ("every weekday 12:00 exept 2026-09-15", "exept", ""),
    ("every day 12:00 ahed 3", "ahed", "did you mean 'ahead'?"),
    ("every weekday 12:00, 13:00 exept 2026-09-15", "exept", ""),
    ("monthly on 31 at 09:00 bar", "bar", ""),
    ("first monday of the month 09:00 xcept day 2", "xcept", ""),
    ("closed for 2 days at 11:12 foo", "foo", ""),
  ])
  func `an error after a time of day names the unknown word`(
    _ trigger: String, _ word: String, _ hint: String
  ) {
    let sample = Sample(reminders: "reminders:\n  milk: {when: \"\(trigger)\", notify: A}")
    let column =
      "  milk: {when: \"".count + trigger.ranges(of: word)[0].lowerBound.utf16Offset(in: trigger) + 1
    let problems = problems(sample)
    #expect(problems.count == 1, "\(problems)")
    #expect(
      problems.first?.contains(":18:\(column): error: unexpected '\(word)' after a time") == true,
      "\(problems)")
    #expect(problems.first?.contains(hint) == true || hint.isEmpty, "\(problems)")
  }

  @Test(arguments: [
    ("{when: {every: day, at: \"12:00\", ahead: 3}, notify: A}", "unknown keys 'every', 'at', 'ahead'"),
    ("{trigger: unlock, show: A}", "missing here: 'when', 'notify'"),
    ("{when: unlock, notify: {text: A, colour: red}}", "unknown keys 'text', 'colour'"),
  ])
  func `a mapping with unknown keys has a single error`(_ reminder: String, _ words: String) {
    let problems = problems(Sample(reminders: "reminders:\n  milk: \(reminder)"))
    #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
  }

  @Test func `misspelled keys are reported at their own positions`() {
    let problems = problems(Sample(reminders: "reminders:\n  milk: {wen: unlock, notfy: A}"))
    #expect(problems.count == 2, "\(problems)")
  }

  @Test func `a hint never suggests the written word`() {
    let words = ["ahead", "from", "skip", "Skip", "quietHours", "quiet", "title", "a", "ab", "unlock"]
    for seed in UInt64(0)..<2_000 {
      var random = SplitMix64(seed: seed)
      let names = random.several(of: words, 0...8)
      let word = random.one(of: words)
      #expect(!NearestNames.of(word, among: names).contains(word))
      #expect(NearestNames.likely(word, among: names) != word)
      #expect(NearestNames.hint(for: word, among: names)?.contains("mean '\(word)'") != true)
    }
  }

  @Test func `a clock that is set to another year causes a warning`() {
    func warnings(_ line: String) -> [String] { read(Sample.timeline(line, length: "3 days").text).warnings }
    #expect(warnings("09:00 set clock +9000 h").filter { $0.contains("in another year") }.count == 1)
    #expect(warnings("09:00 set clock -100 d").contains { $0.contains("shows 2025-11-22 09:00") })
    #expect(warnings("09:00 set clock +1000 h").allSatisfy { !$0.contains("another year") })
  }
}
