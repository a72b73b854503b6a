/// What sentences consist of, for the reference.
extension ReminderSentences {
  /// The parts in their order, and the ways to say each.
  package static var parts: [(name: String, ways: [String])] {
    let events = SentenceWords.events.map {
      "when " + ($0.isByPerson ? "I " : "")
        + $0.spoken.map { $0 == "REST" ? "DAYS days at TIME" : $0 }.joined(separator: " ")
    }
    return [
      (
        "what it shows",
        [
          "Remind me to TITLE", "Remind me \"TITLE\"", "saying \"BODY\"", "then \"TITLE OF THE NEXT STAGE\"",
        ]
      ),
      (
        "when it comes, with 'or' between several", events + ["any other trigger, such as every day at 09:00"]
      ),
      (
        "conditions, with a comma or 'and' between several",
        [
          "while charging", "while not charging", "on DAYS", "after TIME", "before TIME",
          "between TIME and TIME",
          "during TIME-TIME", "inside PLACE", "outside PLACE", "if FACT COMPARISON",
        ]
      ),
      ("how often it may come", SentenceWords.repeats.map(\.spoken)),
      (
        "its end, with 'or' between several comparisons",
        ["until DATE TIME", SentenceWords.withdrawal.joined(separator: " ") + " FACT COMPARISON"]
      ),
      ("one for each item", ["for each KIND"]),
      (
        "what else it says, in brackets with ';' between several",
        SentenceWords.details.map { $0.key == "exists" ? $0.spoken : "\($0.spoken) …" }
      ),
    ]
  }

  /// Sentences of every form: a test reads them, and holds them against the parts.
  package static let examples = [
    "Remind me to call mum when I unlock my phone after 18:00",
    "Remind me to buy milk when I enter the shop or leave shop, on weekdays, after 16:00 (bucket user; link app://lists/shopping)",
    "Remind me to buy bread when I arrive at shop, before 20:00, only once.",
    "Remind me \"Half of your steps are still to come\", saying \"A walk helps\", when I open the app or open maps, between 09:00 and 17:00, if steps < 5000 and visits / goal < 50 %, at most once a day (type steps; useful for 4 h; priority 20; event half_of_steps)",
    "Remind me \"Keep your data\", then \"Still a guest\", 3, 7, 14 days after lastWatered at 10:00, if signedIn is false, taken back as soon as signedIn is true or plan is paid",
    "Remind me to wish a happy birthday 30, 7, 0 days before birthday every year at 09:00",
    "Remind me to take the pill every day at 20:00 ahead repeating",
    "Remind me to back up when I plug in, while charging, during 22:00-07:00, at most once a week",
    "Remind me \"Unplugged\" when I unplug, while not charging, outside shop, at most once a month",
    "Remind me to look when I plug in my phone or leave shop or I unplug my phone",
    "Remind me to look at it when visits changes, inside shop, every time, until 2026-04-01 12:00",
    "Remind me \"Come back\" when the app stays closed for 3, 5, 7 days at 18:00",
    "Remind me to pay rent on the first monday of the month at 09:00, on monday, tuesday (critical if plan is free; actions snooze 2 h and snooze 1 day; attachment image 800 KB; created later)",
    "Remind me \"Water the {plant}\" 7 days after plant.watered at 09:00, for each plant, each time",
  ]
}
