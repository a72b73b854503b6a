import RandomScenarios
import ScenarioModel
import TestSupport

@testable import TestBench

/// A few days of a phone as an author would write them: nothing fires often, and much is in the way.
struct StoryToExplain {
  private var random: SplitMix64
  private var days = 1
  private let times = [
    "00:30", "06:50", "07:30", "09:00", "12:15", "14:00", "17:40", "18:00", "20:05", "22:30",
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// The whole file.
  mutating func text() -> String {
    days = random.int(1...4)
    let ids = ["a", "b", "c"].prefix(random.int(1...3))
    var lines = [
      "kind: scenario", "version: 1", "title: A story", "start: 2026-03-0\(random.int(2...7))T07:00",
      "zone: \(random.one(of: ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]))",
      "for: \(days) days", "profile: \(random.one(of: ["ideal", "ideal", "ios", "android"]))",
      "seed: \(random.int(0...99))", "places: {shop: {at: [52.52, 13.4], radius: 150 m}}", "apps: [maps]",
      "facts:", "  visits: {kind: number\(random.chance(60) ? ", initial: \(random.int(0...5))" : "")}",
      "  done: \(random.chance(50))", "  since: 2026-03-0\(random.int(1...2))T06:00",
      "  plan: {names: [free, plus], initial: \(random.one(of: ["free", "plus"]))}",
    ]
    if random.chance(20) {
      lines.append("phone: {notifications: \(random.one(of: ["denied", "provisional"]))}")
    }
    if random.chance(15) { lines.append("preferences: {off: [a]}") }
    lines.append("policy: {\(policy().joined(separator: ", "))}")
    lines.append("reminders:")
    lines += ids.map { "  \($0): \(reminder())" }
    lines.append("timeline:")
    lines += (0..<random.int(3...14)).map { _ in "  - \(entry(Array(ids)))" }
    return (lines + ["expect: [fires >= 0]", ""]).joined(separator: "\n")
  }

  private mutating func policy() -> [String] {
    let all = [
      "quietHours: \(random.one(of: ["none", "20:00-08:00", "12:00-13:00"]))",
      "minimumInterval: \(random.one(of: ["0 s", "1 h", "12 h"]))", "dailyCap: \(random.int(0...2))",
      "typeDailyCap: \(random.one(of: ["none", "2", "0"]))", "lifetimeCap: {a: \(random.int(0...1))}",
      "criticalDailyCap: 0", "quietAction: \(random.one(of: ["drop", "defer"]))", "lapseCap: {a: 1}",
      "typeWeeklyCaps: {a: 1}",
    ]
    return random.several(of: all, 0...4)
  }

  private mutating func reminder() -> String {
    let conditions = random.several(
      of: [
        "charging", "not charging", "after 16:00", "before 10:00", "between 08:00 and 12:00", "weekdays",
        "weekend",
        "inside shop", "outside shop", "visits >= 4", "visits < 2", "done is true", "plan is plus",
        "age(visits) < 3 h", "age(visits) >= 2 h", "days since since >= 2", "time since since < 20 h",
        "visits != 3",
      ], 0...2)
    var parts = ["when: \(trigger())"]
    if !conditions.isEmpty { parts.append("if: [\(conditions.joined(separator: ", "))]") }
    if random.chance(50) { parts.append("repeat: \(random.one(of: ["once", "daily", "weekly", "always"]))") }
    if random.chance(15) { parts.append("expires: 2026-03-0\(random.int(4...9))T09:00") }
    if random.chance(15) { parts.append("withdraw: done is true") }
    let bucket = random.one(of: ["standard", "standard", "user", "critical"])
    let useful = random.chance(15) ? ", usefulFor: 10 min" : ""
    return "{\(parts.joined(separator: ", ")), notify: {title: Now, bucket: \(bucket)\(useful)}}"
  }

  private mutating func trigger() -> String {
    let time = random.one(of: times)
    return random.one(of: [
      "unlock", "unlock", "charging starts", "charging stops", "open", "open app maps", "enter shop",
      "exit shop",
      "fact visits changes", "every day \(time)", "every day \(time) ahead 3", "every weekday \(time)",
      "'closed for 1, 2 days at \(time)'", "[unlock, charging starts]",
    ])
  }

  private mutating func entry(_ ids: [String]) -> String {
    let id = random.one(of: ids)
    let action = random.one(of: [
      "unlock", "unlock", "unlock", "lock", "plug in", "plug in", "unplug", "open", "open", "leave",
      "open app maps",
      "enter shop", "exit shop", "force quit", "power off", "power on", "deny notifications",
      "grant notifications",
      "focus on", "focus off", "cancel \(id)", "snooze \(id) for 5 h", "turn off \(id)", "cancel all",
      "set visits = \(random.int(0...6))", "set done = \(random.chance(50))", "forget visits",
      "next add fails",
      "reboot", "low power mode on", "set clock \(random.one(of: ["+2 h", "-1 h"]))", "summary on",
    ])
    if random.chance(20) { return "every day \(random.one(of: times)) \(action)" }
    let day = random.int(1...days)
    // The first day begins at seven.
    let time = random.one(of: day == 1 ? times.filter { $0 > "07:00" } : times)
    return "day \(day) \(time) \(action)"
  }
}
