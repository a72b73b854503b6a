import DeviceSimulation
package import PersonModel
import ReminderMatching
package import ScenarioModel
import SimulationKernel
import TextFormats
package import TriggerModel

/// The properties of a program that the person model uses, compiled.
package struct CompiledPerson: Sendable {
  package private(set) var setup: PersonSetup
  package let seed: UInt64
  /// The person's devices, by number.
  package private(set) var devices: [HeldDevice]
  /// By reminder: the number that represents its name in keys of random draws.
  package let names: [UInt64]
  /// By type: the kind of its notifications, except those that the user has requested.
  private let kinds: [TapModel.Kind]
  /// By type: whether the file declares the kind. A declared kind applies to every bucket.
  private let isKindDeclared: [Bool]
  /// By reminder: the type of its original declaration.
  package let types: [TypeID]

  /// One of the person's devices.
  package struct HeldDevice: Sendable {
    package var platform: TapModel.Platform
    /// Whether the program declares its unlocks. Otherwise the time to a response is drawn.
    package var hasUnlocks: Bool
    /// By reminder: whether the time line declares the responses on this device. If so, the model makes none.
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

  /// Creates the tables of another person with different events.
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

  /// Returns the kind that declarations imply. A notification is engagement if it addresses a lapse, or asks
  /// for something that a fact shows to be undone. Any other notification fits the person's day.
  private static func kind(of declarations: [ReminderDeclaration]) -> TapModel.Kind {
    let isEngagement = declarations.allSatisfy { declaration in
      let isLapse = declaration.triggers.contains { if case .lapsed = $0 { true } else { false } }
      // Ignore withdrawals by a plan, because they do not indicate the purpose.
      return isLapse || declaration.withdrawals.contains { $0.reason != .notEntitled }
    }
    return isEngagement ? .engagement : .context
  }

  /// Returns the kind of a notification.
  ///
  /// - Parameter isSnoozed: Whether the notification repeats one that the person has snoozed.
  package func kind(of type: TypeID, _ bucket: Bucket, isSnoozed: Bool) -> TapModel.Kind {
    if !isKindDeclared[type.index], isSnoozed || bucket == .user { return .user }
    return kinds[type.index]
  }
}
