import DeviceSimulation
import ScenarioModel
import TriggerModel

extension Program {
  /// Takes the beginnings of the devices from their recordings, where the scenario does not say them.
  ///
  /// - Returns: What happens for that at the start: a level that was recorded stays until the next one.
  static func complete(
    _ scenario: inout Scenario, _ devices: inout [ProgramDevice], _ beginnings: [RecordedBeginning]
  ) -> [ProgramEvent] {
    var beginnings = beginnings
    var events: [ProgramEvent] = []
    for device in devices.indices {
      if let fix = RouteCursor(devices[device].route).fix {
        beginnings[device].record(.found(fix), at: fix.instant)
      }
      let said = devices[device].setup.beginning
      let complete = beginnings[device].completing(said)
      devices[device].setup.beginning = complete
      if device == 0 {
        scenario.phone.beginning = complete
      } else {
        scenario.devices[device - 1].setup.beginning = complete
      }
      let recording = scenario.recordings.first { Int($0.device) == device }
      if said.level == nil, let level = complete.level, let recording {
        events.append(
          ProgramEvent(
            instant: scenario.start, event: .batteryLevel(level), device: UInt8(device),
            position: recording.position))
      }
    }
    return events
  }
}
