import CivilTime
import Foundation
import TriggerModel

/// The files of a replay benchmark: a scenario, and its recording if it has one.
package struct ReplayScenario {
  package let scenario: String
  /// A recording with one fix per line, or `nil` if the scenario has none.
  package let fixes: String?

  /// 2026-03-02T00:00:00Z, a Monday.
  private static let start = Instant(millisecondsSince1970: 1_772_409_600_000)

  /// Returns two weeks with a fix every second. The person commutes through twenty regions and otherwise
  /// stays in place.
  package static func fortnight(reminders: Int, events: Int, days: Int = 14) -> ReplayScenario {
    let seconds = days * 86_400
    var fixes = ""
    fixes.reserveCapacity(seconds * 84)
    for second in 0..<seconds {
      let (latitude, longitude) = place(secondOfDay: second % 86_400)
      fixes += "{\"t\":\"\((start + .seconds(Int64(second))).iso8601)\",\"lat\":\(latitude)"
      fixes += ",\"lon\":\(longitude),\"accuracy\":\(5 + second % 20)}\n"
    }
    return ReplayScenario(
      scenario: text(days: days, reminders: reminders, events: events, recording: "fixes.ndjson"),
      fixes: fixes)
  }

  /// Returns a year of daily use without a recording.
  ///
  /// - Parameter isCapped: Whether all reminders are daily and the default caps apply. The caps then deny
  ///   nearly every request, and the reminder makes it again at the next trigger. If not, no cap applies.
  package static func year(reminders: Int, events: Int, isCapped: Bool = false) -> ReplayScenario {
    let text = text(days: 365, reminders: reminders, events: events, recording: nil, isCapped: isCapped)
    return ReplayScenario(scenario: text, fixes: nil)
  }

  /// Returns several days of a person with the reminders of the pack `fitme`.
  ///
  /// Each day has 100 events in the fifteen hours after 06:00.
  package static func person(happenings: Int) -> ReplayScenario {
    let days = max(1, happenings / 100)
    let actions = [
      "unlock", "lock", "unlock", "open", "leave", "lock", "plug in", "unlock", "lock", "unplug",
    ]
    var lines = [
      "kind: scenario", "version: 1", "title: A person", "start: 2026-03-02T00:00", "zone: Europe/Berlin",
      "for: \(days) days", "profile: ideal", "include: fitme", "timeline:",
    ]
    lines += (0..<100).map { index in
      let minute = 360 + 9 * index
      let time = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "  - every day \(time.joined(separator: ":")) \(actions[index % actions.count])"
    }
    lines.append("expect: [fires >= 0]")
    return ReplayScenario(scenario: lines.joined(separator: "\n") + "\n", fixes: nil)
  }

  /// Writes the files to a temporary folder, and passes the path of the scenario to a closure.
  package func withFile<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    try ScratchFolder.with { folder in
      let path = folder.appendingPathComponent("replay.yaml")
      try Data(scenario.utf8).write(to: path)
      if let fixes { try Data(fixes.utf8).write(to: folder.appendingPathComponent("fixes.ndjson")) }
      return try body(path.path)
    }
  }

  // MARK: Movement

  /// The ends of the drive between home and work, in micro-degrees. The drive takes an hour and passes twenty
  /// regions.
  private static let home = (latitude: 52_520_000, longitude: 13_405_000)
  private static let work = (latitude: 52_430_000, longitude: 13_705_000)

  private static func place(secondOfDay second: Int) -> (latitude: String, longitude: String) {
    let hour = 3_600
    let done =
      switch second {
      case 8 * hour..<9 * hour: second - 8 * hour
      case 9 * hour..<17 * hour: hour
      case 17 * hour..<18 * hour: 18 * hour - second
      default: 0
      }
    // The position of a receiver at rest varies by a few metres.
    let wander = (second * 37 % 61 - 30, second * 53 % 59 - 29)
    return (
      degrees(home.latitude + (work.latitude - home.latitude) * done / hour + wander.0),
      degrees(home.longitude + (work.longitude - home.longitude) * done / hour + wander.1)
    )
  }

  private static func degrees(_ micro: Int) -> String {
    let rest = String(micro % 1_000_000)
    return "\(micro / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }

  // MARK: The scenario

  private static func text(
    days: Int, reminders: Int, events: Int, recording: String?, isCapped: Bool = false
  ) -> String {
    var lines = [
      "kind: scenario", "version: 1", "title: Replay benchmark, \(days) days", "start: 2026-03-02T00:00",
      "zone: UTC", "for: \(days) days", "profile: ideal",
      "apps: [\((0..<10).map { "app\($0)" }.joined(separator: ", "))]", "places:",
    ]
    lines += (0..<20).map { index in
      let along = (2 * index + 1) * 3_600 / 40
      let latitude = degrees(home.latitude + (work.latitude - home.latitude) * along / 3_600)
      let longitude = degrees(home.longitude + (work.longitude - home.longitude) * along / 3_600)
      return "  place\(index): {at: [\(latitude), \(longitude)], radius: \(100 + index * 10) m}"
    }
    lines.append("reminders:")
    lines += (0..<reminders).map { reminder($0, isCapped: isCapped) }
    // The reminders are in the bucket `user`, so that no cap applies and every match is delivered.
    if !isCapped { lines.append("policy: {quietHours: none}") }
    lines.append("timeline:")
    lines += timeline(days: days, events: events)
    if let recording { lines.append("  - {ndjson: \(recording)}") }
    lines.append("expect: [fires >= 0]")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func reminder(_ index: Int, isCapped: Bool) -> String {
    let trigger =
      switch index % 6 {
      case 0: "unlock"
      case 1: "open app app\(index % 10)"
      case 2: "charging starts"
      case 3: "enter place\(index % 20)"
      case 4: "exit place\(index % 20)"
      default: "open"
      }
    let conditions =
      switch index / 6 % 5 {
      case 0: "[weekdays, after 16:00]"
      case 1: "[charging]"
      case 2: "[between 09:00 and 17:00]"
      case 3: "[weekend]"
      default: "[not charging, before 12:00]"
      }
    let turn = isCapped || index % 2 == 0 ? "daily" : "weekly"
    let bucket = isCapped ? "" : ", bucket: user"
    return
      "  r\(index): {when: \(trigger), if: \(conditions), repeat: \(turn), notify: {title: r\(index)\(bucket)}}"
  }

  /// Returns events of ten kinds that are evenly distributed over each day.
  private static func timeline(days: Int, events: Int) -> [String] {
    let actions = [
      "unlock", "open app app1", "plug in", "lock", "unlock", "open", "leave", "unplug", "open app app7",
      "lock",
    ]
    let perDay = max(1, events / days)
    return (0..<perDay).map { index in
      let second = index * 86_400 / perDay
      let time = [second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return "  - every day \(time.joined(separator: ":")) \(actions[index % actions.count])"
    }
  }
}
