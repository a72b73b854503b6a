import CivilTime
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Days counted from a fact: `7 days after plant.watered at 09:00`,
/// `30, 7, 0 days before contact.birthday every year at 09:00`.
enum RelativeSchedules {
  static var pattern: String {
    let skip = Recurrence.Skip.allCases.map(\.name).joined(separator: "|")
    return #"\d+(?: *, *\d+)* +days? +(?:after|before) +\#(Atom<String>.newName.pattern)(?: +every +year)?"#
      + " +(?:at +)?(?:\(Atom<[Int]>.timesOfDay.pattern))"
      + "(?: +skip +(?:\(skip))| +ahead +(?:\(Atom<Int>.ahead.pattern)))*"
  }

  /// `7 days after …`, and nothing else that begins with a number.
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

  /// The days in ascending order, those before it negative.
  static func days(_ word: Word, isBefore: Bool, _ reader: Reader) -> [Int]? {
    guard let days = Atom<[Int]>.daysFromFact.parse(word, reader) else { return nil }
    return (isBefore ? days.map { -$0 } : days).sorted()
  }

  /// Whether days can be counted from a fact.
  static func holdsDay(_ fact: String, at position: SourcePosition, _ reader: Reader) -> Bool {
    guard let declaration = FactConstants.declaration(fact, reader) else { return false }
    if declaration.kind == .instant || declaration.kind == .date { return true }
    reader.error(
      "days are counted from an instant or a date, and the fact '\(fact)' is of the kind \(declaration.kind)",
      at: position, hint: "declare it as '\(fact): date' or '\(fact): instant'")
    FactConstants.pointToChange(of: declaration, from: position, reader)
    return false
  }
}

extension Atom<[Int]> {
  /// `30, 7, 0`: different days, in any order; written in the order that is read aloud.
  static var daysFromFact: Atom {
    .simple(
      "DAYS", "numbers of days such as 30, 7, 0, each once and at most \(Recurrence.shifts.upperBound)",
      pattern: #"\d+(?: *, *\d+)*"#, jsonTypes: ["string", "integer"],
      write: { days, _ in .string(days.map { String(abs($0)) }.joined(separator: ", ")) }
    ) { text in
      let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      let days = parts.compactMap { Int($0.filter { $0 != " " }) }
      guard days.count == parts.count, days.allSatisfy({ 0...Recurrence.shifts.upperBound ~= $0 }),
        Set(days).count == days.count
      else { return nil }
      return days
    }
  }
}

extension Format<Schedule> {
  /// The long form of days counted from a fact.
  static var relative: Format {
    .object("A schedule that counts days from a fact") { fields in
      let days = fields.required(
        "days", .located(.scalar(.daysFromFact)), "how many days, such as 30, 7, 0",
        from: { Located($0.relativeDays?.days ?? [], at: .start) })
      let after = fields.optional(
        "after", .located(.scalar(.fact)), "the fact after whose day they come: an instant or a date",
        from: { $0.relativeDays.flatMap { $0.isBefore ? nil : Located($0.fact, at: .start) } })
      let before = fields.optional(
        "before", .located(.scalar(.fact)), "the fact before whose day they come",
        from: { $0.relativeDays.flatMap { $0.isBefore ? Located($0.fact, at: .start) : nil } })
      let minutes = fields.required(
        "at", .scalar(.timesOfDay), "local times of day", from: { $0.relativeDays?.minutes ?? [] })
      let isYearly = fields.optional(
        "everyYear", .scalar(.truth), "whether they come again every year; false if missing",
        from: { $0.relativeDays?.isYearly ?? false ? true : nil })
      let skip = fields.optional(
        "skip", .scalar(.skip), "what becomes of a date that does not exist; backward if missing",
        from: { $0.relativeDays?.skip })
      let ahead = fields.optional(
        "ahead", .scalar(.ahead),
        "how many occurrences are handed to the system beforehand; all of its days if missing", from: \.ahead)
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
  fileprivate var relativeDays: RelativeDays? {
    if case .relative(let days) = dates { days } else { nil }
  }
}

extension RelativeDays {
  fileprivate var isBefore: Bool { days.contains { $0 < 0 } }
}
