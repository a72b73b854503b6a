import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios
@testable import TextFormats

/// Tests reminders that are critical if fact conditions hold.
@Suite struct CriticalFormatTests {
  private func read(_ notification: String) -> (
    notification: NotificationDeclaration?, diagnostics: [Diagnostic]
  ) {
    let text =
      "kind: scenario\nversion: 1\ntitle: t\nstart: 2026-03-02T07:00\nzone: UTC\nfacts: {score: 50, hard: false}\n"
      + "reminders:\n  a:\n    when: unlock\n    notify: {title: A, \(notification)}\nexpect: [a never]\n"
    switch ScenarioFile.read(Array(text.utf8), file: "t.yaml", fileExists: { _ in false }) {
    case .scenario(let scenario, let warnings):
      return (scenario.reminders[0].declaration.notification, warnings)
    case .unusable(let diagnostics): return (nil, diagnostics)
    case .otherKind: return (nil, [])
    }
  }

  @Test("a critical condition is one comparison, or a list of comparisons that must all hold")
  func forms() throws {
    let low = FactCondition(.value("score"), .less, [.number(thousandths: 40_000)])
    let hard = FactCondition(.value("hard"), .equal, [.truth(true)])
    #expect(read("criticalIf: score < 40").notification?.criticalConditions == [low])
    let list = read("bucket: user, criticalIf: [score < 40, hard is true]")
    #expect(list.notification?.criticalConditions == [low, hard])
    #expect(list.notification?.bucket == .user)
    #expect(read("bucket: user").notification?.criticalConditions == [])
  }

  @Test("errors are reported at their own position")
  func mistakes() throws {
    let always = try #require(read("bucket: critical, criticalIf: score < 40").diagnostics.first)
    #expect(always.message == "'criticalIf' has no effect: the bucket is critical already")
    #expect(always.position?.line == 10)
    #expect(read("criticalIf: charging").diagnostics.map(\.message) == ["'charging' does not compare a fact"])
    #expect(read("criticalIf: skore < 40").diagnostics.count == 1)
    #expect(read("criticalIf: []").diagnostics.map(\.message) == ["the list is empty"])
  }
}

/// Tests reminders for lapsed users, and the withdrawal of such reminders.
@Suite struct LapseFormatTests {
  private func read(_ reminder: String) -> (declaration: ReminderDeclaration?, messages: [String]) {
    let text =
      "kind: scenario\nversion: 1\ntitle: t\nstart: 2026-03-02T07:00\nzone: UTC\nfacts: {signedIn: false}\n"
      + "reminders: {a: {\(reminder), notify: A}}\nexpect: [a never]\n"
    switch ScenarioFile.read(Array(text.utf8), file: "t.yaml", fileExists: { _ in false }) {
    case .scenario(let scenario, let warnings):
      return (scenario.reminders[0].declaration, warnings.map(\.message))
    case .unusable(let diagnostics): return (nil, diagnostics.map(\.message))
    case .otherKind(let kind): return (nil, [kind])
    }
  }

  @Test("a sentence and keys have the same meaning, and a lapse reminder repeats")
  func forms() throws {
    let short = read("when: 'closed for 3, 5, 7 days at 18:00'")
    let long = read("when: {lapsed: {days: '3, 5, 7', at: 18:00}}")
    #expect(short.messages.isEmpty && long.messages.isEmpty)
    let declaration = try #require(short.declaration)
    #expect(declaration == long.declaration)
    #expect(declaration.triggers == [.lapsed(Lapse(days: [3, 5, 7], minute: 1_080))])
    #expect(declaration.repeats == .always)
    #expect(read("when: closed for 2 days at 09:00").declaration?.triggers.first != nil)
  }

  @Test("a withdrawal is one comparison of a fact, or a list of comparisons")
  func withdraw() throws {
    let one = try #require(read("when: unlock, withdraw: signedIn is true").declaration)
    #expect(one.withdrawals == [FactCondition(.value("signedIn"), .equal, [.truth(true)])])
    let list = read("when: unlock, withdraw: [signedIn is true, age(signedIn) > 2 h]")
    #expect(list.declaration?.withdrawals.count == 2)
    #expect(read("when: unlock").declaration?.withdrawals == [])
  }

  @Test(
    "invalid lapses are reported with the reason",
    arguments: [
      "when: 'closed for 5, 3 days at 18:00'", "when: 'closed for 3, 3 days at 18:00'",
      "when: closed for 0 days at 18:00", "when: closed for 3 days at 25:00",
      "when: closed for days at 18:00", "when: {lapsed: {days: '3,,5', at: 18:00}}",
      "when: {lapsed: {days: '3, 5,', at: 18:00}}",
      "when: {lapsed: {days: 3}}", "when: unlock, withdraw: charging",
      "when: unlock, withdraw: other is true",
      "when: unlock, withdraw: [[signedIn is true]]",
    ])
  func malformed(_ reminder: String) {
    let (declaration, messages) = read(reminder)
    #expect(declaration == nil && !messages.isEmpty)
  }
}

/// Tests facts with a source, and actions that deny access to the source.
@Suite struct ReadingFormatTests {
  private func sample(_ fact: String, _ more: String = "", timeline: String = "08:10 unlock") -> Sample {
    var sample = Sample.timeline(timeline)
    sample.head = sample.head.replacing("score: number", with: "score: \(fact)") + "\n" + more
    return sample
  }

  @Test func `a fact may have a source, and a value to use while the source is unreadable`() throws {
    let read = try scenario(
      sample("{initial: 50, source: health, whenUnreadable: 0}", "phone: {unreadable: [health]}"))
    let fact = try #require(read.facts.first { $0.name == "score" })
    #expect(fact.kind == .number && fact.initial == .number(thousandths: 50_000))
    #expect(fact.access == FactAccess(source: FactSourceID(0), whenUnreadable: .number(thousandths: 0)))
    #expect(read.factSources == ["health"] && read.phone.unreadable == [FactSourceID(0)])
    #expect(read.facts[0].access == FactAccess())
  }

  @Test func `the kind of a fact is either given or implied by its initial value`() throws {
    for (text, kind) in [
      ("{kind: number, source: health}", FactKind.number), ("{initial: false}", .truth),
      ("{initial: 2026-03-01T10:00}", .instant), ("{names: [a, b], initial: b, source: health}", .name),
    ] {
      let read = try scenario(sample(text))
      #expect(read.facts.first { $0.name == "score" }?.kind == kind, "\(text)")
    }
  }

  @Test func `denying and allowing a source have the same meaning in short and long form`() throws {
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

  @Test func `invalid declarations are reported with the reason`() {
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
