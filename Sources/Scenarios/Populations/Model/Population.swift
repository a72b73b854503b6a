package import ScenarioModel
package import TextFormats

/// People who have an app: what is the same for everybody, as a scenario says it, and what they do, as
/// distributions. Person *k* of a seed is the same whoever else is drawn, and whatever the policy.
package struct Population: Equatable, Sendable {
  /// The app, the time of the story, and what happens to everybody.
  package private(set) var scenario: Scenario
  /// The same for those who live elsewhere: what the file says, read in each zone of ``Habits/zone``, so that its times
  /// are local ones everywhere. In the order of the shares.
  package private(set) var elsewhere: [Elsewhere]
  package var habits: Habits
  /// Where the file says what people do.
  package var position: SourcePosition

  package struct Elsewhere: Equatable, Sendable {
    package var zone: String
    package var scenario: Scenario

    package init(zone: String, scenario: Scenario) {
      self.zone = zone
      self.scenario = scenario
    }
  }

  package init(
    scenario: Scenario, elsewhere: [Elsewhere] = [], habits: Habits, position: SourcePosition
  ) {
    self.scenario = scenario
    self.elsewhere = elsewhere
    self.habits = habits
    self.position = position
  }

  /// Changes what is the same for everybody, wherever they live.
  package mutating func change(_ body: (inout Scenario) -> Void) {
    body(&scenario)
    for index in elsewhere.indices { body(&elsewhere[index].scenario) }
  }

  /// What happens to everybody who lives in a zone.
  ///
  /// - Parameters:
  ///   - zone: One of ``Habits/zone``; nil: the file's.
  ///   - lacks: The devices of the file that they do not have.
  package func scenario(in zone: String?, without lacks: DeviceSet = []) -> Scenario {
    (elsewhere.first { $0.zone == zone }?.scenario ?? scenario).without(lacks)
  }

  /// Which devices of the file people may lack together: each set that somebody can be drawn with.
  package var possibleLacks: [DeviceSet] {
    var sets: [DeviceSet] = [[]]
    for habit in habits.devices where habit.people < 1_000_000 {
      let device = DeviceSet(device: habit.device)
      sets = habit.people == 0 ? sets.map { $0.union(device) } : sets + sets.map { $0.union(device) }
    }
    return sets
  }

  /// The kind that a population's file says it has.
  package static let kind = "population"
}
