import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Attachments that a system does not take.
enum AttachmentAdvice {
  /// The reminders whose requests a phone refuses.
  static func refused(_ scenario: Scenario, _ settings: ProfileSettings) -> Set<ReminderID> {
    let all = scenario.reminders.indices.filter { index in
      let attachment = scenario.reminders[index].declaration.notification.attachment
      return attachment.map { !settings.takes($0) } ?? false
    }
    return Set(all.map { ReminderID($0) })
  }

  /// One for each reminder that some device of the person refuses.
  static func warnings(_ scenario: Scenario, _ devices: [ProgramDevice]) -> [Diagnostic] {
    scenario.reminders.enumerated().compactMap { index, reminder in
      guard let attachment = reminder.declaration.notification.attachment,
        let device = devices.first(where: { $0.blueprint.refused.contains(ReminderID(index)) }),
        let limit = device.blueprint.settings.attachmentLimit(attachment.kind)
      else { return nil }
      return scenario.sources.diagnostic(
        "the system refuses '\(reminder.declaration.id)': its attachment is \(attachment.words), and the most "
          + "for that kind is \(limit) MB",
        severity: .warning, at: reminder.position,
        hint: "attach a smaller file; 'triggerbench rules' shows 'attachmentsLimited' with its source")
    }
  }
}
