/// A list in the format that has no length limit, and a scenario with many entries in the list.
struct GrowingList {
  /// The key of the list in the schema, or its path if the key is ambiguous.
  var name: String
  /// The shorter of the two lengths that are compared.
  var length: Int
  var story: @Sendable (Int) -> GrowingStory

  init(_ name: String, _ length: Int = 200, _ fill: @escaping @Sendable (inout GrowingStory, Int) -> Void) {
    self.name = name
    self.length = length
    story = { count in
      var story = GrowingStory()
      fill(&story, count)
      return story
    }
  }

  private static func names(_ prefix: String, _ count: Int) -> [String] { GrowingStory.names(prefix, count) }
  private static func list(_ items: [String]) -> String { GrowingStory.list(items) }

  /// All lists in the format that have no length limit.
  static let ofTheFormat: [GrowingList] = declared + ofReminders + ofThePolicy + ofTheApp + ofTheVerdict

  private static let declared: [GrowingList] = [
    .init("reminders") { $0.remind($1) },
    .init("facts") { $0.know($1) },
    .init("names") { $0.declare("facts", ["mood: \(list(names("n", $1)))"]) },
    .init("places", 100) { story, count in
      story.declare("places", (0..<count).map { "p\($0): {at: [52.\(1000 + $0), 13.4], radius: 150 m}" })
      for number in 0..<count {
        story.reminders.append("r\(number): {when: enter p\(number), notify: {title: R}}")
      }
    },
    .init("items", 100) { $0.declare("items", names("kind", $1).map { "\($0): {list: {x: {}}}" }) },
    .init("attributes", 100) { story, count in
      story.declare(
        "items",
        [
          "plant: {attributes: {\(names("x", count).map { "\($0): 1" }.joined(separator: ", "))}, list: {fern: {}}}"
        ])
    },
    .init("list", 50) { story, count in
      let things = names("x", count).map { "\($0): {}" }.joined(separator: ", ")
      story.declare("items", ["plant: {attributes: {watered: instant}, list: {\(things)}}"])
      story.reminders.append(
        "w: {for: each plant, when: 7 days after plant.watered at 09:00, notify: {title: W}}")
    },
    .init("list.*", 100) { story, count in
      let known = names("x", count).map { "\($0): 1" }.joined(separator: ", ")
      story.declare("items", ["plant: {attributes: {\(known)}, list: {fern: {\(known)}}}"])
    },
    .init("edits") { story, count in
      story.remind(count)
      story.declare("edits", names("r", count).map { "\($0): {later: {when: unlock, notify: {title: E}}}" })
    },
    .init("edits.*") { story, count in
      story.declare("edits", ["a:"] + names("e", count).map { "  \($0): {when: unlock, notify: {title: E}}" })
    },
    .init("intendedWarnings") { $0.declare("intendedWarnings", names("- w", $1)) },
    .init("timeline", 400) { story, count in
      story.days = 1 + count / 1440
      story.timeline = (0..<count).map {
        "day \(1 + ($0 + 480) / 1440) \(clock(($0 + 480) % 1440)) \($0 % 2 == 0 ? "unlock" : "lock")"
      }
    },
    .init("do", 400) { story, count in
      story.timeline = ["{at: 08:00, do: \(list((0..<count).map { $0 % 2 == 0 ? "unlock" : "lock" }))}"]
    },
  ]

  private static let ofReminders: [GrowingList] = [
    .init("when") { story, count in
      story.declare("apps", ["\(list(names("app", count)))"])
      story.reminders.append("s: {when: \(list(names("open app app", count))), notify: {title: S}}")
    },
    .init("if") { story, count in
      story.know(count)
      story.reminders.append(
        "s: {when: unlock, if: \(list(names("f", count).map { $0 + " >= 0" })), notify: {title: S}}")
    },
    .init("withdraw") { story, count in
      story.know(count)
      story.reminders.append(
        "s: {when: unlock, withdraw: \(list(names("f", count).map { $0 + " >= 9" })), notify: {title: S}}")
    },
    .init("criticalIf") { story, count in
      story.know(count)
      story.reminders.append(
        "s: {when: unlock, notify: {title: S, criticalIf: \(list(names("f", count).map { $0 + " >= 0" }))}}")
    },
    .init("constants") { story, count in
      story.declare("facts", ["mood: 1"])
      story.reminders.append(
        "s: {when: unlock, if: {fact: {value: mood, comparison: notEqual, constants: \(list((0..<count).map { "\($0 + 2)" }))}}, notify: {title: S}}"
      )
    },
    .init("stages") { story, count in
      story.reminders.append(
        "s: {when: unlock, repeat: daily, notify: {stages: \(list(names("{title: S", count).map { $0 + "}" }))}}"
      )
    },
  ]

  private static func windows(_ count: Int) -> [String] {
    (0..<count).map { $0 % 2 == 0 ? "22:00-07:00" : "13:00-14:00" }
  }

  private static let typeCaps: [GrowingList] = [
    "lapseCap", "lifetimeCap", "typeDailyCaps", "typeWeeklyCaps", "typeMonthlyCaps", "typeRollingCaps",
  ].map { key in
    .init(key) { story, count in
      let limit = key == "typeRollingCaps" ? ": 3 in 7 days" : ": 3"
      story.remind(count)
      story.declare("policy", ["\(key):"] + names("  r", count).map { $0 + limit })
    }
  }

  private static let quietDays: [GrowingList] = [
    "weekday", "weekend", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ].map { day in
    .init(day) { story, count in
      story.declare("policy", ["quietHours: {\(day): \(list(windows(count)))}"])
    }
  }

  private static let ofTypes: [GrowingList] = ["keptThroughReinstall", "bypassQuietHours"].map { key in
    .init(key) { story, count in
      story.remind(count)
      story.declare("policy", ["\(key): \(list(names("r", count)))"])
    }
  }

  private static let ofThePolicy: [GrowingList] =
    typeCaps + quietDays + ofTypes + [
      .init("quietHours") { story, count in
        story.declare("policy", ["quietHours: \(list(windows(count)))"])
      },
      .init("off") { story, count in
        story.remind(count)
        story.declare("preferences", ["off: \(list(names("r", count)))"])
      },
      .init("kinds") { story, count in
        story.remind(count)
        story.declare("person", ["model: tap-v1", "kinds:"] + names("  r", count).map { $0 + ": user" })
      },
      .init("stored") { story, count in
        story.remind(count)
        story.declare("stored", names("ft.reminder.r", count).map { $0 + ".sentCount: 1" })
      },
      .init("unreadable") { story, count in
        story.declare("facts", (0..<count).map { "f\($0): {initial: 1, source: s\($0)}" })
        story.declare("phone", ["unreadable: \(list(names("s", count)))"])
      },
    ]

  private static let ofTheApp: [GrowingList] = [
    .init("apps") { $0.declarations.append("apps: \(list(names("app", $1)))") },
    .init("chosenApps") { story, count in
      story.declarations.append("apps: \(list(names("app", count)))")
      story.declare("phone", ["chosenApps: \(list(names("app", count)))"])
    },
    .init("actions") { story, count in
      let actions = (0..<count).map { "snooze \($0 + 1) min" }
      story.reminders.append("s: {when: unlock, notify: {title: S, actions: \(list(actions))}}")
    },
    .init("named") { story, count in
      story.declare("facts", ["done: 2026-03-01T10:00"])
      for number in 0...count {
        story.reminders.append("r\(number): {when: 7 days after done at 09:00, notify: {title: R}}")
      }
      let batches = (0..<count).map { "complete r\($0), r\($0 + 1)" }
      story.declare("batches", ["named: [\(batches.map { "'\($0)'" }.joined(separator: ", "))]"])
    },
    .init("consumers") { $0.declare("consumers", names("c", $1).map { "\($0): \($0)/home" }) },
    .init("consumers.*") { $0.declare("consumers", ["c: \(list(names("c", $1).map { $0 + "/home" }))"]) },
    .init("patterns") {
      $0.declare("consumers", ["c: {patterns: \(list(names("c", $1).map { $0 + "/home" }))}"])
    },
    .init("types") { story, count in
      story.remind(count)
      story.declare("consumers", ["c: {patterns: home, types: \(list(names("r", count)))}"])
    },
    .init("domains") { links(&$0, "domains: \(list(names("d", $1).map { $0 + ".org" }))") },
    .init("hosts") { links(&$0, "schemes: app", "hosts: \(list(names("h", $1)))") },
    .init("schemes") { links(&$0, "schemes: \(list(names("s", $1)))") },
    .init("plans") { story, count in
      story.declare("plans", names("p", count).map { "\($0): {reminders: 3}" })
      story.declare("subscription", ["start: p0"])
    },
    .init("products") { story, count in
      let products = names("m", count).map { "\($0): month" }.joined(separator: ", ")
      story.declare("plans", ["free: {reminders: 3}", "paid: {products: {\(products)}}"])
      story.declare("subscription", ["start: free"])
    },
    .init("atMost") { story, count in
      story.declare("facts", ["level: {names: \(list(names("n", count))), initial: n0}"])
      let limits = names("n", count).map { "\($0): 3" }.joined(separator: ", ")
      story.declare("activeReminders", ["by: level", "atMost: {\(limits)}"])
    },
    .init("milestones", 100) {
      $0.declare("milestones", names("m", $1).map { "\($0): {when: unlock, prime: p}" })
    },
    .init("if") { story, count in
      story.know(count)
      story.declare(
        "milestones", ["m: {when: unlock, if: \(list(names("f", count).map { $0 + " >= 0" })), prime: p}"])
    },
    .init("when") { story, count in
      story.declarations.append("apps: \(list(names("app", count)))")
      story.declare("milestones", ["m: {when: \(list(names("open app app", count))), prime: p}"])
    },
    .init("surfaces") { story, count in
      story.know(1)
      story.declare("surfaces", names("s", count).map { "\($0): {unlockedBy: f0 >= 0, benefit: See}" })
    },
    .init("unlockedBy") { story, count in
      story.know(count)
      story.declare(
        "surfaces", ["s: {unlockedBy: \(list(names("f", count).map { $0 + " >= 0" })), benefit: See}"])
    },
    .init("remindedBy") { story, count in
      story.remind(count)
      story.know(1)
      story.declare(
        "surfaces", ["s: {unlockedBy: f0 >= 0, benefit: See, remindedBy: \(list(names("r", count)))}"])
    },
  ]

  private static let ofTheVerdict: [GrowingList] = [
    .init("expect") { story, count in story.expect = [String](repeating: "a fires >= 0", count: count) },
    .init("only") { story, count in
      story.remind(count)
      story.expect = ["only: \(list(["a"] + names("r", count)))"]
    },
    .init("exact") { story, count in
      story.days = 2 + count / 1440
      story.reminders = ["a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}"]
      story.declare("policy", ["quietHours: none"])
      story.timeline = (0..<count).map { "day \(1 + ($0 + 480) / 1440) \(clock(($0 + 480) % 1440)) unlock" }
      story.expect = [
        "exact: "
          + list((0..<count).map { "a at \(clock(($0 + 480) % 1440)) on day \(1 + ($0 + 480) / 1440)" })
      ]
    },
    .init("gates", 50) { story, count in
      story.remind(count)
      story.declare(
        "gates", names("r", count).map { "- tapThrough of \($0) >= 25 %, kill < 5 % after 30 days" })
    },
    .init("benchmark") { story, count in
      let figures = list((0..<count).map { "{value: \($0 + 1) %, of: others \($0), source: a paper}" })
      story.declare(
        "gates",
        ["- {metric: tapThrough, target: '>= 25 %', kill: '< 5 %', after: 30 days, benchmark: \(figures)}"])
    },
  ]

  private static func links(_ story: inout GrowingStory, _ lines: String...) {
    story.declare("consumers", ["c: home"])
    story.declare("links", lines)
  }

  /// Returns a minute of the day as a clock time, such as 07:30.
  private static func clock(_ minute: Int) -> String {
    let digits = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    return digits(minute / 60) + ":" + digits(minute % 60)
  }
}
