package import Journal
import NotificationGateway
import ReminderEngine

extension Program {
  /// The names behind the identifiers of its runs.
  package var wireNames: WireNames {
    WireNames(
      scenario, types: reminders.names.types, links: links?.texts ?? [],
      consumers: links?.registry.consumers ?? [], devices: devices.map(\.name))
  }
}
