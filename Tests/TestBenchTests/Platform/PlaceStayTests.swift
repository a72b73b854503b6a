import PlatformRuns
import Testing

@testable import TestBench

/// Tests reminders for people who stay in a place.
@Suite struct PlaceStayTests {
  private func run(
    _ profile: String, _ timeline: [String], when: String = "stay in shop for 8 min", condition: String = "",
    expecting: [String]
  ) throws -> PlatformRun {
    try PlatformRun(
      """
      for: 2 days
      profile: \(profile)
      \(["ideal": "", "ios": "knobs: {regionLatency: 0}"][profile] ?? "knobs: {regionLatency: 0, exactAlarms: granted}")
      places: {shop: {at: [41.9, 12.5], radius: 150 m}}
      policy: {quietHours: none, minimumInterval: none}
      reminders:
        stay: {when: \(when), \(condition)repeat: always, notify: {title: Scan your card, bucket: user}}
      timeline:
      \((["08:01 open", "08:02 leave"] + timeline).map { "  - \($0)" }.joined(separator: "\n"))
      expect:
      \(expecting.map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `only a stay of the stated length counts`(_ profile: String) throws {
    try run(
      profile, ["10:00 enter shop", "10:03 exit shop", "11:00 enter shop", "11:30 exit shop"],
      expecting: [
        "stay never fires during 10:00-11:07", "stay fires once between 11:08 and 11:20", "fires = 1",
      ]
    ).expectSound()
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `each stay counts, and a restart within one does not matter`(_ profile: String) throws {
    try run(
      profile,
      [
        "11:00 enter shop", "11:04 terminate", "11:30 exit shop", "15:00 enter shop", "15:02 open",
        "15:03 leave", "15:40 exit shop",
      ],
      expecting: [
        "stay fires once between 11:08 and 11:30", "stay fires once between 15:08 and 15:30", "fires = 2",
      ]
    ).expectSound()
  }

  @Test func `the long form and further conditions mean the same`() throws {
    for condition in ["", "if: inside shop, ", "if: age(shop.entered) >= 5 min, "] {
      try run(
        "ideal", ["11:00 enter shop", "11:30 exit shop"], when: "8 min after shop.entered",
        condition: condition, expecting: ["stay fires once at 11:08", "fires = 1"]
      ).expectSound(Comment(rawValue: condition))
    }
  }
}
