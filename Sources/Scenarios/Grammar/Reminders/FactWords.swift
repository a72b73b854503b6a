import CivilTime
package import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Values of facts as their declarations say that they are to be read.
package struct FactWords {
  private let scenario: Scenario

  package init(_ scenario: Scenario) {
    self.scenario = scenario
  }

  /// For documents.
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

  /// For persons: "not known", "true", "1.5", "plus", or the local time where the scenario begins.
  package func text(_ value: FactValue, of fact: FactDeclaration) -> String {
    if value.isMissing { return "not known" }
    switch fact.kind {
    case .truth: return value.bits == 0 ? "false" : "true"
    case .number: return Self.thousandths(value.bits)
    case .instant:
      return scenario.zones[scenario.zone].words(at: Instant(millisecondsSince1970: value.bits))
    case .date: return value.date.text
    case .name: return fact.names[Int(value.bits)]
    }
  }

  /// A constant that a quantity is compared with.
  package func text(_ constant: FactValue, of quantity: FactCondition.Quantity) -> String {
    switch quantity {
    case .value(let name): declaration(name).map { text(constant, of: $0) } ?? Self.thousandths(constant.bits)
    // Thousandths of one are tenths of a per cent.
    case .ratio: Self.thousandths(constant.bits * 100) + " %"
    case .age, .time: Self.duration(TimeSpan(milliseconds: constant.bits))
    case .days: Self.thousandths(constant.bits) + (constant.bits == 1_000 ? " day" : " days")
    }
  }

  private func declaration(_ name: String) -> FactDeclaration? { scenario.facts.first { $0.name == name } }

  /// "1 d 2 h 30 min", every unit that is not zero.
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

  /// A number of thousandths in decimals, as far as they are needed.
  private static func thousandths(_ number: Int64) -> String {
    let sign = number < 0 ? "-" : ""
    let magnitude = number.magnitude
    var text = "\(magnitude / 1_000)"
    var rest = magnitude % 1_000
    if rest > 0 {
      var digits = String(rest + 1_000).dropFirst()
      while rest % 10 == 0 {
        rest /= 10
        digits = digits.dropLast()
      }
      text += "." + digits
    }
    return sign + text
  }
}
