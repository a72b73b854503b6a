import PlatformRuns
import TestSupport
import Testing

/// Tests the occurrences of a schedule, and deferred requests, on a phone whose clock is set back and forth.
@Suite struct ServedOccurrenceTests {
  @Test(arguments: ["-2 days", "-3 days", "-400 days", "-30 h"])
  func `a served occurrence is not shown again`(change: String) throws {
    try PlatformRun(
      """
      for: 5 days
      reminders:
        woken: {when: every day 11:00, notify: {title: Water, bucket: user}}
        ahead: {when: every day 11:00 ahead 2, notify: {title: Water, bucket: user}}
      timeline: [+52h30m set clock \(change), +52h40m set clock +0 min]
      expect: [woken fires 5 times, ahead fires 5 times, woken fires once on day 3, ahead fires once on day 3]
      """
    ).expectSound("\(change)")
  }

  /// The app is woken for the latest of the occurrences that the clock skips.
  @Test func `an occurrence that the clock skipped by some minutes stays served`() throws {
    try PlatformRun(
      """
      for: 5 days
      reminders: {a: {when: every day 11:00, notify: {title: Water, bucket: user}}}
      timeline: [+28h30m set clock +3 days, +28h40m set clock +0 min]
      expect: [a fires 5 times, a fires once at 11:00 on day 3, a fires once at 11:30 on day 5]
      """
    ).expectSound()
  }

  /// The clock is set back by whole days at random hours, for some minutes each time.
  @Test func `a wrong clock repeats no occurrence; 2,000 worlds with TRIGGERBENCH_ALL`()
    throws
  {
    for seed in 0..<UInt64(Trial.isWhole ? 2_000 : 40) {
      var random = SplitMix64(seed: seed)
      let days = 6
      var lines: [String] = []
      for hour in 5..<days * 24 - 1 where random.chance(8) {
        // The clock is correct between 10:30 and 11:30.
        if (hour + 7) % 24 == 10 || (hour + 7) % 24 == 11 { continue }
        lines.append("\"+\(hour)h5m set clock -\(random.int(1...40)) days\"")
        if random.chance(50) { lines.append("\"+\(hour)h20m set clock -\(random.int(1...40)) days\"") }
        lines.append("\"+\(hour)h\(random.int(25...55))m set clock +0 min\"")
      }
      let fires = ["woken", "ahead"].flatMap { name in (1...days).map { "\(name) at 11:00 on day \($0)" } }
      let story = """
        for: \(days) days
        profile: ideal
        reminders:
          woken: {when: every day 11:00, notify: {title: Water, bucket: user}}
          ahead: {when: every day 11:00 ahead \(random.int(1...3)), notify: {title: Water, bucket: user}}
        timeline: [\(lines.joined(separator: ", "))]
        expect: [{exact: [\(fires.joined(separator: ", "))]}]
        """
      try PlatformRun(story).expectSound("seed \(seed)\n\(story)")
    }
  }

  /// The clock is set back at a random time in the night, by a random number of minutes.
  @Test func `a clock set back ends a deferral; 2,000 worlds with TRIGGERBENCH_ALL`() throws {
    func text(_ minute: Int) -> String {
      let (hour, rest) = (minute / 60 % 24, minute % 60)
      return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
    for seed in 0..<UInt64(Trial.isWhole ? 2_000 : 40) {
      var random = SplitMix64(seed: seed)
      // Times are in minutes since the start at 07:00. Quiet hours begin after 15 hours.
      let unlock = 15 * 60 + random.int(0...7 * 60)
      let set = unlock + random.int(1...60)
      let back = random.int(1...10 * 60)
      let now = set - back
      let time = now < 15 * 60 ? "\(text(now + 7 * 60)) on day 1" : "07:00 on day 2"
      try PlatformRun(
        """
        for: 3 days
        policy: {quietHours: 22:00-07:00}
        reminders: {a: {when: unlock, repeat: once, notify: {title: x, bucket: user}}}
        timeline: [+\(unlock)m unlock, +\(set)m set clock -\(back) min]
        expect: [a fires once, a fires once at \(time)]
        """
      ).expectSound("seed \(seed): \(unlock), \(set), \(back)")
    }
  }
}
