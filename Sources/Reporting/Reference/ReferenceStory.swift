/// The scenarios from which the reference takes its examples: they run, and what they expect comes true.
package enum ReferenceStory {
  /// Declares every name that the reference's sentences speak of.
  package static let main = """
    kind: scenario
    version: 1
    title: What the examples of the reference speak of
    description: A small story in which every name has its declaration.
    zone: Europe/Berlin
    start: 2026-03-02T07:00
    for: 14 days
    facts:
      visits: 3
      goal: 10
      signedIn: false
      lastWatered: 2026-03-01T18:00
      birthday: 1990-03-05
      steps: {kind: number, source: health}
    plans:
      free: {reminders: 20}
      paid: {products: {monthly: month}}
      trial: {as: paid, lasts: 7 days, then: paid}
    subscription: {start: free}
    items:
      plant:
        attributes: {room: {names: [kitchen, balcony], onDelete: balcony}, watered: instant}
        list:
          basil: {room: kitchen, watered: 2026-02-26T18:00}
    batches: {confirmAbove: 3}
    apps: [maps, mail]
    places:
      shop: {at: [52.52, 13.405], radius: 150 m}
    profile: ios
    knobs: {pendingCapacity: 32}
    phone: {notifications: authorized, location: always, battery: 80 %}
    seed: 7
    devices:
      tablet: {profile: ideal}
    sync: {delay: 5 s}
    reminders:
      milk:
        when: enter shop
        if: [after 16:00, weekdays]
        notify: {title: Buy milk, link: "app://lists/shopping", type: shopping, bucket: user}
      pills: {when: every day 08:00 ahead 3, notify: Take your pills}
      water:
        for: each plant
        when: 7 days after plant.watered at 09:00
        notify: "Water the {plant}"
      fertilize: {exists: later, when: every monday 18:00 ahead 4, notify: Fertilize}
      plants:
        when: 7 days after lastWatered at 09:00
        notify: {title: Water the plants, actions: [done, snooze 3 days, snooze 1 month]}
    edits:
      milk:
        later: {when: exit shop, notify: {title: Buy milk later, type: shopping}}
    consumers:
      lists: "lists/{name}"
    links: {schemes: [app]}
    milestones:
      tenVisits: {when: fact visits changes, if: visits >= 10, prime: ten_visits}
    surfaces:
      insights: {unlockedBy: signedIn is true, benefit: See how your weeks went}
    analytics: {consent: granted}
    gates:
      - tapThrough >= 25 %, kill < 5 % after 30 days
    policy: {quietHours: 22:00-07:00, minimumInterval: 4 h}
    preferences: {dailyCap: 3}
    planner: on
    person: tap-v1
    timeline:
      - 08:10 unlock
      - 17:41 enter shop
      - 18:10 unlock
    expect:
      - milk fires once
      - pills fires at least 10 times

    """

  /// What a scenario says that includes a pack, and that has an end and stored counters.
  package static let withPack = """
    kind: scenario
    version: 1
    title: A pack, an end and stored counters
    include: fitme
    zone: Europe/Berlin
    start: 2026-03-02T07:00
    end: 2026-03-04T07:00
    intendedWarnings: [it is so already]
    facts: {level: {names: [basic, full], initial: basic}}
    activeReminders: {by: level, atMost: {basic: 20}}
    stored: {ft.reminder.engagement.sentCount: 2}
    timeline:
      - 08:10 open
      - 08:20 open
    expect:
      - engagement never

    """

  /// People whose facts differ, each kind of fact in its own way.
  package static let population = """
    kind: population
    version: 1
    title: Three in ten have an account
    zone: Europe/Berlin
    start: 2026-03-02T00:00
    for: 14 days
    facts:
      signedIn: false
      plan: [free, trial, paid]
      visits: number
    reminders:
      account: {when: every day 19:00 ahead 3, if: signedIn is false, notify: Sign up}
    habits:
      wake: {median: 07:00, spread: 1 h, daily: 20 min}
      sleep: 23:00
      unlocksPerHour: {median: 3, sigma: 0.5}
      facts:
        signedIn: 30 %                               # true for 30 of 100 people, false for the others
        plan: {free: 70 %, trial: 10 %, paid: 20 %}  # one of its names for each person
        visits: {mean: 5, spread: 3, most: 20}       # a whole number: 5 on average, 2 to 8 for two in three

    """

  /// The lines that stand under a key of the scenarios, the key's own included; nil where neither has it.
  package static func section(_ key: String) -> String? {
    section(key, of: main) ?? section(key, of: withPack)
  }

  private static func section(_ key: String, of story: String) -> String? {
    let lines = story.split(separator: "\n")
    guard let start = lines.firstIndex(where: { $0.hasPrefix(key + ":") }) else { return nil }
    let rest = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }
    return ([lines[start]] + rest).joined(separator: "\n")
  }
}
