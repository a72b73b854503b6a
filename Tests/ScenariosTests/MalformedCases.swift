/// Invalid files, grouped by class.
enum MalformedCases {
  struct Case {
    var name: String
    var bytes: [UInt8]

    init(_ name: String, _ text: String) {
      self.name = name
      bytes = Array(text.utf8)
    }

    init(_ name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    init(_ name: String, _ sample: Sample) {
      self.init(name, sample.text)
    }
  }

  static let classes: [(name: String, cases: [Case])] = [
    ("truncated-or-wrong-yaml", wrongYAML), ("wrong-types", wrongTypes), ("deep-nesting", deepNesting),
    ("alias-bombs", aliasBombs), ("dates-and-zones", datesAndZones), ("duplicates", duplicates),
    ("cycles", cycles),
    ("unknown-names", unknownNames), ("unknown-keys", unknownKeys), ("not-utf8", notUTF8), ("empty", empty),
    ("huge", huge), ("combinations", combinations), ("places", places), ("time-line", timeline),
    ("expectations", expectations), ("facts", facts), ("many-at-once", many),
    ("gates", gates), ("schedules", schedules), ("items", items),
  ]

  /// Returns the sample with one part of its head replaced.
  private static func head(_ piece: String, _ replacement: String) -> Sample {
    var sample = Sample()
    precondition(sample.head.contains(piece), "the sample has no \(piece)")
    sample.head = sample.head.replacing(piece, with: replacement)
    return sample
  }

  private static func notified(_ keys: String) -> String {
    "reminders:\n  milk: {when: unlock, notify: {\(keys)}}\n  bread: {when: unlock, notify: Buy bread}"
  }

  static let wrongYAML = [
    Case("a bracket is left open", Sample(timeline: "timeline: [08:10 unlock")),
    Case("a quote is left open", Sample(expect: "expect: [\"milk fires]")),
    Case("cut off within a key", "kind: scenario\nversion: 1\ntit"),
    Case("indented with a tab", "kind: scenario\nreminders:\n\tmilk: {when: unlock}\n"),
    Case("a colon within a text", "kind: scenario\ntitle: Milk: the story\n"),
    Case("an item at the wrong depth", "kind: scenario\ntimeline:\n  - 08:10 unlock\n - 08:20 lock\n"),
    Case("a control character", "kind: scenario\ntitle: a\u{1}b\n"),
    Case("an unknown escape", "kind: scenario\ntitle: \"a\\qb\"\n"),
    Case("a comma within a text in braces", Sample(reminders: notified("title: Hello, world"))),
    Case(
      "commas within texts in braces",
      Sample(reminders: notified("title: It's mum, dad and me, body: Now, please"))),
    Case(
      "a comma within a text in quotes and one behind it", Sample(reminders: notified("title: 'Now', now"))),
    Case(
      "a comma behind a text that needs more than quotes",
      Sample(reminders: notified(#"title: It's "so", now"#))),
    Case(
      "a key that is known without a value", Sample(reminders: notified("title: Hello, link, bucket: user"))),
    Case("a first key without a value", Sample(reminders: notified("title, body: Now"))),
    Case("a place between braces", head("[52.52, 13.405]", "{lat: 52.52, 13.405}")),
    Case("two documents", "kind: scenario\nversion: 1\n---\nkind: scenario\n"),
  ]

  static let wrongTypes = [
    Case("a list as the root", "- kind: scenario\n"), Case("a text as the root", "milk\n"),
    Case(
      "reminders as a list",
      Sample(reminders: "reminders: [milk, bread]", expect: "expect: [tapThrough >= 1 %]")),
    Case("a time line as a mapping", Sample(timeline: "timeline: {08:10: unlock}")),
    Case("a number without its unit", head("150 m", "150")),
    Case("a word for a number", Sample(timeline: "policy: {dailyCap: three}")),
    Case("a mapping for a title", head("A sample", "{text: A sample}")),
    Case("nothing for a title", head("A sample", "~")),
    Case("no for true", Sample(timeline: "policy: {criticalBypassesQuietHours: no}")),
    Case("a quarter of a count", Sample(timeline: "policy: {dailyCap: 2.5}")),
    Case("an octal that is none", Sample(timeline: "seed: 0o12")),
    Case("another version", head("version: 1", "version: 2")),
  ]

  static let deepNesting = [
    Case(
      "forty lists",
      "kind: scenario\ntimeline: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40)),
    Case(
      "forty mappings",
      "kind: scenario\ntimeline: " + String(repeating: "{a: ", count: 40) + "1"
        + String(repeating: "}", count: 40)),
    Case("a thousand and more lists", "kind: scenario\ntimeline: " + String(repeating: "[", count: 5_000)),
    Case("a megabyte of brackets", String(repeating: "[", count: 1_000_000)),
  ]

  static let aliasBombs = [
    Case(
      "a billion laughs",
      "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + "bcdefghi".reduce(into: ("", Character("a"))) { state, letter in
          let item = "*\(state.1)"
          state.0 +=
            "\(letter): &\(letter) [" + Array(repeating: item, count: 9).joined(separator: ", ") + "]\n"
          state.1 = letter
        }.0),
    Case(
      "nineteen doublings of a large list",
      "a: &a0 [" + Array(repeating: "x", count: 2_000).joined(separator: ", ") + "]\n"
        + (1...9).map { "b\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()),
    Case("a bomb as a key", "a: &a [x, x]\nb: &b [*a, *a]\n? *b\n: 1\n"),
    Case("an alias in a large file", "a: &a x\nb: *a\n# " + String(repeating: "x", count: 70_000) + "\n"),
  ]

  static let datesAndZones = [
    Case("30 February", head("2026-03-02T07:00", "2026-02-30T07:00")),
    Case("29 February of a common year", head("2026-03-02T07:00", "2026-02-29T07:00")),
    Case("a thirteenth month", head("2026-03-02T07:00", "2026-13-02T07:00")),
    Case("25 o'clock", head("2026-03-02T07:00", "2026-03-02T25:00")),
    Case("no time of day", head("2026-03-02T07:00", "2026-03-02")),
    Case("an offset", head("2026-03-02T07:00", "2026-03-02T07:00+01:00")),
    Case("a year too far", head("2026-03-02T07:00", "2500-03-02T07:00")),
    Case("a misspelt zone", head("Europe/Berlin", "Europe/Berlim")),
    Case("an abbreviation for a zone", head("Europe/Berlin", "CEST")),
    Case("no zone at all", head("zone: Europe/Berlin", "seed: 1")),
    Case("a journey to nowhere", Sample.timeline("08:10 travel to Mars/Olympus")),
    Case(
      "a date that a zone skipped",
      { () -> Sample in
        var sample = Sample.timeline("2011-12-30 08:10 unlock")
        sample.head = sample.head.replacing("Europe/Berlin", with: "Pacific/Apia")
          .replacing("2026-03-02T07:00", with: "2011-12-29T07:00")
        return sample
      }()),
    Case("24:00", Sample.timeline("24:00 unlock")),
    Case("an end before the start", head("zone:", "end: 2026-03-01T00:00\nzone:")),
    Case("two ends", head("zone:", "end: 2026-03-05T00:00\nfor: 3 days\nzone:")),
  ]

  static let duplicates = [
    Case(
      "two reminders of one name",
      Sample(
        reminders:
          "reminders:\n  milk: {when: unlock, notify: A}\n  bread: {when: unlock, notify: B}\n  milk: {when: open, notify: C}"
      )),
    Case(
      "two types that are stored as one",
      Sample(
        reminders:
          "reminders:\n  trainingDay: {when: unlock, notify: A}\n  b: {when: unlock, notify: {title: B, type: training_day}}"
          + "\nedits:\n  b:\n    later: {when: open, notify: {title: B, type: Training_day}}"
      )),
    Case("two places of one name", head("  home:", "  shop:")),
    Case("a key twice", head("zone: Europe/Berlin", "title: Another")),
    Case(
      "a key twice in one line", Sample(reminders: "reminders: {milk: {when: unlock, notify: A, when: open}}")
    ),
    Case("an app twice", head("[maps, music]", "[maps, maps]")),
    Case(
      "a trigger twice", Sample(reminders: "reminders: {milk: {when: [unlock, open, unlock], notify: A}}")),
    Case("a check twice", Sample(timeline: "policy: {checkOrder: [dailyCap, permission, dailyCap]}")),
  ]

  static let cycles = [
    Case("a list that contains itself", "kind: scenario\ntimeline: &a [08:10 unlock, *a]\n"),
    Case("a mapping that contains itself", "kind: scenario\nreminders: &a\n  milk: *a\n"),
    Case("two lists that contain each other", "kind: scenario\ntimeline: &a [*b]\nexpect: &b [*a]\n"),
    Case("a merge key", "kind: scenario\npolicy: &p {dailyCap: 3}\nphone:\n  <<: *p\n"),
  ]

  static let unknownNames = [
    Case("a place in a trigger", Sample.trigger("enter shpo")),
    Case("an app in a trigger", Sample.trigger("open app map")),
    Case("a fact in a trigger", Sample.trigger("fact signedin changes")),
    Case("a place in a condition", Sample.condition("inside shops")),
    Case("a fact in a condition", Sample.condition("curent < 3")),
    Case("a name of a fact", Sample.condition("plan is premium")),
    Case("a reminder in the time line", Sample.timeline("08:10 tap mlik")),
    Case("an edit", Sample.timeline("08:10 edit milk to latr")),
    Case("a reminder in an expectation", Sample.expect("mlk fires")),
    Case("a metric", Sample.expect("tapThru >= 25 %")),
    Case("a reason", Sample.expect("milk is denied by quietHour")),
    Case("a type in a policy", Sample(timeline: "policy: {lifetimeCap: {mlik: 3}}")),
    Case("a trigger", Sample.trigger("unlok")), Case("a condition", Sample.condition("weekdys")),
    Case("an action", Sample.timeline("08:10 plugin")),
    Case("a permission", Sample.timeline("08:10 notifications authorised")),
    Case("nothing like it", Sample.trigger("enter supermarket")),
  ]

  static let unknownKeys = [
    Case("in the file", head("title: A sample", "titel: A sample")),
    Case("in a reminder", Sample(reminders: "reminders: {milk: {wen: unlock, notify: A}}")),
    Case(
      "in what is shown",
      Sample(reminders: "reminders: {milk: {when: unlock, notify: {title: A, buket: user}}}")),
    Case("in a policy", Sample(timeline: "policy: {qiet: 22:00-07:00}")),
    Case("in a place", head("radius: 150 m", "radios: 150 m")),
    Case("in an entry", Sample.timeline("{at: 08:10, doo: unlock}")),
    Case("in an expectation", Sample.expect("{reminder: milk, fire: once}")),
    Case("a kind that is nearly one", head("kind: scenario", "kind: scenari")),
    Case("no kind", "version: 1\ntitle: A sample\n"),
  ]

  static let notUTF8 = [
    Case("Latin-1", bytes: Array("kind: scenario\ntitle: Caf".utf8) + [0xE9] + Array("\n".utf8)),
    Case("a character cut in half", bytes: Array("kind: scenario\ntitle: ".utf8) + [0xE2, 0x82]),
    Case("UTF-16", bytes: [0xFF, 0xFE] + "kind: scenario\n".utf8.flatMap { [$0, 0] }),
    Case("an overlong slash", bytes: Array("kind: ".utf8) + [0xC0, 0xAF]),
    Case("a surrogate", bytes: Array("é: ".utf8) + [0xED, 0xA0, 0x80]),
  ]

  static let empty = [
    Case("no bytes", ""), Case("a line end", "\n"), Case("a comment", "# nothing here\n"),
    Case("an empty document", "---\n"),
    Case("an empty suite", Sample(expect: "expect: []")), Case("no suite", Sample(expect: "seed: 1")),
    Case("no reminders", Sample(reminders: "reminders: {}", expect: "expect: [fires = 0]")),
  ]

  static let huge = [
    Case("65 megabytes of comment", bytes: Array(repeating: UInt8(ascii: "#"), count: 65 * 1_024 * 1_024)),
    Case(
      "five megabytes, and not plain",
      bytes: Array("kind: scenario\nversion: &one 1\n".utf8)
        + Array(repeating: UInt8(ascii: "#"), count: 5 * 1_024 * 1_024)),
    Case(
      "too many values",
      "kind: scenario\ntitle: &t x\ntimeline: [" + String(repeating: "a,", count: 210_000) + "]\n"
    ),
    Case("a duration beyond a century", Sample.timeline("+99999999999h unlock")),
  ]

  static let combinations = [
    Case("or in a sentence", Sample.condition("charging or weekend")),
    Case("a list in a list", Sample.condition("[[charging, weekend], weekdays]")),
    Case("any", Sample.condition("{any: [charging, weekend]}")),
    Case("or as a key", Sample.condition("[{or: [charging, weekend]}]")),
    Case("and in a sentence", Sample.condition("charging and weekend")),
    Case("a colon that YAML takes", Sample.condition("\n      - days(since: onboarding) in 2")),
    Case("two conditions in one mapping", Sample.condition("{charging: true, inside: shop}")),
  ]

  static let places = [
    Case("beyond the pole", head("[52.52, 13.405]", "[90.5, 13.405]")),
    Case("beyond the antimeridian", head("[52.52, 13.405]", "[52.52, -180.1]")),
    Case("not a number", head("[52.52, 13.405]", "[.nan, 13.405]")),
    Case("nan", head("[52.52, 13.405]", "[nan, 13.405]")),
    Case("infinite", head("[52.52, 13.405]", "[52.52, inf]")),
    Case("no radius", head("radius: 150 m", "radius: 0 m")),
    Case("a negative radius", head("radius: 150 m", "radius: -5 m")),
    Case("one number", head("[52.52, 13.405]", "[52.52]")),
  ]

  static let timeline = [
    Case("no time", Sample.timeline("unlock")), Case("no action", Sample.timeline("08:10")),
    Case("before the start", Sample.timeline("2026-03-01 08:10 unlock")),
    Case("after the end", Sample.timeline("day 9 08:10 unlock", length: "2 days")),
    Case("a repetition without end", Sample.timeline("every day 08:10 unlock")),
    Case("a journey that repeats", Sample.timeline("every day 08:10 travel to UTC", length: "2 days")),
    Case(
      "an entry on the wrong side of a journey",
      Sample.timeline("day 3 08:10 travel to Asia/Tokyo", "day 2 09:00 unlock", length: "5 days")),
    Case(
      "a window that passes midnight",
      Sample.timeline("every 1 h from 22:00 until 06:00 unlock", length: "2 days")),
    Case(
      "a repetition that ends before it begins",
      Sample.timeline("every day 08:10 from day 5 until day 3 unlock", length: "9 days")),
    Case("a schedule with an interval and no first date", Sample.trigger("every 2 weeks on monday 09:00")),
    Case("a first date that does not fit", Sample.trigger("monthly on 31 at 09:00 from 2026-03-15")),
    Case("a value of another kind", Sample.timeline("08:10 set signedIn = 3")),
    Case("half a snooze", Sample.timeline("{at: 08:10, do: {snooze: milk}}")),
  ]

  /// Returns the sample with the given gates.
  private static func gate(_ entries: String..., expect: String = "milk fires") -> Sample {
    Sample(
      timeline: "gates:\n" + entries.map { "  - \($0)" }.joined(separator: "\n"),
      expect: "expect: [\(expect)]")
  }

  static let gates = [
    Case("no target", gate("tapThrough")), Case("no measure", gate("\">= 25 %\"")),
    Case("no list", Sample(timeline: "gates: {tapThrough: 25 %}")),
    Case("a misspelt share", gate("tapThru >= 25 %")), Case("a count", gate("fires >= 3")),
    Case("something else", gate("happiness >= 25 %")),
    Case("no number", gate("tapThrough >=")), Case("half a number", gate("tapThrough >= much")),
    Case("above the whole", gate("tapThrough >= 125 %")),
    Case("an unknown reminder", gate("tapThrough of mlik >= 25 %")),
    Case("a person's figure of a reminder", gate("disableRate of milk <= 10 %")),
    Case("the kill criterion on the same side", gate("tapThrough >= 25 %, kill > 5 %")),
    Case("the kill criterion within the target", gate("tapThrough >= 25 %, kill < 30 %")),
    Case("both at one number", gate("tapThrough >= 25 %, kill <= 25 %")),
    Case("nothing behind kill", gate("tapThrough >= 25 %, kill")),
    Case("nothing behind after", gate("tapThrough >= 25 %, kill < 5 % after")),
    Case("after without kill", gate("tapThrough >= 25 % after 30 days")),
    Case("kill twice", gate("tapThrough >= 25 %, kill < 5 % kill < 4 %")),
    Case("a conversion without its goal", gate("conversion of milk >= 10 %")),
    Case("a conversion to a number", gate("conversion of milk to current within 7 days >= 10 %")),
    Case("the lift of a truth value", gate("lift of signedIn by milk >= 10 %")),
    Case("the same gate twice", gate("tapThrough >= 25 %", "tapThrough >= 30 %")),
    Case("an unknown gate", gate("tapThrough >= 25 %", expect: "gate tapThru passes")),
    Case("a verdict that there is not", gate("tapThrough >= 25 %", expect: "gate tapThrough fails")),
    Case("a long form without its metric", gate("{target: \">= 25 %\"}")),
    Case("a long form without its parts", gate("{metric: lift, target: \">= 25 %\"}")),
    Case("a long form with too many parts", gate("{metric: tapThrough, fact: current, target: \">= 25 %\"}")),
    Case(
      "after without kill in the long form", gate("{metric: tapThrough, target: \">= 25 %\", after: 30 days}")
    ),
    Case(
      "a benchmark without its source",
      gate("{metric: tapThrough, target: \">= 25 %\", benchmark: {value: 14.4 %}}")),
    Case(
      "a gate without its verdict", gate("tapThrough >= 25 %", expect: "{gate: tapThrough}")),
  ]

  static let expectations = [
    Case("nothing said", Sample.expect("milk")), Case("a wrong verb", Sample.expect("milk firs once")),
    Case("a count of a share", Sample.expect("fires >= 25 %")),
    Case("an empty window", Sample.expect("milk fires between 17:00 and 17:00")),
    Case("a reason of another stage", Sample.expect("milk is denied by staleData")),
    Case("never twice", Sample.expect("milk never twice")),
    Case("until for a denial", Sample.expect("milk is denied until 07:00")),
    Case("two times", Sample.expect("milk fires at 08:10 between 09:00 and 10:00")),
    Case("no reminder", Sample.expect("{fires: once}")),
    Case("a metric without its bound", Sample.expect("{metric: fires}")),
  ]

  static let facts = [
    Case("a word of conditions", head("signedIn: false", "in: false")),
    Case("a name that means every one", Sample(reminders: "reminders: {all: {when: unlock, notify: A}}")),
    Case("no kind", head("signedIn: false", "signedIn: maybe")),
    Case("order among names", Sample.condition("plan < paid")),
    Case("days since a number", Sample.condition("days since score > 3")),
    Case("a ratio of truths", Sample.condition("signedIn / target < 1")),
    Case("too many decimals", Sample.condition("score < 1.2345")),
    Case("a list with an order", Sample.condition("score < 1, 2")),
    Case("no spaces", Sample.condition("score<3")), Case("no constant", Sample.condition("score <")),
  ]

  private static let plants = """
    items:
      plant:
        attributes: {room: [kitchen, bedroom], watered: instant, latin: text}
        list:
          basil: {room: kitchen, watered: 2026-03-01T18:00, latin: Ocimum}
          fern: {room: bedroom}
    """

  /// Returns the sample with plants, and a template with the given text.
  private static func plants(_ template: String, _ section: String = plants) -> Sample {
    var sample = Sample()
    sample.head += "\n" + section
    sample.reminders = "reminders:\n  milk: {when: unlock, notify: Buy milk}\n  water: \(template)"
    return sample
  }

  private static func plants(timeline item: String) -> Sample {
    var sample = plants("{for: each plant, when: 7 days after plant.watered at 09:00, notify: Water}")
    sample.timeline = "timeline:\n  - 08:00 open\n  - '\(item)'"
    return sample
  }

  static let items = [
    Case(
      "an attribute that is not declared, in a condition",
      plants("{for: each plant, when: unlock, if: plant.rom = kitchen, notify: Water}")),
    Case(
      "an attribute that is not declared, of an item",
      plants(
        "{for: each plant, when: unlock, notify: Water}",
        plants.replacing("fern: {room", with: "fern: {rom"))),
    Case(
      "a value that is none",
      plants("{when: unlock, notify: Water}", plants.replacing("bedroom}", with: "bathroom}"))),
    Case(
      "an item twice",
      plants("{for: each plant, when: unlock, notify: Water}", plants + "\n      basil: {room: kitchen}")),
    Case(
      "an item of two kinds",
      plants(
        "{for: each plant, when: unlock, notify: Water}",
        plants + "\n  herb: {attributes: {room: truth}, list: {basil: {}}}")),
    Case("a kind that nobody declares", plants("{for: each plnt, when: unlock, notify: Water}")),
    Case("no kind", plants("{for: plant, when: unlock, notify: Water}")),
    Case(
      "a template without items",
      plants(
        "{for: each plant, when: unlock, notify: Water}", "items: {plant: {attributes: {room: [kitchen]}}}")),
    Case(
      "days after what is no instant",
      plants("{for: each plant, when: 7 days after plant.room at 09:00, notify: Water}")),
    Case(
      "a text in a condition",
      plants("{for: each plant, when: unlock, if: plant.latin = Ocimum, notify: Water}")),
    Case(
      "a word for nothing, in a title",
      plants("{for: each plant, when: unlock, notify: 'Water {plnt}'}")),
    Case(
      "nothing is said of it", plants("{for: each plant, when: unlock, notify: 'Water {plant.latin}'}")),
    Case("a template that is wrong", plants("{for: each plant, when: unlokc, notify: Water}")),
    Case("an item that nobody knows", plants(timeline: "09:00 remove plant basl")),
    Case("a kind that nobody knows", plants(timeline: "09:00 add plnt ivy")),
    Case("an attribute that nobody knows", plants(timeline: "09:00 add plant ivy {roon: kitchen}")),
    Case("an added value that is none", plants(timeline: "09:00 add plant ivy {room: hall}")),
    Case("no name", plants(timeline: "09:00 add plant")),
    Case("an open brace", plants(timeline: "09:00 add plant ivy {room: kitchen")),
    Case(
      "removed twice",
      {
        var sample = plants(timeline: "09:00 remove plant basil")
        sample.timeline += "\n  - 10:00 remove plant basil"
        return sample
      }()),
    Case(
      "deleted before it is made",
      {
        var sample = plants("{when: unlock, exists: later, notify: Water}")
        sample.timeline = "timeline:\n  - 08:00 delete water\n  - 09:00 create water"
        return sample
      }()),
    Case("made, and nobody knows it", Sample.timeline("08:10 create mlk")),
    Case("the name of what a template makes", plants(timeline: "09:00 cancel water for basl")),
    Case("it exists at another time", plants("{when: unlock, exists: never, notify: Water}")),
  ]

  static let schedules = [
    Case("days after a number", Sample.trigger("7 days after score at 09:00")),
    Case("days after a truth, in keys", Sample.trigger("{relative: {days: 7, after: signedIn, at: 09:00}}")),
    Case("days after a fact that nobody knows", Sample.trigger("7 days after onbording at 09:00")),
    Case("days after nothing", Sample.trigger("7 days after")),
    Case("no time", Sample.trigger("7 days after onboarding")),
    Case("a number of something", Sample.trigger("7 hours after onboarding at 09:00")),
    Case("the same day twice", Sample.trigger("\"7, 7 days after onboarding at 09:00\"")),
    Case("too many days", Sample.trigger("4000 days after onboarding at 09:00")),
    Case(
      "after and before",
      Sample.trigger("{relative: {days: 7, after: onboarding, before: onboarding, at: 09:00}}")),
    Case("times that do not ascend", Sample.trigger("\"every day 20:00, 08:00\"")),
    Case("a span that ends before it begins", Sample.trigger("every 2 h from 21:00 until 09:00")),
    Case("a span of seconds", Sample.trigger("every 90 s from 09:00 until 21:00")),
    Case("a span without an end", Sample.trigger("every day every 2 h from 09:00")),
    Case("a weekday that is none", Sample.trigger("first mnday of the month 09:00")),
    Case("never", Sample.trigger("every day 09:00 0 times")),
    Case("not without before", Sample.trigger("every day 09:00 not 2026-04-01")),
    Case("two times a day, by the system", Sample.trigger("\"every day 08:00, 20:00 ahead repeating\"")),
    Case(
      "the first monday, by the system", Sample.trigger("first monday of the month 09:00 ahead repeating")),
    Case("an end before the start", Sample.trigger("every day 09:00 until 2026-03-01")),
    Case(
      "an end before the start, in keys",
      Sample.trigger("{scheduled: {frequency: daily, start: day 3, at: 09:00, until: day 2}}")),
    Case("an end before the first date", Sample.trigger("every day 09:00 not before day 5 until day 4")),
    Case("two ends", Sample.trigger("every day 09:00 5 times until day 9")),
    Case("an end of a single date", Sample.trigger("on day 2 at 09:00 until day 3")),
    Case("an end that is a time", Sample.trigger("every day 09:00 until 21:00")),
    Case("an exception that does not exist", Sample.trigger("every day 09:00 except 2026-02-30")),
    Case("no exception", Sample.trigger("every day 09:00 except")),
    Case("an exception of a single date", Sample.trigger("on day 2 at 09:00 except day 2")),
    Case(
      "exceptions without effect, and one that is none",
      Sample.trigger("\"every weekday 09:00 until day 9 except day 2, day 6, day 15, 2026-3-3\"")),
    Case("exceptions, by the system", Sample.trigger("every day 09:00 except day 2 ahead repeating")),
    Case("an end, by the system", Sample.trigger("every day 09:00 until day 9 ahead repeating")),
    Case("a zone, by the system", Sample.trigger("every day 09:00 in UTC ahead repeating")),
    Case("an end of a span", Sample.trigger("every 2 h until day 9 ahead repeating")),
    Case("an unknown zone", Sample.trigger("every day 09:00 in America/Phenix")),
    Case(
      "an unknown zone, in keys",
      Sample.trigger("{scheduled: {frequency: daily, start: day 1, at: 09:00, zone: Berlin}}")),
    Case("the last of something", Sample.trigger("last weekdy of the month 09:00")),
    Case(
      "a weekday of the week's month",
      Sample.trigger("{scheduled: {frequency: weekly, start: day 1, at: 09:00, dayOfMonth: first monday}}")),
    Case("a date that does not exist", head("score: number", "score: 2026-02-30")),
    Case("completing what counts from nothing", Sample.timeline("08:10 complete milk")),
    Case("completing what nobody knows", Sample.timeline("08:10 complete mlk")),
    Case(
      "completing what counts from a date",
      {
        var sample = Sample.timeline("08:10 complete milk")
        sample.head = sample.head.replacing("score: number", with: "score: date")
        sample.reminders = Sample.trigger("7 days after score at 09:00").reminders
        return sample
      }()),
  ]

  static let many = [
    Case(
      "each mistake is reported once, in the order of the file",
      """
      kind: scenario
      version: 1
      titel: Many mistakes
      start: 2026-03-02T07:00
      zone: Europe/Berlim
      places:
        shop: {at: [52.52, 13.405], radius: 150}
      reminders:
        milk:
          when: enter shpo
          if: [charging, after 25:00]
          notify: {title: Buy milk, bucket: users}
      timeline:
        - 08:10 unlok
        - 08:70 lock
      expect:
        - milk fires onec
        - bread fires

      """)
  ]
}
