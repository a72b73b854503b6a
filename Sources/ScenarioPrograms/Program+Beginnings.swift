import DeviceSimulation
import ScenarioModel
import TriggerModel

extension Program {
  /// Takes the beginnings of the devices from their recordings, where the scenario does not say them.
  ///
  /// - Returns: What happens for that at the start: a level that was recorded stays until the next one.
  static func complete(
    _ scenario: inout Scenario, _ devices: inout [ProgramDevice], _ line: [TimelineEvent],
    _ recorded: [RecordedBeginning]
  ) -> [ProgramEvent] {
    var beginnings = recorded
    for event in line { beginnings[Int(event.device)].say(event.event, at: event.instant) }
    var events: [ProgramEvent] = []
    for device in devices.indices {
      if let fix = devices[device].route.fixes.first {
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

  /// Marks the taps of which a later event says when our app goes from the front again.
  static func sayingEnds(_ events: [ProgramEvent]) -> [ProgramEvent] {
    guard events.contains(where: { if case .tap = $0.event { true } else { false } }) else { return events }
    var events = events
    // By device: whether what comes next for the app in front takes it away.
    var isEndNext: [UInt8: Bool] = [:]
    for index in events.indices.reversed() {
      let device = events[index].device
      switch events[index].event {
      case .tap:
        events[index].isEndSaid = isEndNext[device] ?? false
        isEndNext[device] = false
      case .openOwnApp, .openLink: isEndNext[device] = false
      case .leaveOwnApp, .forceQuit, .terminate, .openApp, .powerOff, .reinstall: isEndNext[device] = true
      default: break
      }
    }
    return events
  }
}
