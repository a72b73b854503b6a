package import Journal
import NotificationGateway
import ReminderMatching
import TriggerModel
import ScenarioModel

extension Program {
  /// The names behind the identifiers of its runs.
  package var wireNames: WireNames { WireNames(scenario, reminders, links: links) }
}

extension WireNames {
  convenience init(_ scenario: Scenario, _ reminders: ReminderProgram, links: LinkBook?) {
    self.init(
      scenario, types: reminders.names.types, links: links?.texts ?? [],
      consumers: links?.registry.consumers ?? [],
      devices: [DeviceDeclaration.phone] + scenario.devices.map(\.name))
  }
}
