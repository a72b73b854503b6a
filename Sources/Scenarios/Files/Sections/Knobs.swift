import DeviceSimulation
import ScenarioModel
import TextFormats

extension Format<[TableRow<Located<String>>]> {
  /// What a scenario sets of a platform profile, by the keys of the rules. Whether there is such a rule, and
  /// whether it can have such a value, the profile says when the scenario is compiled.
  static var knobs: Format {
    let table = Format.table(of: .located(.scalar(.setting)))
    return Format(
      schema: { _ in
        var rules: [JSONValue.Member] = []
        // Two lines of the table may give the same knob to different platforms.
        for rule in PlatformRules.all where !rules.contains(where: { $0.key == rule.key }) {
          rules.append(.init(rule.key, schema(rule)))
        }
        return ["type": "object", "properties": .object(rules), "additionalProperties": false]
      },
      read: table.read, write: table.write)
  }

  private static func schema(_ rule: RuleDefinition) -> JSONValue {
    let unit = rule.unit.isEmpty ? "" : " (\(rule.unit))"
    let doc = "\(rule.summary) It is \(rule.knob.domain)\(unit)."
    if rule.knob.value(of: "true") != nil {
      return [
        "description": .string(doc),
        "anyOf": [["type": "boolean"], ["enum": [.string(Node.withdrawal)]]],
      ]
    }
    if rule.knob.names.isEmpty {
      return [
        "description": .string(doc), "anyOf": [["const": .string(Node.withdrawal)], ["type": "number"]],
      ]
    }
    let names = rule.knob.names.filter { $0 != Node.withdrawal } + [Node.withdrawal]
    return ["description": .string(doc), "enum": .array(names.map(JSONValue.string))]
  }
}
