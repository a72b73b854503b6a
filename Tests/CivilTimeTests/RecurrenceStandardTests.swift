import CivilTime
import Foundation
import Testing
import TriggerModel

/// Compares recurrences with the occurrences that python-dateutil derives from RFC 5545.
///
/// `Golden/recurrences.py` writes the rules and their occurrences. It needs no network and is not run by the
/// tests. TRIGGERBENCH_RECURRENCES can name a file with more rules.
@Suite struct RecurrenceStandardTests {
  /// The maximum number of occurrences that the file lists for a rule.
  private static let limit = 12

  private struct Rule {
    var text: String
    var recurrence: Recurrence
    var occurrences: [Instant]
  }

  private static func rules() throws -> [Rule] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/recurrences.txt")
    let more = ProcessInfo.processInfo.environment["TRIGGERBENCH_RECURRENCES"]
    let text = try String(contentsOf: more.map { URL(fileURLWithPath: $0) } ?? file, encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let parts = Dictionary(
        uniqueKeysWithValues: columns[3].split(separator: ";").map {
          let pair = $0.split(separator: "=").map(String.init)
          return (pair[0], pair[1])
        })
      let minutes = columns[2].split(separator: ",").compactMap { Int($0) }.map { $0 / 100 * 60 + $0 % 100 }
      let days = weekdays(parts["BYDAY"])
      let place = parts["BYSETPOS"].flatMap { Int($0) }
      let recurrence = Recurrence(
        start: try #require(date(columns[1])), minutes: minutes,
        frequency: try #require(
          Recurrence.Frequency.allCases.first { $0.name.uppercased() == parts["FREQ"] }),
        interval: try #require(parts["INTERVAL"].flatMap { Int($0) }), skip: .omit,
        weekdays: place == nil ? days : nil, weekStart: weekdays(parts["WKST"])?.first,
        dayOfMonth: place.flatMap { place in days.map { WeekdayOfMonth(place, among: $0) } },
        count: parts["COUNT"].flatMap { Int($0) }, until: parts["UNTIL"].flatMap { date($0) },
        exceptions: columns[4].split(separator: ",").compactMap { date($0) },
        zone: try Zone(identifier: columns[0]))
      let occurrences = columns[5].split(separator: " ").compactMap { Int64($0) }
      return Rule(
        text: columns[0..<5].joined(separator: " "), recurrence: recurrence,
        occurrences: occurrences.map { Instant(millisecondsSince1970: $0 * 60_000) })
    }
  }

  /// Parses the date of texts such as `20260302` and `20260302T235959`.
  private static func date(_ text: some StringProtocol) -> CivilDate? {
    Int(text.prefix(8)).flatMap {
      CivilDate(validYear: $0 / 10_000, month: $0 / 100 % 100, day: $0 % 100)
    }
  }

  private static func weekdays(_ text: String?) -> WeekdaySet? {
    let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    return text.map { text in
      WeekdaySet(
        text.split(separator: ",").compactMap { names.firstIndex(of: String($0)) }
          .map { WeekdaySet(Weekday(daysAfterMonday: $0)) })
    }
  }

  @Test func `recurrences with ends, exceptions and positions agree with python-dateutil`() throws {
    let rules = try Self.rules()
    #expect(rules.count >= 300)
    #expect(rules.contains { $0.recurrence.until != nil && $0.occurrences.count < Self.limit })
    #expect(rules.contains { !$0.recurrence.exceptions.isEmpty && $0.recurrence.count != nil })
    // The zone of a rule replaces that of the search.
    let elsewhere = try Zone(identifier: "Pacific/Apia")
    for rule in rules {
      let found = Array(rule.recurrence.occurrences(in: elsewhere).prefix(Self.limit))
      #expect(found == rule.occurrences, "\(rule.text)")
      var cursor = RecurrenceCursor(rule.recurrence, in: elsewhere)
      for (before, occurrence) in zip([.distantPast] + rule.occurrences, rule.occurrences) {
        let after = before == .distantPast ? before : before + TimeSpan(milliseconds: 1)
        #expect(rule.recurrence.next(atOrAfter: after, in: elsewhere) == occurrence, "\(rule.text)")
        #expect(cursor.next(atOrAfter: after) == occurrence, "\(rule.text)")
      }
      if rule.occurrences.count < Self.limit, let last = rule.occurrences.last {
        let after = last + TimeSpan(milliseconds: 1)
        #expect(rule.recurrence.next(atOrAfter: after, in: elsewhere) == nil, "\(rule.text)")
      }
    }
  }
}

extension WeekdaySet {
  fileprivate var first: Weekday? { Weekday.allCases.first(where: contains) }
}
