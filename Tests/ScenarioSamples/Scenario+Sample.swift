package import ScenarioModel
package import Scenarios
import TextFormats

extension Scenario {
  /// Reads a scenario from a text, without any other files.
  package static func sample(_ text: String, file: String = "sample.yaml") throws -> Scenario {
    try ScenarioFile.read(Array(text.utf8), file: file, fileExists: { _ in false }).get()
  }
}

extension ScenarioFile.Outcome {
  /// Returns the scenario, or throws the problems of the file.
  package func get() throws -> Scenario {
    switch self {
    case .scenario(let scenario, _): scenario
    case .otherKind(let kind): throw UnusableScenario(description: "a file of kind \(kind)")
    case .unusable(let diagnostics): throw UnusableScenario(description: diagnostics.rendered())
    }
  }

  /// The problems of the file, or empty if it can be used.
  package var problems: [String] {
    switch self {
    case .scenario: []
    case .otherKind(let kind): ["the kind \(kind)"]
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    }
  }

  /// The warnings of a file that can be used.
  package var warnings: [String] {
    guard case .scenario(_, let warnings) = self else { return [] }
    return warnings.map(\.summary)
  }
}

/// The reason why a test has no scenario.
package struct UnusableScenario: Error, CustomStringConvertible {
  package let description: String
}
