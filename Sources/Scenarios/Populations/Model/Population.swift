package import ScenarioModel
package import TextFormats

/// The people who have an app: a scenario that is the same for all of them, and the distributions of what
/// they do. Person *k* of a seed is the same whoever else is drawn, and whatever the policy.
package struct Population: Equatable, Sendable {
  /// The app, the period, and what happens to everybody.
  package private(set) var scenario: Scenario
  /// The scenario in each zone of ``Habits/zone``, so that its times are local ones everywhere. In the order
  /// of the shares.
  package private(set) var elsewhere: [Elsewhere] = []
  package var habits: Habits
  /// The position of the habits in the file.
  package var position: SourcePosition

  package struct Elsewhere: Equatable, Sendable {
    package var zone: String
    package var scenario: Scenario
  }

  /// Changes the scenario in all zones.
  package mutating func change(_ body: (inout Scenario) -> Void) {
    body(&scenario)
    for index in elsewhere.indices { body(&elsewhere[index].scenario) }
  }

  /// Returns what happens to everybody who lives in a zone.
  ///
  /// - Parameters:
  ///   - zone: A zone of ``Habits/zone``, or nil for the file's.
  ///   - lacks: The devices of the file that these people do not have.
  package func scenario(in zone: String?, without lacks: DeviceSet = []) -> Scenario {
    (elsewhere.first { $0.zone == zone }?.scenario ?? scenario).without(lacks)
  }

  /// The sets of devices that a person can lack.
  package var possibleLacks: [DeviceSet] {
    var sets: [DeviceSet] = [[]]
    for habit in habits.devices where habit.people < 1_000_000 {
      let device = DeviceSet(device: habit.device)
      sets = habit.people == 0 ? sets.map { $0.union(device) } : sets + sets.map { $0.union(device) }
    }
    return sets
  }

  /// The `kind` of a population's file.
  package static let kind = "population"
}

extension Scenario {
  /// Returns the scenario of a person without some of the devices. Entries about these devices are removed.
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
