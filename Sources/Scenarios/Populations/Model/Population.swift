package import ScenarioModel
package import TextFormats

/// The users of an app: the scenario that they share, and the distributions of their habits. For a given
/// seed, person *k* depends neither on other people nor on the policy.
package struct Population: Equatable, Sendable {
  /// The shared part: the app, the period, and the events that occur for everyone.
  package private(set) var scenario: Scenario
  /// The scenario in each zone of ``Habits/zone``, in the order of the shares. Its local times refer to that
  /// zone.
  package private(set) var elsewhere: [Elsewhere] = []
  package var habits: Habits
  /// The position of the section `habits` in the file.
  package var position: SourcePosition

  package struct Elsewhere: Equatable, Sendable {
    package var zone: String
    package var scenario: Scenario
  }

  /// Applies a change to the scenario in all zones.
  package mutating func change(_ body: (inout Scenario) -> Void) {
    body(&scenario)
    for index in elsewhere.indices { body(&elsewhere[index].scenario) }
  }

  /// Returns the shared scenario for people who live in a zone.
  ///
  /// - Parameters:
  ///   - zone: A zone of ``Habits/zone``, or `nil` for the zone of the file.
  ///   - lacks: The declared devices that these people do not own.
  package func scenario(in zone: String?, without lacks: DeviceSet = []) -> Scenario {
    (elsewhere.first { $0.zone == zone }?.scenario ?? scenario).without(lacks)
  }

  /// All sets of devices that a person can lack.
  package var possibleLacks: [DeviceSet] {
    var sets: [DeviceSet] = [[]]
    for habit in habits.devices where habit.people < 1_000_000 {
      let device = DeviceSet(device: habit.device)
      sets = habit.people == 0 ? sets.map { $0.union(device) } : sets + sets.map { $0.union(device) }
    }
    return sets
  }

  /// The `kind` of population files.
  package static let kind = "population"
}

extension Scenario {
  /// Returns the scenario without some of the devices and without the entries that concern them.
  func without(_ lacks: DeviceSet) -> Scenario {
    if lacks.isEmpty { return self }
    var scenario = self
    scenario.devices = devices.indices.filter { !lacks.contains(device: UInt8($0 + 1)) }.map { devices[$0] }
    scenario.timeline.entries.removeAll { lacks.contains(device: $0.device) }
    for index in scenario.timeline.entries.indices {
      scenario.timeline.entries[index].device = lacks.number(without: scenario.timeline.entries[index].device)
    }
    return scenario
  }
}
