import CivilTime
import Foundation
import RandomScenarios
import ScenarioModel
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

/// A change to a scenario file that must not affect the run.
enum Relation: String, CaseIterable, CustomTestStringConvertible {
  /// Reorders the declarations.
  case permuted
  /// Adds a place that no one visits, a fact that does not change, and reminders that depend on them.
  case withInertThings
  /// Adds analytics events.
  case withAnalytics
  /// Moves all dates by some weeks, without an offset change in between.
  case weeksLater

  var testDescription: String { rawValue }

  /// The name of the relation in the report.
  var title: String {
    switch self {
    case .permuted: "declarations in another order"
    case .withInertThings: "a place, a fact and two reminders more without effect"
    case .withAnalytics: "analytics events"
    case .weeksLater: "every date three weeks later"
    }
  }

  static let weeks = 3

  /// Returns the changed document, or `nil` if the change would affect the run.
  func apply(to document: JSONValue, of scenario: Scenario, seed: UInt64) -> JSONValue? {
    switch self {
    case .permuted: document.permuted(seed)
    case .withInertThings: inert(document, scenario)
    case .withAnalytics:
      document["analytics"] == nil
        ? document.setting("analytics", .object([.init("consent", .string("granted"))])) : nil
    case .weeksLater: later(document, scenario)
    }
  }

  private func inert(_ document: JSONValue, _ scenario: Scenario) -> JSONValue? {
    // The phone monitors a limited number of places, so an additional place could affect the run.
    guard scenario.places.count < 15, !scenario.knobs.contains(where: { $0.name == "regionLimit" }) else {
      return nil
    }
    func inert(_ trigger: String) -> JSONValue {
      .object([.init("when", .string(trigger)), .init("notify", .string("never"))])
    }
    return document.inserting(
      "places",
      .init(
        "aaInert",
        .object([.init("at", .array([.integer(-70), .integer(10)])), .init("radius", .string("150 m"))]))
    ).inserting("facts", .init("aa.inert", .truth(false))).inserting(
      "reminders", .init("aaInertPlace", inert("enter aaInert"))
    ).inserting("reminders", .init("aaInertFact", inert("fact aa.inert changes")))
  }

  private func later(_ document: JSONValue, _ scenario: Scenario) -> JSONValue? {
    let days = 7 * Self.weeks
    let span = scenario.start - .days(10)..<scenario.end + .days(Int64(days) + 40)
    guard scenario.zones.zones.allSatisfy({ $0.transitions(in: span).isEmpty }) else { return nil }
    let text = document.text
    // Months and years do not consist of whole weeks, and a set clock can reach another transition.
    if ["month", "year", "setClock", "zone\" : \"UTC+"].contains(where: text.contains) { return nil }
    return document.shiftingDates(by: Int32(days), #/\b(\d{4})-(\d\d)-(\d\d)/#)
  }
}

extension JSONValue {
  private static let sections: Set<String> = [
    "facts", "apps", "places", "devices", "reminders", "surfaces", "milestones",
  ]

  /// Returns the document with its declarations reordered.
  fileprivate func permuted(_ seed: UInt64) -> JSONValue {
    guard case .object(let members) = self else { return self }
    var random = SplitMix64(seed: seed)
    return .object(
      members.map { member in
        guard Self.sections.contains(member.key) else { return member }
        switch member.value {
        case .object(let rows): return .init(member.key, .object(random.shuffled(rows)))
        case .array(let rows): return .init(member.key, .array(random.shuffled(rows)))
        default: return member
        }
      })
  }

  fileprivate func setting(_ key: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.key != key } + [.init(key, value)])
  }

  /// Returns the document with a row inserted at the start of a section.
  fileprivate func inserting(_ section: String, _ row: Member) -> JSONValue {
    var rows: [Member] = []
    if case .object(let members) = self[section] { rows = members }
    return setting(section, .object([row] + rows))
  }

  /// Returns the document with every date moved by a number of days.
  fileprivate func shiftingDates(
    by days: Int32, _ dates: Regex<(Substring, Substring, Substring, Substring)>
  ) -> JSONValue {
    switch self {
    case .string(let text):
      .string(
        text.replacing(dates) { match in
          guard let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let date = CivilDate(validYear: year, month: month, day: day)
          else { return String(match.0) }
          return CivilDate(dayNumber: date.dayNumber + days).iso8601
        })
    case .array(let values): .array(values.map { $0.shiftingDates(by: days, dates) })
    case .rows(let rows): .array(rows.map { $0.shiftingDates(by: days, dates) })
    case .object(let members): .object(members.map { .init($0.key, $0.value.shiftingDates(by: days, dates)) })
    case .integer, .number, .truth: self
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + Int(next() % UInt64(elements.count - index)))
    }
    return elements
  }
}
