import CivilTime
import ReminderMatching
import TextFormats

/// The words of sentences, except those of triggers and conditions. Reader and writer share them.
enum SentenceWords {
  /// An event in the words of a sentence, and in the words of the trigger grammar. The writer uses the first
  /// of several for one event. A word in capitals is a slot for one word; `REST` takes all words that follow.
  struct Event {
    var spoken: [String]
    var written: [String]
    /// Whether the person does it, as in "when I unlock my phone".
    var isByPerson: Bool

    init(_ spoken: String, _ written: String) {
      isByPerson = spoken.hasPrefix("I ")
      self.spoken = spoken.split(separator: " ").dropFirst(isByPerson ? 1 : 0).map(String.init)
      self.written = written.split(separator: " ").map(String.init)
    }

    static func isSlot(_ word: String) -> Bool { word.count > 1 && word.allSatisfy(\.isUppercase) }
  }

  static let events = [
    Event("I unlock my phone", "unlock"),
    Event("I plug in", "charging starts"), Event("I plug in my phone", "charging starts"),
    Event("I unplug", "charging stops"), Event("I unplug my phone", "charging stops"),
    Event("I open the app", "open"), Event("I open APP", "open app APP"),
    Event("I enter PLACE", "enter PLACE"), Event("I arrive at PLACE", "enter PLACE"),
    Event("I leave PLACE", "exit PLACE"), Event("FACT changes", "fact FACT changes"),
    Event("the app stays closed for REST", "closed for REST"),
  ]

  /// How often a reminder may fire, and the word for it under 'repeat'.
  static let repeats: [(spoken: String, written: String)] = [
    ("only once", "once"), ("at most once a day", "daily"), ("at most once a week", "weekly"),
    ("at most once a month", "monthly"), ("every time", "always"), ("each time", "always"),
  ]

  /// The details in brackets, and the key of the notification for each.
  static let details: [(spoken: String, key: String)] = [
    ("created later", "exists"), ("bucket", "bucket"), ("critical if", "criticalIf"), ("type", "type"),
    ("priority", "priority"), ("useful for", "usefulFor"), ("event", "event"), ("link", "link"),
    ("actions", "actions"), ("attachment", "attachment"),
  ]

  /// The words before the comparisons that withdraw a request.
  static let withdrawal = ["taken", "back", "as", "soon", "as"]

  static let ordinals = WeekdayOfMonth.words.map(\.0)
  static let weekdays = Weekday.allCases.map(\.name)
  /// The words in a list of days of the week.
  static let days = weekdays + ["weekday", "weekdays", "weekend", "weekends"]
  /// The words with which a trigger begins in the short form.
  static let triggers = Format<Trigger>.firstWordsOfEvents.union(Schedules.firstWords)

  /// The words with which a part of a sentence begins. Names that equal one of them need quotes.
  static let starts =
    [
      "when", "every", "monthly", "yearly", "on", "after", "before", "between", "while", "during", "inside",
      "outside", "if", "only", "at", "each", "until", "taken", "for",
    ] + ordinals
  static let reserved = Set(starts + ["or", "and", "the", "I", "saying", "then"])

  /// Verbs with which titles begin: "Buy milk" is written as "Remind me to buy milk".
  static let verbs: Set<String> = [
    "add", "answer", "ask", "bake", "book", "breathe", "bring", "brush", "buy", "call", "cancel", "change",
    "charge", "check", "clean", "collect", "connect", "cook", "create", "do", "drink", "eat", "empty",
    "exercise",
    "feed", "fertilize", "fetch", "fill", "finish", "fix", "get", "give", "go", "iron", "keep", "leave",
    "lock", "log", "look", "make", "measure", "meet", "move", "open", "order", "pack", "paint", "pay", "pick",
    "plan", "plant", "post", "practise", "prepare", "print", "prune", "put", "read", "refill", "renew",
    "rest", "return", "review", "run", "sell", "send", "sign", "sleep", "start", "stop", "stretch", "study",
    "swap", "switch", "take", "tell", "test", "tidy", "train", "turn", "unlock", "unplug", "visit", "walk",
    "wash", "watch", "water", "weigh", "wish", "work", "write",
  ]
}

/// Names within sentences.
enum SentenceNames {
  /// Returns a name, in quotes if sentences reserve the word.
  static func word(_ name: String) -> String {
    SentenceWords.reserved.contains(name) ? QuotedText.write(name) : name
  }
}
