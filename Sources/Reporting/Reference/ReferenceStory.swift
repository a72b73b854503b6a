/// The scenarios that provide the examples of the reference. A test runs them and checks their expectations.
package enum ReferenceStory {
  /// A scenario that declares every name that the example sentences use.
  package static let main = """
    kind: scenario
    version: 1
    title: The examples of the reference
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

  /// A scenario with a pack, an end and stored counters.
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

  /// A population with one drawn fact of each kind of distribution.
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
        visits: {mean: 5, spread: 3, most: 20}       # an integer: 5 on average, 2 to 8 for two in three

    """

  /// The smallest mappings that contain a key, by the end of the key's path, for keys that have a meaning only
  /// together with others. The mapping replaces the generated one. All other examples follow from the schema.
  static let mappings: KeyValuePairs = [
    "facts.NAME.initial": "{kind: number, initial: 3}", "facts.NAME.source": "{kind: number, source: health}",
    "facts.NAME.whenUnreadable": "{kind: number, source: health, whenUnreadable: 0}",
    "facts.NAME.endOfDay": "{initial: 2, endOfDay: 0}",
    "items.NAME.attributes": "{attributes: {room: {names: [kitchen, balcony]}, watered: instant}}",
    "items.NAME.list": "{list: {fern: {room: kitchen, watered: 2026-02-26T18:00}}}",
    "attributes.NAME.onDelete": "{names: [kitchen, balcony], onDelete: kitchen}",
    "plans.NAME.triggers": "{triggers: [time, open]}",
    "plans.NAME.as": "{as: paid, lasts: 7 days, then: free}",
    "plans.NAME.lasts": "{as: paid, lasts: 7 days, then: free}",
    "plans.NAME.ends": "{as: paid, lasts: 7 days, ends: midnight, then: free}",
    "plans.NAME.then": "{as: paid, lasts: 7 days, then: paid}",
    "subscription.start": "{start: free}", "subscription.gracePeriod": "{start: free, gracePeriod: 16 days}",
    "subscription.billingRetry": "{start: free, billingRetry: 60 days}",
    "activeReminders.by": "{by: level, atMost: {basic: 20}}",
    "activeReminders.atMost": "{by: level, atMost: {basic: 20}}",
    "places.NAME.at": "{at: [52.52, 13.405], radius: 150 m}",
    "places.NAME.radius": "{at: [52.52, 13.405], radius: 150 m}",
    "phone.at": "{at: shop}", "phone.unreadable": "{unreadable: [health]}",
    "reminders.NAME.for":
      "{for: each plant, when: 7 days after plant.watered at 09:00, notify: 'Feed the {plant}'}",
    "notify.actions": "{title: Take your pills, actions: [snooze 3 days]}",
    "notify.attachment": "{title: Take your pills, attachment: image 800 KB}",
    ".value": "{value: visits, comparison: greaterOrEqual, constants: 3}",
    ".dividedBy": "{value: visits, dividedBy: goal, comparison: less, constants: 50 %}",
    ".age": "{age: visits, comparison: less, constants: 3 h}",
    ".daysSince": "{daysSince: lastWatered, comparison: greater, constants: 3}",
    ".timeSince": "{timeSince: lastWatered, comparison: greater, constants: 3 h}",
    ".comparison": "{value: visits, comparison: greaterOrEqual, constants: 3}",
    ".constants": "{value: visits, comparison: equal, constants: [3, 4]}",
    ".reason": "{value: visits, comparison: less, constants: 3, reason: lowConfidence}",
    "reminders.NAME.withdraw": "{when: unlock, withdraw: signedIn is true, notify: Sign in}",
    "notify.criticalIf": "{title: Take your pills, criticalIf: visits >= 3}",
    "surfaces.NAME.unlockedBy": "{unlockedBy: signedIn is true}",
    "surfaces.NAME.benefit": "{unlockedBy: signedIn is true, benefit: See your weeks}",
    "surfaces.NAME.remindedBy": "{unlockedBy: signedIn is true, remindedBy: shopping}",
    "surfaces.NAME.shownWhen": "{unlockedBy: signedIn is true, shownWhen: refused}",
    "links.hosts": "{schemes: [app], hosts: [lists]}", "links.domains": "{domains: [example.org]}",
    "gates.name": "{name: taps, metric: tapThrough, target: '>= 30 %'}",
    "gates.metric": "{name: taps, metric: tapThrough, target: '>= 30 %'}",
    "gates.of": "{name: taps, metric: tapThrough, of: milk, target: '>= 30 %'}",
    "gates.fact":
      "{name: signUps, metric: conversion, of: milk, fact: signedIn, within: 7 days, target: '>= 5 %'}",
    "gates.within":
      "{name: signUps, metric: conversion, of: milk, fact: signedIn, within: 7 days, target: '>= 5 %'}",
    "gates.target": "{name: taps, metric: tapThrough, target: '>= 30 %'}",
    "gates.kill": "{name: taps, metric: tapThrough, target: '>= 30 %', kill: < 5 %}",
    "gates.after": "{name: taps, metric: tapThrough, target: '>= 30 %', kill: < 5 %, after: 30 days}",
    "gates.benchmark":
      "{name: taps, metric: tapThrough, target: '>= 30 %', benchmark: {value: 4.6 %, source: A report of 2025}}",
    "benchmark.value": "{value: 4.6 %, source: A report of 2025}",
    "benchmark.of": "{value: 4.6 %, of: reminders, source: A report of 2025}",
    "benchmark.source": "{value: 4.6 %, source: A report of 2025}",
    "gates.words": "{name: taps, metric: tapThrough, target: '>= 30 %', words: taps per notification}",
    "policy.typeRollingCaps": "{typeRollingCaps: {shopping: 2 in 7 days}}",
    "person.waking": "{model: tap-v1, organicOpens: 2, waking: 07:00-23:00}",
    "waking.from": "{from: 07:00, to: 23:00}", "waking.to": "{from: 07:00, to: 23:00}",
    "timeline.on": "{on: tablet, at: 09:00, do: unlock}", "timeline.at": "{at: 09:00, do: unlock}",
    "timeline.every": "{every: weekday, at: 09:00, do: unlock}",
    "timeline.during": "{every: 2 h, during: 08:00-20:00, do: unlock}",
    "during.from": "{from: 08:00, to: 20:00}", "during.to": "{from: 08:00, to: 20:00}",
    "timeline.weekdays": "{every: 2 h, weekdays: weekend, do: unlock}",
    "timeline.from": "{every: day, at: 09:00, from: 2026-03-04, do: unlock}",
    "timeline.until": "{every: day, at: 09:00, until: 2026-03-09, do: unlock}",
    "timeline.do": "{at: 09:00, do: [unlock, open]}", "timeline.gpx": "{gpx: traces/way-home.gpx}",
    "timeline.ndjson": "{ndjson: traces/day.ndjson}",
    "timeline.aware": "{aware: {battery: battery.csv, screen: screen.csv}}",
    "aware.battery": "{battery: battery.csv}", "aware.screen": "{screen: screen.csv}",
    "aware.charging": "{battery: battery.csv, charging: status}",
    "aware.device": "{battery: battery.csv, device: 3a7c}",
    "timeline.accuracyLimit": "{gpx: traces/way-home.gpx, accuracyLimit: 100 m}",
    "timeline.longestGap": "{gpx: traces/way-home.gpx, longestGap: 5 min}",
    "timeline.speed": "{gpx: traces/way-home.gpx, at: 17:00, speed: 5 km/h}",
    "timeline.track": "{gpx: traces/way-home.gpx, track: 1}",
    "do.event": "{event: unlock}", "do.channel": "{channel: shopping, importance: silent}",
    "do.importance": "{channel: shopping, importance: silent}",
    "do.fix": "{fix: shop}", "do.accuracy": "{fix: shop, accuracy: 20 m}",
    "do.set": "{set: visits, to: 4}", "do.to": "{set: visits, to: 4}", "do.edit": "{edit: milk, to: later}",
    "do.snooze": "{snooze: milk, for: 2 h}", "do.for": "{snooze: milk, for: 2 h}",
    "do.until": "{snooze: milk, until: 18:00}", "do.complete": "{complete: water for basil}",
    "do.create": "{create: fertilize}", "do.press": "{press: done, of: plants}",
    "do.of": "{press: done, of: plants}", "do.prompt": "{prompt: authorized}",
    "do.notifications": "{notifications: authorized}", "do.batch": "{batch: complete all water in kitchen}",
    "expect.reminder": "{reminder: milk, fires: once}", "expect.fires": "{reminder: milk, fires: once}",
    "expect.shows": "{reminder: milk, shows: Buy milk, times: once}",
    "expect.denied": "{reminder: milk, denied: quietHours, times: never}",
    "expect.deferred": "{reminder: milk, deferred: quietHours, times: never}",
    "expect.notRequested": "{reminder: milk, notRequested: snoozed, times: never}",
    "expect.lost": "{reminder: milk, lost: pendingLimit, times: never}",
    "expect.doubled": "{reminder: milk, doubled: offline, times: never}",
    "expect.times": "{reminder: milk, denied: quietHours, times: never}",
    "expect.between": "{reminder: milk, fires: once, between: 17:00-18:00}",
    "between.from": "{from: 17:00, to: 18:00}", "between.to": "{from: 17:00, to: 18:00}",
    "expect.at": "{reminder: milk, fires: never, at: 12:00}",
    "expect.offset": "{reminder: milk, fires: never, at: 12:00, offset: +01:00}",
    "expect.date": "{reminder: milk, fires: once, date: 2026-03-02}",
    "expect.device": "{reminder: milk, fires: never, device: tablet}",
    "expect.until": "{reminder: milk, deferred: quietHours, until: 07:00, times: never}",
    "expect.metric": "{metric: fires, comparison: greater, value: 3}",
    "expect.comparison": "{metric: fires, comparison: greater, value: 3}",
    "expect.value": "{metric: fires, comparison: greater, value: 3}",
    "expect.only": "{only: [milk, pills]}", "expect.exact": "{exact: [milk at 17:42 on 2026-03-02]}",
    "exact.reminder": "{reminder: milk, at: 17:42}", "exact.at": "{reminder: milk, at: 17:42}",
    "exact.offset": "{reminder: milk, at: 17:42, offset: +01:00}",
    "exact.date": "{reminder: milk, at: 17:42, date: 2026-03-02}",
    "expect.app": "{app: prompt is shown, times: never}",
    "expect.view": "{view: upcoming shows milk, at: 12:00, date: 2026-03-02}",
    "expect.gate": "{gate: tapThrough, verdict: inconclusive}",
    "expect.verdict": "{gate: tapThrough, verdict: inconclusive}",
    "expect.words": "{metric: fires, comparison: greater, value: 3, words: enough fires}",
    "scheduled.frequency": "{frequency: daily, start: 2026-03-02, at: 08:00}",
    "scheduled.weekdays": "{frequency: weekly, start: 2026-03-02, at: 08:00, weekdays: weekend}",
    "scheduled.dayOfMonth": "{frequency: monthly, start: 2026-03-02, at: 08:00, dayOfMonth: first monday}",
    "scheduled.at": "{frequency: daily, start: 2026-03-02, at: '08:00, 20:00'}",
    "relative.days": "{days: '7, 14', after: lastWatered, at: 09:00}",
    "relative.after": "{days: 7, after: lastWatered, at: 09:00}",
    "relative.before": "{days: 7, before: birthday, at: 09:00, everyYear: true}",
    "relative.at": "{days: 7, after: lastWatered, at: 09:00}",
    "relative.everyYear": "{days: 0, after: birthday, at: 09:00, everyYear: true}",
    "relative.skip": "{days: 0, after: birthday, at: 09:00, everyYear: true, skip: backward}",
    "relative.ahead": "{days: 7, after: lastWatered, at: 09:00, ahead: 1}",
    "triggers.relative": "{relative: {days: 7, after: lastWatered, at: 09:00}}",
    "elapsed.spans": "{spans: 8 h, after: lastWatered}", "elapsed.after": "{spans: 8 h, after: lastWatered}",
    "elapsed.before": "{spans: 8 h, before: lastWatered}",
    "elapsed.ahead": "{spans: 8 h, after: lastWatered, ahead: 1}",
    "triggers.elapsed": "{elapsed: {spans: 8 h, after: lastWatered}}",
    "triggers.repeating": "{repeating: {frequency: daily, start: 2026-03-02, at: 08:00}}",
    "repeating.every": "{every: 2 h}",
    "repeating.frequency": "{frequency: daily, start: 2026-03-02, at: 08:00}",
    "repeating.start": "{frequency: daily, start: 2026-03-02, at: 08:00}",
    "repeating.at": "{frequency: daily, start: 2026-03-02, at: 08:00}",
    "repeating.weekdays": "{frequency: weekly, start: 2026-03-02, at: 08:00, weekdays: weekend}",
    "repeating.skip": "{frequency: monthly, start: 2026-03-02, at: 08:00, skip: backward}",
    "conditions.weekdays": "{weekdays: weekend}", "triggers.weekdays": "{weekdays: weekend}",
    "conditions.fact": "{fact: {value: visits, comparison: greaterOrEqual, constants: 3}}",
    "quietHours.from": "{from: 22:00, to: 07:00}", "quietHours.to": "{from: 22:00, to: 07:00}",
    "weekday.from": "{from: 22:00, to: 07:00}", "weekday.to": "{from: 22:00, to: 07:00}",
    "timeWindow.from": "{from: 18:00, to: 22:00}", "timeWindow.to": "{from: 18:00, to: 22:00}",
  ]

  /// The members that a mapping needs next to a nested one, by the end of the nested one's path.
  static let neighbours = [
    "timeline.do": "{at: 09:00}", "timeline.during": "{every: 2 h, do: unlock}",
    "expect.between": "{reminder: milk, fires: once}", "person.waking": "{model: tap-v1, organicOpens: 2}",
    "gates.benchmark": "{name: taps, metric: tapThrough, target: '>= 30 %'}",
  ]

  /// Returns the lines of a key and its value, or `nil` if neither scenario contains the key.
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

/// Example sentences for each key of a scenario that accepts sentences.
///
/// A test runs the examples and checks that every form of the grammar has an example.
package enum ReferenceSentences {
  package static let triggers = [
    "unlock", "charging starts", "charging stops", "open", "open app maps", "enter shop", "exit shop",
    "stay in shop for 8 min",
    "stay in shop for 1 h 30 min, 2 h 30 min",
    "fact visits changes", "closed for 3, 5, 7 days at 18:00",
    "on 2026-03-04 09:00", "on 2026-03-04 at 09:00", "on day 3 at 09:00",
    "every day 08:00, 20:00", "every day at every 2 h from 09:00 until 21:00", "every weekday at 08:10",
    "every monday, friday 08:10 ahead 5", "every day 20:00 ahead repeating", "every 2 h ahead repeating",
    "every 2 h from 09:00 until 21:00", "every 3 days at 09:00 from 2026-03-02", "every day 09:00 5 times",
    "every day 09:00 not before 2026-03-05", "every 2 weeks on monday at 09:00 from 2026-03-09",
    "every week at 09:00 from 2026-03-04", "every 2 weeks at 09:00 from 2026-03-04",
    "every 2 months on the first monday at 09:00 from 2026-03-02",
    "every 2 months on 15 at 09:00 from 2026-03-15", "every 2 years on 03-05 at 09:00 from 2026-03-05",
    "monthly on 31 at 09:00 from 2026-01-31 skip backward", "yearly on 02-29 at 09:00 skip forward",
    "first monday of the month at 09:00", "second tuesday of the month at 09:00",
    "third wednesday of the month at 09:00", "fourth thursday of the month at 09:00",
    "fifth friday of the month at 09:00 skip omit", "last friday of the month at 17:00",
    "last weekday of the month at 16:00",
    "every weekday 12:00 until 2026-03-31 except 2026-03-05, 2026-03-06",
    "every day 21:00 in America/Phoenix ahead 3",
    "7 days after lastWatered at 09:00 ahead 1",
    "8 h after lastWatered", "1 h 30 min after lastWatered", "24 h, 1 h 30 min before lastWatered ahead 1",
    "30, 7, 0 days before birthday every year at 09:00 skip omit",
    "1 day after lastWatered 09:00",
  ]

  package static let conditions = [
    "charging", "not charging", "weekdays", "weekend", "on monday, friday", "after 16:00", "before 09:30",
    "between 09:00 and 17:00", "22:00-07:00", "inside shop", "outside shop", "signedIn is true",
    "plan in free, paid", "visits / goal < 50 %", "age(steps) <= 12 h else staleData",
    "days since lastWatered >= 3", "days(since: lastWatered) in [2, 5, 10]", "time since lastWatered > 36 h",
  ]

  package static let timeline = [
    "08:10 unlock", "08:10:30 lock", "09:00 plug in", "10:00 unplug", "next day 07:00 open", "07:05 leave",
    "day 3 08:00 force quit", "08:05 force stop", "08:10 update app", "2026-03-04 09:00 terminate",
    "2026-03-04T09:05 power off", "09:10 power on", "+50h30m reboot", "day 3 12:00 reinstall",
    "12:05 pull notification centre", "12:06 system sheet", "12:07 clear notifications", "12:08 cancel all",
    "12:09 next add fails", "12:10 next 3 adds fail", "12:11 store lost", "12:12 store stale",
    "12:13 store torn",
    "12:14 next tap lost", "12:15 next tap late by 5 s", "12:16 next tap again after 300 ms",
    "12:17 grant notifications", "12:18 deny notifications", "12:19 notifications provisional",
    "12:20 prompt authorized", "12:20 prompt location whenInUse", "12:20 prompt screen time denied",
    "12:20 screen time approved", "12:20 choose apps none", "12:20 choose apps maps, mail",
    "12:21 skip priming", "12:22 maybe later", "12:23 prime ten_visits",
    "12:24 visit insights", "12:25 create account from insights", "12:26 give consent",
    "12:27 withdraw consent",
    "12:28 turn off all notifications", "12:29 turn on all notifications", "12:30 turn off shopping",
    "12:31 turn on shopping", "12:32 own daily cap 2", "12:33 own daily cap none",
    "12:34 location services off",
    "12:35 exact alarms on", "12:36 channel shopping off", "12:37 channel shopping silent",
    "12:38 channel shopping alerting", "12:39 do not disturb on", "12:40 open link app://lists/shopping",
    "12:41 open app maps", "12:42 travel to Europe/Lisbon", "12:43 travel to Europe/Berlin",
    "13:00 set clock +1 h", "13:01 set clock -1 h", "13:02 location whenInUse", "13:03 precise location on",
    "13:04 focus on", "13:05 summary off", "13:06 airplane mode off", "13:07 background refresh on",
    "13:08 low power mode off", "13:09 battery 40 %", "13:10 enter shop", "13:11 exit shop",
    "13:12 at [52.5, 13.4] accuracy 10 m", "13:13 at shop", "13:13 at shop accuracy 10 m",
    "13:13 at [52.5, 13.4]", "13:14 set visits = 4", "13:15 forget steps",
    "13:16 snooze milk until day 4 18:00", "13:16 snooze milk until 18:00", "13:17 snooze milk for 2 h",
    "13:18 snooze milk for 3 days", "13:19 snooze milk for 2 months",
    "13:20 snooze milk for 1 calendar month",
    "13:18 complete plants",
    "13:18 complete water for basil", "13:18 add plant ivy {room: balcony, watered: now}",
    "13:18 remove plant ivy",
    "13:17 press done on plants", "13:17 press snooze 3 days on plants",
    "13:17 press snooze 1 month on plants",
    "13:18 complete all water", "13:18 complete all water in kitchen",
    "13:18 complete all water in room kitchen, not confirmed", "13:18 complete water for basil, ivy",
    "13:18 complete water for basil, plants, not confirmed", "13:18 move all in room kitchen to balcony",
    "13:18 delete room kitchen",
    "13:18 create fertilize", "13:18 delete fertilize",
    "13:19 edit milk to later", "13:20 cancel milk", "13:21 tap pills", "13:22 dismiss pills",
    "13:23 ignore pills", "13:24 deny reading health", "13:25 allow reading health", "13:26 show insights",
    "13:27 not now", "13:28 show insights", "13:29 follow insights", "13:30 start trial",
    "13:31 cancel subscription", "13:32 buy monthly", "13:33 renewal fails", "13:34 renewal recovers",
    "13:35 refund", "13:36 buy monthly", "13:37 subscription expires", "on tablet 14:00 open",
    "14:01 sync refuses next 2 writes", "14:02 sync repeats next write",
    "every weekday at 17:30 plug in", "every monday, friday 17:45 from day 5 until day 12 unplug",
    "every 15 min from 08:00 until 20:00 on weekend unlock",
  ]

  package static let expectations = [
    "milk fires", "water for basil fires", "milk fires once between 17:41 and 17:45 on day 2",
    "milk fires twice",
    "milk shows \"Buy milk\" once at 17:42", "milk never shows \"Buy milk\" on day 2",
    "milk on tablet never", "milk on phone fires once at 17:42",
    "milk shows \"Buy \\\"oat\\\" milk\" at least once",
    "milk fires at least 3 times", "milk fires at most once", "milk fires 3 times", "milk fires at 17:42",
    "milk fires at 02:30 +01:00", "milk never", "milk never fires during 22:00-07:00", "milk is denied",
    "milk is denied by quietHours twice", "milk is deferred by quietHours until 07:00",
    "pills is doubled", "pills is doubled by nothingDone twice",
    "milk is not requested because conditionFailed", "milk is lost to pendingLimit", "fires >= 3",
    "milk fires <= 10", "tapThrough >= 25 %", "gate tapThrough passes", "gate tapThrough kills",
    "gate tapThrough is inconclusive",
    "priming ten_visits is shown", "priming ten_visits is skipped", "prompt is shown",
    "permission is granted",
    "permission is denied", "settings banner is shown", "surface insights is shown",
    "surface insights is followed", "surface insights is dismissed", "surface insights is unlocked",
    "upcoming on day 7 at 08:00 shows plants today, fertilize later",
    "today by room on 2026-03-05 at 08:00:30 shows water for basil today in kitchen, 0 of 1 done",
    "upcoming at 08:00:30 on day 3 shows nothing overdue", "today at 08:00 on 2026-03-03 is empty",
    "milestone tenVisits is reached at least once between 09:00 and 17:00 on day 2",
    "milestone tenVisits is reached at most twice at 17:42 +01:00",
    "prompt is early", "prompt is stacked", "prompt is never early", "prompt is never stacked",
    "location prompt is shown", "location prompt is early", "location prompt is stacked",
    "location permission is granted", "location permission is denied",
    "location prompt is never shown", "location prompt is never early", "location prompt is never stacked",
    "location permission is never granted", "location permission is never denied",
    "screen time prompt is shown", "screen time prompt is early", "screen time prompt is stacked",
    "screen time permission is granted", "screen time permission is denied",
    "screen time prompt is never shown", "screen time prompt is never early",
    "screen time prompt is never stacked",
    "screen time permission is never granted", "screen time permission is never denied",
    "milestone tenVisits is reached 1 time during 09:00-10:00", "priming ten_visits is never shown",
    "priming ten_visits is never skipped", "prompt is never shown", "permission is never granted",
    "permission is never denied", "settings banner is never shown", "surface insights is never shown",
    "surface insights is never followed", "surface insights is never dismissed",
    "surface insights is unasked", "creating fertilize is refused", "surface insights is never unasked",
    "creating fertilize is never refused", "batch of 1 is done",
    "batch of 2 is never done", "confirmation is asked", "confirmation is declined",
    "confirmation is never asked", "confirmation is never declined",
    "surface insights is never unlocked", "milestone tenVisits is never reached",
  ]

  package static let gates = [
    "tapThrough >= 25 %", "tapThrough >= 25 %, kill < 5 % after 30 days", "disableRate <= 10 %, kill > 25 %",
    "acknowledgement of milk >= 20 %", "conversion of milk to signedIn within 3 days >= 10 %",
    "lift of visits by milk >= 5 %", "weeklyActive >= 30 %", "weeklyActive of milk >= 30 %",
  ]
}
