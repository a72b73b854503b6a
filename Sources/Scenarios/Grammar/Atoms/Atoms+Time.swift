package import CivilTime
import ScenarioModel
package import TextFormats
package import TriggerModel

/// A local date and time of day, without a zone.
package struct LocalDateTime: Hashable {
  package var date: CivilDate
  package var millisecondOfDay: Int32

  package var localTime: LocalTime { LocalTime(date: date, millisecondOfDay: millisecondOfDay) }
}

extension LocalDateTime {
  package init(_ local: LocalTime) {
    self.init(date: local.date, millisecondOfDay: local.millisecondOfDay)
  }

  /// Creates the local time of an instant, or returns `nil` if a local time in file notation cannot denote exactly
  /// that instant.
  ///
  /// The result is `nil` if the instant has a fraction of a second, lies in the second pass of a repeated hour, or is
  /// in an unsupported year.
  package init?(exactly instant: Instant, in zone: Zone) {
    guard instant != .distantFuture, instant != .distantPast else { return nil }
    self.init(zone.local(at: instant))
    guard millisecondOfDay % 1_000 == 0, Atom<CivilDate>.years.contains(date.year),
      zone.instant(of: localTime) == instant
    else { return nil }
  }

  /// The date and time as `2026-03-02T07:00`.
  package var text: String { "\(date.text)T\(Clock.text(millisecondOfDay))" }
}

extension Writer {
  /// Returns an instant as a local time in a zone. Reports a problem if a local time cannot denote exactly that
  /// instant.
  package func local(_ instant: Instant, in zone: Zone) -> LocalDateTime {
    if let local = LocalDateTime(exactly: instant, in: zone) { return local }
    problem("in \(zone.identifier) no local time to the second means \(instant.iso8601)")
    return LocalDateTime(zone.local(at: known.scenario.start))
  }

  /// Returns an instant as a local time in the zone of the start.
  package func local(_ instant: Instant) -> LocalDateTime { local(instant, in: known.startZone) }
}

extension Atom<Int32> {
  /// A time of day in milliseconds after midnight.
  package static var timeOfDay: Atom<Int32> {
    Atom<Int32>.simple(
      "TIME", "a time of day such as 08:10 or 08:10:30", pattern: #"\d{1,2}:\d{2}(?::\d{2})?"#,
      jsonTypes: nil, hint: Clock.hint, write: Clock.write, Clock.milliseconds
    ).namingWordsAfterTimes()
  }
}

extension Atom {
  /// Returns an atom that reports the first word after a valid time instead of the whole text.
  fileprivate func namingWordsAfterTimes() -> Atom {
    let parse = parse
    return Atom(
      name: name, meaning: meaning, pattern: pattern, jsonTypes: jsonTypes, allowsEmpty: allowsEmpty,
      write: write
    ) { word, reader in
      guard let space = word.text.firstIndex(of: " "),
        Clock.milliseconds(String(word.text[..<space])) != nil, Clock.hint(word.text) == nil
      else { return parse(word, reader) }
      let rest = word.text[space...].drop { $0 == " " }
      let stray = String(rest.prefix { $0 != " " })
      let offset = word.text.unicodeScalars.distance(from: word.text.startIndex, to: rest.startIndex)
      reader.error(
        "unexpected '\(stray)' after a time of day", at: word.position.advanced(by: offset),
        hint: NearestNames.likely(stray, among: Self.wordsAfterTimes).map { "did you mean '\($0)'?" })
      return nil
    }
  }

  /// The words that can follow a time of day in a schedule.
  private static var wordsAfterTimes: [String] {
    ["ahead", "from", "skip", "not before", "times", "until", "except", "in"]
  }
}

extension Atom<Int> {
  /// A time of day in minutes after midnight, 0…1,439.
  package static var minuteOfDay: Atom<Int> {
    Atom<Int>.simple(
      "TIME", "a time of day in whole minutes such as 08:10", pattern: #"\d{1,2}:\d{2}"#, jsonTypes: nil,
      hint: Clock.hint, write: { minute, writer in Clock.write(Int32(minute * 60_000), writer) }
    ) { text in
      Clock.milliseconds(text).flatMap { $0 % 60_000 == 0 ? Int($0 / 60_000) : nil }
    }.namingWordsAfterTimes()
  }
}

extension Atom<CivilDate> {
  /// The years that the zones' offset tables cover.
  static var years: ClosedRange<Int> { 1970...2099 }

  /// A calendar date, or `day 3`. The day of the start is day 1.
  package static var date: Atom<CivilDate> { date(within: years) }

  /// A date that the app knows, such as a date of birth. It may precede the years of the offset tables
  /// because no event is simulated on it.
  static var knownDate: Atom<CivilDate> { date(within: 1900...years.upperBound) }

  /// The date of the start, which cannot be written as `day 3` because days are counted from it.
  fileprivate static var startDate: Atom<CivilDate> { date(within: years, mayBeCounted: false) }

  private static func date(within years: ClosedRange<Int>, mayBeCounted: Bool = true) -> Atom<CivilDate> {
    Atom(
      name: "DATE",
      meaning: "a date such as 2026-03-02" + (mayBeCounted ? ", or 'day 3' of the scenario" : ""),
      pattern: #"\d{4}-\d{2}-\d{2}"# + (mayBeCounted ? #"|day +\d+"# : ""), jsonTypes: nil,
      write: { date, writer in
        years.contains(date.year)
          ? .string(date.text) : writer.problem("the year \(date.year) is not supported")
      }
    ) { word, reader in
      if mayBeCounted, word.text.hasPrefix("day ") { return dayOfScenario(word, reader) }
      let parts = word.text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.count) == [4, 2, 2], let year = number(parts[0]), let month = number(parts[1]),
        let day = number(parts[2])
      else {
        reader.error(
          "'\(word.text)' is not a date", at: word.position,
          hint: "dates are written 2026-03-02" + (mayBeCounted ? ", or 'day 3' counted from the start" : ""))
        return nil
      }
      guard years.contains(year) else {
        reader.error(
          "the year \(year) is outside \(years.lowerBound) to \(years.upperBound)", at: word.position)
        return nil
      }
      guard let date = CivilDate(validYear: year, month: month, day: day) else {
        let reason =
          (1...12).contains(month)
          ? "that month has \(CivilDate.days(inMonth: month, of: year)) days" : "a year has 12 months"
        reader.error("the date \(word.text) does not exist", at: word.position, hint: reason)
        return nil
      }
      return date
    }
  }

  private static func dayOfScenario(_ word: Word, _ reader: Reader) -> CivilDate? {
    guard let day = number(word.text.dropFirst(4)), (1...40_000).contains(day) else {
      reader.error(
        "'\(word.text)' is not a day of the scenario", at: word.position,
        hint: "day 1 is the day of the start; the last possible day is day 40000")
      return nil
    }
    return reader.scenario.startDate.map { $0 + (day - 1) }
  }

  private static func number(_ digits: some StringProtocol) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}

extension Atom<[Located<CivilDate>]> {
  /// Dates separated by commas, such as `2026-12-24, 2026-12-31`, in any order.
  static var dates: Atom {
    let date = Atom<CivilDate>.date
    return Atom(
      name: "DATES", meaning: "dates such as 2026-12-24, 2026-12-31",
      pattern: "(?:\(date.pattern))(?: *, *(?:\(date.pattern)))*", jsonTypes: nil,
      write: { dates, writer in
        let texts = dates.map { date.write($0.value, writer) }
        return .string(
          texts.map { if case .string(let text) = $0 { text } else { "" } }.joined(separator: ", "))
      }
    ) { word, reader in
      var dates: [Located<CivilDate>] = []
      for part in word.partsBetweenCommas {
        guard let found = date.parse(part, reader) else { return nil }
        dates.append(Located(found, at: part.position))
      }
      return dates
    }
  }
}

extension Atom<LocalDateTime> {
  /// A date and a time, separated by a space or `T`.
  package static var dateTime: Atom<LocalDateTime> { dateTime(on: .date) }

  /// A calendar date and a time for the start of a scenario. Forms relative to the start are excluded.
  package static var startTime: Atom<LocalDateTime> { dateTime(on: .startDate) }

  private static func dateTime(on date: Atom<CivilDate>) -> Atom<LocalDateTime> {
    let time = Atom<Int32>.timeOfDay
    return Atom(
      name: "DATE TIME", meaning: "a local date and time such as 2026-03-02T07:00",
      pattern: "(?:\(date.pattern))[T ](?:\(time.pattern))", jsonTypes: nil,
      write: { local, _ in .string(local.text) }
    ) { word, reader in
      var text = Substring(word.text)
      if text.hasSuffix("Z") || text.dropFirst(10).contains(where: { "+-".contains($0) }) {
        reader.error(
          "'\(word.text)' has an offset from UTC", at: word.position,
          hint: "write the local time; its zone is that of the key 'zone'")
        return nil
      }
      // Split at the last separator because 'day 3 09:00' has two.
      guard text.contains(":"), let separator = text.lastIndex(where: { $0 == "T" || $0 == " " }) else {
        if date.parse(word, reader) != nil {
          reader.error("a time of day is missing", at: word.position, hint: "such as \(word.text) 07:00")
        }
        return nil
      }
      let clock = String(text[text.index(after: separator)...])
      let column = text[...separator].unicodeScalars.count
      text = text[..<separator]
      guard let day = date.parse(Word(String(text), at: word.position), reader),
        let time = time.parse(Word(clock, at: word.position.advanced(by: column)), reader)
      else { return nil }
      return LocalDateTime(date: day, millisecondOfDay: time)
    }
  }
}

extension WeekdaySet {
  /// The names of the days, such as `monday, friday`.
  var names: String { Weekday.allCases.filter { contains($0) }.map(\.name).joined(separator: ", ") }
}

extension Atom<WeekdaySet> {
  /// Days of the week: `day`, `weekday`, `weekend`, or names separated by commas.
  package static var days: Atom<WeekdaySet> {
    let names = Weekday.allCases.map { ($0.name, WeekdaySet($0)) }
    let words: [(String, WeekdaySet)] =
      [
        ("day", .all), ("weekday", .weekdays), ("weekdays", .weekdays), ("weekend", .weekend),
        ("weekends", .weekend),
      ] + names
    let known = words.map(\.0)
    let one = known.joined(separator: "|")
    return Atom(
      name: "DAYS", meaning: "days: day, weekday, weekend, or names such as monday, friday",
      pattern: "(?:\(one))(?: *, *(?:\(one)))*", write: write
    ) { word, reader in
      var days: WeekdaySet = []
      for part in word.text.split(separator: ",", omittingEmptySubsequences: false) {
        let name = part.split(separator: " ").joined(separator: " ")
        guard let set = words.first(where: { $0.0 == name })?.1 else {
          reader.error(
            "'\(name)' is not a day of the week", at: word.position,
            hint: NearestNames.hint(for: name, among: known))
          return nil
        }
        days.formUnion(set)
      }
      return days
    }
  }

  private static func write(_ days: WeekdaySet, _ writer: Writer) -> JSONValue {
    switch days {
    case []: return writer.problem("there are no days")
    case .all: return "day"
    case .weekdays: return "weekday"
    case .weekend: return "weekend"
    default: return .string(days.names)
    }
  }
}

/// Reads and writes times of day.
package enum Clock {
  static func write(_ milliseconds: Int32, _ writer: Writer) -> JSONValue {
    0..<86_400_000 ~= milliseconds && milliseconds % 1_000 == 0
      ? .string(text(milliseconds)) : writer.problem("a time of day is from 00:00:00 to 23:59:59")
  }

  /// Returns the milliseconds after midnight of `HH:MM` or `HH:MM:SS`, or `nil` if the text is not a time of day.
  package static func milliseconds(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      // The completed parts as a number in base 60, the current part, its number of digits, and the number of
      // parts.
      var (all, number, digits, parts) = (Int32(0), Int32(0), 0, 1)
      for byte in bytes {
        if byte == UInt8(ascii: ":") {
          guard digits == 2 || digits == 1 && parts == 1, number < (parts == 1 ? 24 : 60), parts < 3 else {
            return nil
          }
          (all, number, digits, parts) = (all * 60 + number, 0, 0, parts + 1)
        } else {
          guard (0x30...0x39).contains(byte), digits < 2 else { return nil }
          (number, digits) = (number * 10 + Int32(byte - 0x30), digits + 1)
        }
      }
      guard parts > 1, digits == 2, number < 60 else { return nil }
      return (all * 60 + number) * (parts == 2 ? 60_000 : 1_000)
    }
  }

  /// Returns the time as `08:10`, or as `08:10:30` if it has seconds or if seconds are requested.
  package static func text(_ milliseconds: Int32, withSeconds: Bool = false) -> String {
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = milliseconds / 1_000
    let time = two(seconds / 3_600) + ":" + two(seconds / 60 % 60)
    return seconds % 60 == 0 && !withSeconds ? time : time + ":" + two(seconds % 60)
  }
}

extension CivilDate {
  /// The date as `2026-03-02`.
  package var text: String {
    let (year, month, day) = components
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

/// Offsets from UTC, such as `+01:00`. They distinguish the two passes of a repeated hour.
package enum UTCOffset {
  package static func text(_ offset: TimeSpan) -> String {
    (offset < .zero ? "-" : "+") + Clock.text(Int32(offset.milliseconds.magnitude))
  }

  /// Returns whether a word begins with a sign and is therefore intended as an offset, whether or not it is valid.
  package static func isMeant(by word: Word) -> Bool { word.text.first.map { "+-".contains($0) } ?? false }
}

extension Atom<TimeSpan> {
  package static var utcOffset: Atom<TimeSpan> {
    .simple(
      "OFFSET", "an offset from UTC such as +01:00", pattern: #"[+-]\d{2}:\d{2}"#, jsonTypes: nil,
      write: { offset, writer in
        offset.milliseconds % 60_000 == 0 && offset.magnitude < .days(1)
          ? .string(UTCOffset.text(offset)) : writer.problem("an offset is in whole minutes, less than a day")
      }
    ) { text in
      guard let sign = text.first, "+-".contains(sign), text.count == 6,
        let milliseconds = Clock.milliseconds(String(text.dropFirst()))
      else { return nil }
      return TimeSpan(milliseconds: Int64(sign == "-" ? -milliseconds : milliseconds))
    }
  }
}

extension Clock {
  /// Returns a hint that translates another notation of a time of day, such as `5 pm`, or `nil` if the text is not
  /// such a notation.
  static func hint(_ text: String) -> String? {
    if text == "24:00" || text == "24:00:00" { return "midnight is 00:00" }
    if text.hasPrefix("every ") {
      return
        "list the times of one schedule, such as 'every day 08:00, 20:00'; write another reminder for another schedule"
    }
    if text.contains(" and ") { return "separate times by commas, such as 08:00, 20:00" }
    let letters = text.lowercased().filter { !$0.isWhitespace }
    let isMorning = letters.hasSuffix("am")
    guard
      isMorning || letters.hasSuffix("pm") || letters.hasSuffix("uhr") || letters.contains(".")
        || letters.allSatisfy(\.isNumber)
    else { return nil }
    let parts = letters.drop { !$0.isNumber }.split { !$0.isNumber }.prefix(2)
    guard let hour = parts.first.flatMap({ Int($0) }), hour <= 24 else { return nil }
    let minute = parts.dropFirst().first.flatMap { Int($0) } ?? 0
    let whole = isMorning ? hour % 12 : letters.hasSuffix("pm") ? hour % 12 + 12 : hour
    guard whole < 24, minute < 60 else { return nil }
    return "use 24-hour times with a colon: \(Clock.text(Int32(whole * 3_600_000 + minute * 60_000)))"
  }

  /// Returns a hint that translates another notation of a daily window, or `nil` if the text is not such a notation.
  static func windowHint(_ text: String) -> String? {
    if text.hasSuffix("24:00") { return "midnight is 00:00: write \(text.dropLast(5))00:00" }
    let dashes: [Character] = ["-", "–", "—", "‑"]
    let edges = text.replacing(" to ", with: "-").split { dashes.contains($0) }.map { edge -> String? in
      let edge = edge.filter { !$0.isWhitespace }
      // A hint for a time ends with the proposed time.
      let time = Clock.milliseconds(edge) ?? hint(edge).flatMap { Clock.milliseconds(String($0.suffix(5))) }
      return time.map { Clock.text($0) }
    }
    guard edges.count == 2, let from = edges[0], let to = edges[1] else { return nil }
    return "use 24-hour times with a colon, and a plain '-' between them: \(from)-\(to)"
  }
}
