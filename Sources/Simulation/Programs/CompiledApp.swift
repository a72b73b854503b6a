package import DeviceSimulation
import ReminderEngine
package import ReminderMatching
package import ScenarioModel
package import TriggerModel

/// The app's milestones, surfaces and permission needs, compiled.
///
/// Milestones and surfaces are reminders of an engine that sends no notifications, so the same code evaluates
/// their triggers and conditions. A milestone is a reminder that fires once. A surface is unlocked while the
/// conditions of its reminder hold.
package struct CompiledApp: Sendable {
  /// The milestones, followed by the surfaces, or `nil` if there are neither.
  package let program: ReminderProgram?
  package let setup: AppSetup
  /// The limit on active reminders, or `nil` if every reminder is active.
  package let reminderLimit: CompiledReminderLimit?
  package let permissions: PermissionNeeds
  /// Whether the notifications of a reminder remind a guest of a surface, by surface and reminder.
  private let reminds: [[Bool]]

  init(
    _ setup: AppSetup, reminders: [ReminderDeclaration], count: Int, names: EngineNames,
    reminderLimit: CompiledReminderLimit? = nil
  ) throws(ReminderCompileError) {
    self.setup = setup
    self.reminderLimit = reminderLimit
    permissions = PermissionNeeds(
      reminders, count: count, milestones: setup.milestones.map(\.triggers), limit: reminderLimit)
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

  /// Returns the declarations with distinct names. A surface and a milestone may have the same name in the
  /// scenario.
  private static func named(
    _ declarations: [ReminderDeclaration], milestones: Int
  ) -> [ReminderDeclaration] {
    declarations.enumerated().map { index, declaration in
      var declaration = declaration
      declaration.id = (index < milestones ? "milestone " : "surface ") + declaration.id
      return declaration
    }
  }

  /// Returns the milestone that a reminder of the engine represents, or `nil` if the reminder represents a
  /// surface.
  package func milestone(_ reminder: ReminderID) -> MilestoneID? {
    reminder.index < setup.milestones.count ? MilestoneID(reminder.index) : nil
  }

  /// Returns the reminder that represents a surface in the engine. The surface is unlocked while the
  /// reminder's conditions hold.
  package func reminder(of surface: SurfaceID) -> ReminderID {
    ReminderID(setup.milestones.count + surface.index)
  }

  /// Returns whether a notification of a reminder reminds a guest of a surface.
  package func reminds(_ reminder: ReminderID, of surface: Int) -> Bool { reminds[surface][reminder.index] }
}

/// The permissions that the reminders of a program use.
package struct PermissionNeeds: Sendable {
  /// The permissions that each declaration uses. Edits follow the reminders.
  package let uses: [Set<PermissionKind>]
  /// Whether each reminder exists and is active at the start.
  package let isUsedFromStart: [Bool]
  /// The permissions that milestones need at the start.
  package let ofMilestones: Set<PermissionKind>

  init(
    _ declarations: [ReminderDeclaration], count: Int, milestones: [[Trigger]], limit: CompiledReminderLimit?
  ) {
    let usual: Set = [PermissionKind.notifications]
    // Most declarations share one set, to save memory.
    uses = declarations.map { declaration in
      let used = PermissionKind.used(by: declaration)
      return used.isEmpty ? usual : used.union(usual)
    }
    isUsedFromStart = declarations.prefix(count).enumerated().map { index, declaration in
      !declaration.isCreatedLater && limit?.isActive[index] ?? true
    }
    ofMilestones = Set(milestones.joined().compactMap { $0.permission })
  }
}

extension PermissionKind {
  /// Returns the permissions that a reminder uses in addition to notifications.
  fileprivate static func used(by declaration: ReminderDeclaration) -> Set<PermissionKind> {
    let isAtPlace = declaration.conditions.contains { $0.region != nil }
    return Set(
      declaration.triggers.compactMap(\.permission) + (isAtPlace ? [.location] : []))
  }
}

extension Trigger {
  /// The permission that the app needs to observe the trigger, or `nil` if it needs none.
  fileprivate var permission: PermissionKind? {
    if region != nil { return .location }
    if case .appOpened = self { return .screenTime }
    return nil
  }
}

/// The limit on active reminders, compiled.
package struct CompiledReminderLimit: Sendable {
  package let limit: ReminderLimit
  /// The fact that states whether a reminder is active, by reminder.
  package let facts: [FactID]
  /// Whether each declaration fires only once. Edits follow the reminders.
  package let firesOnce: [Bool]
  /// Whether a plan locks a declaration, by plan and declaration. Edits follow the reminders.
  package let isLocked: [[Bool]]
  /// The reminders that exist at the start, in order of creation.
  package let order: [Int]
  /// The index of the plan at the start.
  package let plan: Int
  /// Whether each reminder is active at the start.
  package let isActive: [Bool]

  /// Returns `nil` if no plan limits the number of reminders.
  init?(_ scenario: Scenario) {
    guard let limit = scenario.app.reminderLimit, limit.limits.contains(where: { $0 != nil }) else {
      return nil
    }
    self.limit = limit
    let declarations = scenario.reminders.map(\.declaration)
    let fact = scenario.facts[limit.fact.index]
    let positions = Dictionary(
      scenario.facts.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    facts = declarations.map {
      guard let position = positions[ReminderLimit.factName(of: $0.id)] else {
        preconditionFailure("with a limit, the reader declares each reminder's fact")
      }
      return FactID(position)
    }
    let all = declarations + scenario.edits.map(\.declaration)
    firesOnce = all.map { $0.repeats == .once }
    isLocked = fact.names.indices.map { name in
      all.map { ReminderLimit.isLocked($0, by: fact.name, at: name) }
    }
    order = ReminderLimit.initialOrder(declarations)
    plan = fact.initial.isMissing ? 0 : Int(fact.initial.bits)
    isActive = facts.map { scenario.facts[$0.index].initial == .truth(true) }
  }
}
