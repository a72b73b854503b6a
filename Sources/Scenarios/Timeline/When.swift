import CivilTime
import ScenarioModel
import TextFormats
import TriggerModel

/// The time of a time-line entry, as declared in the file.
enum When {
  /// A time on the day of the previous entry.
  case time(Int32)
  /// A time on the day after the previous entry.
  case nextDay(Int32)
  case on(CivilDate, Int32)
  /// A span after the start.
  case offset(TimeSpan)
  case repeated(Repetition)

  /// The regular expression for the time at the beginning of a short form.
  static var pattern: String { "(?:\(instantPattern)|\(repetitionPattern))" }

  static var instantPattern: String {
    let time = Atom<Int32>.timeOfDay.pattern
    let date = Atom<CivilDate>.date.pattern
    return #"(?:(?:next +day +|(?:\#(date))[ T]+)?(?:\#(time))|\+(?:\d+(?:\.\d+)?[a-z]+)+)"#
  }

  private static var repetitionPattern: String {
    let time = Atom<Int32>.timeOfDay.pattern
    let date = Atom<CivilDate>.date.pattern
    let days = Atom<WeekdaySet>.days.pattern
    let step = #"\d+(?:\.\d+)? *[a-z]+"#
    return "every +(?:(?:\(days)) +(?:at +)?(?:\(time))|\(step))"
      + "(?: +(?:from|until) +(?:\(time)|\(date))| +on +(?:\(days)))*"
  }

  /// Removes the time from the front of a sentence and parses it.
  static func take(from words: inout Words, _ reader: Reader) -> When? {
    if words.take("every") { return takeRepetition(from: &words, reader).map { .repeated($0) } }
    if words.take("next", "day") { return takeTime(from: &words, reader).map { .nextDay($0) } }
    guard let first = words.first else { return nil }
    if first.text.hasPrefix("+") { return takeOffset(from: &words, reader) }
    if first.text == "day" || first.text.count >= 10 && first.text.dropFirst(4).first == "-" {
      return takeDateAndTime(from: &words, reader)
    }
    return takeTime(from: &words, reader).map { .time($0) }
  }

  private static func takeTime(from words: inout Words, _ reader: Reader) -> Int32? {
    guard let word = words.next() else {
      reader.error("a time of day is missing", at: words.sentence.position)
      return nil
    }
    guard word.text.first?.isNumber == true else {
      reader.error(
        "an entry begins with its time, not with '\(word.text)'", at: word.position,
        hint: "such as 08:10, 'day 2 08:10', '2026-03-02 08:10', '+1h30m' or 'every weekday 08:10'")
      return nil
    }
    // Creating the atom is slow, so use it only to report invalid times.
    return Clock.milliseconds(word.text) ?? Atom<Int32>.timeOfDay.parse(word, reader)
  }

  /// Removes and parses an offset such as `+1h30m`, which is a single word.
  private static func takeOffset(from words: inout Words, _ reader: Reader) -> When? {
    guard let word = words.next() else { return nil }
    return Atom<TimeSpan>.duration.parse(
      Word(String(word.text.dropFirst()), at: word.position.advanced(by: 1)), reader
    )
    .map { .offset($0) }
  }

  private static func takeDateAndTime(from words: inout Words, _ reader: Reader) -> When? {
    if let first = words.first, first.text.contains("T") {
      _ = words.next()
      return Atom<LocalDateTime>.dateTime.parse(first, reader).map { .on($0.date, $0.millisecondOfDay) }
    }
    guard let date = takeDate(from: &words, reader), let time = takeTime(from: &words, reader) else {
      return nil
    }
    return .on(date, time)
  }

  private static func takeDate(from words: inout Words, _ reader: Reader) -> CivilDate? {
    let length = words.first?.text == "day" ? min(2, words.count) : min(1, words.count)
    guard length > 0 else {
      reader.error("a date is missing", at: words.sentence.position)
      return nil
    }
    return Atom<CivilDate>.date.parse(words.take(length), reader)
  }
}

// MARK: - Repetitions

extension When {
  private static func takeRepetition(from words: inout Words, _ reader: Reader) -> Repetition? {
    guard let first = words.first else {
      reader.error("days or a duration are missing after 'every'", at: words.sentence.position)
      return nil
    }
    var draft = RepetitionDraft(position: first.position)
    if first.text.first?.isNumber == true {
      let length = first.text.last?.isNumber == true ? min(2, words.count) : 1
      guard let step = Atom<TimeSpan>.duration.parse(words.take(length), reader) else { return nil }
      draft.step = step
    } else {
      guard let days = takeDays(from: &words, reader) else { return nil }
      draft.weekdays = days
      _ = words.take("at")
      guard let time = takeTime(from: &words, reader) else { return nil }
      draft.time = time
    }
    while let word = words.first, ["from", "until", "on"].contains(word.text) {
      _ = words.next()
      guard takeBound(word.text, from: &words, into: &draft, reader) else { return nil }
    }
    return draft.repetition(reader)
  }

  private static func takeBound(
    _ keyword: String, from words: inout Words, into draft: inout RepetitionDraft, _ reader: Reader
  ) -> Bool {
    if keyword == "on" {
      guard let days = takeDays(from: &words, reader) else { return false }
      draft.weekdays = days
      return true
    }
    let isTime = words.first?.text.contains(":") == true
    if isTime {
      guard let time = takeTime(from: &words, reader) else { return false }
      if keyword == "from" { draft.windowStart = time } else { draft.windowEnd = time }
    } else {
      guard let date = takeDate(from: &words, reader) else { return false }
      if keyword == "from" { draft.from = date } else { draft.until = date }
    }
    return true
  }

  /// Removes and parses weekdays: one word, or several words separated by commas.
  private static func takeDays(from words: inout Words, _ reader: Reader) -> WeekdaySet? {
    let length = (words.texts.firstIndex { !$0.hasSuffix(",") } ?? words.count - 1) + 1
    guard length <= words.count, length > 0 else {
      reader.error("days are missing", at: words.sentence.position)
      return nil
    }
    return reader.once("days") { Atom<WeekdaySet>.days }.parse(words.take(length), reader)
  }
}

/// Collects the parts of a repetition and checks them.
struct RepetitionDraft {
  var position: SourcePosition
  var step: TimeSpan?
  var time: Int32?
  var weekdays = WeekdaySet.all
  var windowStart: Int32?
  var windowEnd: Int32?
  var from: CivilDate?
  var until: CivilDate?

  /// The shortest time between repetitions. Events at shorter intervals belong in a recording.
  private static let shortestStep = TimeSpan.seconds(1)

  func repetition(_ reader: Reader) -> Repetition? {
    guard let times = steps(reader) else { return nil }
    if let from, let until, from >= until {
      reader.error(
        "the repetition ends before it begins", at: position, hint: "'until' is the first date without it")
      return nil
    }
    return Repetition(step: times, weekdays: weekdays, from: from, until: until)
  }

  private func steps(_ reader: Reader) -> Repetition.Step? {
    if let time {
      guard windowStart == nil, windowEnd == nil else {
        reader.error("'from' and 'until' are dates here, not times", at: position)
        return nil
      }
      return .timesOfDay([time])
    }
    guard let step else { return nil }
    guard step >= Self.shortestStep else {
      reader.error("the step of a repetition must be at least 1 s", at: position)
      return nil
    }
    guard windowStart != nil || windowEnd != nil else { return .elapsed(step) }
    let begin = Int64(windowStart ?? 0)
    let end = windowEnd.map(Int64.init) ?? TimeSpan.days(1).milliseconds
    guard begin < end else {
      reader.error(
        "the window of a repetition must end after it begins", at: position,
        hint: "write two entries for a window that passes midnight")
      return nil
    }
    return .timesOfDay(stride(from: begin, to: end, by: Int64.Stride(step.milliseconds)).map(Int32.init))
  }
}
