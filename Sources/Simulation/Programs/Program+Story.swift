import DeviceSimulation
import ScenarioModel
package import TriggerModel

/// What one person of many does, beside what their program says of everybody.
package struct PersonStory: Sendable {
  /// Which person of the seed.
  package var number: UInt64
  /// Whether the app may notify where the program says so; otherwise on no device.
  package var allowsNotifications: Bool
  /// What facts are at the start.
  package var facts: [(fact: FactID, value: FactValue)] = []
  /// In the order of happening.
  package var events: [ProgramEvent] = []

  package init(number: UInt64, allowsNotifications: Bool) {
    self.number = number
    self.allowsNotifications = allowsNotifications
  }
}

extension Program {
  /// The program of one person: tables are shared with everybody's, so that it takes no time to compile.
  ///
  /// - Precondition: The program is without recordings.
  package convenience init(_ shared: Program, _ story: PersonStory) {
    var scenario = shared.scenario
    scenario.person?.number = story.number
    for fact in story.facts { scenario.facts[fact.fact.index].initial = fact.value }
    var events = Self.merge(Array(shared.events), story.events)
    let survey = EventSurvey(events)
    if survey.hasTaps { TapEnds.mark(&events) }
    var devices = shared.devices
    if !story.allowsNotifications {
      scenario.denyNotifications()
      for index in devices.indices { devices[index].setup.notifications = .denied }
    }
    if survey.batteriesTold.contains(device: 0) { devices[0].isBatteryTold = true }
    self.init(
      scenario: scenario, reminders: shared.reminders, policy: shared.policy, devices: devices,
      links: shared.links, app: shared.app,
      person: shared.person.map { PersonBook($0, scenario.person ?? $0.setup, survey) },
      events: ProgramEvents(events), end: shared.end, imports: [], origin: shared.origin)
  }

  /// In the order of happening; at one instant everybody's first.
  private static func merge(_ everybodys: [ProgramEvent], _ own: [ProgramEvent]) -> [ProgramEvent] {
    if everybodys.isEmpty { return own }
    var merged: [ProgramEvent] = []
    merged.reserveCapacity(everybodys.count + own.count)
    var next = 0
    for event in own {
      while next < everybodys.count, everybodys[next].instant <= event.instant {
        merged.append(everybodys[next])
        next += 1
      }
      merged.append(event)
    }
    merged += everybodys[next...]
    return merged
  }
}
