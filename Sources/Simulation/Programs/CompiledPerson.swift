import DeviceSimulation
package import PersonModel
import ReminderMatching
package import ScenarioModel
import SimulationKernel
import TextFormats
package import TriggerModel

/// The compiled properties of a program that the person model uses.
package struct CompiledPerson: Sendable {
  package private(set) var setup: PersonSetup
  package let seed: UInt64
  /// The person's devices, by number.
  package private(set) var devices: [HeldDevice]
  /// The number that identifies each reminder's name in the keys of random draws.
  package let names: [UInt64]
  /// The kind of notification of each type, unless the user requested the notification.
  private let kinds: [TapModel.Kind]
  /// Whether the file declares the kind of each type. A declared kind applies to every bucket.
  private let isKindDeclared: [Bool]
  /// The type in each reminder's original declaration.
  package let types: [TypeID]

  /// One of the person's devices.
  package struct HeldDevice: Sendable {
    package var platform: TapModel.Platform
    /// Whether the program declares when the device is unlocked. If not, the model draws the time to a
    /// response.
    package var hasUnlocks: Bool
    /// Whether the time line declares the responses to each reminder on this device. The model generates none
    /// for such a reminder.
    package var isAnswered: [Bool]
  }

  init(
    _ setup: PersonSetup, _ scenario: Scenario, _ devices: [ProgramDevice], _ reminders: ReminderProgram,
    _ survey: EventSurvey
  ) {
    self.setup = setup
    seed = scenario.seed
    self.names = scenario.reminders.map { RandomKey.nameNumber($0.declaration.id) }
    types = scenario.reminders.indices.map { reminders.plans[$0].type }
    let declarations = reminders.declarations
    let names = reminders.names.types
    kinds = names.map { type in
      setup.kinds[type]
        ?? Self.kind(of: declarations.filter { $0.notification.type == type })
    }
    isKindDeclared = names.map { setup.kinds[$0] != nil }
    self.devices = devices.map { device in
      HeldDevice(
        platform: TapModel.Platform(device.system), hasUnlocks: false,
        isAnswered: Array(repeating: false, count: scenario.reminders.count))
    }
    note(survey)
  }

  /// Copies the tables for another person with different events.
  init(_ other: CompiledPerson, _ setup: PersonSetup, _ survey: EventSurvey) {
    self = other
    self.setup = setup
    note(survey)
  }

  private mutating func note(_ survey: EventSurvey) {
    for index in devices.indices where survey.devicesWithUnlocks.contains(device: UInt8(index)) {
      devices[index].hasUnlocks = true
    }
    for response in survey.responses {
      devices[Int(response.device)].isAnswered[response.reminder.index] = true
    }
  }

  /// Returns the kind that a type's declarations imply. The kind is engagement if each declaration reacts to
  /// a lapse, or asks for an action that a fact shows as not done yet. Otherwise the notification fits the
  /// person's day.
  private static func kind(of declarations: [ReminderDeclaration]) -> TapModel.Kind {
    let isEngagement = declarations.allSatisfy { declaration in
      let isLapse = declaration.triggers.contains { if case .lapsed = $0 { true } else { false } }
      // A withdrawal by a plan does not indicate the purpose of a reminder.
      return isLapse || declaration.withdrawals.contains { $0.reason != .notEntitled }
    }
    return isEngagement ? .engagement : .context
  }

  /// Returns the kind of a notification.
  ///
  /// - Parameter isSnoozed: Whether the notification reappears after a snooze.
  package func kind(of type: TypeID, _ bucket: Bucket, isSnoozed: Bool) -> TapModel.Kind {
    if !isKindDeclared[type.index], isSnoozed || bucket == .user { return .user }
    return kinds[type.index]
  }
}
