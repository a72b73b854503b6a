import TestSupport

/// A random week with one phone. It combines all obstacles to a notification with people who respond to some
/// of the notifications. The text is a scenario without its first lines. It starts on 2026-05-04.
package struct RandomStory {
  package let text: String

  /// Creates the story for a seed. It is the same on every machine.
  package init(seed: UInt64, profile: String) {
    var dice = Dice(seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    for _ in 0..<4 { _ = dice.fraction() }
    func one(_ words: [String]) -> String { dice.one(of: words) }
    let names = (0..<2 + dice.below(3)).map { "r\($0)" }
    var lines = ["for: 7 days", "profile: \(profile)"]
    if dice.below(3) > 0 { lines.append("phone: {notifications: authorized}") }
    if profile == "ideal" { lines.append("knobs: {presentsInForeground: \(dice.below(2) == 0)}") }
    lines += [
      "facts: {busy: false}", "apps: [maps]", "places: {home: {at: [52.52, 13.4], radius: 150 m}}",
      "reminders:",
    ]
    for name in names {
      let hour = 7 + dice.below(16)
      let minute = 10 + dice.below(50)
      let trigger = one([
        "every day \(hour < 10 ? "0" : "")\(hour):\(minute)",
        "every day \(hour < 10 ? "0" : "")\(hour):\(minute) ahead \(1 + dice.below(5))",
        "every day \(hour < 10 ? "0" : "")\(hour):\(minute) ahead repeating",
        "every \(minute + 50) min ahead repeating", "closed for 1, 2, 4 days at 18:00", "unlock",
        "charging starts", "enter home", "open",
        "open app maps",
      ])
      let condition = one(["", "", "if: busy is false, ", "if: charging, "])
      let drawn = one(["repeat: always, ", "repeat: daily, ", "repeat: weekly, ", ""])
      let repetition = trigger.hasSuffix("repeating") ? "" : drawn
      let bucket = one(["standard", "critical", "user"])
      let drawnEnd = one(["", "", "", "expires: 2026-05-0\(5 + dice.below(5))T12:30, "])
      let end = trigger.hasSuffix("repeating") ? "" : drawnEnd
      let withdrawal = one(["", "", "", "withdraw: busy is true, "])
      let use = one(["", "", ", usefulFor: 2 h"])
      lines.append(
        "  \(name): {when: '\(trigger)', \(condition)\(repetition)\(end)\(withdrawal)"
          + "notify: {title: T, bucket: \(bucket)\(use)}}")
    }
    lines.append(
      one(["policy: {quietHours: none}", "policy: {dailyCap: 2, minimumInterval: 1 h}", "policy: {}"]))
    // The person model responds to some of the notifications to which the time line declares no response.
    let isModelled = seed % 4 == 1
    if isModelled {
      lines.append("person: {model: tap-v1, contextRate: 70 %, userRate: 0.6, tolerance: 6, organicOpens: 2}")
    }
    lines.append("timeline:")
    var time = 0
    while time < 6 * 1_440 {
      time += 1 + dice.below(120)
      let drawnName = dice.one(of: names)
      let name = isModelled ? names[0] : drawnName
      let response = one(["tap \(name)", "dismiss \(name)", "tap \(name)", "ignore \(name)"])
      lines.append("  - +\(time)min \(dice.below(3) == 0 ? response : one(Self.happenings(name)))")
    }
    lines.append("expect: [requests >= 0]")
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func happenings(_ name: String) -> [String] {
    let usual = [
      "open", "leave", "unlock", "lock", "plug in", "unplug", "open app maps", "focus on", "focus off",
      "summary on", "summary off", "enter home", "exit home", "travel to Asia/Tokyo",
      "travel to America/New_York", "reboot", "terminate", "force quit", "set busy = true",
      "set busy = false",
    ]
    return usual + usual + [
      "clear notifications", "power off", "power on", "power on", "set clock +2 h", "set clock -1 h",
      "deny notifications", "grant notifications", "grant notifications", "notifications provisional",
      "snooze \(name) for 90 min", "cancel \(name)", "cancel all", "reinstall", "store lost", "store stale",
      "next add fails",
    ]
  }
}
