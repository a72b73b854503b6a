import ReminderMatching
import ScenarioModel
import Testing
import TriggerModel

@testable import Scenarios
@testable import TextFormats

/// How a reminder says that its bucket depends on the facts.
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

  @Test("one comparison, or a list of which all must hold")
  func forms() throws {
    let low = FactCondition(.value("score"), .less, [.number(thousandths: 40_000)])
    let hard = FactCondition(.value("hard"), .equal, [.truth(true)])
    #expect(read("criticalIf: score < 40").notification?.criticalConditions == [low])
    let list = read("bucket: user, criticalIf: [score < 40, hard is true]")
    #expect(list.notification?.criticalConditions == [low, hard])
    #expect(list.notification?.bucket == .user)
    #expect(read("bucket: user").notification?.criticalConditions == [])
  }

  @Test("mistakes are named where they stand")
  func mistakes() throws {
    let always = try #require(read("bucket: critical, criticalIf: score < 40").diagnostics.first)
    #expect(always.message == "'criticalIf' says nothing: the bucket is critical already")
    #expect(always.position?.line == 10)
    #expect(read("criticalIf: charging").diagnostics.map(\.message) == ["'charging' does not compare a fact"])
    #expect(read("criticalIf: skore < 40").diagnostics.count == 1)
    #expect(read("criticalIf: []").diagnostics.map(\.message) == ["the list is empty"])
  }
}
