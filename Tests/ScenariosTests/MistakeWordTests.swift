import ScenarioSamples
import Testing

/// What is said of single mistakes, each at its place.
@Suite struct MistakeWordTests {
  /// The entry of a time line, and what is said of it: the line is that of the entry.
  private static let entries: [(entry: String, problem: String)] = [
    ("aware: {}", "error: 'battery' or 'screen' is missing"),
    ("aware: {charging: status}", "error: 'battery' or 'screen' is missing"),
    ("{at: 08:10, do: unlock, during: 08:00-20:00}", "error: 'during' needs 'every'"),
    ("{at: 08:10, do: unlock, weekdays: weekday}", "error: 'weekdays' needs 'every'"),
    ("{at: 08:10, do: unlock, from: 2026-03-02}", "error: 'from' needs 'every'"),
    ("{at: 08:10, do: unlock, until: 2026-03-03}", "error: 'until' needs 'every'"),
  ]

  @Test func `in the time line`() throws {
    for (entry, problem) in Self.entries {
      let sample = Sample.timeline(entry, length: "2 days")
      let lines = sample.text.split(separator: "\n")
      let line = try #require(lines.firstIndex { $0.hasSuffix("- \(entry)") }) + 1
      let problems = read(sample.text).problems
      #expect(problems.count == 1, "\(entry): \(problems)")
      #expect(problems.first?.hasPrefix("sample.yaml:\(line):") == true, "\(entry): \(problems)")
      #expect(problems.first?.contains(problem) == true, "\(entry): \(problems)")
    }
  }

  @Test(arguments: ["unlimited", "off", "no", "Infinite"])
  func `what is no number of notifications`(word: String) {
    for cap in ["dailyCap", "typeDailyCap"] {
      let problems = read(Sample(timeline: "policy: {\(cap): \(word)}").text).problems
      #expect(problems.count == 1 && problems[0].contains("'\(word)' is not a cap; no cap is written 'none'"))
    }
  }

  @Test func `a comparison without its sign`() {
    for condition in ["signedIn false", "signedIn not", "age(score) 12 h", "signedIn not true"] {
      let problems = read(Sample.condition(condition).text).problems
      #expect(problems.count == 1, "\(condition): \(problems)")
      #expect(problems.first?.contains("a comparison is missing") == true, "\(condition): \(problems)")
    }
  }
}
