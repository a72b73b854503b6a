import ScenarioModel
import Scenarios
import TextFormats

enum UnmeetableDoubles {
  /// What `check` says of a scenario's expectations.
  static func words(_ scenario: Scenario) -> [String] {
    UnmeetableExpectations.diagnostics(scenario).map { "\($0)" }
  }
}
