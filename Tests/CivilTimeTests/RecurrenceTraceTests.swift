import CivilTime
import Foundation
import TestSupport
import Testing
import TriggerModel

/// Replays the test cases of libical that ``Recurrence`` can express. They use a frequency from daily to
/// yearly, an interval, a count or an end, SKIP, and weekdays in a weekly rule.
@Suite(.enabled(if: Shared.isAvailable, Shared.skipReason)) struct RecurrenceTraceTests {
  private struct Case {
    var rule: [String: String]
    var start: String
    var instances: [String]
  }

  private static func cases(_ file: String) throws -> [Case] {
    let text = String(decoding: try Shared.data("traces/recurrence/" + file), as: UTF8.self)
    return text.components(separatedBy: "\n\n").compactMap { block in
      var fields: [String: String] = [:]
      for line in block.split(separator: "\n") where !line.hasPrefix("#") {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
      }
      guard let rule = fields["RRULE"], let start = fields["DTSTART"], let instances = fields["INSTANCES"],
        fields["START-AT"] == nil, !instances.contains("*")
      else { return nil }
      let parts = rule.split(separator: ";").map { $0.split(separator: "=").map(String.init) }
      guard parts.allSatisfy({ $0.count == 2 }) else { return nil }
      return Case(
        rule: Dictionary(parts.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first }), start: start,
        instances: instances.split(separator: ",").map(String.init))
    }
  }

  /// Returns the rule as a recurrence, or `nil` if ``Recurrence`` cannot express it.
  private static func recurrence(_ trace: Case) -> Recurrence? {
    let known: Set = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "SKIP", "RSCALE", "BYDAY"]
    let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    guard known.isSuperset(of: trace.rule.keys), trace.rule["RSCALE"] ?? "GREGORIAN" == "GREGORIAN",
      let frequency = Recurrence.Frequency.allCases.first(where: {
        $0.name.uppercased() == trace.rule["FREQ"]
      }),
      let (date, minute) = local(trace.start)
    else { return nil }
    var weekdays: WeekdaySet?
    if let list = trace.rule["BYDAY"]?.split(separator: ",") {
      let numbers = list.compactMap { days.firstIndex(of: String($0)) }
      guard frequency == .weekly, numbers.count == list.count else { return nil }
      weekdays = WeekdaySet(numbers.map { WeekdaySet(rawValue: 1 << UInt8($0)) })
    }
    return Recurrence(
      start: date, minute: minute, frequency: frequency,
      interval: trace.rule["INTERVAL"].flatMap { Int($0) } ?? 1,
      // According to RFC 7529, dates that do not exist are omitted if there is no SKIP.
      skip: Recurrence.Skip.allCases.first { $0.name.uppercased() == trace.rule["SKIP"] } ?? .omit,
      weekdays: weekdays,
      weekStart: Weekday(daysAfterMonday: trace.rule["WKST"].flatMap { days.firstIndex(of: $0) } ?? 0))
  }

  /// Parses a local time such as `19970902T090000`, or a date.
  private static func local(_ text: String) -> (CivilDate, Int)? {
    let digits = text.filter(\.isNumber).compactMap(\.wholeNumberValue)
    guard digits.count == 8 || digits.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    return (date, digits.count == 14 ? number(8..<10) * 60 + number(10..<12) : 0)
  }

  /// Replays the supported cases of a file. Returns the number of cases without weekdays and with weekdays.
  private func replay(_ file: String) throws -> (plain: Int, withWeekdays: Int) {
    let utc = try Zone(identifier: "UTC")
    var taken = (plain: 0, withWeekdays: 0)
    for trace in try Self.cases(file) {
      guard let recurrence = Self.recurrence(trace) else { continue }
      let expected = trace.instances.compactMap(Self.local).map { utc.instant(of: $0.0, minute: $0.1) }
      var found = Array(recurrence.occurrences(in: utc).prefix(expected.count + 1))
      if let until = trace.rule["UNTIL"].flatMap(Self.local) {
        found = found.filter { $0 <= utc.instant(of: until.0, minute: until.1) }
      } else {
        found.removeLast()
      }
      #expect(found == expected, "\(trace.rule)")
      if recurrence.weekdays == nil { taken.plain += 1 } else { taken.withWeekdays += 1 }
    }
    return taken
  }

  @Test func `libical's cases without SKIP agree`() throws {
    let taken = try replay("icalrecur_test.txt")
    #expect(taken.plain == 9)
    #expect(taken.withWeekdays == 12)
  }

  @Test func `libical's cases with SKIP agree`() throws {
    let taken = try replay("icalrecur_test_rscale.txt")
    #expect(taken.plain == 4)
  }
}
