import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats

/// Tests that an error in a sentence is reported at its position, with the word that was probably intended.
@Suite struct MistakeTests {
  private static let sentences = [
    "Rember me to call mum when I unlock my phone",
    "Call mum when I unlock my phone",
    "Remind me when I unlock my phone after 18:00",
    "Remind me to when I unlock my phone",
    "Remind me to call mum",
    "Remind me to call mum wenn I unlock my phone after 18:00",
    "Remind me to call mum when I unlok my phone after 18:00",
    "Remind me to call mum when I unlock my phone afer 18:00",
    "Remind me to call mum when I unlock my phone after 6pm",
    "Remind me to call mum when I unlock my phone after 18:00 wile charging",
    "Remind me to call mum when I unlock my phone or enter the shp",
    "Remind me to call mum when I unlock my phone, inside the shp",
    "Remind me to call mum when I unlock my phone, on mondy, friday",
    "Remind me to call mum when I unlock my phone while chargin",
    "Remind me to call mum when I unlock my phone if step > 3",
    "Remind me to call mum when I unlock my phone if steps > many",
    "Remind me to call mum when I unlock my phone after 18:00 or while charging",
    "Remind me to call mum every mondy at 09:00",
    "Remind me to call mum evry day at 09:00",
    "Remind me to call mum every day at 25:00",
    "Remind me to call mum every day at 09:00 or every day at 10:00",
    "Remind me to call mum 3 days after birthdy at 09:00",
    "Remind me to call mum when I unlock my phone, only once a day",
    "Remind me to call mum when I unlock my phone, at most once an hour",
    "Remind me to call mum when I unlock my phone, only once, every time",
    "Remind me to call mum when I unlock my phone, until tomorrow",
    "Remind me to call mum when I unlock my phone, taken back as soon as signdIn is true",
    "Remind me to call mum when I unlock my phone (buket user)",
    "Remind me to call mum when I unlock my phone (bucket usr; priority 3)",
    "Remind me to call mum when I unlock my phone (bucket user; priority 3",
    "Remind me to call mum when I unlock my phone for each plnt",
    "Remind me \"call mum when I unlock my phone",
    "Remind me \"Call mum\" wen I unlock my phone",
    "Remind me to call mum when",
    "Remind me to call mum after 18:00 when I unlock my phone",
    "Remind me to call mum at most once a day when I unlock my phone",
    "Remind me to call mum on monday and friday when I unlock my phone",
    "Remind me to call mum when I unlock my phone, while",
  ]

  /// A golden file contains the expected messages. Set TRIGGERBENCH_RECORD=1 to record them.
  @Test func `invalid sentences are rejected with the recorded messages`() throws {
    var text = ""
    for sentence in Self.sentences {
      let outcome = SentenceSample.read(SentenceSample.list(sentence))
      guard case .unusable(let diagnostics) = outcome else {
        Issue.record("accepted: \(sentence)")
        continue
      }
      #expect(diagnostics.count == 1, "one mistake is said once: \(diagnostics.map(\.summary))")
      text += diagnostics.map { $0.rendered() }.joined() + "\n"
    }
    try Golden.expect(text, matches: "mistakes.txt")
  }

  @Test func `an invalid list is rejected at its own position`() {
    let problems: [(String, String)] = [
      ("- {a: Remind me to call when I plug in, b: Remind me to go when I plug in}", "expected a sentence"),
      ("- [Remind me to call mum when I plug in]", "expected a sentence"),
      ("[]", "the list is empty"),
      (
        "- Remind me to call when I plug in\n  - Remind me to call when I unplug",
        "the reminder 'call' is declared twice"
      ),
    ]
    for (reminders, problem) in problems {
      let found = SentenceSample.read(SentenceSample.text(reminders)).problems
      #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    }
  }
}

/// Tests that each error is reported with a single message at its own position.
@Suite struct MistakeWordTests {
  /// Invalid entries of a time line, each with the expected message.
  private static let entries: [(entry: String, problem: String)] = [
    ("aware: {}", "error: 'battery' or 'screen' is missing"),
    ("aware: {charging: status}", "error: 'battery' or 'screen' is missing"),
    ("{at: 08:10, do: unlock, during: 08:00-20:00}", "error: 'during' needs 'every'"),
    ("{at: 08:10, do: unlock, weekdays: weekday}", "error: 'weekdays' needs 'every'"),
    ("{at: 08:10, do: unlock, from: 2026-03-02}", "error: 'from' needs 'every'"),
    ("{at: 08:10, do: unlock, until: 2026-03-03}", "error: 'until' needs 'every'"),
  ]

  @Test func `each error in the time line has one message`() throws {
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
  func `a word that is not a number of notifications is rejected`(word: String) {
    for cap in ["dailyCap", "typeDailyCap"] {
      let problems = read(Sample(timeline: "policy: {\(cap): \(word)}").text).problems
      #expect(problems.count == 1 && problems[0].contains("'\(word)' is not a cap; no cap is written 'none'"))
    }
  }

  @Test(arguments: [
    ("signedIn false", "did you mean 'signedIn is false'?"),
    ("signedIn not", "did you mean 'signedIn is false'?"),
    ("signedIn not true", "did you mean 'signedIn is false'?"),
    ("age(score) 12 h", "a comparison is missing"),
  ])
  func `a comparison without an operator is reported`(condition: String, message: String) {
    let problems = read(Sample.condition(condition).text).problems
    #expect(problems.count == 1, "\(condition): \(problems)")
    #expect(problems.first?.contains(message) == true, "\(condition): \(problems)")
  }
}
