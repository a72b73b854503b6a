import CivilTime
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Lengths of time counted from a fact: `8 h after dose.taken`, `24 h, 1 h before appointment.begins`.
enum ElapsedSchedules {
  static var pattern: String {
    #"(?:\#(Atom<[TimeSpan]>.spansFromFact.pattern)) +(?:after|before) +\#(Atom<String>.newName.pattern)"#
      + "(?: +ahead +(?:\(Atom<Int>.ahead.pattern)))?"
  }

  /// `8 h after …`: what stands before is no number of days.
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
        "a length of time after '\(fact)' ends at its own time", at: rest.position,
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

  static func signed(_ spans: [TimeSpan], isBefore: Bool) -> [TimeSpan] {
    (isBefore ? spans.map { .zero - $0 } : spans).sorted()
  }

  /// Whether a length of time can be counted from a fact: a date has no time of day.
  static func holdsInstant(_ fact: String, at position: SourcePosition, _ reader: Reader) -> Bool {
    guard let declaration = FactConstants.declaration(fact, reader) else { return false }
    if declaration.kind == .instant { return true }
    reader.error(
      "a length of time is counted from an instant, and the fact '\(fact)' is of the kind \(declaration.kind)",
      at: position,
      hint: declaration.kind == .date
        ? "count days and say when: '1 day after \(fact) at 09:00'" : "declare it as '\(fact): instant'")
    FactConstants.pointToChange(of: declaration, from: position, reader)
    return false
  }
}

extension Atom<[TimeSpan]> {
  /// `24 h, 1 h`: different lengths, in any order; written from the longest on.
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

  /// Days are counted by the calendar, and want a time of day.
  private static var units: [String] {
    Atom<TimeSpan>.unitNames.filter { !["d", "day", "days"].contains($0) }
  }

  /// Whether it ends in a unit of these, so that no days are meant.
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
  /// The long form of lengths of time counted from a fact.
  static var elapsed: Format {
    .object("A schedule that counts lengths of time from a fact") { fields in
      let spans = fields.required(
        "spans", .scalar(.spansFromFact), "how long, such as 24 h, 1 h", from: { $0.spans?.spans ?? [] })
      let after = fields.optional(
        "after", .located(.scalar(.fact)), "the fact after whose instant they come",
        from: { $0.spans.flatMap { $0.isBefore ? nil : Located($0.fact, at: .start) } })
      let before = fields.optional(
        "before", .located(.scalar(.fact)), "the fact before whose instant they come",
        from: { $0.spans.flatMap { $0.isBefore ? Located($0.fact, at: .start) : nil } })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead), "how many occurrences are handed to the system beforehand; all if missing",
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
  fileprivate var spans: RelativeSpans? {
    if case .elapsed(let spans) = dates { spans } else { nil }
  }
}

extension RelativeSpans {
  fileprivate var isBefore: Bool { spans.contains { $0 < .zero } }
}
