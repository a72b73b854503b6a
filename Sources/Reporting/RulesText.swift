package import DeviceSimulation
package import NotificationGateway
package import PersonModel
import Scenarios
package import TextFormats

/// The rules of platform profiles as text and as JSON.
package struct RulesText {
  private let profiles: [PlatformProfile]

  package init(_ profiles: [PlatformProfile]) {
    self.profiles = profiles
  }

  package var text: String {
    var lines: [String] = []
    for profile in profiles {
      lines += ["\(profile.name): \(profile.summary)", ""]
      let width = profile.rules.map(\.key.count).max() ?? 0
      for rule in profile.rules {
        let unit = rule.unit.isEmpty ? "" : " \(rule.unit)"
        let others =
          rule.alternatives.isEmpty
          ? "" : "; a sweep tries " + rule.alternatives.map { "\($0)" }.joined(separator: ", ")
        lines += [
          "\(rule.id)  \(rule.key.padded(to: width))  \(rule.value)\(unit)", "    \(rule.summary)",
          "    \(rule.confidence): \(rule.source)\(others)",
        ]
        if let story = PlatformRules.story(of: rule.key, profile.name) {
          let outcomes = story.cases.map { "\($0.value): \($0.expectation)" }
          lines += ["    shown by \(story.line)", "      \(outcomes.joined(separator: "; "))"]
        }
      }
      lines.append("")
    }
    lines += notes("under every profile", PlatformRules.builtIn) + [""]
    lines += notes("left out", PlatformRules.leftOut)
    return lines.joined(separator: "\n")
  }

  private func notes(_ title: String, _ notes: [PlatformRules.Note]) -> [String] {
    [title, ""] + notes.flatMap { ["\($0.id)  \($0.summary)", "    \($0.reason)"] }
  }

  package var document: JSONValue {
    func notes(_ notes: [PlatformRules.Note]) -> JSONValue {
      .array(
        notes.map { ["id": .string($0.id), "summary": .string($0.summary), "reason": .string($0.reason)] })
    }
    return [
      "profiles": rules, "underEveryProfile": notes(PlatformRules.builtIn),
      "leftOut": notes(PlatformRules.leftOut),
    ]
  }

  private var rules: JSONValue {
    .array(
      profiles.map { profile in
        [
          "profile": .string(profile.name), "summary": .string(profile.summary),
          "rules": .array(
            profile.rules.map { rule in
              [
                "id": .string(rule.id), "key": .string(rule.key), "value": .string("\(rule.value)"),
                "unit": .string(rule.unit), "alternatives": .strings(rule.alternatives.map { "\($0)" }),
                "source": .string(rule.source), "confidence": .string("\(rule.confidence)"),
                "summary": .string(rule.summary), "demonstration": demonstration(of: rule.key, profile.name),
              ]
            }),
        ]
      })
  }

  /// Returns the scenarios that demonstrate a rule, one for each value. The array is empty if only a test
  /// demonstrates the rule.
  private func demonstration(of key: String, _ profile: String) -> JSONValue {
    guard let story = PlatformRules.story(of: key, profile) else { return .array([]) }
    return .array(
      story.cases.map {
        [
          "value": .string($0.value), "expectation": .string($0.expectation),
          "scenario": .string(story.scenario(under: $0.value, expecting: $0.expectation)),
        ]
      })
  }
}

/// The constants of the person model as text and as JSON: responses to notifications, and drawn days.
package struct PersonModelText {
  private let model: TapModel

  package init(_ model: TapModel = TapModel()) {
    self.model = model
  }

  package var text: String {
    var lines = ["\(TapModel.name): \(TapModel.summary)", ""]
    let names = TapConstant.allCases.map(\.name) + DayConstant.allCases.map(\.name)
    let width = names.map(\.count).max() ?? 0
    func line(_ name: String, _ words: String) -> String { name.padded(to: width) + "  " + words }
    for constant in TapConstant.allCases {
      let row = constant.row
      let unit = row.unit.isEmpty ? "" : " \(row.unit)"
      let sweep = "a sweep tries \(number(row.sweep.lowerBound)) to \(number(row.sweep.upperBound))"
      lines += [
        line(constant.name, number(model[constant]) + unit), "    \(row.meaning)",
        "    \(row.evidence.rawValue): \(row.source); \(sweep)",
      ]
    }
    lines += ["", "Resulting tap rates of all people at a neutral hour, with no earlier notifications", ""]
    for kind in TapModel.Kind.allCases {
      lines.append(line(kind.rawValue, "\(share(kind)) % are tapped"))
    }
    lines += [
      "", "Constants from which the days of a population's people are drawn, in addition to its file", "",
    ]
    for constant in DayConstant.allCases {
      let (amount, unit) = constant.value
      lines += [
        line(constant.name, "\(amount) \(unit.rawValue)"), "    \(constant.meaning)",
        "    \(constant.evidence.rawValue): \(constant.source)",
      ]
    }
    return lines.joined(separator: "\n")
  }

  package var document: JSONValue {
    [
      "model": .string(TapModel.name), "summary": .string(TapModel.summary),
      "constants": .array(TapConstant.allCases.map(document)),
      "meanTapPercent": .array(
        TapModel.Kind.allCases.map {
          ["kind": .string($0.rawValue), "percent": .string(share($0))]
        }),
      "dayConstants": .array(DayConstant.allCases.map(document)),
    ]
  }

  private func document(_ constant: DayConstant) -> JSONValue {
    let (amount, unit) = constant.value
    return [
      "name": .string(constant.name), "value": .string("\(amount)"), "unit": .string(unit.rawValue),
      "evidence": .string(constant.evidence.rawValue), "source": .string(constant.source),
      "meaning": .string(constant.meaning),
    ]
  }

  private func document(_ constant: TapConstant) -> JSONValue {
    let row = constant.row
    return [
      "name": .string(constant.name), "value": .string(number(model[constant])), "unit": .string(row.unit),
      "sweep": .strings([row.sweep.lowerBound, row.sweep.upperBound].map(number)),
      "evidence": .string(row.evidence.rawValue), "source": .string(row.source),
      "meaning": .string(row.meaning),
    ]
  }

  /// Returns the tap rate in per cent with two decimals.
  private func share(_ kind: TapModel.Kind) -> String {
    var situation = TapModel.Situation()
    situation.hour = model[.hourPeak] + 6
    let hundredths = Int((model.meanProbability(of: kind, situation) * 10_000).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int64(value)) : String(value)
  }
}

/// The counters for the `stored` key of a scenario, as text and as a JSON object.
package struct StateText {
  /// The state that stored counters cannot express. It is empty at the start of a scenario that uses them.
  package static let limits = """
    The keys count by day, and by type over all time. They cannot express the following, which starts empty with
    'stored:': lapseCap, typeDailyCap, typeWeeklyCap, typeMonthlyCap, typeRollingCap, criticalDailyCap,
    minimumInterval, pending requests, preferences.
    """

  private let entries: [StoredCounters.Entry]

  package init(_ entries: [StoredCounters.Entry]) {
    self.entries = entries
  }

  /// The limits as comments, followed by one line for each key. Empty if no counter has a value.
  package var text: String {
    if entries.isEmpty { return "" }
    return Self.limits.split(separator: "\n").map { "# \($0)\n" }.joined()
      + entries.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package var document: JSONValue {
    .object(entries.map { .init($0.key, .integer($0.value)) })
  }
}
