import Foundation
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Simulation
import TestSupport
import TextFormats

@testable import Scenarios
@testable import TestBench

/// Creates random scenarios. Most of them resemble scenarios that an author would write.
enum AnyScenario {
  /// Returns the program of a random scenario, or `nil` if the scenario cannot be run. The program is the
  /// same on every machine.
  ///
  /// - Parameter formats: A cache of the formats that were created for earlier scenarios.
  static func program(seed: UInt64, profile: String, _ formats: FormatCache) throws -> Program? {
    var scenario =
      try seed % 3 == 0
      ? RandomScenario.scenario(seed: seed, withRecordings: false) : story(seed, profile, formats)
    scenario.profile.value = profile
    return try? Program(scenario)
  }

  /// Calls a closure with the first programs that can run and meet a condition, and with their seeds.
  static func each(
    _ count: Int, profile: String, where isUsed: (Program) -> Bool = { _ in true },
    body: (_ seed: UInt64, _ program: Program) throws -> Void
  ) throws {
    let formats = FormatCache()
    var (tried, seed) = (0, UInt64(0))
    while tried < count {
      seed += 1
      guard let program = try program(seed: seed, profile: profile, formats), isUsed(program) else {
        continue
      }
      tried += 1
      try body(seed, program)
    }
  }

  private static func story(
    _ seed: UInt64, _ profile: String, _ formats: FormatCache
  ) throws -> Scenario {
    try read(RandomStory(seed: seed, profile: profile).text, "seed \(seed)", formats)
  }

  /// Parses a scenario from a text that lacks the first lines of the file.
  static func read(_ text: String, _ name: String, _ formats: FormatCache) throws -> Scenario {
    let head = "kind: scenario\nversion: 1\ntitle: test\nstart: 2026-05-04T07:00\nzone: Europe/Berlin\n"
    let text = SourceText(file: name, text: head + text)
    let reader = Reader(source: text, formats: formats, fileExists: { _ in false })
    return try ScenarioFile.decode(try YAMLDocument(text).root, reader).get()
  }
}

/// A story of five days, without the first lines of its file. Many reminders make requests at the same
/// instants, and the caps admit only a few of them. The others are denied together.
struct CrowdedStory {
  let text: String

  /// Creates the story for a seed. It is the same on every machine.
  init(seed: UInt64, profile: String) {
    var dice = Dice(seed &* 0x9E37_79B9_7F4A_7C15 &+ 7)
    for _ in 0..<4 { _ = dice.fraction() }
    func one(_ words: [String]) -> String { dice.one(of: words) }
    // Some stories have more reminders of a kind than a 64-bit word has bits.
    let count = seed % 4 == 1 ? 250 : [5, 12, 40, 90][dice.below(4)]
    let names = (0..<count).map { "r\($0)" }
    var lines = [
      "for: 5 days", "profile: \(profile)", "phone: {notifications: authorized}", "facts: {busy: false}",
      "apps: [maps]", "places: {home: {at: [52.52, 13.4], radius: 150 m}}", "reminders:",
    ]
    // Most triggers are of the same kind. Some are of other kinds.
    let usual = one(["unlock", "charging starts", "open app maps"])
    let bucket = one(["standard", "standard", "critical", "user"])
    // If some reminders of a trigger have fact conditions, the engine uses another evaluation path.
    let ofFacts = count > 90 ? "" : "if: busy is false, "
    for (index, name) in names.enumerated() {
      let rare = one([
        "open", "enter home", "exit home", "[unlock, charging starts]", "every day 12:30 ahead 2",
      ])
      let trigger = one([usual, usual, usual, "unlock", rare])
      let condition = one([
        "", "", "", "if: charging, ", "if: [weekdays, after 12:00], ", "if: inside home, ",
        ofFacts, "if: between 09:00 and 21:00, ",
      ])
      let repetition = one(["daily", "daily", "weekly", "always", "once", "monthly"])
      let end = one(["", "", "", "", "expires: 2026-05-0\(5 + dice.below(3))T12:30, "])
      var notify = "title: A, bucket: \(one([bucket, bucket, bucket, "standard", "user"]))"
      // The policy contains the types of the first reminders.
      if index > 4, dice.below(3) == 0 { notify += ", type: t\(dice.below(3))" }
      if dice.below(4) == 0 { notify += ", priority: \(dice.below(3))" }
      lines.append(
        "  \(name): {when: \(trigger), \(condition)repeat: \(repetition), \(end)notify: {\(notify)}}")
    }
    lines += Self.policy(names, &dice)
    lines.append("timeline:")
    var time = 0
    var (last, together) = (0, Set<String>())
    while time < 5 * 1_440 - 103 {
      // Some events occur at the same instant.
      time += dice.below(6) == 0 ? 0 : 1 + dice.below(100)
      let happening = Self.happening(names, &dice)
      // A request could not be attributed if two triggers of a kind occurred at the same instant.
      if time != last { together = [] }
      if !together.insert(happening).inserted { time += 1 }
      // A clock change at the instant of a trigger would change all records of that trigger.
      let isOfClocks = happening.hasPrefix("set clock") || happening.hasPrefix("travel")
      if isOfClocks { time += 1 }
      lines.append("  - +\(time)min \(happening)")
      // Repeat the events that trigger many reminders.
      if happening == "reinstall" {
        lines += ["  - +\(time)min screen time approved", "  - +\(time)min choose apps maps"]
      }
      last = time
      if isOfClocks { time += 1 }
    }
    lines.append("expect: [requests >= 0]")
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func policy(_ names: [String], _ dice: inout Dice) -> [String] {
    func one(_ words: [String]) -> String { dice.one(of: words) }
    var rules = [
      "quietHours: \(one(["none", "22:00-07:00", "13:00-15:00"]))", "dailyCap: \(dice.below(5))",
      "minimumInterval: \(one(["1 min", "30 min", "4 h"]))", "criticalDailyCap: \(dice.below(3))",
    ]
    if dice.below(2) == 0 { rules.append("quietAction: \(one(["drop", "defer"]))") }
    if dice.below(3) == 0 { rules.append("typeDailyCap: \(dice.below(3))") }
    if dice.below(3) == 0 { rules.append("lapseCap: {\(names[0]): 1, \(names[1]): 2}") }
    if dice.below(3) == 0 { rules.append("lifetimeCap: {\(names[2]): 2, \(names[3]): 1}") }
    if dice.below(3) == 0 { rules.append("typeWeeklyCaps: {\(names[4]): 1}") }
    if dice.below(4) == 0 { rules.append("minimumIntervalScope: all") }
    if dice.below(4) == 0 { rules.append("criticalBypassesQuietHours: true") }
    if dice.below(4) == 0 { rules.append("counterLag: 2 h") }
    if dice.below(4) == 0 {
      rules.append(
        "checkOrder: [minimumInterval, dailyCap, typeDailyCap, quietHours, lifetimeCap, permission]")
    }
    return ["policy: {\(rules.joined(separator: ", "))}"]
  }

  private static func happening(_ names: [String], _ dice: inout Dice) -> String {
    let name = dice.one(of: names)
    let usual = [
      "unlock", "lock", "plug in", "unplug", "open app maps", "open", "leave", "unlock", "lock", "plug in",
    ]
    if dice.below(4) > 0 { return dice.one(of: usual) }
    let others = [
      "enter home", "exit home", "set busy = true", "set busy = false", "tap \(name)", "dismiss \(name)",
      "snooze \(name) for 90 min", "cancel \(name)", "cancel all", "travel to Asia/Tokyo",
      "travel to America/New_York", "travel to Europe/Berlin", "set clock +2 h", "set clock -1 h", "reboot",
      "terminate", "force quit", "deny notifications", "grant notifications", "grant notifications",
      "store lost", "store stale", "next add fails", "reinstall", "power off", "power on", "power on",
    ]
    return dice.one(of: others)
  }
}
