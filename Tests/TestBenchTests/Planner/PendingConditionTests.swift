import PlatformRuns
import TestSupport
import Testing

/// Tests that the conditions of pending requests are evaluated again when the app observes a change.
@Suite struct PendingConditionTests {
  @Test func `an occurrence whose condition fails is withdrawn, and later occurrences are requested again`()
    throws
  {
    try PlatformRun(
      """
      for: 5 days
      facts: {done: false}
      reminders:
        both: {when: every day 18:00 ahead 3, if: done is false, withdraw: done is true, notify: {title: x, bucket: user}}
        onlyIf: {when: every day 18:00 ahead 3, if: done is false, notify: {title: x, bucket: user}}
        repeating: {when: every day 18:00 ahead repeating, if: done is false, notify: {title: x, bucket: user}}
      timeline: [12:00 set done = true, day 2 00:00 set done = false]
      expect:
        - exact: [both at 18:00 on day 2, both at 18:00 on day 3, both at 18:00 on day 4, both at 18:00 on day 5,
            onlyIf at 18:00 on day 2, onlyIf at 18:00 on day 3, onlyIf at 18:00 on day 4, onlyIf at 18:00 on day 5,
            repeating at 18:00 on day 2, repeating at 18:00 on day 3, repeating at 18:00 on day 4,
            repeating at 18:00 on day 5]
      """
    ).expectSound()
  }

  @Test func `a stage of a lapse is withdrawn and requested again according to its conditions`() throws {
    for (line, fires) in [("day 3 12:00 set done = false", "once at 12:30 on day 3"), ("", "never")] {
      let back = line.isEmpty ? "" : ", \(line)"
      try PlatformRun(
        """
        for: 4 days
        facts: {done: false}
        reminders: {a: {when: closed for 2 days at 12:30, if: done is false, notify: {title: x, bucket: user}}}
        timeline: [08:00 open, 08:01 leave, day 2 12:00 set done = true\(back)]
        expect: [a \(fires == "never" ? fires : "fires " + fires)]
        """
      ).expectSound("\(line)")
    }
  }

  @Test(
    arguments: [
      ("charging", "unplug", "plug in"), ("done is true", "set done = false", "set done = true"),
    ], [true, false])
  func `plans depend on the state that the app observes before its store becomes readable`(
    _ condition: (text: String, ends: String, begins: String), _ holds: Bool
  ) throws {
    let (before, after) =
      holds ? (condition.ends, condition.begins) : (condition.begins, condition.ends)
    // The system wakes the app between the reboot and the first unlock.
    try PlatformRun(
      """
      for: 1 day
      profile: ios
      facts: {done: false}
      reminders:
        tip: {when: every day 09:20, repeat: always, notify: {title: Tip, bucket: user}}
        plan: {when: every day 18:00 ahead 2, if: \(condition.text), notify: {title: Plan, bucket: user}}
      timeline: [08:00 open, 08:05 \(before), 08:10 leave, 09:00 reboot, 09:15 \(after), 10:00 open, 10:05 leave]
      expect: [plan \(holds ? "fires once at 18:00" : "never")]
      """
    ).expectSound("\(after)")
  }

  /// Two matches are deferred in the same night. Their conditions fail, and hold again before quiet hours
  /// end.
  @Test(arguments: ["withdraw: done is true", "if: done is false"])
  func `each match that is withdrawn in the night is requested again`(condition: String) throws {
    try PlatformRun(
      """
      for: 2 days
      facts: {done: false}
      policy: {quietHours: 22:00-07:00}
      reminders:
        always: {when: unlock, \(condition), repeat: always, notify: {title: x, bucket: user}}
        daily: {when: unlock, \(condition), repeat: daily, notify: {title: x, bucket: user}}
        once: {when: unlock, \(condition), repeat: once, notify: {title: x, bucket: user}}
        single: {when: on 2026-03-02 at 23:00, \(condition), notify: {title: x, bucket: user}}
        ahead: {when: on 2026-03-02 at 23:00 ahead 1, \(condition), notify: {title: x, bucket: user}}
      timeline:
        - 20:00 set done = true
        - 20:30 set done = false
        - 23:00 unlock
        - 23:45 unlock
        - day 2 00:10 unlock
        - day 2 01:00 set done = true
        - day 2 01:05 reboot
        - day 2 02:00 set done = false
      expect:
        - always fires 3 times on day 2
        - daily fires 2 times on day 2
        - once fires once at 07:00 on day 2
        - single fires once at 07:00 on day 2
        - ahead fires once at 07:00 on day 2
      """
    ).expectSound("\(condition)")
  }

  /// Facts, the charger and a place change at random times. Each reminder must fire on the days on which its
  /// condition holds at noon.
  @Test func `scheduled requests fire if their conditions hold; 2,000 worlds with TRIGGERBENCH_ALL`()
    throws
  {
    for seed in 0..<UInt64(Trial.isWhole ? 2_000 : 40) {
      var random = SplitMix64(seed: seed)
      let conditions = ["done is false", "charging", "inside home"]
      let chosen = random.several(of: conditions, 1...3)
      var holds = ["done is false": true, "charging": false, "inside home": false]
      var lines: [String] = []
      var days: [Int] = []
      for day in 1...6 {
        for hour in 8..<20 {
          if hour == 12, chosen.allSatisfy({ holds[$0] ?? false }) { days.append(day) }
          guard random.chance(25) else { continue }
          let condition = random.one(of: conditions)
          let isOn = !(holds[condition] ?? false)
          holds[condition] = isOn
          let change =
            switch condition {
            case "charging": isOn ? "plug in" : "unplug"
            case "inside home": isOn ? "at [52.5, 13.4]" : "at [53.5, 13.4]"
            default: isOn ? "set done = false" : "set done = true"
            }
          lines.append("  - \"day \(day) \(hour < 10 ? "0" : "")\(hour):30 \(change)\"")
        }
      }
      let condition = "if: [\(chosen.joined(separator: ", "))]"
      let names = ["ahead", "woken", "repeating"]
      let fires = names.flatMap { name in days.map { "\(name) at 12:00 on day \($0)" } }
      let story = """
        for: 6 days
        profile: ideal
        policy: {quietHours: none}
        facts: {done: false}
        places: {home: {at: [52.5, 13.4], radius: 150 m}}
        reminders:
          ahead: {when: every day 12:00 ahead \(random.int(1...4)), \(condition), notify: {title: x, bucket: user}}
          woken: {when: every day 12:00, \(condition), notify: {title: x, bucket: user}}
          repeating: {when: every day 12:00 ahead repeating, \(condition), notify: {title: x, bucket: user}}
        timeline:
          - "07:05 at [53.5, 13.4]"
        \(lines.joined(separator: "\n"))
        expect:
        \(fires.isEmpty ? names.map { "  - \($0) never" }.joined(separator: "\n") : "  - exact: [\(fires.joined(separator: ", "))]")
        """
      try PlatformRun(story).expectSound("seed \(seed)\n\(story)")
    }
  }
}
