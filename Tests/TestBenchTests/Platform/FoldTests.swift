import PlatformRuns
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests that reports, expectations and commands distinguish the two passes of a repeated hour.
@Suite struct FoldTests {
  /// Runs a scenario through the night in which clocks in Berlin go back from 03:00 to 02:00.
  private func night(_ expectation: String) throws -> PlatformRun {
    try PlatformRun(
      """
      end: 2026-10-26T00:00
      reminders:
        unlocked: {when: unlock, repeat: always, notify: {title: Unlocked, bucket: user}}
      policy: {quietHours: none}
      timeline:
        - +5682h30m unlock
        - +5683h30m unlock
        - +5685h unlock
      expect: [\(expectation)]
      """)
  }

  @Test func `times in both passes are printed with their offset, and other times without one`() throws {
    let run = try night("unlocked fires 3 times on 2026-10-25")
    run.expectSound()
    let words = RunWords(run.program)
    #expect(
      run.accounts.fires.map { words.time($0.moment) }
        == ["2026-10-25 02:30 +02:00", "2026-10-25 02:30 +01:00", "2026-10-25 04:00"])
  }

  @Test func `an expectation applies to the pass that it specifies, or to both`() throws {
    for (text, passes) in [
      ("unlocked fires twice at 02:30 on 2026-10-25", true),
      ("unlocked fires once at 02:30 +01:00 on 2026-10-25", true),
      ("unlocked fires once at 02:30 +02:00 on 2026-10-25", true),
      ("unlocked never at 02:30 +03:00", true), ("unlocked fires once at 04:00 +01:00", true),
      ("unlocked fires once at 04:00 +02:00", false),
      ("{reminder: unlocked, fires: once, at: 02:30, offset: +01:00}", true),
      (
        "{exact: [unlocked at 02:30 +02:00 on 2026-10-25, 'unlocked at 02:30 +01:00', unlocked at 04:00]}",
        true
      ),
      (
        "{exact: [unlocked at 02:30 +02:00, unlocked at 02:30 +02:00 on 2026-10-25, unlocked at 04:00]}",
        false
      ),
    ] {
      let run = try night(text)
      #expect(run.result.expectations.map(\.passed) == [passes], "\(text)")
      // The printed claim has the same meaning if it is parsed as an expectation.
      let claim = try #require(run.program.scenario.expectations.first?.claim)
      let again = try night(
        claim.sentence(reminders: ["unlocked"]).replacing("exact: [", with: "{exact: [")
          .replacing("]", with: "]}"))
      #expect(again.program.scenario.expectations.first?.claim == claim, "\(text)")
    }
    #expect(throws: UnusableScenario.self) { try night("unlocked fires at 02:30 +1:00") }
  }

  @Test func `a time without an offset is in the first pass`() throws {
    let program = try night("unlocked fires").program
    let first = try program.instant(written: "2026-10-25 02:30")
    #expect(try program.instant(written: "2026-10-25T02:30") == first)
    #expect(try program.instant(written: "2026-10-25 02:30 +02:00") == first)
    #expect(try program.instant(written: "2026-10-25 02:30 +01:00") == first + .hours(1))
    #expect(try program.instant(written: "2026-10-25T02:30:00+01:00") == first + .hours(1))
    #expect(try program.instant(written: "2026-10-25T00:30Z") == first)
    #expect(throws: (any Error).self) { try program.instant(written: "2026-10-25 02:30 +1") }
    #expect(throws: (any Error).self) { try program.instant(written: "noon") }
  }
}
