import CivilTime
import ReminderMatching
import ScenarioModel
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios

/// How a reminder says that it is about the app staying closed, and what ends its reason.
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

  @Test("a sentence and keys mean the same, and such a reminder goes on repeating")
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

  @Test("what ends a reason is one comparison of a fact, or a list of them")
  func withdraw() throws {
    let one = try #require(read("when: unlock, withdraw: signedIn is true").declaration)
    #expect(one.withdrawals == [FactCondition(.value("signedIn"), .equal, [.truth(true)])])
    let list = read("when: unlock, withdraw: [signedIn is true, age(signedIn) > 2 h]")
    #expect(list.declaration?.withdrawals.count == 2)
    #expect(read("when: unlock").declaration?.withdrawals == [])
  }

  @Test(
    "what cannot be used",
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
