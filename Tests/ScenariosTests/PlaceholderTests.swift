import ReminderMatching
import ScenarioModel
import ScenarioSamples
import TestSupport
import Testing

/// Tests words in braces outside a template, where they have no value.
@Suite struct PlaceholderTests {
  private static func sample(title: String = "A", body: String = "B", link: String = "app://a") -> Sample {
    Sample(
      reminders: """
        reminders:
          milk: {when: unlock, notify: {title: "\(title)", body: "\(body)", link: "\(link)"}}
        """)
  }

  /// Returns the line and the column of a word in a text.
  private func place(of word: String, in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let range = line.firstRange(of: word) else { continue }
      let column = line.unicodeScalars.distance(from: line.startIndex, to: range.lowerBound) + 1
      return "sample.yaml:\(index + 1):\(column): error:"
    }
    return "missing"
  }

  @Test(arguments: [
    sample(title: "{left} to do"), sample(body: "Dear {left}, hello"), sample(link: "app://a/{left}"),
    sample(title: "{ {{left}"),
    Sample(
      reminders: """
        reminders:
          milk: {when: unlock, notify: {stages: [{title: A}, {title: B, body: 'é {left}'}]}}
        """),
    Sample(reminders: "reminders:\n  milk: {when: unlock, notify: 'Buy {left}'}"),
    Sample(reminders: "reminders:\n  - Remind me to buy {left} when I unlock my phone"),
    Sample(
      reminders: """
        reminders: {milk: {when: unlock, notify: A}}
        edits: {milk: {later: {when: unlock, notify: 'Buy {left}'}}}
        """),
  ])
  func `a word in braces is an error at its position`(_ sample: Sample) {
    var sample = sample
    sample.expect = "expect: [fires >= 0]"
    let problems = read(sample.text).problems
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.hasPrefix(place(of: "left}", in: sample.text)) == true, "\(problems)")
    #expect(problems.first?.contains("'{left}' stands for nothing here") == true, "\(problems)")
  }

  @Test func `the hint states what to write instead`() {
    func hint(_ sample: Sample) -> String { read(sample.text).problems.first ?? "" }
    #expect(hint(Self.sample(title: "{left}")).contains("write the words that people see, without braces"))
    #expect(hint(Self.sample(link: "app://{score}")).contains("only the title and the body"))
  }

  @Test func `a title and a body may show facts`() throws {
    let scenario = try scenario(Self.sample(title: "{score}, {score}", body: "A {score}"))
    #expect(scenario.reminders[0].declaration.notification.copy[0].title == "{score}, {score}")
    #expect(read(Self.sample(title: "{score} {left}").text).problems.count == 1)
  }

  @Test func `braces that do not enclose a single word are plain text`() throws {
    for text in ["{}", "{ left }", "{left", "left}", "{a b}", "{{", "}{"] {
      let scenario = try scenario(Self.sample(title: text))
      #expect(scenario.reminders[0].declaration.notification.copy[0].title == text)
    }
  }

  /// A word in braces anywhere in a random text must be reported.
  @Test func `no accepted text has a word in braces`() {
    let pieces = ["{", "}", "a", "ö", "left", ".", " ", "-", "7", "_", "{x}", "é"]
    for seed in UInt64(0)..<2_000 {
      var random = SplitMix64(seed: seed)
      let text = "A" + (0..<random.int(0...8)).map { _ in random.one(of: pieces) }.joined()
      let isWrong = text.contains(/\{[\p{L}\p{N}_.\-]+\}/)
      let sample =
        switch random.int(0...2) {
        case 0: Self.sample(title: text)
        case 1: Self.sample(body: text)
        default: Self.sample(link: "app://" + text)
        }
      let problems = read(sample.text).problems.filter { $0.contains("stands for nothing") }
      #expect(problems.isEmpty != isWrong, "seed \(seed): \(text)")
    }
  }
}
