package import CivilTime
import TextFormats
import TriggerModel

/// Days of the week and times.
struct DaysAtTime {
  var days: WeekdaySet
  var minutes: [Int]
}

/// Days with times behind them. Where a slot of a phrase holds both, the times begin at the first word that looks
/// like one.
extension Word {
  /// The part before the times of day, without the word `at`, and the times.
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
  /// Something, and times of day behind it.
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

extension Atom<(weekday: Weekday, minutes: [Int])> {
  /// `monday of the month 09:00`; the words in between may be left out.
  static var weekdayAtTime: Atom {
    withTimes(
      "WEEKDAY of the month TIMES", "a weekday and times such as monday of the month 09:00",
      example: "first monday of the month 09:00", Atom<Weekday>.weekdayOfTheMonth
    ) { ($0, $1) }
  }
}

extension Atom<Weekday> {
  fileprivate static var weekdayOfTheMonth: Atom {
    let names = Weekday.allCases.map(\.name)
    return Atom(
      name: "WEEKDAY", meaning: "a day of the week such as monday",
      pattern: "(?:\(names.joined(separator: "|")))(?: +of +the +month)?", write: onlyInSentences
    ) { word, reader in
      let name = word.text.hasSuffix(" of the month") ? String(word.text.dropLast(13)) : word.text
      guard let weekday = Weekday.allCases.first(where: { $0.name == name }) else {
        reader.error(
          "'\(name)' is not a day of the week", at: word.position,
          hint: NearestNames.hint(for: name, among: names))
        return nil
      }
      return weekday
    }
  }
}

extension WeekdayOfMonth {
  package static let words = [
    ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("last", -1),
  ]

  /// `first monday`
  package var words: String {
    (Self.words.first { $0.1 == place }?.0 ?? "") + " " + weekday.name
  }
}

extension Atom<WeekdayOfMonth> {
  /// `first monday`
  static var weekdayOfMonth: Atom {
    let places = WeekdayOfMonth.words.map(\.0).joined(separator: "|")
    let names = Weekday.allCases.map(\.name).joined(separator: "|")
    return .simple(
      "first WEEKDAY", "a weekday of the month such as first monday or last friday",
      pattern: "(?:\(places)) +(?:\(names))", write: { day, _ in .string(day.words) }
    ) { text in
      let parts = text.split(separator: " ").map(String.init)
      guard parts.count == 2, let place = WeekdayOfMonth.words.first(where: { $0.0 == parts[0] })?.1,
        let weekday = Weekday.allCases.first(where: { $0.name == parts[1] })
      else { return nil }
      return WeekdayOfMonth(place, weekday)
    }
  }
}
