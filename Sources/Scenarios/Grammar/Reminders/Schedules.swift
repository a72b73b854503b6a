package import CivilTime
import ReminderMatching
import TextFormats
import TriggerModel

/// Schedules of reminders: `every weekday 08:10`, `first monday of the month 09:00`, `monthly on 31 at 09:00
/// from 2026-01-31 skip backward`, `every day 21:00 until 2026-12-31 except 2026-12-24 in America/Phoenix`.
package enum Schedules {
  /// The part of a schedule before its clauses, such as `from` and `skip`.
  private struct Pattern {
    var frequency: Recurrence.Frequency
    var interval = 1
    var weekdays: WeekdaySet?
    var minutes: [Int]
    /// The anchor day, if the sentence specifies one.
    var anchor = Anchor.anyDate
  }

  private enum Anchor {
    case anyDate
    case date(CivilDate)
    case dayOfMonth(Int)
    case dayOfYear(month: Int, day: Int)
    case weekdayOfMonth(WeekdayOfMonth)
  }

  private static let modifiers = ["from", "skip", "ahead", "not", "times", "until", "except", "in"]
  /// The word for a schedule that the system repeats without the app.
  private static let repeating = "repeating"

  static var pattern: String {
    let date = Atom<CivilDate>.date.pattern
    let skip = Recurrence.Skip.allCases.map(\.name).joined(separator: "|")
    let ahead = "\(Atom<Int>.ahead.pattern)|\(repeating)"
    return
      "(?:\(grammar.pattern)|\(Atom<[Int]>.timesOfDay.pattern)|every +(?:\(Atom<TimeSpan>.duration.pattern)))"
      + "(?: +from +(?:\(date))| +skip +(?:\(skip))| +ahead +(?:\(ahead))"
      + "| +not +before +(?:\(date))| +(?:\(Atom<Int>.count(Recurrence.counts).pattern)) +times"
      + "| +until +(?:\(date))| +except +(?:\(Atom<[Located<CivilDate>]>.dates.pattern))"
      + "| +in +(?:\(Atom<Zone>.anyZone.pattern)))*"
  }

  static func isSchedule(_ words: Words) -> Bool { words.first.map { firstWords.contains($0.text) } ?? false }

  /// The words with which a schedule can begin. No other trigger begins with them.
  package static let firstWords = Set(["every", "monthly", "yearly", "on"] + WeekdayOfMonth.words.map(\.0))

  /// The clauses after the dates and times of a schedule.
  private struct Modifiers {
    var from: (date: CivilDate, position: SourcePosition)?
    var skip = Recurrence.Skip.backward
    var ahead = 0
    var isRepeating = false
    var notBefore: CivilDate?
    var count: Int?
    var until: Located<CivilDate>?
    var exceptions: [Located<CivilDate>] = []
    var zone: Zone?
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
      count: modifiers.count, until: modifiers.until?.value, exceptions: modifiers.exceptions.sortedDates,
      zone: modifiers.zone)
    if case .weekdayOfMonth(let day) = pattern.anchor { recurrence.dayOfMonth = day }
    if modifiers.count != nil, modifiers.from == nil, modifiers.notBefore == nil {
      recurrence.notBefore = firstWholeDay(of: pattern, reader)
    }
    guard
      hasMeaning(recurrence, until: modifiers.until?.position, except: modifiers.exceptions, reader)
    else { return nil }
    if !modifiers.isRepeating { return .scheduled(Schedule(recurrence, ahead: modifiers.ahead)) }
    if let from = modifiers.from, let first = reader.scenario.startDate, from.date > first {
      reader.warning(
        "the system has no first date (rule N6), so a profile with that rule begins before \(from.date.text)",
        at: from.position, hint: "schedule single occurrences in advance, for example 'ahead 5'")
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

  /// Splits off the modifiers. The `from` of `every 2 h from 09:00 until 21:00` belongs to the times, and the
  /// number of `5 times` precedes its keyword.
  private static func clauses(_ words: Words) -> (head: Words, clauses: [(keyword: Word, body: Words)]) {
    let texts = words.texts
    // An `until` after `from TIME` belongs to the times of day, not to the end of the schedule.
    let until = texts.indices.dropFirst(2).first {
      texts[$0] == "until" && texts[$0 - 2] == "from" && !texts[$0 - 1].contains("-")
    }
    var (head, clauses) = words.clauses(at: modifiers, from: until.map { $0 + 1 } ?? 0)
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
      case "until":
        guard let date = Atom<CivilDate>.date.parse(body.joined, reader) else { return nil }
        modifiers.until = Located(date, at: body.position)
      case "except":
        guard let dates = Atom<[Located<CivilDate>]>.dates.parse(body.joined, reader) else { return nil }
        modifiers.exceptions += dates
      case "in":
        guard let zone = Atom<Zone>.anyZone.parse(body.joined, reader) else { return nil }
        modifiers.zone = zone
      case _ where body.texts == [repeating]: modifiers.isRepeating = true
      default:
        guard let count = Atom<Int>.ahead.parse(body.joined, reader) else { return nil }
        modifiers.ahead = count
      }
    }
    return modifiers
  }

  /// Returns the first day on which all times are at or after the scenario's start. A limited number of
  /// occurrences is counted from that day.
  private static func firstWholeDay(of pattern: Pattern, _ reader: Reader) -> CivilDate? {
    guard let date = reader.scenario.startDate else { return nil }
    return pattern.minutes[0] < reader.scenario.startMinute ? date + 1 : date
  }

  // MARK: End and exceptions

  /// Returns whether the end and the exceptions of a recurrence are valid. Reports those that are not, and warns
  /// about exceptions without effect.
  ///
  /// - Parameter until: The position of the last date, or `nil` if the schedule declares none.
  static func hasMeaning(
    _ recurrence: Recurrence, until: SourcePosition?, except exceptions: [Located<CivilDate>],
    _ reader: Reader
  ) -> Bool {
    if recurrence.frequency == .once, let position = until ?? exceptions.first?.position {
      reader.error(
        "a single date has no end and no exceptions", at: position,
        hint: "leave this out, or write a schedule that recurs")
      return false
    }
    if let until, let last = recurrence.until {
      if recurrence.count != nil {
        reader.error(
          "the schedule has two ends: a last date and a number of times", at: until, hint: "leave out one")
        return false
      }
      let begin = max(recurrence.start, recurrence.notBefore ?? recurrence.start)
      if last < begin {
        reader.error(
          "the schedule ends on \(last.text), before it begins on \(begin.text)", at: until,
          hint: "write a later date; the date after 'until' is included")
        return false
      }
    }
    guard let zone = recurrence.zone ?? reader.scenario.startZone else { return true }
    for exception in exceptions {
      let next = recurrence.date(onOrAfter: exception.value, in: zone)
      if next == exception.value { continue }
      reader.warning(
        "the schedule has no occurrence on \(exception.value.text), so this exception has no effect",
        at: exception.position,
        hint: next.map { "the next date is \($0.text)" } ?? "the schedule has ended by then")
    }
    return true
  }

  // MARK: Spans

  /// Returns whether the schedule repeats after a span, as in `every 90 min`. `every 2 days at 08:00` counts
  /// days instead.
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
        "a span takes no '\(other.keyword.text)': it counts from when the request is handed over",
        at: other.keyword.position)
      return nil
    }
    guard clauses.map(\.body.texts) == [[repeating]] else {
      reader.error(
        "only the system can repeat a span", at: head.position,
        hint: "write 'every \(head.dropFirst(1).joined.text) ahead repeating'")
      return nil
    }
    return checked(.span(span), at: head.position, reader)
  }

  /// Returns the trigger, or `nil` after reporting that the system cannot repeat the schedule.
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
            anchor: .weekdayOfMonth(WeekdayOfMonth(place, among: $0.weekdays)))
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

  /// Returns the anchor date of the recurrence. Without `from`, it is the scenario's start, or the last date up
  /// to it with the schedule's day of the month or year.
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
    case .anyDate, .weekdayOfMonth: return from?.date ?? reader.scenario.startDate
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
    return reader.scenario.startDate.map { usualStart($0, fits) }
  }

  /// Returns the default first date for a schedule without one: the last matching date up to the scenario's
  /// start.
  package static func usualStart(_ start: CivilDate, _ fits: (CivilDate) -> Bool) -> CivilDate {
    var date = start
    // Even 29 February occurs at least once in eight years, which have fewer than 3,000 days.
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
  /// A month and a day: `02-29`.
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
  /// The number of occurrences to register with the system in advance.
  static var ahead: Atom { count(0...Schedule.maximumAhead) }
}

extension [Located<CivilDate>] {
  /// The distinct dates in ascending order.
  var sortedDates: [CivilDate] { Set(map(\.value)).sorted() }
}

extension Atom<Recurrence.Skip> {
  static var skip: Atom {
    .oneCase("SKIP", "omit, backward or forward", \.name)
  }
}

extension Format<RepeatingSchedule> {
  /// The long form of a schedule that the system repeats. It is a recurrence or a span.
  static var repetition: Format {
    .object(
      "A schedule that the system repeats: the app hands over one request, which appears repeatedly even if the app "
        + "never runs; conditions are evaluated only when it is handed over"
    ) { fields in
      let every = fields.optional(
        "every", .scalar(.duration), "a span, counted from when the request is handed over; at least 1 min",
        from: { if case .span(let span) = $0 { span } else { nil } })
      let frequency = fields.optional(
        "frequency", .scalar(.frequency), "how often: daily, weekly, monthly or yearly",
        from: { $0.recurrence?.frequency })
      let start = fields.optional(
        "start", .scalar(.date), "the first date, which determines the day of the week, month or year",
        from: { $0.recurrence?.start })
      let minute = fields.optional(
        "at", .scalar(.minuteOfDay), "the local time of day", from: { $0.recurrence?.minutes.first })
      let weekdays = fields.optional(
        "weekdays", .scalar(.days), "weekly only: the days of the week; the start's own if missing",
        from: { $0.recurrence?.weekdays })
      let skip = fields.optional(
        "skip", .scalar(.skip), "must be forward if a month may lack the day", from: { $0.recurrence?.skip })
      fields.exactlyOne(of: ["every", "frequency"])
      if let every { return checked(.span(every), fields) }
      guard let frequency else { return nil }
      guard let start, let minute else {
        fields.error("'frequency' needs 'start' and 'at'", at: "frequency")
        return nil
      }
      if weekdays != nil, frequency != .weekly {
        fields.error("'weekdays' belongs to the frequency weekly", at: "weekdays")
      }
      return checked(
        .calendar(
          Recurrence(
            start: start, minute: minute, frequency: frequency, skip: skip ?? .backward, weekdays: weekdays)),
        fields)
    }
  }

  private static func checked(_ repetition: RepeatingSchedule, _ fields: Fields<RepeatingSchedule>)
    -> RepeatingSchedule?
  {
    guard let problem = repetition.problem else { return repetition }
    fields.error(problem.text, hint: problem.remedy)
    return nil
  }
}

extension RepeatingSchedule {
  fileprivate var recurrence: Recurrence? {
    if case .calendar(let recurrence) = self { recurrence } else { nil }
  }
}

extension Atom<[Int]> {
  /// Whole minutes of the day in ascending order: `08:00`, `08:00, 14:00, 20:00`, or `every 2 h from 09:00
  /// until 21:00`. The end of such a window, here 21:00, is excluded.
  static var timesOfDay: Atom {
    let time = Atom<Int>.minuteOfDay
    let span = Atom<TimeSpan>.duration
    return Atom(
      name: "TIMES",
      meaning: "times of day in whole minutes such as 08:00, 14:00 or every 2 h from 09:00 until 21:00",
      pattern:
        "\(time.pattern)(?: *, *\(time.pattern))*|every +(?:\(span.pattern)) +from +\(time.pattern) +until +\(time.pattern)",
      jsonTypes: nil,
      write: { minutes, writer in
        let texts = minutes.map { time.write($0, writer) }.map {
          if case .string(let text) = $0 { text } else { "" }
        }
        return .string(texts.joined(separator: ", "))
      }
    ) { word, reader in
      word.text.hasPrefix("every ") ? everySpan(word, reader) : list(word, reader)
    }
  }

  private static func list(_ word: Word, _ reader: Reader) -> [Int]? {
    var minutes: [Int] = []
    for part in word.partsBetweenCommas {
      guard let minute = Atom<Int>.minuteOfDay.parse(part, reader) else { return nil }
      minutes.append(minute)
    }
    guard zip(minutes, minutes.dropFirst()).allSatisfy(<) else {
      reader.error(
        "times of day must be in ascending order, each once", at: word.position,
        hint: "write \(Set(minutes).sorted().map { Clock.text(Int32($0 * 60_000)) }.joined(separator: ", "))")
      return nil
    }
    return minutes
  }

  private static func everySpan(_ word: Word, _ reader: Reader) -> [Int]? {
    let parts = word.text.split(separator: " ").map(String.init)
    guard let from = parts.firstIndex(of: "from"), parts.count == from + 4, parts[from + 2] == "until" else {
      reader.error(
        "a time of day is missing", at: word.position, hint: "such as 'every 2 h from 09:00 until 21:00'")
      return nil
    }
    let time = Atom<Int>.minuteOfDay
    let text = parts[1..<from].joined(separator: " ")
    guard let span = Atom<TimeSpan>.duration.parse(Word(text, at: word.position), reader),
      let first = time.parse(Word(parts[from + 1], at: word.position), reader),
      let last = time.parse(Word(parts[from + 3], at: word.position), reader)
    else { return nil }
    let step = Int(span.milliseconds / 60_000)
    guard step > 0, span.milliseconds % 60_000 == 0 else {
      reader.error("the step between times of day must be in whole minutes", at: word.position)
      return nil
    }
    guard first < last else {
      reader.error(
        "\(parts[from + 3]) is not after \(parts[from + 1])", at: word.position,
        hint: "a schedule's day ends at midnight: write two reminders, or a list of times")
      return nil
    }
    return Array(stride(from: first, to: last, by: step))
  }
}

/// Days of the week and times of day in minutes.
struct DaysAtTime {
  var days: WeekdaySet
  var minutes: [Int]
}

/// Splits days from the times that follow them. If one slot of a phrase contains days and times, the times
/// begin at the first word that looks like a time.
extension Word {
  /// Returns the text before the times of day, without the word `at`, and the times. Returns `nil` if either of them
  /// is missing.
  fileprivate func splitAtTimes() -> (Word, Word)? {
    let parts = text.split(separator: " ")
    guard
      let first = parts.firstIndex(where: { $0.first?.isNumber ?? false && $0.contains(":") || $0 == "every" }
      ),
      first > 0
    else { return nil }
    let column = text[..<parts[first].startIndex].unicodeScalars.count
    let before = parts[..<first]
    return (
      Word((before.last == "at" ? before.dropLast() : before).joined(separator: " "), at: position),
      Word(parts[first...].joined(separator: " "), at: position.advanced(by: column))
    )
  }
}

extension Atom {
  /// Returns an atom for a value followed by times of day.
  fileprivate static func withTimes<Part>(
    _ name: String, _ meaning: String, example: String, _ part: Atom<Part>,
    _ build: @escaping (Part, [Int]) -> Value
  ) -> Atom {
    let times = Atom<[Int]>.timesOfDay
    return Atom(
      name: name, meaning: meaning, pattern: "(?:\(part.pattern))(?: +at)? +(?:\(times.pattern))",
      write: onlyInSentences
    ) { word, reader in
      guard let (before, after) = word.splitAtTimes() else {
        reader.error("a time of day is missing", at: word.position, hint: "such as '\(example)'")
        return nil
      }
      guard let value = part.parse(before, reader), let minutes = times.parse(after, reader) else {
        return nil
      }
      return build(value, minutes)
    }
  }
}

extension Atom<DaysAtTime> {
  /// `weekday 08:10`, or `monday, friday at 08:10, 20:00`.
  static var daysAtTime: Atom {
    withTimes(
      "DAYS TIMES", "days and times such as weekday 08:10", example: "every weekday 08:10", .days
    ) { DaysAtTime(days: $0, minutes: $1) }
  }
}

extension Atom<(day: Int, minutes: [Int])> {
  static var dayOfMonthAtTime: Atom {
    withTimes(
      "DAY at TIMES", "a day of the month and times such as 31 at 09:00", example: "on 31 at 09:00",
      Atom<Int>.count(1...31)
    ) { ($0, $1) }
  }
}

extension Atom<(day: WeekdayOfMonth, minutes: [Int])> {
  /// `first monday 09:00`.
  static var weekdayOfMonthAtTime: Atom {
    withTimes(
      "first WEEKDAY TIMES", "a weekday of the month and times such as first monday 09:00",
      example: "on the first monday 09:00", Atom<WeekdayOfMonth>.weekdayOfMonth
    ) { ($0, $1) }
  }
}

extension Atom<(weekdays: WeekdaySet, minutes: [Int])> {
  /// `monday of the month 09:00`, `monday 09:00`, or `weekday of the month 09:00`.
  static var weekdayAtTime: Atom {
    withTimes(
      "WEEKDAY of the month TIMES", "a weekday and times such as monday of the month 09:00",
      example: "first monday of the month 09:00", Atom<WeekdaySet>.weekdayOfTheMonth
    ) { ($0, $1) }
  }
}

extension Atom<WeekdaySet> {
  fileprivate static var weekdayOfTheMonth: Atom {
    let names = WeekdayOfMonth.choices.map(\.name)
    return Atom(
      name: "WEEKDAY", meaning: "a day of the week such as monday, or weekday for monday to friday",
      pattern: "(?:\(names.joined(separator: "|")))(?: +of +the +month)?", write: onlyInSentences
    ) { word, reader in
      let name = word.text.hasSuffix(" of the month") ? String(word.text.dropLast(13)) : word.text
      guard let weekdays = WeekdayOfMonth.choices.first(where: { $0.name == name })?.days else {
        reader.error(
          "'\(name)' is not a day of the week", at: word.position,
          hint: NearestNames.hint(for: name, among: names))
        return nil
      }
      return weekdays
    }
  }
}

extension WeekdayOfMonth {
  package static let words = [
    ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("last", -1),
  ]

  /// The names of the weekdays that can be counted. Monday to Friday are counted together as `weekday`.
  package static let choices: [(name: String, days: WeekdaySet)] =
    Weekday.allCases.map { ($0.name, WeekdaySet($0)) } + [("weekday", .weekdays)]

  /// The weekday in words: `first monday`.
  package var words: String {
    (Self.words.first { $0.1 == place }?.0 ?? "") + " "
      + (Self.choices.first { $0.days == weekdays }?.name ?? "")
  }
}

extension Atom<WeekdayOfMonth> {
  /// A weekday of the month: `first monday`.
  static var weekdayOfMonth: Atom {
    let places = WeekdayOfMonth.words.map(\.0).joined(separator: "|")
    let names = WeekdayOfMonth.choices.map(\.name).joined(separator: "|")
    return .simple(
      "first WEEKDAY", "a weekday of the month such as first monday, last friday or last weekday",
      pattern: "(?:\(places)) +(?:\(names))", write: { day, _ in .string(day.words) }
    ) { text in
      let parts = text.split(separator: " ").map(String.init)
      guard parts.count == 2, let place = WeekdayOfMonth.words.first(where: { $0.0 == parts[0] })?.1,
        let weekdays = WeekdayOfMonth.choices.first(where: { $0.name == parts[1] })?.days
      else { return nil }
      return WeekdayOfMonth(place, among: weekdays)
    }
  }
}
