package import CivilTime
package import TextFormats
import TriggerModel

/// A date and a time of day as a person writes them, in whatever zone applies.
package struct LocalDateTime: Hashable {
  package var date: CivilDate
  package var millisecondOfDay: Int32

  package init(date: CivilDate, millisecondOfDay: Int32) {
    self.date = date
    self.millisecondOfDay = millisecondOfDay
  }

  package var localTime: LocalTime { LocalTime(date: date, millisecondOfDay: millisecondOfDay) }
}

extension Atom<Int32> {
  /// Milliseconds after midnight.
  package static var timeOfDay: Atom<Int32> {
    .simple(
      "TIME", "a time of day such as 08:10 or 08:10:30", pattern: #"\d{1,2}:\d{2}(?::\d{2})?"#,
      jsonTypes: nil, hint: Clock.hint, write: Clock.write, Clock.milliseconds)
  }
}

extension Atom<Int> {
  /// Minutes after midnight, 0…1,439.
  package static var minuteOfDay: Atom<Int> {
    .simple(
      "TIME", "a time of day in whole minutes such as 08:10", pattern: #"\d{1,2}:\d{2}"#, jsonTypes: nil,
      hint: Clock.hint, write: { minute, writer in Clock.write(Int32(minute * 60_000), writer) }
    ) { text in
      Clock.milliseconds(text).flatMap { $0 % 60_000 == 0 ? Int($0 / 60_000) : nil }
    }
  }
}

extension Atom<CivilDate> {
  /// Years that the zones' offset tables cover.
  static var years: ClosedRange<Int> { 1970...2099 }

  /// A date, or `day 3` counted from the day of the start.
  package static var date: Atom<CivilDate> { date(within: years) }

  /// The same as something that the app knows, such as a date of birth: nothing happens on it, so that it may lie before
  /// the years of the tables.
  static var knownDate: Atom<CivilDate> { date(within: 1900...years.upperBound) }

  /// A date of the calendar: the start's, from which days are counted.
  fileprivate static var startDate: Atom<CivilDate> { date(within: years, mayBeCounted: false) }

  private static func date(within years: ClosedRange<Int>, mayBeCounted: Bool = true) -> Atom<CivilDate> {
    Atom(
      name: "DATE",
      meaning: "a date such as 2026-03-02" + (mayBeCounted ? ", or 'day 3' of the scenario" : ""),
      pattern: #"\d{4}-\d{2}-\d{2}"# + (mayBeCounted ? #"|day +\d+"# : ""), jsonTypes: nil,
      write: { date, writer in
        years.contains(date.year)
          ? .string(date.text) : writer.problem("files know no year \(date.year)")
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
        hint: "the start's is day 1, and the last that can be named day 40000")
      return nil
    }
    return reader.startDate.map { $0 + (day - 1) }
  }

  private static func number(_ digits: some StringProtocol) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}

extension Atom<LocalDateTime> {
  /// A date and a time, separated by a space or `T`.
  package static var dateTime: Atom<LocalDateTime> { dateTime(on: .date) }

  /// The same, on a date of the calendar: nothing comes before the start from which its day could be counted.
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
          "'\(word.text)' carries an offset", at: word.position,
          hint: "write the local time; the key 'zone' says where")
        return nil
      }
      // The last separator: 'day 3 09:00' has two.
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

extension Atom<WeekdaySet> {
  /// `day`, `weekday`, `weekend`, or names of days with commas.
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
    default:
      let names = Weekday.allCases.filter { days.contains($0) }.map(\.name)
      return .string(names.joined(separator: ", "))
    }
  }
}

/// Reads and writes times of day.
package enum Clock {
  static func write(_ milliseconds: Int32, _ writer: Writer) -> JSONValue {
    0..<86_400_000 ~= milliseconds && milliseconds % 1_000 == 0
      ? .string(text(milliseconds)) : writer.problem("a time of day is from 00:00:00 to 23:59:59")
  }

  /// `HH:MM` or `HH:MM:SS` as milliseconds after midnight; nil when there is no such time.
  package static func milliseconds(_ text: String) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      // The numbers so far as one of base 60, the number that is being read, and how many digits it has.
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

  /// `08:10`, or `08:10:30` when there are seconds, or they are asked for.
  package static func text(_ milliseconds: Int32, withSeconds: Bool = false) -> String {
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = milliseconds / 1_000
    let time = two(seconds / 3_600) + ":" + two(seconds / 60 % 60)
    return seconds % 60 == 0 && !withSeconds ? time : time + ":" + two(seconds % 60)
  }
}

extension CivilDate {
  /// `2026-03-02`
  package var text: String {
    let (year, month, day) = components
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
