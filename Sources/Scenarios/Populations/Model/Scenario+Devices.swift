import ScenarioModel

extension Scenario {
  /// The same story where the person does not have some of the devices: what happens to them does not happen.
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
