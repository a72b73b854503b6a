/// The first scenario of a new user, and typical single mistakes in it.
enum NewcomerMistakes {
  struct Mistake {
    var name: String
    /// The text to replace. It occurs exactly once in the valid file.
    var good: String
    var bad: String

    init(_ name: String, _ good: String, _ bad: String) {
      self.name = name
      self.good = good
      self.bad = bad
    }
  }

  static let good = """
    kind: scenario
    version: 1
    title: Milk on the way home
    start: 2026-03-02T07:00
    for: 3 days
    zone: Europe/Berlin
    profile: ios
    facts:
      signedIn: false
    places:
      shop: {at: [52.52, 13.405], radius: 150 m}
    reminders:
      milk:
        when: enter shop
        if: [after 16:00]
        notify: {title: Buy milk, bucket: user}
      pills:
        when: every day 08:00 ahead 3
        notify: Take your pills
    policy:
      quietHours: 22:00-07:00
      minimumInterval: 4 h
    timeline:
      - 07:10 unlock
      - 08:10 plug in
      - 17:41 enter shop
      - 17:45 tap milk
    expect:
      - milk fires once between 17:40 and 17:50
      - pills fires

    """

  /// Mistakes in quotes, brackets, indentation, colons and dashes.
  static let spelling = [
    Mistake("a quote that is left open", "title: Milk on the way home", "title: \"Milk on the way home"),
    Mistake("a single quote that is left open", "notify: Take your pills", "notify: 'Take your pills"),
    Mistake("an apostrophe in single quotes", "notify: Take your pills", "notify: 'Don't forget your pills'"),
    Mistake("typographic quotes", "when: enter shop", "when: “enter shop”"),
    Mistake("an indentation with a tab", "    when: enter shop", "\twhen: enter shop"),
    Mistake(
      "a key one space too far in", "    notify: {title: Buy milk, bucket: user}",
      "     notify: {title: Buy milk, bucket: user}"),
    Mistake(
      "a key one space too far out", "    notify: {title: Buy milk, bucket: user}",
      "   notify: {title: Buy milk, bucket: user}"),
    Mistake("a bracket that is left open", "if: [after 16:00]", "if: [after 16:00"),
    Mistake("a brace that is left open", "{title: Buy milk, bucket: user}", "{title: Buy milk, bucket: user"),
    Mistake("no space behind a colon", "when: enter shop", "when:enter shop"),
    Mistake("a colon in a title", "title: Milk on the way home", "title: Milk: on the way home"),
    Mistake("no space behind a dash", "  - 08:10 plug in", "  -08:10 plug in"),
    Mistake("an equals sign for a colon", "minimumInterval: 4 h", "minimumInterval = 4 h"),
    Mistake("no dash before an item", "  - 17:45 tap milk\n", "  17:45 tap milk\n"),
    Mistake(
      "no dash before the last item of a section", "  - 17:45 tap milk\n",
      "  17:45 tap milk\n\n# what must come of it\n"),
    Mistake(
      "no space behind a dash, and a comment below", "  - 17:45 tap milk\n",
      "  -17:45 tap milk\n\n# what must come of it\n"),
    Mistake(
      "no space behind a colon, and a comment with one", "profile: ios\n",
      "profile:ios   # the phone: ios or android\n# What the app knows:\n"),
  ]

  /// Mistakes in keys, units, dates and zones.
  static let values = [
    Mistake("quiet hours of another clock", "22:00-07:00", "10pm-7am"),
    Mistake("quiet hours with a long dash", "22:00-07:00", "22:00–07:00"),
    Mistake("quiet hours with a word", "22:00-07:00", "22:00 to 07:00"),
    Mistake("a cap that is none", "  minimumInterval: 4 h\n", "  dailyCap: unlimited\n"),
    Mistake("a repetition in other words", "when: enter shop\n", "when: enter shop\n    repeat: every day\n"),
    Mistake("a misspelt section", "reminders:\n", "remiders:\n"),
    Mistake("a misspelt section of places", "places:\n", "place:\n"),
    Mistake("a section in the singular", "policy:\n", "policies:\n"),
    Mistake("sections in capitals", "timeline:\n", "Timeline:\n"),
    Mistake("a profile of a phone's name", "profile: ios", "profile: iphone"),
    Mistake("another phone", "profile: ios", "profile: Android 14"),
    Mistake("an interval without its unit", "minimumInterval: 4 h", "minimumInterval: 4"),
    Mistake("a distance without its unit", "radius: 150 m", "radius: 150"),
    Mistake("a distance in feet", "radius: 150 m", "radius: 500 ft"),
    Mistake("a unit of duration abbreviated wrongly", "minimumInterval: 4 h", "minimumInterval: 4 hrs"),
    Mistake("a time of the afternoon the English way", "17:41 enter shop", "5:41pm enter shop"),
    Mistake("a time without minutes", "after 16:00", "after 4pm"),
    Mistake("midnight as 24:00", "between 17:40 and 17:50", "between 17:40 and 24:00"),
    Mistake("midnight as the end of quiet hours", "22:00-07:00", "22:00-24:00"),
    Mistake("an American date", "start: 2026-03-02T07:00", "start: 03/02/2026 7:00 AM"),
    Mistake("a German date", "start: 2026-03-02T07:00", "start: 02.03.2026 07:00"),
    Mistake("a start without its time", "start: 2026-03-02T07:00", "start: 2026-03-02"),
    Mistake("a start that is counted from the start", "start: 2026-03-02T07:00", "start: day 1 07:00"),
    Mistake("an end without its time", "for: 3 days", "end: day 3"),
    Mistake("an abbreviated zone", "zone: Europe/Berlin", "zone: CET+1"),
    Mistake("a zone that is only a city", "zone: Europe/Berlin", "zone: Berlin"),
    Mistake(
      "a list where a mapping belongs", "  milk:\n    when: enter shop",
      "  - milk:\n    when: enter shop"),
    Mistake(
      "a list of mappings for reminders",
      "reminders:\n  milk:\n    when: enter shop\n    if: [after 16:00]\n    notify: {title: Buy milk, bucket: user}\n  pills:\n    when: every day 08:00 ahead 3\n    notify: Take your pills",
      "reminders:\n  - name: milk\n    when: enter shop\n    notify: Buy milk\n  - name: pills\n    when: every day 08:00\n    notify: Take your pills"
    ),
    Mistake(
      "a mapping where a list belongs",
      "timeline:\n  - 07:10 unlock\n  - 08:10 plug in\n  - 17:41 enter shop\n  - 17:45 tap milk",
      "timeline:\n  07:10: unlock\n  08:10: plug in\n  17:41: enter shop"),
  ]

  /// Mistakes in the timeline, expectations and other sections.
  static let sentences = [
    Mistake("the time behind the action", "  - 17:41 enter shop", "  - enter shop 17:41"),
    Mistake("an action that there is not", "17:41 enter shop", "17:41 go to shop"),
    Mistake("an action of one word too many", "08:10 plug in", "08:10 plug in charger"),
    Mistake("a misspelt reminder", "17:45 tap milk", "17:45 tap mlik"),
    Mistake("a reminder that does not exist", "  - pills fires", "  - bread fires"),
    Mistake("yes for true", "signedIn: false", "signedIn: yes"),
    Mistake("yes for a switch", "policy:\n", "planner: yes\npolicy:\n"),
    Mistake(
      "two schedules in one text", "when: every day 08:00 ahead 3",
      "when: every day 08:00, every day 20:00"),
    Mistake("two schedules with and", "when: every day 08:00 ahead 3", "when: every day 08:00 and 20:00"),
    Mistake("or between conditions", "if: [after 16:00]", "if: after 16:00 or charging"),
    Mistake("and between conditions", "if: [after 16:00]", "if: charging and after 16:00"),
    Mistake(
      "an expectation on a day outside the run", "milk fires once between 17:40 and 17:50",
      "milk fires once on day 5"),
    Mistake(
      "an expectation on a date outside the run", "milk fires once between 17:40 and 17:50",
      "milk fires on 2026-02-28"),
    Mistake("fires with a number alone", "  - pills fires", "  - pills fires 3"),
    Mistake("a misspelt verb", "  - pills fires", "  - pills fire"),
    Mistake("a percentage of a count", "  - pills fires", "  - fires >= 50 %"),
    Mistake("does not fire", "  - pills fires", "  - pills does not fire"),
    Mistake(
      "no expectation", "expect:\n  - milk fires once between 17:40 and 17:50\n  - pills fires\n",
      "expect:\n"),
    Mistake("no kind", "kind: scenario\n", ""),
    Mistake("another version", "version: 1", "version: 1.0"),
    Mistake("a key twice", "version: 1", "version: 1\nversion: 1"),
    Mistake("a comment with slashes", "  - 08:10 plug in", "  - 08:10 plug in // charger"),
    Mistake(
      "json with a comma too many", "{title: Buy milk, bucket: user}",
      "{title: Buy milk,, bucket: user}"),
    Mistake("latitude and longitude as names", "at: [52.52, 13.405]", "at: {lat: 52.52, lon: 13.405}"),
    Mistake("coordinates as one text", "at: [52.52, 13.405]", "at: 52.52, 13.405"),
    Mistake("a decimal comma", "at: [52.52, 13.405]", "at: [52,52, 13,405]"),
    Mistake("a bucket that there is not", "bucket: user", "bucket: normal"),
    Mistake("days in the plural", "every day 08:00 ahead 3", "every days 08:00"),
    Mistake("a weekday abbreviated", "every day 08:00 ahead 3", "every mon 08:00"),
    Mistake("daily for every day", "every day 08:00 ahead 3", "daily 08:00"),
    Mistake("no trigger", "    when: enter shop\n", ""),
    Mistake(
      "two schedules in a list", "when: every day 08:00 ahead 3",
      "when: [every day 08:00, every sunday 10:00]"),
    Mistake(
      "an expectation at a time before the run", "milk fires once between 17:40 and 17:50",
      "milk fires once at 06:30 on day 1"),
    Mistake("a half of the day behind the time", "17:41 enter shop", "5:41 pm enter shop"),
    Mistake("an entry behind the end", "17:45 tap milk", "day 4 17:45 tap milk"),
    Mistake("a sign the other way round", "  - pills fires\n", "  - tapThrough => 25 %\n"),
    Mistake("a share without its unit", "  - pills fires\n", "  - tapThrough >= 25\n"),
    Mistake("a share above the whole", "  - pills fires\n", "  - tapThrough >= 125 %\n"),
    Mistake("a count below nothing", "  - pills fires\n", "  - fires >= -1\n"),
    Mistake("an exact count said so", "  - pills fires\n", "  - pills fires exactly once\n"),
    Mistake("a time after which it fires", "  - pills fires\n", "  - pills fires once after 08:00\n"),
    Mistake("a text where a list belongs", "  - pills fires\n", "  - only: milk, pills\n"),
  ]
}
