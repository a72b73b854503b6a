import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Formats the values of facts as text and JSON, based on the declarations of the facts.
package struct FactWords {
  private let scenario: Scenario

  package init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// Returns a value for JSON documents.
  package func value(_ value: FactValue, of fact: FactDeclaration) -> JSONValue {
    if value.isMissing { return .string("missing") }
    switch fact.kind {
    case .truth: return .truth(value.bits != 0)
    case .number: return .number(Double(value.bits) / 1_000)
    case .instant: return .string(Instant(millisecondsSince1970: value.bits).iso8601)
    case .date: return .string(value.date.text)
    case .name: return .string(fact.names[Int(value.bits)])
    }
  }

  /// Returns a readable value: "not known", "true", "1.5", "plus", or the local time in the zone of the
  /// start.
  package func text(_ value: FactValue, of fact: FactDeclaration) -> String {
    if value.isMissing { return "not known" }
    switch fact.kind {
    case .truth: return value.bits == 0 ? "false" : "true"
    case .number: return Decimal.text(value.bits, decimals: 3)
    case .instant:
      return scenario.zones[scenario.zone].words(at: Instant(millisecondsSince1970: value.bits))
    case .date: return value.date.text
    case .name: return fact.names[Int(value.bits)]
    }
  }

  /// Returns the constant of a comparison with a quantity as readable text.
  package func text(_ constant: FactValue, of quantity: FactCondition.Quantity) -> String {
    switch quantity {
    case .value(let name):
      declaration(name).map { text(constant, of: $0) } ?? Decimal.text(constant.bits, decimals: 3)
    // A ratio is stored in thousandths. Multiplying by 100 gives thousandths of a per cent.
    case .ratio: Decimal.text(constant.bits * 100, decimals: 3) + " %"
    case .age, .time: Self.duration(TimeSpan(milliseconds: constant.bits))
    case .days: Decimal.text(constant.bits, decimals: 3) + (constant.bits == 1_000 ? " day" : " days")
    }
  }

  private func declaration(_ name: String) -> FactDeclaration? { scenario.facts.first { $0.name == name } }

  /// Returns a span as "1 d 2 h 30 min", without units that are zero.
  private static func duration(_ span: TimeSpan) -> String {
    var rest = span.milliseconds.magnitude
    var parts: [String] = []
    for (unit, name) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"), (1, "ms")]
      as [(UInt64, String)] where rest >= unit
    {
      parts.append("\(rest / unit) \(name)")
      rest %= unit
    }
    let text = parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    return span < .zero ? "-" + text : text
  }
}
