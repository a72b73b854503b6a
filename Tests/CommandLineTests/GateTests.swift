import Foundation
import Testing

/// Tests the exit codes and messages of gates.
@Suite(.timeLimit(.minutes(10))) struct GateTests {
  /// Returns a scenario with a notification on each of eight days. The person taps `taps` of them.
  private func scenario(_ gate: String, taps: Int, expect: String = "a fires 8 times") -> String {
    let days = "from day 1 until day \(taps + 1)"
    let lines =
      taps == 0
      ? ["07:30 ignore a"] : ["every day 10:05 \(days) tap a", "every day 10:10 \(days) leave"]
    return """
      kind: scenario
      version: 1
      title: A week and a day
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 8 days
      reminders: {a: {when: every day 10:00, notify: A}}
      gates: ["\(gate)"]
      timeline:
      \(lines.map { "  - \($0)" }.joined(separator: "\n"))
      expect: [\(expect)]

      """
  }

  @Test func `a gate passes, is inconclusive, or kills and fails the run`() async throws {
    let folder = try Folder()
    try folder.write(scenario("tapThrough >= 25 %, kill < 5 % after 7 days", taps: 6), to: "pass.yaml")
    try folder.write(
      scenario("tapThrough >= 80 %, kill < 5 % after 7 days", taps: 6), to: "inconclusive.yaml")
    try folder.write(scenario("tapThrough >= 90 %, kill < 85 % after 7 days", taps: 3), to: "kill.yaml")
    let pass = try await folder.run("run", "pass.yaml")
    #expect(pass.code == 0)
    #expect(
      pass.output.contains(
        "  pass          tapThrough: 75.0 % (6 of 8 exposed), 95 % interval 34.9 to 96.8 %"))
    let inconclusive = try await folder.run("run", "inconclusive.yaml")
    #expect(inconclusive.code == 0)
    #expect(inconclusive.output.contains("  inconclusive  tapThrough: 75.0 %"))
    #expect(inconclusive.output.contains("between the kill criterion and the target"))
    let kill = try await folder.run("run", "kill.yaml")
    #expect(kill.code == 2)
    #expect(kill.output.contains("kill.yaml:8:9: gate tapThrough kills"))
    #expect(kill.output.contains("0 of 1 scenarios passed, 1 of 1 expectations"))
    #expect(try await folder.run("run", "kill.yaml", "--update").code == 2, "there is nothing to update")
  }

  @Test func `an expected verdict does not fail the run, and update writes it`() async throws {
    let folder = try Folder()
    let gate = "tapThrough >= 90 %, kill < 85 % after 7 days"
    try folder.write(scenario(gate, taps: 3, expect: "gate tapThrough kills"), to: "a.yaml")
    #expect(try await folder.run("run", "a.yaml").code == 0)
    try folder.write(scenario(gate, taps: 3, expect: "gate tapThrough passes"), to: "a.yaml")
    let outcome = try await folder.run("run", "a.yaml")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("got       kill: 37.5 % (3 of 8 exposed)"))
    #expect(try await folder.run("run", "a.yaml", "--update").code == 0)
    #expect(try folder.read("a.yaml") == scenario(gate, taps: 3, expect: "gate tapThrough kills"))
  }

  @Test func `scenarios that pass individually can kill together`() async throws {
    let folder = try Folder()
    for name in ["a", "b", "c"] {
      try folder.write(scenario("tapThrough >= 50 %, kill < 15 %", taps: 0), to: "suite/\(name).yaml")
    }
    #expect(try await folder.run("run", "suite/a.yaml").code == 0)
    let outcome = try await folder.run("run", "suite")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.hasPrefix("suite/a.yaml:8:9: gate tapThrough, of 3 scenarios together: kill: 0.0 %"))
    #expect(
      outcome.output.contains(
        "3 of 3 scenarios passed, 3 of 3 expectations; together they kill gates: tapThrough\n"))
    let junit = try folder.read("reports/latest/junit.xml")
    #expect(junit.contains(#"classname="gates">"#) && junit.contains("suite/a.yaml:8:9</failure>"))
    for page in ["index.html", "summary.md"] {
      #expect(try folder.read("reports/latest/\(page)").contains("; together they kill gates: tapThrough"))
    }
    let alone = try await folder.run("run", "suite", "--filter", "a.yaml")
    #expect(alone.errors.isEmpty && !alone.output.contains("together"))
    #expect(
      outcome.output.contains(
        "  kill  tapThrough: 0.0 % (0 of 24 exposed), target >= 50 %; a.yaml and 2 more\n"))
    #expect(
      outcome.errors.hasSuffix("; they are suite/a.yaml, suite/b.yaml, suite/c.yaml\n"), "\(outcome.errors)")
  }

  @Test func `gates with unknown responses are inconclusive, which --require-gates rejects`() async throws {
    let folder = try Folder()
    let gate = "tapThrough >= 25 %, kill < 20 %"
    let silent = scenario(gate, taps: 0).replacing("- 07:30 ignore a", with: "- 07:30 unlock")
    try folder.write(silent, to: "silent.yaml")
    let outcome = try await folder.run("run", "silent.yaml")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("  inconclusive  tapThrough: none (0 of 0 exposed)\n"))
    #expect(outcome.output.contains("no response is stated to 8 exposed: say in the time line who taps"))
    let required = try await folder.run("run", "silent.yaml", "--require-gates")
    #expect(required.code == 5)
    #expect(required.errors.hasPrefix("silent.yaml:8:9: gate tapThrough is not decided: inconclusive: none"))
    #expect(try await folder.run("run", "silent.yaml", "--require-gates", "--sweep", "focusHides").code == 64)

    // The message lists a few gates by name, but only the first of many.
    for number in 1...5 { try folder.write(silent, to: "five/\(number).yaml") }
    let five = try await folder.run("run", "five", "--require-gates")
    #expect(
      five.errors.hasPrefix("five/1.yaml:8:9: gate tapThrough is not decided: inconclusive: none")
        && five.errors.hasSuffix("; of five/1.yaml, five/2.yaml, five/3.yaml and 2 more\n"), "\(five.errors)")
    #expect(required.errors.hasSuffix("who taps, dismisses or ignores them\n"), "\(required.errors)")

    // A scenario can expect an inconclusive gate. A gate with a failing verdict takes precedence.
    try folder.write(
      silent.replacing("a fires 8 times", with: "gate tapThrough is inconclusive"), to: "b.yaml")
    #expect(try await folder.run("run", "b.yaml", "--require-gates").code == 0)
    try folder.write(silent.replacing("a fires 8 times", with: "tapThrough <= 100 %"), to: "c.yaml")
    let unknown = try await folder.run("run", "c.yaml", "--require-gates")
    #expect(
      unknown.code == 2 && unknown.output.contains("got       unknown: no response is stated to 8 exposed"))
    try folder.write(scenario(gate, taps: 8), to: "decided/d.yaml")
    #expect(try await folder.run("run", "decided", "--require-gates").code == 0)
    // A scenario without responses does not affect the verdict on another scenario.
    try folder.write(silent, to: "decided/silent.yaml")
    #expect(try await folder.run("run", "decided", "--require-gates").code == 0)
  }
}
