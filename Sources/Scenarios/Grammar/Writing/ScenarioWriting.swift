package import CivilTime
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// What is known of a scenario while it is being written: all of it, and which parts are asked for.
package final class ScenarioWriting: WritingContext {
  package let scenario: Scenario
  package let parts: ScenarioParts
  /// Where the story begins: in which zone facts and dates are read.
  package let startZone: Zone
  /// See ``ScenarioModel/Scenario/types``.
  package let types: [String]
  private let facts: [String: Int]

  package init(_ scenario: Scenario, parts: ScenarioParts) {
    self.scenario = scenario
    self.parts = parts
    startZone = scenario.zones[scenario.zone]
    types = scenario.types
    facts = Dictionary(scenario.facts.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
  }

  func fact(named name: String) -> FactDeclaration? { facts[name].map { scenario.facts[$0] } }
}

extension Writer {
  /// Formats of scenarios write with the writers that are made for a scenario.
  package var known: ScenarioWriting {
    guard let scenario = context as? ScenarioWriting else {
      preconditionFailure("a scenario is written without its context")
    }
    return scenario
  }

  /// What a person would write for an instant in a zone; a problem where reading that gives another one.
  package func local(_ instant: Instant, in zone: Zone) -> LocalDateTime {
    if let local = LocalDateTime(exactly: instant, in: zone) { return local }
    problem("in \(zone.identifier) no local time to the second means \(instant.iso8601)")
    return LocalDateTime(zone.local(at: known.scenario.start))
  }

  /// The same where the scenario begins.
  package func local(_ instant: Instant) -> LocalDateTime { local(instant, in: known.startZone) }
}

extension LocalDateTime {
  package init(_ local: LocalTime) {
    self.init(date: local.date, millisecondOfDay: local.millisecondOfDay)
  }

  /// What is read as an instant; nil where that cannot be said: for a part of a second, the second pass of a
  /// fold, and years that files do not name.
  package init?(exactly instant: Instant, in zone: Zone) {
    guard instant != .distantFuture, instant != .distantPast else { return nil }
    self.init(zone.local(at: instant))
    guard millisecondOfDay % 1_000 == 0, Atom<CivilDate>.years.contains(date.year),
      zone.instant(of: localTime) == instant
    else { return nil }
  }

  /// `2026-03-02T07:00`
  package var text: String { "\(date.text)T\(Clock.text(millisecondOfDay))" }
}
