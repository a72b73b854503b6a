import TextFormats
import CivilTime
import ReminderMatching
import TriggerModel

/// Schedules of reminders: `every weekday 08:10`, `monthly on 31 at 09:00 from 2026-01-31 skip backward`.
enum Schedules {
  /// What a schedule says before its modifiers.
  private struct Pattern {
    var frequency: Recurrence.Frequency
    var interval = 1
    var weekdays: WeekdaySet?
    var minute: Int
    /// The day that it is anchored on, where the sentence names one.
    var anchor = Anchor.anyDate
  }

  private enum Anchor {
    case anyDate
    case date(CivilDate)
    case dayOfMonth(Int)
    case dayOfYear(month: Int, day: Int)
  }

  private static let modifiers = ["from", "skip", "ahead"]
  /// Says that the system repeats it by itself.
  private static let repeating = "repeating"

  static var pattern: String {
    let date = Atom<CivilDate>.date.pattern
    let skip = Recurrence.Skip.allCases.map(\.name).joined(separator: "|")
    let ahead = "\(Atom<Int>.ahead.pattern)|\(repeating)"
    return "(?:\(grammar.pattern)|every +(?:\(Atom<TimeSpan>.duration.pattern)))"
      + "(?: +from +(?:\(date))| +skip +(?:\(skip))| +ahead +(?:\(ahead)))*"
  }

  /// The words that begin a schedule, and no other trigger.
  static func isSchedule(_ words: Words) -> Bool {
    ["every", "monthly", "yearly", "on"].contains(words.first?.text)
  }

  static func parse(_ words: Words, _ reader: Reader) -> Trigger? {
    let (head, clauses) = words.clauses(at: modifiers)
    if isSpan(head) { return parseSpan(head, clauses, reader) }
    let grammar = reader.once("schedule") { Self.grammar }
    guard let pattern = grammar.parse(head, reader) else { return nil }
    var from: (date: CivilDate, position: SourcePosition)?
    var skip = Recurrence.Skip.backward
    var ahead = 0
    var isRepeating = false
    for (keyword, body) in clauses {
      switch keyword.text {
      case "from":
        guard let date = Atom<CivilDate>.date.parse(body.joined, reader) else { return nil }
        from = (date, body.joined.position)
      case "skip":
        guard let value = Atom<Recurrence.Skip>.skip.parse(body.joined, reader) else { return nil }
        skip = value
      case _ where body.texts == [repeating]: isRepeating = true
      default:
        guard let count = Atom<Int>.ahead.parse(body.joined, reader) else { return nil }
        ahead = count
      }
    }
    guard let start = anchorDate(of: pattern, from: from, at: head.joined.position, reader) else {
      return nil
    }
    let recurrence = Recurrence(
      start: start, minute: pattern.minute, frequency: pattern.frequency, interval: pattern.interval,
      skip: skip, weekdays: pattern.weekdays)
    if !isRepeating { return .scheduled(Schedule(recurrence, ahead: ahead)) }
    if let from, let first = reader.startDate, from.date > first {
      reader.warning(
        "the system knows of no first date (rule N6): where it follows that rule it begins before \(from.date.text)",
        at: from.position, hint: "hand occurrences over one by one, such as 'ahead 5'")
    }
    return checked(.calendar(recurrence), at: head.joined.position, reader)
  }

  // MARK: Spans

  /// `every 90 min`, and not `every 2 days at 08:00`.
  private static func isSpan(_ head: Words) -> Bool {
    head.texts.first == "every" && head.texts.dropFirst().first?.first?.isNumber ?? false
      && !head.texts.contains("at") && !head.texts.contains("on")
  }

  private static func parseSpan(
    _ head: Words, _ clauses: [(keyword: Word, body: Words)], _ reader: Reader
  ) -> Trigger? {
    guard let span = Atom<TimeSpan>.duration.parse(head.dropFirst(1).joined, reader) else { return nil }
    if let other = clauses.first(where: { $0.keyword.text != "ahead" }) {
      reader.error(
        "a span has no '\(other.keyword.text)': it counts from when it is handed over",
        at: other.keyword.position)
      return nil
    }
    guard clauses.map(\.body.texts) == [[repeating]] else {
      reader.error(
        "only the system counts spans", at: head.joined.position,
        hint: "say 'every \(head.dropFirst(1).joined.text) ahead repeating'")
      return nil
    }
    return checked(.span(span), at: head.joined.position, reader)
  }

  /// What the system can repeat.
  static func checked(
    _ repetition: RepeatingSchedule, at position: SourcePosition, _ reader: Reader
  ) -> Trigger? {
    guard let problem = repetition.problem else { return .repeating(repetition) }
    reader.error(problem.text, at: position, hint: problem.remedy)
    return nil
  }

  private static var grammar: Grammar<Pattern> {
    let counts = Atom<Int>.count(Recurrence.intervals)
    let day = Atom<Int>.count(1...31)
    return Grammar(
      meaning: "a schedule",
      phrases: [
        Phrase("every", counts, "days at", .minuteOfDay) {
          Pattern(frequency: .daily, interval: $0, minute: $1)
        },
        Phrase("every", counts, "weeks on", .daysAtTime) {
          Pattern(frequency: .weekly, interval: $0, weekdays: $1.days, minute: $1.minute)
        },
        Phrase("every", counts, "months on", .dayOfMonthAtTime) {
          Pattern(frequency: .monthly, interval: $0, minute: $1.minute, anchor: .dayOfMonth($1.day))
        },
        Phrase("every", .daysAtTime) { every in
          every.days == .all
            ? Pattern(frequency: .daily, minute: every.minute)
            : Pattern(frequency: .weekly, weekdays: every.days, minute: every.minute)
        },
        Phrase("monthly on", day, "at", .minuteOfDay) {
          Pattern(frequency: .monthly, minute: $1, anchor: .dayOfMonth($0))
        },
        Phrase("yearly on", .monthAndDay, "at", .minuteOfDay) {
          Pattern(frequency: .yearly, minute: $1, anchor: .dayOfYear(month: $0.month, day: $0.day))
        },
        Phrase("on", .date, "at", .minuteOfDay) { Pattern(frequency: .once, minute: $1, anchor: .date($0)) },
        Phrase("on", .dateAndMinute) {
          Pattern(frequency: .once, minute: Int($0.millisecondOfDay / 60_000), anchor: .date($0.date))
        },
      ])
  }

  /// The date on which the recurrence is anchored. Without `from` that is the last fitting date up to
  /// the scenario's start, or the start itself.
  private static func anchorDate(
    of pattern: Pattern, from: (date: CivilDate, position: SourcePosition)?, at position: SourcePosition,
    _ reader: Reader
  ) -> CivilDate? {
    if pattern.interval > 1, from == nil {
      reader.error(
        "a schedule with an interval needs a first date", at: position,
        hint: "add 'from DATE' on which it begins")
      return nil
    }
    switch pattern.anchor {
    case .date(let date): return date
    case .anyDate: return from?.date ?? reader.startDate
    case .dayOfMonth(let day):
      return anchor(from, position, reader, "on day \(day) of a month") { $0.day == day }
    case .dayOfYear(let month, let day):
      return anchor(from, position, reader, "on day \(day) of month \(month)") {
        $0.day == day && $0.month == month
      }
    }
  }

  private static func anchor(
    _ from: (date: CivilDate, position: SourcePosition)?, _ position: SourcePosition, _ reader: Reader,
    _ meaning: String, _ fits: (CivilDate) -> Bool
  ) -> CivilDate? {
    if let from {
      guard fits(from.date) else {
        reader.error("the first date of this schedule is not \(meaning)", at: from.position)
        return nil
      }
      return from.date
    }
    guard var date = reader.startDate else { return nil }
    // 29 February is at most eight years back.
    for _ in 0..<3_000 where !fits(date) { date = date + -1 }
    return date
  }
}

extension Atom<LocalDateTime> {
  fileprivate static var dateAndMinute: Atom {
    dateTime.checked { when, word, reader in
      guard when.millisecondOfDay % 60_000 == 0 else {
        reader.error("schedules count in whole minutes", at: word.position)
        return nil
      }
      return when
    }
  }
}

/// Days of the week and a time.
struct DaysAtTime {
  var days: WeekdaySet
  var minute: Int
}

extension Atom<DaysAtTime> {
  /// `weekday 08:10`, or `monday, friday at 08:10`.
  static var daysAtTime: Atom {
    let days = Atom<WeekdaySet>.days
    let minute = Atom<Int>.minuteOfDay
    return Atom(
      name: "DAYS TIME", meaning: "days and a time such as weekday 08:10",
      pattern: "(?:\(days.pattern))(?: +at)? +(?:\(minute.pattern))", write: onlyInSentences
    ) { word, reader in
      guard let (before, after) = word.splitAtLastSpace() else {
        reader.error("a time of day is missing", at: word.position, hint: "such as 'every weekday 08:10'")
        return nil
      }
      let plain =
        before.text.hasSuffix(" at") ? Word(String(before.text.dropLast(3)), at: before.position) : before
      guard let set = days.parse(plain, reader), let time = minute.parse(after, reader) else { return nil }
      return DaysAtTime(days: set, minute: time)
    }
  }
}

extension Atom<(day: Int, minute: Int)> {
  static var dayOfMonthAtTime: Atom {
    let day = Atom<Int>.count(1...31)
    let minute = Atom<Int>.minuteOfDay
    return Atom(
      name: "DAY at TIME", meaning: "a day of the month and a time such as 31 at 09:00",
      pattern: "(?:\(day.pattern))(?: +at)? +(?:\(minute.pattern))", write: onlyInSentences
    ) { word, reader in
      guard let (before, after) = word.splitAtLastSpace() else {
        reader.error("a time of day is missing", at: word.position, hint: "such as 'on 31 at 09:00'")
        return nil
      }
      let plain =
        before.text.hasSuffix(" at") ? Word(String(before.text.dropLast(3)), at: before.position) : before
      guard let number = day.parse(plain, reader), let time = minute.parse(after, reader) else { return nil }
      return (number, time)
    }
  }
}

extension Atom<(month: Int, day: Int)> {
  /// `02-29`.
  static var monthAndDay: Atom {
    .simple(
      "MM-DD", "a month and day such as 02-29", pattern: #"\d{2}-\d{2}"#, jsonTypes: nil,
      write: onlyInSentences
    ) { text in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard text.count == 5, parts.count == 2, let month = parts[0], let day = parts[1],
        CivilDate(validYear: 2_024, month: month, day: day) != nil
      else { return nil }
      return (month, day)
    }
  }
}

extension Atom<Int> {
  /// How many occurrences are handed to the system beforehand.
  static var ahead: Atom { count(0...64) }
}

extension Atom<Recurrence.Skip> {
  static var skip: Atom {
    .choice("SKIP", "omit, backward or forward", Recurrence.Skip.allCases.map { ($0.name, $0) })
  }
}

extension Word {
  /// The part before the last space and the part behind it.
  func splitAtLastSpace() -> (Word, Word)? {
    guard let space = text.lastIndex(of: " ") else { return nil }
    let column = text[...space].unicodeScalars.count
    return (
      Word(String(text[..<space]), at: position),
      Word(String(text[text.index(after: space)...]), at: position.advanced(by: column))
    )
  }
}
