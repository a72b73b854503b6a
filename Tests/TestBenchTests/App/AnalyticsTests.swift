import PlatformRuns
import Testing
import TextFormats
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests the analytics events of a run.
@Suite struct AnalyticsTests {
  /// The event names of the product, including short names of reminders.
  private static let declared: Set = [
    "reminder_scheduled", "reminder_shown", "reminder_tapped", "reminder_dismissed", "reminder_disabled",
    "reminder_suppressed", "reminder_healthkit_shown", "reminder_healthkit_tapped",
    "reminder_registration_shown", "reminder_registration_tapped", "reminder_nutrition_gap_shown",
    "reminder_nutrition_gap_tapped", "reminder_training_shown", "reminder_training_tapped",
    "reminder_rest_day_shown", "reminder_rest_day_tapped", "reminder_engagement_shown",
    "reminder_engagement_tapped", "locked_feature_shown", "locked_feature_cta_tapped",
    "locked_feature_dismissed", "notification_priming_shown", "notification_priming_skipped",
    "notification_permission_requested", "notification_permission_granted", "notification_permission_denied",
    "notification_settings_deeplink_shown", "deep_link_routed",
  ]

  /// Returns the members of a line, with strings unquoted.
  private func members(_ line: JSONValue) -> [String: String] {
    guard case .object(let members) = line else { return [:] }
    return Dictionary(
      members.map { member in
        if case .string(let text) = member.value { return (member.key, text) }
        return (member.key, member.value.line)
      }, uniquingKeysWith: { first, _ in first })
  }

  private func lines(of run: PlatformRun) throws -> [[String: String]] {
    let words = AnalyticsWords(run.program)
    return try #require(run.result.analytics).events.flatMap { words.lines($0) }.map(members)
  }

  private func names(_ entry: String, among names: Set<String>) -> Set<String> {
    let parts = entry.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    return names.filter { name in
      parts.count == 1
        ? name == entry
        : name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
          && name.count > parts[0].count + parts[1].count
    }
  }

  @Test func `every declared event is in the catalogue and emitted by a shipped scenario`() throws {
    let run = try PlatformRun(shipped: "every-event.yaml")
    run.expectSound()
    let emitted = Set(try lines(of: run).compactMap { $0["event"] })
    #expect(Self.declared.subtracting(emitted).isEmpty, "declared, and never emitted")
    #expect(emitted.subtracting(Self.declared).isEmpty, "emitted, and not declared")
    for entry in AnalyticsCatalogue.entries {
      #expect(!names(entry.name, among: Self.declared).isEmpty, "\(entry.name) is nobody's")
    }
  }

  @Test func `lines have the catalogue's parameters and the zone's offset, in chronological order`()
    throws
  {
    let run = try PlatformRun(shipped: "every-event.yaml")
    let lines = try lines(of: run)
    for line in lines {
      let event = try #require(line["event"])
      let entry =
        AnalyticsCatalogue.entries.first { $0.name == event }
        ?? AnalyticsCatalogue.entries.first { !names($0.name, among: [event]).isEmpty }
      let wanted = ["event", "scenario", "time", "person", "device"] + (entry?.parameters.map(\.name) ?? [])
      #expect(Set(line.keys) == Set(wanted), "\(event)")
      for parameter in entry?.parameters ?? [] {
        let value = try #require(line[parameter.name])
        #expect(parameter.values?.contains(value) ?? !value.isEmpty, "\(event) \(parameter.name): \(value)")
      }
      #expect(line["time"]?.hasSuffix("+01:00") == true, "\(event)")
    }
    let times = lines.compactMap { $0["time"] }
    #expect(times == times.sorted())
    #expect(lines.first { $0["event"] == "reminder_suppressed" }?["reason"] == "system_unauthorized")
    #expect(
      lines.filter { $0["event"] == "reminder_disabled" }.map { $0["type"] ?? "" } == ["engagement", "all"])
    #expect(
      lines.filter { $0["event"] == "deep_link_routed" }.map { $0["outcome"] ?? "" }
        == Array(repeating: "succeeded", count: 6) + ["failed_no_pattern_match"])
  }

  @Test func `deep_link_routed names a link's destination, or the pattern of an unresolved link`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      links: {schemes: [app], hosts: [nav, auth, list]}
      consumers:
        tabs: {patterns: "nav/{home|stats}", fallback: nav/home}
        account: "auth/{rest...}"
        lists: {patterns: "list/{name}", observed: false}
      reminders:
        tab: {when: unlock, notify: {title: T, link: "app://nav/stats", bucket: user}}
        gone: {when: unlock, notify: {title: T, link: "app://nav/stats", bucket: user}}
        account: {when: unlock, notify: {title: T, link: "app://auth/reset/2?token=1", bucket: user}}
        orphan: {when: unlock, notify: {title: T, link: "app://auth", bucket: user}}
        list: {when: unlock, notify: {title: T, link: "app://list/milk", bucket: user}}
        wrong: {when: unlock, notify: {title: T, link: "app://home?from=mail", bucket: user}}
        none: {when: unlock, notify: {title: T, bucket: user}}
        lost: {when: unlock, notify: {title: T, link: "app://nav/home", bucket: user}}
      analytics: {consent: granted}
      timeline:
        - 08:00 unlock
        - 08:01 tap tab
        - 08:02 cancel gone
        - 08:02 cancel orphan
        - 08:03 tap gone
        - 08:04 tap account
        - 08:05 tap orphan
        - 08:06 tap list
        - 08:07 tap wrong
        - 08:08 tap none
        - 08:09 next tap lost
        - 08:10 tap lost
      expect: [tapped = 8]
      """)
    run.expectSound()
    let found = try lines(of: run).filter { $0["event"] == "deep_link_routed" }
      .map { "\($0["destination"] ?? "") \($0["url_pattern"] ?? "") \($0["outcome"] ?? "")" }
    #expect(
      found == [
        "nav/stats nav/{home|stats} succeeded", "nav/home nav/{home|stats} succeeded",
        "auth/reset/2 auth/{rest...} succeeded", "auth auth/{rest...} failed_navigation",
        "list/milk list/{name} failed_navigation", "unknown app://home failed_no_pattern_match",
        "unknown none failed_no_pattern_match", "nav/home nav/{home|stats} failed_lost",
      ])
  }

  @Test func `without consent, events are withheld and counted`() throws {
    let story = """
      reminders: {a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}}
      analytics: {consent: CONSENT}
      timeline: [08:00 unlock, 09:00 give consent, 10:00 unlock, 11:00 withdraw consent, 12:00 unlock]
      expect: [a fires 3 times]
      """
    let denied = try PlatformRun(story.replacing("CONSENT", with: "denied"))
    denied.expectSound()
    // Each notification emits one `scheduled` event and two `shown` events.
    #expect(denied.result.analytics?.emitted == 3 && denied.result.analytics?.withheld == 6)
    #expect(denied.result.analytics?.hasConsent == false)
    let granted = try PlatformRun(story.replacing("CONSENT", with: "granted"))
    #expect(granted.result.analytics?.emitted == 6 && granted.result.analytics?.withheld == 3)
    #expect(granted.accounts.ignored["alreadySo"] == 1, "consent that is given already")
    let reinstalled = try PlatformRun(
      story.replacing("CONSENT", with: "granted").replacing("09:00 give consent", with: "09:00 reinstall"))
    #expect(reinstalled.result.analytics?.emitted == 3, "a new install must ask again")
    #expect(reinstalled.result.analytics?.hasConsent == false)
    let none = try PlatformRun(
      "reminders: {a: {when: unlock, notify: A}}\ntimeline: [08:00 unlock]\nexpect: [a fires once]")
    #expect(none.result.analytics == nil)
  }

  @Test func `the suppression reasons are those of the product, in snake case`() {
    let product: [Reason: String] = [
      .userDisabled: "user_disabled", .userDailyCap: "user_daily_cap", .typeDailyCap: "per_type_daily_cap",
      .lifetimeCap: "lifetime_cap", .minimumInterval: "min_interval", .quietHours: "quiet_hours",
      .dailyCap: "global_daily_cap", .criticalDailyCap: "critical_cap", .permission: "system_unauthorized",
      .addFailed: "system_add_failed", .staleData: "stale_data", .lowConfidence: "low_confidence",
      .lapseCap: "lapse_cap", .permissionRevoked: "permission_revoked",
    ]
    for (reason, name) in product { #expect(reason.analyticsName == name) }
    let all = Reason.allCases.map(\.analyticsName)
    #expect(Set(all).count == all.count)
    #expect(all.allSatisfy { $0.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil })
  }

  @Test func `a failed request is counted once as suppressed`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      facts: {score: number}
      reminders:
        a: {when: unlock, repeat: always, notify: {title: A}}
        b: {when: open, repeat: always, if: score < 40, notify: {title: B}}
        c: {when: open, repeat: always, if: after 20:00, notify: {title: C}}
        d: {when: on day 2 at 09:00 ahead 1, notify: {title: D}}
      policy: {dailyCap: 1}
      analytics: {consent: granted}
      timeline: [08:00 unlock, 10:00 unlock, 11:00 open, 22:30 deny notifications]
      expect: [requests >= 0]
      """)
    let found = try lines(of: run).filter { $0["event"] == "reminder_suppressed" }
      .map { "\($0["type"] ?? "") \($0["reason"] ?? "")" }
    #expect(found.contains("a per_type_daily_cap"))
    #expect(found.contains("b stale_data"))
    #expect(!found.contains { $0.hasPrefix("c ") }, "a condition that does not hold suppresses nothing")
    #expect(found.contains("d permission_revoked"))
  }
}
