import DeviceSimulation
package import PersonModel
import ReminderMatching
package import ScenarioModel
import SimulationKernel
import TextFormats
package import TriggerModel

/// What the person of a model knows of a program, compiled.
package struct PersonBook: Sendable {
  package private(set) var setup: PersonSetup
  package let seed: UInt64
  /// By device.
  package private(set) var devices: [Holding]
  /// By reminder: a number that stands for its name.
  package let names: [UInt64]
  /// By type: what its notifications are to the person, unless the person has asked for one.
  private let kinds: [TapModel.Kind]
  /// By type: the file says what they are, whatever asked for them.
  private let isKindSaid: [Bool]
  /// By reminder: the type of its own declaration.
  package let types: [TypeID]

  /// One of the person's devices.
  package struct Holding: Sendable {
    package var platform: TapModel.Platform
    /// Somebody says when it is unlocked. Otherwise the time to an answer is drawn.
    package var hasUnlocks: Bool
    /// By reminder: the time line says how the person responds there, and the model keeps out of it.
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
    isKindSaid = names.map { setup.kinds[$0] != nil }
    self.devices = devices.map { device in
      Holding(
        platform: TapModel.Platform(device.system), hasUnlocks: false,
        isAnswered: Array(repeating: false, count: scenario.reminders.count))
    }
    note(survey)
  }

  /// For another person, to whom other things happen.
  init(_ other: PersonBook, _ setup: PersonSetup, _ survey: EventSurvey) {
    self = other
    self.setup = setup
    note(survey)
  }

  private mutating func note(_ survey: EventSurvey) {
    for index in devices.indices where survey.unlocked.contains(device: UInt8(index)) {
      devices[index].hasUnlocks = true
    }
    for answer in survey.answers { devices[Int(answer.device)].isAnswered[answer.reminder.index] = true }
  }

  /// What wants the person back, or asks for something that they have not done yet (what a fact withdraws), is
  /// engagement; everything else fits the person's day.
  private static func kind(of declarations: [ReminderDeclaration]) -> TapModel.Kind {
    let isEngagement = declarations.allSatisfy { declaration in
      let isLapse = declaration.triggers.contains { if case .lapsed = $0 { true } else { false } }
      // What a plan takes back is no sign of what it is for.
      return isLapse || declaration.withdrawals.contains { $0.reason != .notEntitled }
    }
    return isEngagement ? .engagement : .context
  }

  /// - Parameter isPutOff: The person has snoozed it, and gets it again.
  package func kind(of type: TypeID, _ bucket: Bucket, isPutOff: Bool) -> TapModel.Kind {
    if !isKindSaid[type.index], isPutOff || bucket == .user { return .user }
    return kinds[type.index]
  }
}
