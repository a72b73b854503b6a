import DeviceSimulation
import ScenarioModel
import ScenarioSamples
import Testing
import TriggerModel

@testable import Scenarios

/// Facts with a source, and the words for denying it.
@Suite struct ReadingFormatTests {
  private func sample(_ fact: String, _ more: String = "", timeline: String = "08:10 unlock") -> Sample {
    var sample = Sample.timeline(timeline)
    sample.head = sample.head.replacing("score: number", with: "score: \(fact)") + "\n" + more
    return sample
  }

  @Test func `a source, and what the app takes the fact for without it`() throws {
    let read = try scenario(
      sample("{initial: 50, source: health, whenUnreadable: 0}", "phone: {unreadable: [health]}"))
    let fact = try #require(read.facts.first { $0.name == "score" })
    #expect(fact.kind == .number && fact.initial == .number(thousandths: 50_000))
    #expect(fact.access == FactAccess(source: FactSourceID(0), whenUnreadable: .number(thousandths: 0)))
    #expect(read.factSources == ["health"] && read.phone.unreadable == [FactSourceID(0)])
    #expect(read.facts[0].access == FactAccess())
  }

  @Test func `kinds are said, or shown by the first value`() throws {
    for (text, kind) in [
      ("{kind: number, source: health}", FactKind.number), ("{initial: false}", .truth),
      ("{initial: 2026-03-01T10:00}", .instant), ("{names: [a, b], initial: b, source: health}", .name),
    ] {
      let read = try scenario(sample(text))
      #expect(read.facts.first { $0.name == "score" }?.kind == kind, "\(text)")
    }
  }

  @Test func `denying and allowing, in a line and with keys`() throws {
    var sample = sample("{kind: number, source: health}")
    sample.timeline = """
      timeline:
        - 08:00 deny reading health
        - 08:01 allow reading health
        - {at: 08:02, do: [{denyReading: health}, {allowReading: health}]}
      """
    let actions = try scenario(sample).timeline.entries.flatMap(\.actions)
    #expect(
      actions.prefix(2) == [
        .event(.reading(FactSourceID(0), isAllowed: false)),
        .event(.reading(FactSourceID(0), isAllowed: true)),
      ])
    #expect(actions.prefix(2) == actions.suffix(2))
  }

  @Test func `what cannot be used, and why`() {
    let cases: [(Sample, String)] = [
      (
        sample("{source: health}"),
        "sample.yaml:10:10: error: one of the keys kind, names, initial is missing"
      ),
      (
        sample("{kind: number, whenUnreadable: 0}"),
        "sample.yaml:10:41: error: 'whenUnreadable' needs 'source'"
      ),
      (
        sample("{kind: number, source: health, whenUnreadable: low}"),
        "sample.yaml:10:57: error: "
      ),
      (
        sample("{kind: number, source: health}", timeline: "08:10 deny reading helth"),
        "sample.yaml:25:24: error: unknown source of facts 'helth'; did you mean 'health'?"
      ),
      (
        sample("{kind: number, source: health}", "phone: {unreadable: pedometer}"),
        "sample.yaml:17:21: error: unknown source of facts 'pedometer'; known: health"
      ),
    ]
    for (sample, problem) in cases {
      let problems = read(sample.text).problems
      #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }
  }
}
