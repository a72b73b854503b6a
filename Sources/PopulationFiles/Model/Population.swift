package import ScenarioModel
package import TextFormats

/// People who have an app: what is the same for everybody, as a scenario says it, and what they do, as
/// distributions. Person *k* of a seed is the same whoever else is drawn, and whatever the policy.
package struct Population: Equatable, Sendable {
  /// The app, the time of the story, and what happens to everybody.
  package var scenario: Scenario
  package var habits: Habits
  /// Where the file says what people do.
  package var position: SourcePosition

  package init(scenario: Scenario, habits: Habits, position: SourcePosition) {
    self.scenario = scenario
    self.habits = habits
    self.position = position
  }

  /// The kind that a population's file says it has.
  package static let kind = "population"
}
