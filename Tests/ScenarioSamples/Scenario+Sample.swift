package import ScenarioModel
package import Scenarios
import TextFormats

extension Scenario {
  /// The scenario of a text, beside which there is no other file.
  package static func sample(_ text: String, file: String = "sample.yaml") throws -> Scenario {
    try ScenarioFile.read(Array(text.utf8), file: file, fileExists: { _ in false }).get()
  }
}

extension ScenarioFile.Outcome {
  /// The scenario; where there is none, what is wrong with the file is thrown.
  package func get() throws -> Scenario {
    switch self {
    case .scenario(let scenario, _): scenario
    case .otherKind(let kind): throw UnusableScenario(description: "a file of kind \(kind)")
    case .unusable(let diagnostics): throw UnusableScenario(description: diagnostics.rendered())
    }
  }

  /// Nothing when the scenario is good; otherwise what is wrong with it.
  package var problems: [String] {
    switch self {
    case .scenario: []
    case .otherKind(let kind): ["the kind \(kind)"]
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    }
  }

  /// What is odd about a scenario that is good.
  package var warnings: [String] {
    guard case .scenario(_, let warnings) = self else { return [] }
    return warnings.map(\.summary)
  }
}

/// Why a test has no scenario.
package struct UnusableScenario: Error, CustomStringConvertible {
  package let description: String
}
