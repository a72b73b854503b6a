import CivilTime
import ReminderMatching
import TextFormats

/// The vocabulary of sentences, except that of triggers and conditions. The reader and the writer share it.
enum SentenceWords {
  /// An event in spoken words and in the words of the trigger grammar. If several spoken forms represent the
  /// same event, the writer uses the first one. A word in capitals is a slot for one word, and `REST` is a
  /// slot for all following words.
  struct Event {
    var spoken: [String]
    var written: [String]
    /// Whether the event is an action of the person, as in "when I unlock my phone".
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

  /// The limits on how often a reminder fires, each with the corresponding value of `repeat`.
  static let repeats: [(spoken: String, written: String)] = [
    ("only once", "once"), ("at most once a day", "daily"), ("at most once a week", "weekly"),
    ("at most once a month", "monthly"), ("every time", "always"), ("each time", "always"),
  ]

  /// The details in brackets, each with the corresponding key under `notify`.
  static let details: [(spoken: String, key: String)] = [
    ("created later", "exists"), ("bucket", "bucket"), ("critical if", "criticalIf"), ("type", "type"),
    ("priority", "priority"), ("useful for", "usefulFor"), ("event", "event"), ("link", "link"),
    ("actions", "actions"), ("attachment", "attachment"),
  ]

  /// The words that introduce the conditions for withdrawing a request.
  static let withdrawal = ["taken", "back", "as", "soon", "as"]

  static let ordinals = WeekdayOfMonth.words.map(\.0)
  static let weekdays = Weekday.allCases.map(\.name)
  /// The words that may occur in a list of weekdays.
  static let days = weekdays + ["weekday", "weekdays", "weekend", "weekends"]
  /// The words that begin a trigger in the short form.
  static let triggers = Format<Trigger>.firstWordsOfEvents.union(Schedules.firstWords).union(["stay"])

  /// The words that begin a part of a sentence. A name that equals one of them must be quoted.
  static let starts =
    [
      "when", "every", "monthly", "yearly", "on", "after", "before", "between", "while", "during", "inside",
      "outside", "if", "only", "at", "each", "until", "taken", "for",
    ] + ordinals
  static let reserved = Set(starts + ["or", "and", "the", "I", "saying", "then"])

  /// The verbs with which a title may begin. "Buy milk" is written as "Remind me to buy milk".
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

/// Writes names in sentences.
enum SentenceNames {
  /// Returns the name, quoted if it is a reserved word of sentences.
  static func word(_ name: String) -> String {
    SentenceWords.reserved.contains(name) ? QuotedText.write(name) : name
  }
}
