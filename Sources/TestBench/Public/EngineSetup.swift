public import CivilTime
public import NotificationGateway
import ReminderEngine
public import ReminderMatching
import ScenarioModel
import Simulation
public import TriggerEngine
public import TriggerModel

/// What an engine under test is made of: one scenario's declarations, on one device.
public struct EngineSetup: Sendable {
  let program: Program
  /// Which of the person's devices: 0 is the phone.
  public let device: Int

  init(_ program: Program, device: Int) {
    self.program = program
    self.device = device
  }

  /// The reminders, in the order of their identifiers.
  public var reminders: [ReminderDeclaration] { program.scenario.reminders.map(\.declaration) }

  /// The declarations that an event `edit` puts in place of a reminder, by its value.
  public var edits: [ReminderDeclaration] { program.scenario.edits.map(\.declaration) }

  /// Notification types, regions, other apps and facts, each in the order of their identifiers.
  public var names: EngineNames { program.reminders.names }

  /// The rules by which requests are decided.
  public var policy: CapPolicy { program.scenario.policy }

  /// Every zone that an event's moment may name.
  public var zones: ZoneTable { program.scenario.zones }

  /// The phone's zone at the start.
  public var zone: ZoneID { program.scenario.zone }

  /// What the person allows the app to show at the start.
  public var permission: NotificationPermission { program.devices[device].setup.notifications }

  /// The engine that comes with the bench, for these declarations: to be wrapped, or compared with.
  public var builtInEngine: BuiltInEngine { program.makeEngine() }
}
