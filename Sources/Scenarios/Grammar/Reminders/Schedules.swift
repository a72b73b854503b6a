package import CivilTime
import ReminderMatching
import TextFormats
import TriggerModel

/// Schedules of reminders: `every weekday 08:10`, `first monday of the month 09:00`,
/// `monthly on 31 at 09:00 from 2026-01-31 skip backward`.
package enum Schedules {
  /// What a schedule says before its modifiers.
  private struct Pattern {
    var frequency: Recurrence.Frequency
    var interval = 1
    var weekdays: WeekdaySet?
    var minutes: [Int]
    /// The day that it is anchored on, where the sentence names one.
    var anchor = Anchor.anyDate
  }

  private enum Anchor {
    case anyDate
    case date(CivilDate)
    case dayOfMonth(Int)
    case dayOfYear(month: Int, day: Int)
    case weekdayOfMonth(WeekdayOfMonth)
  }

  private static let modifiers = ["from", "skip", "ahead", "not", "times"]
  /// Says that the system repeats it by itself.
  private static let repeating = "repeating"

  static var pattern: String {
    let date = Atom<CivilDate>.date.pattern
    let skip = Recurrence.Skip.allCases.map(\.name).joined(separator: "|")
    let ahead = "\(Atom<Int>.ahead.pattern)|\(repeating)"
    return
      "(?:\(grammar.pattern)|\(Atom<[Int]>.timesOfDay.pattern)|every +(?:\(Atom<TimeSpan>.duration.pattern)))"
      + "(?: +from +(?:\(date))| +skip +(?:\(skip))| +ahead +(?:\(ahead))"
      + "| +not +before +(?:\(date))| +(?:\(Atom<Int>.count(Recurrence.counts).pattern)) +times)*"
  }

  static func isSchedule(_ words: Words) -> Bool { words.first.map { firstWords.contains($0.text) } ?? false }

  /// The words that begin a schedule, and no other trigger.
  package static let firstWords = Set(["every", "monthly", "yearly", "on"] + WeekdayOfMonth.words.map(\.0))

  /// What stands behind the dates and times of a schedule.
  private struct Modifiers {
    var from: (date: CivilDate, position: SourcePosition)?
    var skip = Recurrence.Skip.backward
    var ahead = 0
    var isRepeating = false
    var notBefore: CivilDate?
    var count: Int?
  }

  static func parse(_ words: Words, _ reader: Reader) -> Trigger? {
    let (head, clauses) = clauses(words)
    if isSpan(head) { return parseSpan(head, clauses, reader) }
    guard let pattern = pattern(head, reader), let modifiers = modifiers(clauses, reader),
      let start = anchorDate(of: pattern, from: modifiers.from, at: head.position, reader)
    else { return nil }
    var recurrence = Recurrence(
      start: start, minutes: pattern.minutes, frequency: pattern.frequency, interval: pattern.interval,
      skip: modifiers.skip, weekdays: pattern.weekdays, notBefore: modifiers.notBefore,
      count: modifiers.count)
    if case .weekdayOfMonth(let day) = pattern.anchor { recurrence.dayOfMonth = day }
    if modifiers.count != nil, modifiers.from == nil, modifiers.notBefore == nil {
      recurrence.notBefore = firstWholeDay(of: pattern, reader)
    }
    if !modifiers.isRepeating { return .scheduled(Schedule(recurrence, ahead: modifiers.ahead)) }
    if let from = modifiers.from, let first = reader.startDate, from.date > first {
      reader.warning(
        "the system knows of no first date (rule N6): where it follows that rule it begins before \(from.date.text)",
        at: from.position, hint: "hand occurrences over one by one, such as 'ahead 5'")
    }
    return checked(.calendar(recurrence), at: head.position, reader)
  }

  private static func pattern(_ head: Words, _ reader: Reader) -> Pattern? {
    // `every 2 h from 09:00 until 21:00`
    if head.texts.contains("until"), head.texts.dropFirst().first?.first?.isNumber ?? false {
      return Atom<[Int]>.timesOfDay.parse(head.joined, reader).map { Pattern(frequency: .daily, minutes: $0) }
    }
    return reader.once("schedule") { grammar }.parse(head, reader)
  }

  /// The dates and times, and what is said behind them. The `from` of `every 2 h from 09:00 until 21:00` belongs to
  /// the times, and the number of `5 times` comes before its word.
  private static func clauses(_ words: Words) -> (head: Words, clauses: [(keyword: Word, body: Words)]) {
    let until = words.texts.firstIndex(of: "until") ?? 0
    var (head, clauses) = words.clauses(at: modifiers, from: until)
    for (index, clause) in clauses.enumerated() where clause.keyword.text == "times" {
      if index == 0 {
        clauses[index].body = head.suffix(1)
        head = head.prefix(head.count - 1)
      } else {
        clauses[index].body = clauses[index - 1].body.suffix(1)
        clauses[index - 1].body = clauses[index - 1].body.prefix(clauses[index - 1].body.count - 1)
      }
    }
    return (head, clauses)
  }

  private static func modifiers(
    _ clauses: [(keyword: Word, body: Words)], _ reader: Reader
  ) -> Modifiers? {
    var modifiers = Modifiers()
    for (keyword, body) in clauses {
      switch keyword.text {
      case "from":
        guard let date = Atom<CivilDate>.date.parse(body.joined, reader) else { return nil }
        modifiers.from = (date, body.position)
      case "skip":
        guard let value = Atom<Recurrence.Skip>.skip.parse(body.joined, reader) else { return nil }
        modifiers.skip = value
      case "not":
        guard body.texts.first == "before" else {
          reader.error(
            "'not' begins 'not before DATE' here", at: keyword.position,
            hint: "such as 'not before 2026-04-01'")
          return nil
        }
        guard let date = Atom<CivilDate>.date.parse(body.dropFirst(1).joined, reader) else { return nil }
        modifiers.notBefore = date
      case "times":
        guard let count = Atom<Int>.count(Recurrence.counts).parse(body.joined, reader) else { return nil }
        modifiers.count = count
      case _ where body.texts == [repeating]: modifiers.isRepeating = true
      default:
        guard let count = Atom<Int>.ahead.parse(body.joined, reader) else { return nil }
        modifiers.ahead = count
      }
    }
    return modifiers
  }

  /// The first day of which no time is past when the scenario begins: what is counted begins there.
  private static func firstWholeDay(of pattern: Pattern, _ reader: Reader) -> CivilDate? {
    guard let date = reader.startDate else { return nil }
    return pattern.minutes[0] < reader.startMinute ? date + 1 : date
  }

  // MARK: Spans

  /// `every 90 min`, and not `every 2 days at 08:00`.
  private static func isSpan(_ head: Words) -> Bool {
    head.texts.first == "every" && head.texts.dropFirst().first?.first?.isNumber ?? false
      && !["at", "on", "until"].contains(where: head.texts.contains)
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
        "only the system counts spans", at: head.position,
        hint: "say 'every \(head.dropFirst(1).joined.text) ahead repeating'")
      return nil
    }
    return checked(.span(span), at: head.position, reader)
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
    Grammar(meaning: "a schedule", phrases: everySoMany + everyDay + monthlyAndYearly + once)
  }

  private static var everySoMany: [Phrase<Pattern>] {
    let counts = Atom<Int>.count(Recurrence.intervals)
    return [
      Phrase("every", counts, "days at", .timesOfDay) {
        Pattern(frequency: .daily, interval: $0, minutes: $1)
      },
      Phrase("every week at", .timesOfDay) { Pattern(frequency: .weekly, minutes: $0) },
      Phrase("every", counts, "weeks at", .timesOfDay) {
        Pattern(frequency: .weekly, interval: $0, minutes: $1)
      },
      Phrase("every", counts, "weeks on", .daysAtTime) {
        Pattern(frequency: .weekly, interval: $0, weekdays: $1.days, minutes: $1.minutes)
      },
      Phrase("every", counts, "months on the", .weekdayOfMonthAtTime) {
        Pattern(frequency: .monthly, interval: $0, minutes: $1.minutes, anchor: .weekdayOfMonth($1.day))
      },
      Phrase("every", counts, "months on", .dayOfMonthAtTime) {
        Pattern(frequency: .monthly, interval: $0, minutes: $1.minutes, anchor: .dayOfMonth($1.day))
      },
      Phrase("every", counts, "years on", .monthAndDay, "at", .timesOfDay) {
        Pattern(
          frequency: .yearly, interval: $0, minutes: $2, anchor: .dayOfYear(month: $1.month, day: $1.day))
      },
    ]
  }

  private static var everyDay: [Phrase<Pattern>] {
    [
      Phrase("every", .daysAtTime) { every in
        every.days == .all
          ? Pattern(frequency: .daily, minutes: every.minutes)
          : Pattern(frequency: .weekly, weekdays: every.days, minutes: every.minutes)
      }
    ]
  }

  private static var monthlyAndYearly: [Phrase<Pattern>] {
    let day = Atom<Int>.count(1...31)
    return [
      Phrase("monthly on", day, "at", .timesOfDay) {
        Pattern(frequency: .monthly, minutes: $1, anchor: .dayOfMonth($0))
      },
      Phrase("yearly on", .monthAndDay, "at", .timesOfDay) {
        Pattern(frequency: .yearly, minutes: $1, anchor: .dayOfYear(month: $0.month, day: $0.day))
      },
    ]
      + WeekdayOfMonth.words.map { word, place in
        Phrase(word, .weekdayAtTime) {
          Pattern(
            frequency: .monthly, minutes: $0.minutes,
            anchor: .weekdayOfMonth(WeekdayOfMonth(place, $0.weekday)))
        }
      }
  }

  private static var once: [Phrase<Pattern>] {
    [
      Phrase("on", .date, "at", .timesOfDay) { Pattern(frequency: .once, minutes: $1, anchor: .date($0)) },
      Phrase("on", .dateAndMinute) {
        Pattern(frequency: .once, minutes: [Int($0.millisecondOfDay / 60_000)], anchor: .date($0.date))
      },
    ]
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
    case .anyDate, .weekdayOfMonth: return from?.date ?? reader.startDate
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
    return reader.startDate.map { usualStart($0, fits) }
  }

  /// Where a schedule begins that does not say it: on the last fitting date up to that of the scenario.
  package static func usualStart(_ start: CivilDate, _ fits: (CivilDate) -> Bool) -> CivilDate {
    var date = start
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
  static var ahead: Atom { count(0...Schedule.mostAhead) }
}

extension Atom<Recurrence.Skip> {
  static var skip: Atom {
    .choice("SKIP", "omit, backward or forward", Recurrence.Skip.allCases.map { ($0.name, $0) })
  }
}
