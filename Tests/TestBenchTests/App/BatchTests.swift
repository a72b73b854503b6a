import CivilTime
import PlatformRuns
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests batch actions on a list in the app.
@Suite struct BatchTests {
  private static let pack = """
    profile: ideal
    batches: {confirmAbove: 3}
    items:
      plant:
        attributes:
          room: {names: [kitchen, office, shed, other], onDelete: other}
          watered: instant
        list:

    """
  private static let reminders = """
    reminders:
      water: {for: each plant, when: 7 days after plant.watered at 09:00, notify: {title: "{plant}", bucket: user}}
    policy: {quietHours: none}

    """

  /// - Parameter plants: The name, room and last watering day of each plant.
  private func run(
    _ plants: [(name: String, room: String, watered: String)], _ timeline: [String],
    expecting: [String] = ["requests >= 0"]
  ) throws -> PlatformRun {
    let list = plants.map { "      \($0.name): {room: \($0.room), watered: \($0.watered)T18:00}\n" }.joined()
    return try PlatformRun(
      "for: 20 days\n" + Self.pack + list + Self.reminders + "timeline:\n"
        + (["07:30 open"] + timeline).map { "  - \($0)\n" }.joined() + "expect:\n"
        + expecting.map { "  - \($0)\n" }.joined())
  }

  /// Returns plants in the kitchen that are all due on the first day.
  private func kitchen(_ count: Int) -> [(name: String, room: String, watered: String)] {
    (1...count).map { ("p\($0)", "kitchen", "2026-02-23") }
  }

  @Test func `the app asks for confirmation before it changes four items, but not three`() throws {
    for (count, asks) in [(3, "never"), (4, "once")] {
      let asked = asks == "never" ? "confirmation is never asked" : "confirmation is asked once"
      try run(
        kitchen(count), ["10:00 complete all water in kitchen"],
        expecting: [
          asked, "confirmation is never declined", "batch of \(count) is done once",
          "today on day 1 at 10:01 shows \(count) of \(count) done", "water for p1 fires once on day 8",
        ]
      ).expectSound()
    }
    try run(
      kitchen(4), ["10:00 complete all water in kitchen, not confirmed"],
      expecting: [
        "confirmation is declined once", "batch of 4 is never done",
        "today on day 1 at 10:01 shows 4 today, 0 of 4 done", "water for p1 fires once",
      ]
    ).expectSound()
    // A person who sees no confirmation prompt cannot decline.
    try run(
      kitchen(3), ["10:00 complete all water in kitchen, not confirmed"],
      expecting: ["confirmation is never asked", "batch of 3 is done once"]
    ).expectSound()
  }

  @Test func `a batch completes selected items, due or not, but not deleted ones`() throws {
    try run(
      [("a", "kitchen", "2026-02-23"), ("b", "office", "2026-03-01"), ("c", "shed", "2026-02-23")],
      ["09:30 remove plant c", "10:00 complete water for a, water for b, c", "10:01 complete all water"],
      expecting: [
        "batch of 2 is done once", "batch of 0 is never done",
        "water for a fires once at 09:00 on day 8", "water for b fires once at 09:00 on day 8",
        "water for b never on day 7",
      ]
    ).expectSound()
  }

  @Test func `a batch has no effect while the app is in the background or the phone is off`() throws {
    for line in ["leave", "power off"] {
      let result = try run(
        kitchen(2), ["09:30 \(line)", "10:00 complete all water"],
        expecting: ["batch of 2 is never done", "today on day 1 at 10:01 shows 2 today"])
      result.expectSound()
      let warning = result.result.warnings.contains { $0.message.contains("effect") }
      #expect(warning, "\(line): \(result.result.warnings.map(\.message))")
    }
  }

  @Test func `the plants of a deleted room move to another one and stay there`() throws {
    try run(
      [("a", "kitchen", "2026-02-23"), ("b", "office", "2026-02-23"), ("c", "other", "2026-02-23")],
      [
        "10:00 delete room kitchen", "10:10 complete all water in kitchen",
        "10:20 complete all water in other",
      ],
      expecting: [
        "batch of 1 is done once", "batch of 2 is done once",
        "today by room on day 1 at 10:05 shows water for a in other, water for b in office, water for c in other",
        "today on day 1 at 10:15 shows 3 today", "today on day 1 at 10:25 shows 1 today, 2 of 3 done",
      ]
    ).expectSound()
  }

  @Test func `a batch on one device is applied on the other after a sync`() throws {
    let devices = "devices: {tablet: {profile: ideal}}\nsync: {delay: 5 s}\n"
    let list = kitchen(2).map { "      \($0.name): {room: kitchen, watered: \($0.watered)T18:00}\n" }.joined()
    try PlatformRun(
      "for: 10 days\n" + devices + Self.pack + list + Self.reminders + """
        timeline:
          - 07:30 open
          - on tablet 07:30 open
          - on tablet 08:00 complete all water in kitchen
        expect:
          - water for p1 never on day 1
          - batch of 2 is done once
          - today on day 1 at 08:01 shows 2 of 2 done
        """
    ).expectSound()
  }

  @Test(arguments: [
    ("complete all watr", "there is no reminder or template 'watr'", "did you mean 'water'?"),
    ("complete all", "unknown reminder 'all'", ""),
    ("complete all water in kichen", "has the value 'kichen'", "did you mean 'kitchen'?"),
    (
      "complete all water at kitchen", "is not a template with an optional value",
      "complete all water in kitchen"
    ),
    ("complete water for p1, p1", "is listed twice", ""),
    ("complete water for p1, p9", "unknown reminder 'p9'", ""),
    ("delete room other", "replaces deleted values", ""),
    ("delete room attic", "'attic' is not a value of 'room'", ""),
    ("delete house kitchen", "cannot be deleted", "delete room kitchen"),
    ("move all in room kitchen to attic", "'attic' is not a value of 'room'", ""),
    ("move all in roof kitchen to other", "no item has the attribute 'roof'", ""),
    (
      "delete room kitchen\n  - 11:00 move all in room kitchen to shed", "there is no room 'kitchen' then",
      "its items are in 'other' since then"
    ),
    ("delete room kitchen\n  - 11:00 delete room kitchen", "there is no room 'kitchen' then", ""),
  ])
  func `an impossible batch is an error at its position`(_ line: String, _ words: String, _ hint: String)
    throws
  {
    do {
      _ = try run(kitchen(1), ["10:00 \(line)"])
      Issue.record("\(line) is taken")
    } catch let problem as UnusableScenario {
      #expect(problem.description.contains(words), "\(problem.description)")
      if !hint.isEmpty { #expect(problem.description.contains(hint), "\(problem.description)") }
    }
  }

  @Test func `a deleted room exists again when items move there`() throws {
    try run(
      [("a", "kitchen", "2026-02-23"), ("b", "office", "2026-02-23")],
      [
        "10:00 delete room kitchen", "10:10 move all in room office to kitchen",
        "10:20 move all in room kitchen to shed",
      ],
      expecting: [
        "today by room on day 1 at 10:25 shows water for a in other, water for b in shed"
      ]
    ).expectSound()
  }

  /// A batch sentence has the effect of one sentence for each due item. The test determines the due items
  /// independently.
  @Test func `a batch has the same effect as single actions`() throws {
    let rooms = ["kitchen", "office", "shed"]
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      let plants = (0..<random.int(1...7)).map { number in
        Plant(name: "p\(number)", room: random.one(of: rooms), last: random.int(-9...0))
      }
      var (batched, single): ([String], [String]) = ([], [])
      var known = plants
      for day in 2...18 {
        switch random.int(0...5) {
        case 0, 1:
          let room = random.maybe(50) { $0.one(of: rooms) }
          batched.append("day \(day) 10:00 complete all water" + (room.map { " in \($0)" } ?? ""))
          for index in known.indices where known[index].isDue(on: day, in: room) {
            single.append("day \(day) 10:00 complete water for \(known[index].name)")
            known[index].complete(on: day)
          }
        case 2:
          let index = random.int(0...known.count - 1)
          let line = "day \(day) 11:00 snooze water for \(known[index].name) for 3 days"
          (batched, single) = (batched + [line], single + [line])
          known[index].putOff(until: day + 3)
        case 3:
          let (from, to) = (random.one(of: rooms), random.one(of: rooms))
          if from == to { continue }
          batched.append("day \(day) 12:00 move all in room \(from) to \(to)")
          for index in known.indices where known[index].room == from {
            single.append("day \(day) 12:00 set \(known[index].name).room = \(to)")
            known[index].room = to
          }
        default: break
        }
      }
      let list = plants.map {
        ($0.name, $0.room, (CivilDate(year: 2026, month: 3, day: 1) + $0.last).iso8601)
      }
      let (together, separately) = (try run(list, batched), try run(list, single))
      let same = together.accounts.fires == separately.accounts.fires
      #expect(same, "seed \(seed): \(batched) \(single)")
      #expect(together.accounts.contradictions.isEmpty)
    }
  }

  /// A plant in the test's own model. Days are counted from the start of the run.
  private struct Plant {
    var name: String
    var room: String
    /// The day of the last watering. Day 0 is the day before the run starts.
    var last: Int
    var putOff: Int?

    func isDue(on day: Int, in room: String?) -> Bool {
      if let room, self.room != room { return false }
      return putOff.map { $0 <= day } ?? (last + 7 <= day)
    }

    /// Defers the plant if it is due by then. A plant that is due later keeps its day.
    mutating func putOff(until day: Int) { putOff = last + 7 <= day ? day : nil }
    mutating func complete(on day: Int) { (last, putOff) = (day, nil) }
  }
}
