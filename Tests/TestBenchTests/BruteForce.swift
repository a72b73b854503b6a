import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

@testable import TestBench

/// Every single edit that the grammar has for a story, named without knowing what happens in it: what the
/// search for a change must not overlook.
struct BruteForce {
  let program: Program
  let reminder: String
  let instant: Instant

  var edits: [ScenarioEdit] { added + leftOut + declared + allowed }

  private var scenario: Scenario { program.scenario }

  private var added: [ScenarioEdit] {
    let facts = scenario.facts.flatMap { fact -> [String] in
      let values: [String] =
        switch fact.kind {
        case .truth: ["true", "false"]
        case .number: ["0", "1", "3", "4", "9"]
        case .instant: ["2026-03-01T06:00", "2026-03-06T06:00", "now"]
        case .date: ["2026-03-01", "2026-03-06", "1990-02-28"]
        case .name: fact.names
        }
      return values.map { "set \(fact.name) = \($0)" } + ["forget \(fact.name)"]
    }
    let ids = scenario.reminders.map(\.declaration.id)
    let ofReminders = ids.flatMap { id in
      // What is put off comes back whatever kept it from firing: the search takes that as its last resort.
      ["cancel \(id)", "tap \(id)", "dismiss \(id)"]
        + (id == reminder ? [] : ["snooze \(id) for 1 min", "snooze \(id) for 2 h"])
    }
    let ofTypes = scenario.types.flatMap { ["turn on \($0)", "turn off \($0)", "channel \($0) alerting"] }
    let places = scenario.places.flatMap { ["enter \($0.name)", "exit \($0.name)", "at \($0.name)"] }
    let plain = [
      "unlock", "lock", "plug in", "unplug", "open", "leave", "force quit", "terminate", "power off",
      "power on",
      "reboot", "reinstall", "pull notification centre", "system sheet", "clear notifications", "cancel all",
      "next add fails", "store lost", "store stale", "store torn", "grant notifications",
      "deny notifications",
      "focus on", "focus off", "summary on", "summary off", "airplane mode on", "airplane mode off",
      "background refresh on", "background refresh off", "low power mode on", "low power mode off",
      "location always", "location denied", "location services on", "exact alarms on", "precise location on",
      "battery 100 %", "battery 5 %",
      "turn on all notifications", "turn off all notifications", "own daily cap none", "own daily cap 9",
    ]
    let words =
      plain + facts + ofReminders + ofTypes + places + scenario.apps.map { "open app \($0)" }
    let offsets: [TimeSpan] = [.zero, .seconds(1), .minutes(1), .minutes(30), .hours(3), .hours(24)]
    let moments = offsets.map { instant - $0 }.filter { $0 >= scenario.start } + [scenario.start]
    return moments.flatMap { moment in
      words.map { .add("+\((moment - scenario.start).milliseconds)ms \($0)") }
    }
  }

  private var leftOut: [ScenarioEdit] {
    scenario.timeline.entries.enumerated().compactMap { index, entry in
      // Another clock is another question.
      let movesClock = entry.actions.contains { if case .event(.setClock) = $0 { true } else { false } }
      return movesClock ? nil : .leaveOutEntry(index, "", line: nil)
    }
  }

  private var declared: [ScenarioEdit] {
    let clock = scenario.zones[scenario.zone].local(at: instant)
    let minute = "\(clock.words.split(separator: " ")[1].prefix(5))"
    return scenario.reminders.flatMap { declared -> [ScenarioEdit] in
      let keys = ["reminders", declared.declaration.id]
      let when = [
        "unlock", "charging starts", "charging stops", "open", "enter shop", "exit shop", "open app maps",
        "every day \(minute)", "every day \(minute) ahead 1", "every day \(minute) ahead 9",
      ]
      let conditions = [
        "charging", "not charging", "weekdays", "weekend", "inside shop", "outside shop", "on day",
        "between 00:00 and 12:00", "between 12:00 and 00:00",
      ]
      let other: [ScenarioEdit] =
        ["once", "daily", "weekly", "monthly", "always"].map { .write(keys + ["repeat"], .string($0)) }
        + ["standard", "critical", "user"].map { .write(keys + ["notify", "bucket"], .string($0)) }
        + ["", "expires", "withdraw", "if"].filter { !$0.isEmpty }.map { .leaveOut(keys + [$0], "x") }
        + [.write(keys + ["expires"], "2026-05-01T00:00"), .leaveOut(keys + ["notify", "usefulFor"], "x")]
        + [0, 255].map { .write(keys + ["notify", "priority"], .integer($0)) }
      return when.map { .write(keys + ["when"], .string($0)) }
        + conditions.map { .write(keys + ["if"], .string($0)) } + other
    }
  }

  private var allowed: [ScenarioEdit] {
    func all(_ key: String, _ values: JSONValue...) -> [ScenarioEdit] {
      values.map { .write(["policy", key], $0) }
    }
    let types = scenario.types.flatMap { type in
      ["typeDailyCaps", "typeWeeklyCaps", "lifetimeCap", "lapseCap"].map {
        ScenarioEdit.write(["policy", $0, type], 99)
      }
    }
    let caps =
      all("dailyCap", "none", 0, 9) + all("criticalDailyCap", "none", 0, 9)
      + all("typeDailyCap", "none", 0, 9)
    let policy =
      all("quietHours", "none", "12:00-13:00") + all("quietAction", "drop", "defer") + caps + types
      + all("minimumInterval", "0 s", "1 h", "24 h") + all("minimumIntervalScope", "all", "standard")
      + all("criticalBypassesQuietHours", true, false) + all("criticalPreempts", true, false)
      + all("counterLag", "0 s", "9 days") + all("checkOrder", []) + all("weekStart", "sunday", "thursday")
      + all("lifetimeSurvivesReinstall", true, false)
    return policy
      + [
        .write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always"),
        .leaveOut(["preferences"], "x"), .write(["profile"], "ideal"),
      ]
  }
}
