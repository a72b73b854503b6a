import CivilTime
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Expectations as sentences: `milk fires once between 17:41 and 17:45`.
enum ExpectationSentences {
  static let comparisons: [(String, FactCondition.Comparison)] = [
    ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater), ("=", .equal),
    ("==", .equal),
    ("!=", .notEqual),
  ]

  /// Common misspellings of comparison operators, each with the correct operator.
  private static let slips = ["=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "<>": "!=", "≠": "!="]

  static func parse(_ sentence: Words, _ reader: Reader) -> Expectation.Claim? {
    let texts = sentence.texts
    func isOperator(_ index: Int) -> Bool {
      texts.indices.contains(index) && comparisons.contains { $0.0 == texts[index] }
    }
    if let word = sentence.dropFirst(1).prefix(2).words.first(where: { slips[$0.text] != nil }) {
      reader.error(
        "'\(word.text)' is not a comparison sign", at: word.position,
        hint: slips[word.text].map { "write '\($0)'" })
      return nil
    }
    if isOperator(1) { return metric(sentence, of: nil, reader) }
    if AppSentences.isApp(sentence, reader) { return AppSentences.parse(sentence, reader) }
    if ViewSentences.isView(sentence, reader) { return ViewSentences.parse(sentence, reader) }
    if texts.first == "gate", reader.names.reminders.position(of: "gate") == nil {
      return Grammar<Expectation.Claim>.gateClaim.parse(sentence, reader)
    }
    var words = sentence
    guard let first = words.next() else { return nil }
    guard let id = Atom<ReminderID>.reminderID.parse(first, reader) else { return nil }
    if isOperator(2) { return metric(words, of: id, reader) }
    var device: String?
    if words.take("on") {
      guard let named = words.next() else {
        reader.error(
          "a device is missing after 'on'", at: first.position,
          hint: "such as '\(first.text) on phone never'")
        return nil
      }
      guard let known = Atom<String>.deviceName.parse(named, reader) else { return nil }
      device = known
    }
    guard let verb = Verb.take(from: &words, reader) else { return nil }
    guard var parts = Parts.take(from: &words, verb, reader) else { return nil }
    parts.occasion.device = device
    return claim(id, verb, parts)
  }

  /// Parses a claim about a metric, such as `tapThrough >= 25 %`.
  private static func metric(_ words: Words, of id: ReminderID?, _ reader: Reader) -> Expectation.Claim? {
    var words = words
    guard let name = words.next(), let sign = words.next(),
      let metric = Atom<Metric>.metric.parse(name, reader),
      let comparison = comparisons.first(where: { $0.0 == sign.text })?.1
    else { return nil }
    guard !words.isEmpty else {
      reader.error("a number is missing after '\(sign.text)'", at: sign.position)
      return nil
    }
    guard let value = bound(words.joined, of: metric, reader) else { return nil }
    if id != nil, metric.isOfPerson {
      reader.error(
        "'\(metric.name)' is a figure of the person, not of a reminder", at: name.position,
        hint: "leave out the reminder")
      return nil
    }
    return .metric(metric, of: id, comparison, millionths: value)
  }

  /// Returns a bound in millionths, or `nil` after reporting an invalid bound. A bound of a count must be a
  /// whole number.
  static func bound(_ word: Word, of metric: Metric, _ reader: Reader) -> Int64? {
    guard let value = Atom<Int64>.ratio.parse(word, reader) else { return nil }
    let isCount = value >= 0 && value % 1_000_000 == 0 && !word.text.hasSuffix("%")
    guard metric.isRatio || isCount else {
      reader.error(
        "'\(metric.name)' is a count, so its bound is a whole number from 0 on", at: word.position)
      return nil
    }
    guard !metric.isShare || (0...1_000_000).contains(value) else {
      let isPercent = !word.text.hasSuffix("%") && (0...100_000_000).contains(value)
      reader.error(
        "'\(metric.name)' is a share, so its bound is from 0 % to 100 %", at: word.position,
        hint: isPercent ? "did you mean '\(word.text) %'?" : nil)
      return nil
    }
    return value
  }

  static func claim(_ id: ReminderID, _ verb: Verb, _ parts: Parts) -> Expectation.Claim {
    switch verb {
    case .fires: .fires(id, parts.count ?? .atLeast(1), parts.occasion)
    case .never: .fires(id, .exactly(0), parts.occasion)
    case .shows(let title): .shows(id, title: title, parts.count ?? .atLeast(1), parts.occasion)
    case .neverShows(let title): .shows(id, title: title, .exactly(0), parts.occasion)
    case .ends(.deferred(let reason, _)):
      .ends(id, .deferred(reason, until: parts.until), parts.count ?? .atLeast(1), parts.occasion)
    case .ends(let ending): .ends(id, ending, parts.count ?? .atLeast(1), parts.occasion)
    }
  }

  /// The schema of a sentence.
  static var schema: JSONValue {
    let name = "(?:\(ReminderName.pattern))"
    let metric = Atom<Metric>.metric.pattern
    let operators = comparisons.map(\.0).joined(separator: "|")
    let number = Atom<Int64>.ratio.pattern
    let bound = "(?:\(name) +)?(?:\(metric)) +(?:\(operators)) +(?:\(number))"
    let device = "(?:on +(?:\(Atom<String>.deviceName.pattern)) +)?"
    let claim = "\(name) +\(device)\(Verb.pattern)(?: +\(Parts.pattern))*"
    return [
      "type": "string",
      "description": .string(
        "An expectation: 'milk fires once between 17:41 and 17:45', 'milk never during 22:00-07:00', "
          + "'milk is denied by quietHours', 'tapThrough >= 25 %', 'gate tapThrough passes'. Of the app itself: "
          + AppSentences.grammar("is").phrases.map(\.template).joined(separator: " · ")
          + ". Of its lists: " + ViewSentences.waysToSayIt),
      "pattern": .string(
        "^(?:\(bound)|\(claim)|\(Grammar<Expectation.Claim>.gateClaim.pattern)|\(AppSentences.pattern)|\(ViewSentences.pattern))$"
      ),
    ]
  }
}

extension ExpectationSentences {
  /// The verb of a claim about a reminder. A count and an occasion may follow it.
  enum Verb {
    case fires, never
    case shows(String)
    case neverShows(String)
    case ends(Expectation.Ending)

    static var pattern: String {
      let scheduler = Atom<Reason>.schedulerReason.pattern
      return
        "(?:fires|never(?: +fires)?|(?:never +)?shows +\"(?:[^\"\\\\]|\\\\.)*\"|is +(?:denied|deferred)(?: +by +(?:\(scheduler)))?"
        + "|is +not +requested +because +(?:\(Atom<Reason>.noRequestReason.pattern))"
        + "|is +lost +to +(?:\(Atom<Reason>.lossReason.pattern))"
        + "|is +doubled(?: +by +(?:\(Atom<SyncCause>.syncCause.pattern)))?)"
    }

    static func take(from words: inout Words, _ reader: Reader) -> Verb? {
      if words.take("fires") { return .fires }
      if words.take("never") {
        if words.take("shows") { return title(from: &words, reader).map { .neverShows($0) } }
        _ = words.take("fires")
        return .never
      }
      if words.take("shows") { return title(from: &words, reader).map { .shows($0) } }
      if words.take("is", "denied") { return takeReason(from: &words, reader).map { .ends(.denied($0)) } }
      if words.take("is", "deferred") {
        return takeReason(from: &words, reader).map { .ends(.deferred($0, until: nil)) }
      }
      if words.take("is", "not", "requested", "because") {
        return reason(.noRequestReason, from: &words, reader).map { .ends(.notRequested($0)) }
      }
      if words.take("is", "doubled") {
        guard words.take("by") else { return .ends(.doubled(nil)) }
        guard let word = words.next() else {
          reader.error("a cause is missing after 'by'", at: words.sentence.position)
          return nil
        }
        return Atom<SyncCause>.syncCause.parse(word, reader).map { .ends(.doubled($0)) }
      }
      if words.take("is", "lost", "to") {
        return reason(.lossReason, from: &words, reader).map { .ends(.lost($0)) }
      }
      let known = [
        "fires", "never", "shows", "is denied", "is deferred", "is doubled", "is not requested because",
        "is lost to",
      ]
      let found =
        words.texts.first == "is" ? words.texts.prefix(2).joined(separator: " ") : words.texts.first ?? ""
      reader.error(
        found.isEmpty
          ? "the expectation makes no claim about the reminder"
          : "'\(found)' is not a claim about a reminder",
        at: words.position,
        hint: ["does", "doesn't", "not", "is not"].contains(found)
          ? "did you mean 'never'?" : NearestNames.hint(for: found, among: known))
      return nil
    }

    /// The clauses that can follow the verb.
    var parts: [String] {
      let occasions = ["between", "during", "at", "on"]
      let counts = ["once", "twice", "never", "N times", "at least", "at most"]
      return switch self {
      case .never, .neverShows: occasions
      case .ends(.deferred): counts + occasions + ["until"]
      case .fires, .shows, .ends: counts + occasions
      }
    }

    /// Removes the quoted title of a notification from the front of a sentence.
    private static func title(from words: inout Words, _ reader: Reader) -> String? {
      if let title = words.takeQuoted() { return title.text }
      let position = words.first?.position ?? words.sentence.position
      let isOpen = words.first?.text.hasPrefix("\"") ?? false
      reader.error(
        isOpen ? "the title has no closing quote" : "a title between quotes is missing after 'shows'",
        at: position, hint: "such as 'shows \"Buy milk\" once'")
      return nil
    }

    /// Removes `by REASON` from the front of a sentence. A claim without a reason matches every reason.
    private static func takeReason(from words: inout Words, _ reader: Reader) -> Reason?? {
      guard words.take("by") else { return .some(nil) }
      return reason(.schedulerReason, from: &words, reader).map { .some($0) }
    }

    private static func reason(_ atom: Atom<Reason>, from words: inout Words, _ reader: Reader) -> Reason? {
      guard let word = words.next() else {
        reader.error("a reason is missing", at: words.sentence.position)
        return nil
      }
      return atom.parse(word, reader)
    }
  }

  /// The clauses of a claim, such as its count and its occasion.
  struct Parts {
    var count: Expectation.Count?
    var occasion = Occasion.always
    /// The time of day until which the request is deferred, or `nil` if the claim states none.
    var until: Int32?

    static var pattern: String { "(?:\(usualPattern)|until +(?:\(Atom<Int32>.timeOfDay.pattern)))" }

    /// The regular expression for the clauses that every claim may have.
    static var usualPattern: String {
      let time = Atom<Int32>.timeOfDay.pattern
      let count = Atom<Expectation.Count>.count.pattern
      return "\(count)|never|between +(?:\(time)) +and +(?:\(time))|during +(?:\(time)) *- *(?:\(time))"
        + "|at +(?:\(time))(?: +(?:\(Atom<TimeSpan>.utcOffset.pattern)))?|on +(?:\(Atom<CivilDate>.date.pattern))"
    }

    static func take(from words: inout Words, _ verb: Verb, _ reader: Reader) -> Parts? {
      var parts = Parts()
      while let word = words.first {
        guard parts.takeOne(from: &words, verb, reader) else { return nil }
        if parts.until != nil {
          guard case .ends(.deferred) = verb else {
            reader.error("'until' belongs to 'is deferred'", at: word.position)
            return nil
          }
        }
        switch verb {
        case .never, .neverShows:
          guard parts.count == nil else {
            reader.error("'never' takes no count", at: word.position)
            return nil
          }
        default: break
        }
      }
      return parts
    }

    private mutating func takeOne(from words: inout Words, _ verb: Verb, _ reader: Reader) -> Bool {
      guard let length = Self.countLength(words) else { return takeOccasion(from: &words, verb, reader) }
      let word = words.take(length)
      guard count == nil else {
        reader.error("a second count", at: word.position, hint: "keep one of them")
        return false
      }
      count = word.text == "never" ? .exactly(0) : Atom<Expectation.Count>.count.parse(word, reader)
      return count != nil
    }

    /// Returns the number of words that form the count at the front of a sentence, or `nil` if there is no
    /// count.
    private static func countLength(_ words: Words) -> Int? {
      let texts = words.texts
      if ["once", "twice", "never"].contains(texts[0]) { return 1 }
      if texts.starts(with: ["at", "least"]) || texts.starts(with: ["at", "most"]) {
        return texts.count > 2 && ["once", "twice"].contains(texts[2]) ? 3 : min(4, texts.count)
      }
      return texts.count > 1 && texts[1].hasPrefix("time") ? 2 : nil
    }

    private mutating func takeOccasion(from words: inout Words, _ verb: Verb, _ reader: Reader) -> Bool {
      guard let keyword = words.next() else { return true }
      switch keyword.text {
      case "between":
        guard let from = takeTime(&words, reader), takeAnd(&words, reader), let to = takeTime(&words, reader)
        else {
          return false
        }
        return setTime(from, to, at: keyword.position, reader)
      case "during":
        guard let word = words.next() else { return missing("a window", keyword, reader) }
        guard let window = Atom<DailyWindow>.window.parse(word, reader) else { return false }
        return setTime(Int32(window.from * 60_000), Int32(window.to * 60_000), at: keyword.position, reader)
      case "at":
        guard let word = words.next() else { return missing("a time of day", keyword, reader) }
        guard let range = Occasion.Range.at(word, reader) else { return false }
        if let next = words.first, UTCOffset.isMeant(by: next) {
          occasion.offset = Atom<TimeSpan>.utcOffset.parse(words.take(1), reader)
          if occasion.offset == nil { return false }
        }
        return setTime(range.from, range.to, at: keyword.position, reader)
      case "on":
        let length = words.first?.text == "day" ? min(2, words.count) : min(1, words.count)
        guard length > 0 else { return missing("a date", keyword, reader) }
        occasion.date = Atom<CivilDate>.date.parse(words.take(length), reader)
        return occasion.date != nil
      case "until":
        until = takeTime(&words, reader)
        return until != nil
      default:
        reader.error(
          "unexpected '\(keyword.text)'", at: keyword.position,
          hint: Int(keyword.text) != nil
            ? "did you mean '\(keyword.text) times'?"
            : keyword.text == "exactly"
              ? "leave it out: a count is exact" : NearestNames.hint(for: keyword.text, among: verb.parts))
        return false
      }
    }

    private mutating func setTime(_ from: Int32, _ to: Int32, at position: SourcePosition, _ reader: Reader)
      -> Bool
    {
      guard occasion.time == nil else {
        reader.error("a second time", at: position, hint: "keep one of them")
        return false
      }
      guard from != to else {
        reader.error("an empty window", at: position, hint: "windows include their start, not their end")
        return false
      }
      occasion.time = Occasion.Range(from: from, to: to)
      return true
    }

    private func takeTime(_ words: inout Words, _ reader: Reader) -> Int32? {
      guard let word = words.next() else {
        reader.error("a time of day is missing", at: words.sentence.position)
        return nil
      }
      return Atom<Int32>.timeOfDay.parse(word, reader)
    }

    private func takeAnd(_ words: inout Words, _ reader: Reader) -> Bool {
      if words.take("and") { return true }
      reader.error("'and' is missing between the times", at: words.first?.position ?? words.sentence.position)
      return false
    }

    private func missing(_ what: String, _ keyword: Word, _ reader: Reader) -> Bool {
      reader.error("\(what) is missing after '\(keyword.text)'", at: keyword.position)
      return false
    }
  }
}
