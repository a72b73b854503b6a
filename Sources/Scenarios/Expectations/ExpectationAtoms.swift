import CivilTime
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<Expectation.Count> {
  /// A count in a sentence: `once`, `twice`, `3 times`, `at least 2 times`, `at most once`.
  static var count: Atom {
    .simple(
      "COUNT", "a count such as once, 3 times or at least 2 times",
      pattern: #"(?:at +least +|at +most +)?(?:once|twice|\d+ +times?)"#,
      write: { count, _ in .string(count.phrase) }
    ) { text in
      var words = text.split(separator: " ")[...]
      var make = Expectation.Count.exactly
      if words.starts(with: ["at", "least"]) {
        make = Expectation.Count.atLeast
        words = words.dropFirst(2)
      } else if words.starts(with: ["at", "most"]) {
        make = Expectation.Count.atMost
        words = words.dropFirst(2)
      }
      guard let first = words.popFirst() else { return nil }
      if first == "once", words.isEmpty { return make(1) }
      if first == "twice", words.isEmpty { return make(2) }
      guard first.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(first),
        number <= 1_000_000_000,
        words == ["times"] || words == ["time"]
      else { return nil }
      return make(number)
    }
  }

  /// A count in the long form, where `never` and numbers such as `3` are also allowed.
  static var longCount: Atom {
    let short = count
    return Atom(
      name: "COUNT", meaning: "a count such as never, once, 3 or at least 2 times",
      pattern: #"\#(short.pattern)|never|\d+"#, jsonTypes: ["string", "integer"],
      write: { count, writer in
        if case .exactly(let number) = count { .integer(number) } else { short.write(count, writer) }
      }
    ) { word, reader in
      if word.text == "never" { return .exactly(0) }
      if let number = Int(word.text), number >= 0 { return .exactly(number) }
      return short.parse(word, reader)
    }
  }
}

extension Atom<Metric> {
  static var metric: Atom {
    .oneCase("METRIC", "a metric", \.name)
  }
}

extension Atom<Reason> {
  package static var schedulerReason: Atom<Reason> { reason("a reason of the scheduler", at: [.scheduler]) }
  static var noRequestReason: Atom {
    reason("a reason for making no request", at: [.match], and: .pendingLimit, .regionLimit)
  }
  /// The reasons why an admitted request can be lost. They include reasons of the scheduler, because the
  /// person may disable a type, and another device may use up a cap.
  static var lossReason: Atom {
    reason(
      "a reason of the platform or afterwards", at: [.platform, .presentation, .routing], and: .userDisabled,
      .userDailyCap, .lifetimeCap, .typeDailyCap, .typeWeeklyCap, .typeMonthlyCap, .typeRollingCap,
      .dailyCap, .weeklyCap, .monthlyCap, .rollingCap, .criticalDailyCap, .minimumInterval)
  }
}

extension Occasion.Range {
  /// Returns the whole minute that begins at a time of day, or the whole second if the time has seconds.
  static func at(_ word: Word, _ reader: Reader) -> Occasion.Range? {
    guard let from = Atom<Int32>.timeOfDay.parse(word, reader) else { return nil }
    let hasSeconds = word.text.split(separator: ":").count == 3
    let to = from + (hasSeconds ? 1_000 : 60_000)
    return Occasion.Range(from: from, to: to == 86_400_000 ? 0 : to)
  }

  /// The time of day if the range is exactly one minute or second; otherwise, `nil`.
  var moment: String? {
    switch (to - from + 86_400_000) % 86_400_000 {
    case 60_000 where from % 60_000 == 0: Clock.text(from)
    case 1_000 where from % 1_000 == 0: Clock.text(from, withSeconds: true)
    default: nil
    }
  }
}

extension Atom<Occasion.Range> {
  /// A time of day, which covers a whole minute, or a whole second if the time has seconds.
  static var moment: Atom {
    let time = Atom<Int32>.timeOfDay
    return Atom(
      name: time.name, meaning: time.meaning, pattern: time.pattern, jsonTypes: time.jsonTypes,
      write: { range, _ in .string(range.moment ?? "") }, parse: Occasion.Range.at)
  }
}

extension Format<Occasion.Range> {
  /// A window such as `22:00-07:00`, or a mapping with `from` and `to`. Only the mapping accepts seconds.
  static var window: Format {
    .window(
      { Occasion.Range(from: $0, to: $1) },
      orLong: .object(
        "A part of every local day, half-open; it wraps past midnight when 'to' is not after 'from'"
      ) { fields in
        let from = fields.required(
          "from", .scalar(.timeOfDay), "the first time that belongs to it", from: \.from)
        let to = fields.required(
          "to", .scalar(.timeOfDay), "the first time that no longer does", from: \.to)
        guard let from, let to else { return nil }
        return Occasion.Range(from: from, to: to)
      })
  }
}

extension Atom<Expectation.ExactFire> {
  /// A fire with its exact time: `milk at 17:42`, `milk at 17:42 on 2026-03-02`, or `milk at day 2 17:42`.
  static var exactFire: Atom {
    let name = "(?:\(ReminderName.pattern))"
    let time = Atom<Int32>.timeOfDay.pattern
    let date = Atom<CivilDate>.date.pattern
    let offset = Atom<TimeSpan>.utcOffset.pattern
    return Atom(
      name: "REMINDER at TIME",
      meaning: "a reminder and when it fires, such as 'milk at 17:42 on 2026-03-02'",
      pattern:
        "\(name) +at +(?:(?:\(date))[ T]+)?(?:\(time))(?: +(?:\(offset)))?(?: +on +(?:\(date)))?",
      write: onlyInSentences
    ) { word, reader in
      var words = Words(
        word.text, of: Node(content: .scalar(word.text), position: word.position, textOffset: 0)
      ).joiningReminders(reader)
      guard let first = words.next(), words.take("at"), !words.isEmpty else {
        reader.error(
          "'\(word.text)' is not a reminder and a time", at: word.position, hint: "such as 'milk at 17:42'")
        return nil
      }
      guard let reminder = Atom<ReminderID>.reminderID.parse(first, reader) else { return nil }
      let (before, clauses) = words.clauses(at: ["on"])
      var head = before
      var occasion = Occasion.always
      if let last = head.words.last, UTCOffset.isMeant(by: last) {
        guard let offset = Atom<TimeSpan>.utcOffset.parse(last, reader) else { return nil }
        occasion.offset = offset
        head = head.prefix(head.count - 1)
      }
      let when = head.joined
      var clock = when
      if when.text.contains(" ") || when.text.contains("T") {
        guard let both = Atom<LocalDateTime>.dateTime.parse(when, reader) else { return nil }
        occasion.date = both.date
        let parts = when.text.split { $0 == " " || $0 == "T" }
        clock = Word(String(parts.last ?? ""), at: when.position)
      }
      if let clause = clauses.first {
        guard let date = Atom<CivilDate>.date.parse(clause.body.joined, reader) else { return nil }
        occasion.date = date
      }
      guard let range = Occasion.Range.at(clock, reader) else { return nil }
      occasion.time = range
      return Expectation.ExactFire(reminder: reminder, occasion: occasion)
    }
  }
}

extension Atom<SyncCause> {
  /// The reason why a device had not received an action from another device.
  static var syncCause: Atom {
    .oneCase("CAUSE", "a cause of a second notification", \.name)
  }
}
