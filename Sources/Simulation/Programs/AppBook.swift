package import DeviceSimulation
import ReminderEngine
package import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// What the app of a program does beside its notifications, compiled.
///
/// Milestones and surfaces are reminders to the reminder engine, one that nobody is notified by: the same
/// triggers and conditions, read by the same code. A milestone is a reminder that fires once; a surface is
/// unlocked when the conditions of its reminder hold.
package struct AppBook: Sendable {
  /// Nil: there are neither milestones nor surfaces. Milestones come first.
  package let program: ReminderProgram?
  package let setup: AppSetup
  /// Nil: every reminder has a place.
  package let room: RoomBook?
  package let permissions: PermissionBook
  /// By surface: which reminders, by position, remind a guest of it.
  private let reminds: [[Bool]]

  init(
    _ setup: AppSetup, reminders: [ReminderDeclaration], count: Int, names: EngineNames,
    room: RoomBook? = nil
  ) throws(ReminderCompileError) {
    self.setup = setup
    self.room = room
    permissions = PermissionBook(
      reminders, count: count, milestones: setup.milestones.map(\.triggers), room: room)
    let declarations =
      setup.milestones.map { milestone in
        ReminderDeclaration(
          id: milestone.name, triggers: milestone.triggers, conditions: milestone.conditions,
          notification: NotificationDeclaration(type: milestone.name))
      }
      + setup.surfaces.map { surface in
        ReminderDeclaration(
          id: surface.name, triggers: [.opened], conditions: surface.unlockedBy.map { .fact($0) },
          repeats: .always, notification: NotificationDeclaration(type: surface.name))
      }
    if declarations.isEmpty {
      program = nil
    } else {
      program = try ReminderProgram(
        compiling: Self.named(declarations, milestones: setup.milestones.count), names: names)
    }
    reminds = setup.surfaces.map { surface in
      reminders.map { surface.remindedBy?.contains($0.notification.type) ?? true }
    }
  }

  /// A surface may have a milestone's name; to the engine they must differ.
  private static func named(
    _ declarations: [ReminderDeclaration], milestones: Int
  ) -> [ReminderDeclaration] {
    declarations.enumerated().map { index, declaration in
      var declaration = declaration
      declaration.id = (index < milestones ? "milestone " : "surface ") + declaration.id
      return declaration
    }
  }

  /// The milestone that a match of the engine means; nil for a surface.
  package func milestone(_ reminder: ReminderID) -> MilestoneID? {
    reminder.index < setup.milestones.count ? MilestoneID(reminder.index) : nil
  }

  /// The engine's reminder whose conditions unlock a surface.
  package func reminder(of surface: SurfaceID) -> ReminderID {
    ReminderID(setup.milestones.count + surface.index)
  }

  /// Whether a notification of a reminder reminds a guest of a surface.
  package func reminds(_ reminder: ReminderID, of surface: Int) -> Bool { reminds[surface][reminder.index] }
}
