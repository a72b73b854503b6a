package import ScenarioModel
package import Scenarios
import TextFormats

extension Scenario {
  /// Parses a scenario from a text that refers to no other files.
  package static func sample(_ text: String, file: String = "sample.yaml") throws -> Scenario {
    try ScenarioFile.read(Array(text.utf8), file: file, fileExists: { _ in false }).get()
  }
}

extension ScenarioFile.Outcome {
  /// Returns the scenario. Throws an error with the problems if the file is invalid.
  package func get() throws -> Scenario {
    switch self {
    case .scenario(let scenario, _): scenario
    case .otherKind(let kind): throw UnusableScenario(description: "a file of kind \(kind)")
    case .unusable(let diagnostics): throw UnusableScenario(description: diagnostics.rendered())
    }
  }

  /// The problems of the file, or an empty list if it is valid.
  package var problems: [String] {
    switch self {
    case .scenario: []
    case .otherKind(let kind): ["the kind \(kind)"]
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    }
  }

  /// The warnings about a valid file.
  package var warnings: [String] {
    guard case .scenario(_, let warnings) = self else { return [] }
    return warnings.map(\.summary)
  }
}

/// The reason why a test has no scenario.
package struct UnusableScenario: Error, CustomStringConvertible {
  package let description: String
}
