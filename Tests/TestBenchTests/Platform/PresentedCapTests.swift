import PlatformRuns
import TestBench
import TestSupport
import Testing

@testable import Statistics

/// Tests caps that count all deliveries, and caps that count only presented ones.
@Suite struct PresentedCapTests {
  private static func story(_ policy: String, _ expectation: String, ahead: String = "") -> String {
    """
    for: 1 day
    profile: ios
    knobs: {unlockSign: everyUnlock, backgroundExecution: always}
    policy: {quietHours: none, typeDailyCap: none, minimumInterval: 4 h, dailyCap: 1\(policy)}
    reminders:
      a: {when: every day 09:00\(ahead), notify: A}
      b: {when: unlock, if: after 10:00, notify: B}
    timeline: [08:00 open, 11:00 leave, 11:30 unlock]
    expect: [a never, \(expectation)]
    """
  }

  @Test(arguments: ["", " ahead 1"])
  func `a notification that the foreground app does not present uses up a cap by default`(
    _ ahead: String
  ) throws {
    for (policy, expectation) in [
      ("", "b is denied by dailyCap once"), (", capsCount: delivered", "b is denied by dailyCap once"),
      (", capsCount: presented", "b fires once"),
    ] {
      try PlatformRun(Self.story(policy, expectation, ahead: ahead)).expectSound()
    }
  }

  /// Removing the unpresented notifications must not change the outcomes of the others.
  @Test func `unpresented notifications do not affect others if caps count presented ones`() throws {
    for seed in UInt64(0)..<400 {
      var random = SplitMix64(seed: seed)
      let policy =
        "policy: {quietHours: none, capsCount: presented, dailyCap: \(random.int(0...3)), typeDailyCap: "
        + "\(random.int(1...2)), minimumInterval: \(random.int(0...5)) h, lifetimeCap: {b: \(random.int(1...3))}}"
      let ahead = random.one(of: ["", " ahead 2", " ahead repeating"])
      let hidden =
        "  a: {when: every day \(random.int(8...10)):\(random.int(10...59))\(ahead), notify: {title: A}}\n"
      var lines = ["07:30 open", "11:00 leave"]
      for day in 1...3 {
        if day > 1 { lines += ["day \(day) 07:30 open", "day \(day) 11:00 leave"] }
        for hour in random.several(of: [12, 14, 16, 19, 22], 1...5).sorted() {
          lines += ["day \(day) \(hour):00 unlock", "day \(day) \(hour):30 lock"]
        }
      }
      func run(_ first: String) throws -> PlatformRun {
        try PlatformRun(
          """
          for: 3 days
          profile: ios
          knobs: {unlockSign: everyUnlock, backgroundExecution: always}
          \(policy)
          reminders:
          \(first)  b: {when: unlock, repeat: always, if: after 11:30, notify: {title: B}}
            c: {when: unlock, repeat: daily, if: after 13:00, notify: {title: C}}
          timeline:
          \(lines.map { "  - \($0)\n" }.joined())expect: [fires >= 0]
          """)
      }
      let (with, without) = (try run(hidden), try run(""))
      for name in ["b", "c"] {
        let (one, other) = (try with.account(name), try without.account(name))
        #expect(
          one.exposed == other.exposed && one.denied == other.denied,
          "seed \(seed): \(policy)\n\(hidden)\(lines)")
      }
      #expect(with.accounts.contradictions.isEmpty, "seed \(seed)")
    }
  }
}
