import PlatformRuns
import Statistics
import TestSupport
import Testing

/// Tests that a deferred request keeps its place in the order of decisions, even before requests for later
/// times that were made earlier.
@Suite struct DeferralPlaceTests {
  @Test(arguments: ["dailyCap: 1, minimumInterval: none", "dailyCap: 9, minimumInterval: 4 h"])
  func `a deferred request is admitted before a request for a later time`(caps: String) throws {
    let reason = caps.contains("4 h") ? "minimumInterval" : "dailyCap"
    for when in ["on 2026-03-02 at 23:00 ahead 1", "on 2026-03-02 at 23:00", "unlock"] {
      for ahead in [" ahead 1", ""] {
        try PlatformRun(
          """
          for: 2 days
          policy: {quietHours: 22:00-07:00, quietAction: defer, \(caps), typeDailyCap: none}
          reminders:
            late: {when: \(when), notify: {title: New comments}}
            morning: {when: on 2026-03-03 at 09:00\(ahead), notify: {title: Good morning}}
            evening: {when: on 2026-03-03 at 20:00\(ahead), notify: {title: Good evening}}
          timeline: [23:00 unlock]
          expect:
            - late fires once at 07:00 on day 2
            - morning is denied by \(reason) once
            - evening \(reason == "dailyCap" ? "is denied by dailyCap once" : "fires once at 20:00 on day 2")
          """
        ).expectSound("\(when)\(ahead)")
      }
    }
  }

  @Test func `a withdrawn deferred request yields its place to later requests`() throws {
    try PlatformRun(
      """
      for: 2 days
      facts: {done: false}
      policy: {quietHours: 22:00-07:00, quietAction: defer, dailyCap: 1, typeDailyCap: none, minimumInterval: none}
      reminders:
        late: {when: unlock, if: done is false, notify: {title: New comments}}
        morning: {when: on 2026-03-03 at 09:00, notify: {title: Good morning}}
      timeline: [23:00 unlock, 23:30 set done = true]
      expect: [late is lost to staleAtRelease once, morning fires once at 09:00 on day 2]
      """
    ).expectSound()
  }

  /// Compares single dates at random times that are requested in advance with those that are requested when
  /// they are due.
  @Test func `scheduling ahead does not affect deferred requests; 2,000 worlds with TRIGGERBENCH_ALL`()
    throws
  {
    var fires = 0
    for seed in 0..<UInt64(Trial.isWhole ? 2_000 : 40) {
      var random = SplitMix64(seed: seed)
      let interval = random.one(of: ["none", "2 h", "4 h"])
      var times: [(day: Int, hour: Int, minute: Int)] = []
      for _ in 0..<random.int(3...9) {
        times.append(
          (random.int(2...4), random.one(of: [0, 3, 6, 8, 9, 12, 21, 22, 23]), random.int(0...59)))
      }
      func story(_ ahead: String) -> String {
        let reminders = times.enumerated().map { number, time in
          let clock = [time.hour, time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
          return "  r\(number): {when: on 2026-03-0\(time.day) at \(clock)\(ahead), notify: {title: x}}"
        }
        return """
          for: 5 days
          policy: {quietHours: 22:00-07:00, quietAction: defer, dailyCap: \(seed % 3 + 1), typeDailyCap: none,
            minimumInterval: \(interval)}
          reminders:
          \(reminders.joined(separator: "\n"))
          expect: [requests >= 1]
          """
      }
      let (ahead, woken) = (try PlatformRun(story(" ahead 1")), try PlatformRun(story("")))
      for run in [ahead, woken] { #expect(run.accounts.contradictions.isEmpty, "seed \(seed)") }
      for (number, time) in times.enumerated() where time.hour < 7 || time.hour >= 22 {
        let counts = try [ahead, woken].map { try $0.account("r\(number)").delivered }
        #expect(counts[0] == counts[1], "seed \(seed), r\(number)\n\(story(" ahead 1"))")
        fires += counts[0] > 0 ? 1 : 0
      }
    }
    #expect(fires > 10)
  }
}
