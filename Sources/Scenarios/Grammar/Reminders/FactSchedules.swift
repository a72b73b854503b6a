import CivilTime
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Schedules in days relative to a fact: `7 days after plant.watered at 09:00`, `30, 7, 0 days before
/// contact.birthday every year at 09:00`.
enum RelativeSchedules {
  static var pattern: String {
    let skip = Recurrence.Skip.allCases.map(\.name).joined(separator: "|")
    return #"\d+(?: *, *\d+)* +days? +(?:after|before) +\#(Atom<String>.newName.pattern)(?: +every +year)?"#
      + " +(?:at +)?(?:\(Atom<[Int]>.timesOfDay.pattern))"
      + "(?: +skip +(?:\(skip))| +ahead +(?:\(Atom<Int>.ahead.pattern)))*"
  }

  /// Returns whether a trigger is relative to a fact. No other trigger begins with a number.
  static func isRelative(_ words: Words) -> Bool {
    words.first?.text.first?.isNumber ?? false
  }

  static func parse(_ words: Words, _ reader: Reader) -> Trigger? {
    let (head, clauses) = words.clauses(at: ["skip", "ahead"])
    if ElapsedSchedules.isElapsed(head) { return ElapsedSchedules.parse(words, reader) }
    guard let split = head.texts.firstIndex(where: { ["after", "before"].contains($0) }), split > 1,
      ["day", "days"].contains(head.texts[split - 1])
    else {
      reader.error(
        "'\(head.joined.text)' is not a trigger", at: head.position,
        hint:
          "days from a fact are written '7 days after FACT at 09:00' or '30, 7, 0 days before FACT every year "
          + "at 09:00'")
      return nil
    }
    let isBefore = head.texts[split] == "before"
    guard let days = days(head.prefix(split - 1).joined, isBefore: isBefore, reader) else { return nil }
    var rest = head.dropFirst(split + 1)
    guard let name = rest.next(), let fact = Atom<String>.fact.parse(name, reader) else {
      if rest.isEmpty { reader.error("the name of a fact is missing", at: head.position) }
      return nil
    }
    guard holdsDay(fact, at: name.position, reader) else { return nil }
    let isYearly = rest.take("every", "year")
    _ = rest.take("at")
    guard !rest.isEmpty else {
      reader.error(
        "a time of day is missing", at: head.position, hint: "such as '\(head.joined.text) at 09:00'")
      return nil
    }
    guard let minutes = Atom<[Int]>.timesOfDay.parse(rest.joined, reader) else { return nil }
    var relative = RelativeDays(days, from: fact, minutes: minutes, isYearly: isYearly)
    var ahead: Int?
    for (keyword, body) in clauses {
      if keyword.text == "skip" {
        guard let skip = Atom<Recurrence.Skip>.skip.parse(body.joined, reader) else { return nil }
        relative.skip = skip
      } else {
        guard let count = Atom<Int>.ahead.parse(body.joined, reader) else { return nil }
        ahead = count
      }
    }
    return .scheduled(Schedule(relative, ahead: ahead))
  }

  /// Returns the days in ascending order. Days before the fact are negative.
  static func days(_ word: Word, isBefore: Bool, _ reader: Reader) -> [Int]? {
    guard let days = Atom<[Int]>.daysFromFact.parse(word, reader) else { return nil }
    return (isBefore ? days.map { -$0 } : days).sorted()
  }

  /// Returns whether a fact has a date to count days from. Reports a problem if it has none.
  static func holdsDay(_ fact: String, at position: SourcePosition, _ reader: Reader) -> Bool {
    guard let declaration = FactConstants.declaration(fact, reader) else { return false }
    if declaration.kind == .instant || declaration.kind == .date { return true }
    reader.error(
      "days are counted from an instant or a date, and the fact '\(fact)' is of the kind \(declaration.kind)",
      at: position, hint: "declare it as '\(fact): date' or '\(fact): instant'")
    FactConstants.reportConflict(of: declaration, from: position, reader)
    return false
  }
}

extension Atom<[Int]> {
  /// Returns the comma-separated numbers of a text, or `nil` if the text contains anything else.
  static func numbers(_ text: String) -> [Int]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0.filter { $0 != " " }) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// Distinct numbers of days in any order, such as `30, 7, 0`. The writer lists days before a fact from the
  /// largest to the smallest.
  static var daysFromFact: Atom {
    .simple(
      "DAYS", "numbers of days such as 30, 7, 0, each once and at most \(Recurrence.shifts.upperBound)",
      pattern: #"\d+(?: *, *\d+)*"#, jsonTypes: ["string", "integer"],
      write: { days, _ in .string(days.map { String(abs($0)) }.joined(separator: ", ")) }
    ) { text in
      guard let days = numbers(text), days.allSatisfy({ 0...Recurrence.shifts.upperBound ~= $0 }),
        Set(days).count == days.count
      else { return nil }
      return days
    }
  }
}

extension Format<Schedule> {
  /// The long form of a schedule in days relative to a fact.
  static var relative: Format {
    .object("A schedule that counts days from a fact") { fields in
      let days = fields.required(
        "days", .located(.scalar(.daysFromFact)), "how many days, such as 30, 7, 0",
        from: { Located($0.relativeDays?.days ?? [], at: .start) })
      let after = fields.optional(
        "after", .located(.scalar(.fact)),
        "the fact after whose day the reminder fires: an instant or a date",
        from: { $0.relativeDays.flatMap { $0.isBefore ? nil : Located($0.fact, at: .start) } })
      let before = fields.optional(
        "before", .located(.scalar(.fact)), "the fact before whose day the reminder fires",
        from: { $0.relativeDays.flatMap { $0.isBefore ? Located($0.fact, at: .start) : nil } })
      let minutes = fields.required(
        "at", .scalar(.timesOfDay), "local times of day", from: { $0.relativeDays?.minutes ?? [] })
      let isYearly = fields.optional(
        "everyYear", .scalar(.truth), "whether the reminder fires every year; false if missing",
        from: { $0.relativeDays?.isYearly ?? false ? true : nil })
      let skip = fields.optional(
        "skip", .scalar(.skip), "how a date that does not exist is treated; backward if missing",
        from: { $0.relativeDays?.skip })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead),
        "the number of occurrences that are handed to the system in advance; all of its days if missing",
        from: \.ahead)
      fields.exactlyOne(of: ["after", "before"])
      guard let days, let fact = after ?? before, let minutes, let reader = fields.reader,
        RelativeSchedules.holdsDay(fact.value, at: fact.position, reader)
      else { return nil }
      let signed = before == nil ? days.value : days.value.map { -$0 }
      return Schedule(
        RelativeDays(
          signed.sorted(), from: fact.value, minutes: minutes, isYearly: isYearly ?? false,
          skip: skip ?? .backward),
        ahead: ahead)
    }
    .writing { schedule in
      guard let days = schedule.relativeDays else { return "this schedule counts from no fact" }
      return days.isBefore && days.days.contains { $0 > 0 }
        ? "days before and after a fact are two triggers" : nil
    }
  }
}

extension Schedule {
  /// The days relative to a fact, or `nil` if the schedule has another form.
  var relativeDays: RelativeDays? {
    if case .relative(let days) = dates { days } else { nil }
  }
}

extension RelativeDays {
  fileprivate var isBefore: Bool { days.contains { $0 < 0 } }
}

/// Schedules in spans relative to a fact: `8 h after dose.taken`, `24 h, 1 h before appointment.begins`.
enum ElapsedSchedules {
  static var pattern: String {
    #"(?:\#(Atom<[TimeSpan]>.spansFromFact.pattern)) +(?:after|before) +\#(Atom<String>.newName.pattern)"#
      + "(?: +ahead +(?:\(Atom<Int>.ahead.pattern)))?"
  }

  /// Returns whether the words are spans, as in `8 h after …`, rather than days.
  static func isElapsed(_ head: Words) -> Bool {
    guard let split = head.texts.firstIndex(where: { ["after", "before"].contains($0) }), split > 0 else {
      return false
    }
    return Atom<[TimeSpan]>.mayBeSpans(head.prefix(split).joined.text)
  }

  static func parse(_ words: Words, _ reader: Reader) -> Trigger? {
    let (head, clauses) = words.clauses(at: ["ahead"])
    guard let split = head.texts.firstIndex(where: { ["after", "before"].contains($0) }),
      let spans = Atom<[TimeSpan]>.spansFromFact.parse(head.prefix(split).joined, reader)
    else { return nil }
    var rest = head.dropFirst(split + 1)
    guard let name = rest.next(), let fact = Atom<String>.fact.parse(name, reader) else {
      if rest.isEmpty { reader.error("the name of a fact is missing", at: head.position) }
      return nil
    }
    guard holdsInstant(fact, at: name.position, reader) else { return nil }
    if !rest.isEmpty {
      reader.error(
        "a length of time after '\(fact)' takes no time of day", at: rest.position,
        hint: "leave this out, or count days: '1 day after \(fact) at 09:00'")
      return nil
    }
    var ahead: Int?
    if let (_, body) = clauses.last {
      guard let count = Atom<Int>.ahead.parse(body.joined, reader) else { return nil }
      ahead = count
    }
    let isBefore = head.texts[split] == "before"
    return .scheduled(Schedule(RelativeSpans(signed(spans, isBefore: isBefore), from: fact), ahead: ahead))
  }

  /// The pattern of `stay in PLACE for 8 min`.
  static var stayPattern: String {
    "stay +in +\(Atom<String>.place.pattern) +for +(?:\(Atom<[TimeSpan]>.spansFromFact.pattern))"
  }

  /// Returns whether the words are `stay in PLACE for …`.
  static func isStay(_ words: Words) -> Bool {
    words.texts.first == "stay" && words.texts.dropFirst().first == "in"
  }

  /// Parses `stay in PLACE for 8 min`, which is a shorter form of `8 min after PLACE.entered`.
  static func parseStay(_ words: Words, _ reader: Reader) -> Trigger? {
    var rest = words.dropFirst(2)
    guard let name = rest.next(), let place = Atom<String>.place.parse(name, reader) else {
      if rest.isEmpty { reader.error("the name of a place is missing", at: words.position) }
      return nil
    }
    guard rest.next()?.text == "for", !rest.isEmpty else {
      reader.error(
        "the length of the stay is missing", at: words.position, hint: "such as 'stay in \(place) for 8 min'")
      return nil
    }
    guard let spans = Atom<[TimeSpan]>.spansFromFact.parse(rest.joined, reader) else { return nil }
    reader.mentionPlaceFact(Place.entered(place))
    return .scheduled(Schedule(RelativeSpans(spans.sorted(), from: Place.entered(place))))
  }

  static func signed(_ spans: [TimeSpan], isBefore: Bool) -> [TimeSpan] {
    (isBefore ? spans.map { .zero - $0 } : spans).sorted()
  }

  /// Returns whether a fact has an instant to count spans from. Reports a problem for other facts, including
  /// dates, which have no time of day.
  static func holdsInstant(_ fact: String, at position: SourcePosition, _ reader: Reader) -> Bool {
    guard let declaration = FactConstants.declaration(fact, reader) else { return false }
    if declaration.kind == .instant { return true }
    reader.error(
      "a length of time is counted from an instant, and the fact '\(fact)' is of the kind \(declaration.kind)",
      at: position,
      hint: declaration.kind == .date
        ? "count days and give a time: '1 day after \(fact) at 09:00'" : "declare it as '\(fact): instant'")
    FactConstants.reportConflict(of: declaration, from: position, reader)
    return false
  }
}

extension Atom<[TimeSpan]> {
  /// Distinct spans in any order, such as `24 h, 1 h`. The writer lists them from the longest to the
  /// shortest.
  static var spansFromFact: Atom {
    let unit = units.joined(separator: "|")
    let one = #"\d+ *(?:\#(unit))(?: *\d+ *(?:\#(unit)))*"#
    return .simple(
      "DURATIONS", "lengths of time such as 8 h or 24 h, 1 h, each once and of 1 min to 3650 days",
      pattern: "(?:\(one))(?: *, *(?:\(one)))*",
      write: { spans, _ in
        .string(spans.map { Atom<TimeSpan>.text($0.magnitude, withDays: false) }.joined(separator: ", "))
      }, parts
    )
  }

  /// The units of spans. Days are excluded because they follow the calendar and need a time of day.
  private static var units: [String] {
    Atom<TimeSpan>.unitNames.filter { !["d", "day", "days"].contains($0) }
  }

  /// Returns whether the text ends with a unit of spans.
  fileprivate static func mayBeSpans(_ text: String) -> Bool {
    units.contains(String(text.reversed().prefix { $0.isLetter }.reversed()))
  }

  private static func parts(_ text: String) -> [TimeSpan]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let spans = parts.compactMap { Atom<TimeSpan>.span(of: String($0)) }
    guard !text.contains("."), spans.count == parts.count, spans.allSatisfy(RelativeSpans.lengths.contains),
      Set(spans).count == spans.count
    else { return nil }
    return spans
  }
}

extension Format<Schedule> {
  /// The long form of a schedule in spans relative to a fact.
  static var elapsed: Format {
    .object("A schedule that counts lengths of time from a fact") { fields in
      let spans = fields.required(
        "spans", .scalar(.spansFromFact), "how long, such as 24 h, 1 h", from: { $0.spans?.spans ?? [] })
      let after = fields.optional(
        "after", .located(.scalar(.fact)), "the fact after whose instant the reminder fires",
        from: { $0.spans.flatMap { $0.isBefore ? nil : Located($0.fact, at: .start) } })
      let before = fields.optional(
        "before", .located(.scalar(.fact)), "the fact before whose instant the reminder fires",
        from: { $0.spans.flatMap { $0.isBefore ? Located($0.fact, at: .start) : nil } })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead),
        "the number of occurrences that are handed to the system in advance; all if missing",
        from: \.ahead)
      fields.exactlyOne(of: ["after", "before"])
      guard let spans, let fact = after ?? before, let reader = fields.reader,
        ElapsedSchedules.holdsInstant(fact.value, at: fact.position, reader)
      else { return nil }
      let signed = ElapsedSchedules.signed(spans, isBefore: before != nil)
      return Schedule(RelativeSpans(signed, from: fact.value), ahead: ahead)
    }
    .writing { schedule in
      guard let spans = schedule.spans else { return "this schedule counts from no fact" }
      return spans.isBefore && spans.spans.contains { $0 > .zero }
        ? "lengths of time before and after a fact are two triggers" : nil
    }
  }
}

extension Schedule {
  /// The spans relative to a fact, or `nil` if the schedule has another form.
  var spans: RelativeSpans? {
    if case .elapsed(let spans) = dates { spans } else { nil }
  }
}

extension RelativeSpans {
  fileprivate var isBefore: Bool { spans.contains { $0 < .zero } }
}
