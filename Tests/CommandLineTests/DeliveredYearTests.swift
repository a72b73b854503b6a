import Foundation
import TestSupport
import Testing

/// Tests a year of a hundred contacts and forty plants.
///
/// The requirements for contacts promise that "notifications are delivered reliably for 95 % of due
/// reminders" (SC-004). The user opens the app only on Sunday mornings. Between two Sundays the app does not
/// run, so it must schedule notifications in advance.
@Suite(.serialized, .timeLimit(.minutes(20))) struct DeliveredYearTests {
  private static let release = Repository.root.appendingPathComponent(".build/release/triggerbench")
  /// Whether the release executable exists. A debug build would be too slow for eighty simulated years.
  private static let isBuilt = FileManager.default.isExecutableFile(atPath: release.path)

  private static let rooms = ["kitchen", "livingRoom", "bedroom", "bathroom", "office", "balcony"]

  private func story(zone: String, profile: String, more: String = "") -> String {
    func date(_ first: String, plus days: Int) -> String {
      let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
      return (try? Date(first, strategy: style).addingTimeInterval(86_400 * Double(days)).formatted(style))
        ?? ""
    }
    let contacts = (0..<100).map {
      "      c\($0): {fullName: Person \($0), birthday: \(date("1990-01-01", plus: $0 * 37 % 365))}"
    }
    let plants = (0..<40).map {
      let fertilized = $0 % 2 == 0 ? ", fertilized: \(date("2026-02-03", plus: $0 % 25))T10:00" : ""
      return "      p\($0): {fullName: Plant \($0), room: \(Self.rooms[$0 % 6]), "
        + "watered: \(date("2026-02-24", plus: $0 % 6))T10:00\(fertilized)}"
    }
    let chores =
      (0..<40).map { "  - every sunday 10:01 complete water for p\($0)" }
      + stride(from: 0, to: 40, by: 2).map { "  - every sunday 10:02 complete fertilize for p\($0)" }
    return """
      kind: scenario
      version: 1
      title: A year of a hundred contacts and forty plants
      include: [contacts, plants]
      start: 2026-03-02T07:00
      zone: \(zone)
      end: 2027-03-01T07:00
      profile: \(profile)
      \(more)
      items:
        contact:
          list:
      \(contacts.joined(separator: "\n"))
        plant:
          list:
      \(plants.joined(separator: "\n"))
      gates:
        - deliveryRate of user >= 95 %
      timeline:
        - 07:30 open
        - 07:35 leave
        - every sunday 10:00 open
      \(chores.joined(separator: "\n"))
        - every sunday 10:05 leave
      expect:
        - gate deliveryRate of user passes
        - requests >= 2000
      """
  }

  /// Returns time zones that cover every rule of summer time in that year, and zones without changes or with
  /// unusual offsets.
  ///
  /// A rule is identified by the local times and sizes of its changes.
  private func zones() throws -> [String] {
    let first = try Date("2026-03-02T00:00:00Z", strategy: .iso8601)
    let last = try Date("2027-03-01T00:00:00Z", strategy: .iso8601)
    var byRule: [String: String] = [:]
    for identifier in TimeZone.knownTimeZoneIdentifiers.sorted() where identifier.contains("/") {
      guard let zone = TimeZone(identifier: identifier) else { continue }
      var changes: [String] = []
      var instant = first
      while let next = zone.nextDaylightSavingTimeTransition(after: instant), next < last, next > instant {
        let before = zone.secondsFromGMT(for: next.addingTimeInterval(-1))
        let local = next.addingTimeInterval(Double(before)).formatted(.iso8601)
        changes.append("\(local) by \(zone.secondsFromGMT(for: next) - before)")
        instant = next
      }
      let rule =
        changes.isEmpty ? "none, \(zone.secondsFromGMT(for: first))" : changes.joined(separator: ", ")
      byRule[rule] = byRule[rule] ?? identifier
    }
    let rules = byRule.sorted { $0.value < $1.value }
    let changing = rules.filter { !$0.key.hasPrefix("none") }.map(\.value)
    let fixed = rules.filter { $0.key.hasPrefix("none") }.map(\.value)
    #expect(changing.count >= 15 && changing.count <= 40, "\(changing)")
    return changing + fixed.prefix(40 - changing.count)
  }

  @Test(
    .enabled(if: isBuilt, "it wants the release executable: swift build -c release --product triggerbench"))
  func `at least 95 % of a year's reminders are delivered, in forty zones and on both platforms`()
    async throws
  {
    let folder = try Folder()
    let zones = try zones()
    #expect(zones.count == 40)
    for zone in zones {
      for profile in ["ios", "android"] {
        let name = zone.replacing("/", with: "-")
        try folder.write(story(zone: zone, profile: profile), to: "years/\(name)-\(profile).yaml")
      }
    }
    let outcome = try await Tool.run(
      ["run", "years", "--reports", "out"], of: Self.release, in: folder.root)
    #expect(outcome.code == 0, "\(outcome.output.suffix(2_000))")
    #expect(outcome.output.contains("80 of 80 scenarios passed, 160 of 160 expectations"))
  }

  /// An iPhone keeps 64 pending requests. Without a planner, the app adds all its requests and loses those of
  /// the coming week.
  @Test(
    .enabled(if: isBuilt, "it wants the release executable: swift build -c release --product triggerbench"))
  func `an app without a planner misses the target`() async throws {
    let folder = try Folder()
    try folder.write(story(zone: "Europe/Berlin", profile: "ios", more: "planner: off"), to: "year.yaml")
    let outcome = try await Tool.run(
      ["run", "year.yaml", "--reports", "out"], of: Self.release, in: folder.root)
    #expect(outcome.code == 2 && outcome.output.contains("expected  gate deliveryRate of user passes"))
  }
}
