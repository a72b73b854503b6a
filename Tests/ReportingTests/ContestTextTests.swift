import Testing
import TextFormats
import TriggerModel

@testable import Reporting
@testable import TestBench

@Suite struct ContestTextTests {
  private static func compared(_ file: String, _ reminders: Int, _ sentences: [String])
    -> EngineContest.Outcome
  {
    .made(
      EngineContest.Comparison(
        file: file, reminders: reminders,
        differences: sentences.map {
          EngineComparison.Difference(reminder: "a", instant: .distantPast, sentence: $0)
        }))
  }

  @Test func `a line for each scenario, and one for each reminder that differs`() {
    let text = ContestText([
      Self.compared("a.yaml", 1, []), .otherKind, Self.compared("b.yaml", 3, ["first", "second"]),
    ])
    #expect(
      text.text == "same  a.yaml  1 reminder\nDIFFERS  b.yaml  2 of 3 reminders\n  first\n  second")
    #expect(!text.isSame && text.diagnostics.isEmpty)
  }

  @Test func `what cannot be compared is neither the same nor otherwise`() {
    let problem = Diagnostic("it is torn", file: "c.yaml")
    let text = ContestText([.invalid([problem]), Self.compared("a.yaml", 2, [])])
    #expect(text.diagnostics == [problem])
    #expect(text.isSame && text.text == "same  a.yaml  2 reminders")
    #expect(ContestText([.otherKind]).text.isEmpty)
  }
}
