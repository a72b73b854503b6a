package import PersonModel
package import TextFormats

/// The numbers of a person model, as a table to read and as a document.
package struct PersonText {
  private let model: TapModel

  package init(_ model: TapModel = TapModel()) {
    self.model = model
  }

  package var text: String {
    var lines = ["\(TapModel.name): \(TapModel.summary)", ""]
    let width = TapConstant.allCases.map(\.name.count).max() ?? 0
    for constant in TapConstant.allCases {
      let row = constant.row
      let name = constant.name + String(repeating: " ", count: width - constant.name.count)
      let unit = row.unit.isEmpty ? "" : " \(row.unit)"
      lines.append("\(name)  \(number(model[constant]))\(unit)")
      lines.append("    \(row.meaning)")
      let sweep = "a sweep tries \(number(row.sweep.lowerBound)) to \(number(row.sweep.upperBound))"
      lines.append("    \(row.evidence.rawValue): \(row.source); \(sweep)")
    }
    lines += ["", "What follows: of all people, at a neutral hour, with nothing shown before", ""]
    for kind in TapModel.Kind.allCases {
      let name = kind.rawValue + String(repeating: " ", count: width - kind.rawValue.count)
      lines.append("\(name)  \(share(kind)) % are tapped")
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
