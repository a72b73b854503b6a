import NotificationGateway
import ReminderMatching
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

/// What the scheduler, the phone and the rest of the file would have to say.
extension EditCandidates {
  var policyEdits: [ScenarioEdit] {
    func policy(_ key: String) -> [String] { ["policy", key] }
    var edits: [ScenarioEdit] = [.write(policy("quietHours"), "none")]
    for key in ["dailyCap", "typeDailyCap", "criticalDailyCap"] {
      guard case .integer(let cap)? = document[policy(key)] else { continue }
      edits += [.write(policy(key), .integer(cap + 1)), .write(policy(key), "none")]
    }
    for cap in TypeCap.allCases {
      let keys = policy(cap.key) + [declaration.notification.type]
      guard case .integer(let count)? = document[keys] else { continue }
      edits += [.write(keys, .integer(count + 1)), .write(keys, 1_000_000)]
    }
    edits += [
      .write(policy("minimumInterval"), "0 s"), .write(policy("minimumIntervalScope"), "standard"),
      .write(policy("counterLag"), "0 s"), .write(policy("criticalPreempts"), false),
      .write(policy("criticalBypassesQuietHours"), true), .write(policy("lifetimeSurvivesReinstall"), false),
      .write(policy("quietAction"), "drop"), .write(policy("quietAction"), "defer"),
      .write(policy("checkOrder"), []),
    ]
    return edits
  }

  /// No cap, and nothing that the person or the phone forbids.
  var everythingAllowed: [ScenarioEdit] {
    var edits: [ScenarioEdit] = ["quietHours", "dailyCap", "typeDailyCap", "criticalDailyCap"].map {
      .write(["policy", $0], "none")
    }
    edits.append(.write(["policy", "minimumInterval"], "0 s"))
    for cap in TypeCap.allCases {
      let keys = ["policy", cap.key, declaration.notification.type]
      if document[keys] != nil { edits.append(.write(keys, 1_000_000)) }
    }
    edits += [.write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always")]
    edits.append(.write(["policy", "checkOrder"], []))
    return edits + leftOut
  }

  /// Sections of the file, and parts of them.
  private var leftOut: [ScenarioEdit] {
    let sections = [["phone", "unreadable"], ["preferences"], ["stored"], ["knobs"]]
    let consumers = (scenario.links?.consumers ?? []).map { ["consumers", $0.consumer.id, "types"] }
    return (sections + consumers).compactMap { keys in document[keys].map { .leaveOut(keys, $0) } }
  }

  /// A phone that tells and shows everything at once. No user can make it so, but an author can.
  var idealPhone: [ScenarioEdit] {
    scenario.profile.value == "ideal" ? [] : [.write(["profile"], "ideal")]
  }

  var surroundingEdits: [ScenarioEdit] {
    var edits: [ScenarioEdit] = [
      .write(["phone", "notifications"], "authorized"), .write(["phone", "location"], "always"),
    ]
    edits += leftOut
    for knob in scenario.knobs {
      let keys = ["knobs", knob.name]
      if scenario.knobs.count > 1, let value = document[keys] { edits.append(.leaveOut(keys, value)) }
    }
    for other in scenario.reminders where other.declaration.id != declaration.id {
      edits.append(.write(["reminders", other.declaration.id, "notify", "bucket"], "user"))
      edits.append(.write(["reminders", other.declaration.id, "notify", "bucket"], "critical"))
      edits.append(.write(["reminders", other.declaration.id, "if"], "not charging"))
      edits.append(.write(["reminders", other.declaration.id, "if"], "charging"))
    }
    return edits
  }
}
