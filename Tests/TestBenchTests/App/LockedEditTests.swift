import PlatformRuns
import TestBench
import TestSupport
import Testing

/// Tests edits of reminders to declarations that the plan excludes.
@Suite struct LockedEditTests {
  private func run(_ timeline: String, _ expectations: String) throws {
    try PlatformRun(
      """
      include: context
      for: 3 days
      profile: ideal
      places: {shop: {at: [52.52, 13.405], radius: 150 m}}
      reminders:
        milk: {when: unlock, repeat: daily, notify: {title: Milk, bucket: user}}
        bread: {when: unlock, exists: later, notify: {title: Bread, bucket: user}}
      edits:
        milk:
          shop: {when: enter shop, repeat: daily, notify: {title: Milk, bucket: user}}
          noon: {when: every day 12:00, notify: {title: Milk at noon, bucket: user}}
      timeline: [\(timeline)]
      expect: [\(expectations)]
      """
    ).expectSound()
  }

  @Test func `an edit to a trigger that the plan does not include shows the paywall`() throws {
    try run(
      "08:00 open, 08:01 edit milk to shop, 08:02 not now, 10:00 enter shop",
      "surface paywall is shown once at 08:01, creating milk is refused once, milk never on day 1")
  }

  @Test func `an edit to a trigger that the plan includes shows no paywall`() throws {
    try run(
      "08:00 open, 08:01 edit milk to noon, 08:02 leave",
      "surface paywall is never shown, milk fires once at 12:00 on day 1")
    try run(
      "08:00 open, 08:01 buy monthly, 08:02 edit milk to shop, 08:03 leave, 10:00 enter shop",
      "surface paywall is never shown, milk fires once at 10:00 on day 1")
  }

  @Test func `a purchase activates the edited reminder`() throws {
    try run(
      "08:00 open, 08:01 edit milk to shop, 08:02 follow paywall, 08:03 buy monthly, 08:05 leave, 10:00 enter shop",
      "surface paywall is shown once, milk fires once at 10:00 on day 1")
  }
}
