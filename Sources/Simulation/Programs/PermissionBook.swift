package import DeviceSimulation
import ReminderMatching

/// Which permissions the reminders of a program use, and from when on.
package struct PermissionBook: Sendable {
  /// By declaration; those of edits stand behind those of reminders.
  package let uses: [Set<PermissionKind>]
  /// By reminder: it is there, and not asleep, from the start.
  package let isUsedFromStart: [Bool]
  /// What milestones wait for, from the start.
  package let ofMilestones: Set<PermissionKind>

  init(
    _ declarations: [ReminderDeclaration], count: Int, milestones: [[Trigger]], room: RoomBook?
  ) {
    let usual: Set = [PermissionKind.notifications]
    // Most share one: each of its own takes memory.
    uses = declarations.map { declaration in
      let used = PermissionKind.used(by: declaration)
      return used.isEmpty ? usual : used.union(usual)
    }
    isUsedFromStart = declarations.prefix(count).enumerated().map { index, declaration in
      !declaration.isMadeLater && room?.places[index] ?? true
    }
    ofMilestones = Set(milestones.joined().compactMap { $0.permission })
  }
}

extension PermissionKind {
  /// What a reminder uses beside notifications, as every one does.
  fileprivate static func used(by declaration: ReminderDeclaration) -> Set<PermissionKind> {
    let isAtPlace = declaration.conditions.contains { $0.region != nil }
    return Set(
      declaration.triggers.compactMap(\.permission) + (isAtPlace ? [.location] : []))
  }
}

extension Trigger {
  /// Without which the app does not see it.
  fileprivate var permission: PermissionKind? {
    if region != nil { return .location }
    if case .appOpened = self { return .screenTime }
    return nil
  }
}
