package import PersonModel
import Scenarios
package import TextFormats

/// The numbers of the models of people, as a table to read and as a document: what they do with notifications, and how
/// their days are drawn.
package struct PersonText {
  private let model: TapModel

  package init(_ model: TapModel = TapModel()) {
    self.model = model
  }

  package var text: String {
    var lines = ["\(TapModel.name): \(TapModel.summary)", ""]
    let names = TapConstant.allCases.map(\.name) + DayConstant.allCases.map(\.name)
    let width = names.map(\.count).max() ?? 0
    func line(_ name: String, _ words: String) -> String {
      name + String(repeating: " ", count: width - name.count) + "  " + words
    }
    for constant in TapConstant.allCases {
      let row = constant.row
      let unit = row.unit.isEmpty ? "" : " \(row.unit)"
      lines.append(line(constant.name, number(model[constant]) + unit))
      lines.append("    \(row.meaning)")
      let sweep = "a sweep tries \(number(row.sweep.lowerBound)) to \(number(row.sweep.upperBound))"
      lines.append("    \(row.evidence.rawValue): \(row.source); \(sweep)")
    }
    lines += ["", "What follows: of all people, at a neutral hour, with nothing shown before", ""]
    for kind in TapModel.Kind.allCases {
      lines.append(line(kind.rawValue, "\(share(kind)) % are tapped"))
    }
    lines += ["", "How the days of a population's people are drawn, beside what its file says", ""]
    for constant in DayConstant.allCases {
      let (amount, unit) = constant.value
      lines.append(line(constant.name, "\(amount) \(unit.rawValue)"))
      lines.append("    \(constant.meaning)")
      lines.append("    \(constant.evidence.rawValue): \(constant.source)")
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
      "sweep": .array([row.sweep.lowerBound, row.sweep.upperBound].map { .string(number($0)) }),
      "evidence": .string(row.evidence.rawValue), "source": .string(row.source),
      "meaning": .string(row.meaning),
    ]
  }

  /// With two decimals.
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
