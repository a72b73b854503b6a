import NotificationGateway
import ReminderEngine
package import ReminderMatching
package import TriggerModel

/// Reminders that come and go while an engine of both halves runs.
extension JoinedHalves<ReminderEngine, NotificationGateway> {
  /// As ``ReminderEngine/ReminderEngine/add(_:at:into:)``.
  package mutating func add(
    _ declaration: ReminderDeclaration, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    var added = ReminderID(0)
    try change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      added = try matching.declare(declaration, into: &effects)
    }
    if !declaration.isMadeLater { make(added, at: moment, into: &effects) }
    return added
  }

  /// As ``ReminderEngine/ReminderEngine/replace(_:with:at:into:)``.
  package mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      try matching.redeclare(reminder, declaration, into: &effects)
    }
    if !declaration.isMadeLater { make(reminder, at: moment, into: &effects) }
  }

  /// As ``ReminderEngine/ReminderEngine/remove(_:at:into:)``.
  package mutating func remove(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard reminder.index < matching.program.reminderCount, !matching.program.isRemoved(reminder) else {
      return
    }
    process(ObservedEvent(.cancel, subject: reminder.rawValue, at: moment), into: &effects)
    // It was compiled before.
    try? change(at: moment, into: &effects) { (matching, effects) throws(ReminderCompileError) in
      matching.undeclare(reminder, into: &effects)
    }
  }

  private mutating func make(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    process(ObservedEvent(.create, subject: reminder.rawValue, at: moment), into: &effects)
  }

  /// Changes the program. Without a copy of its names, which would have to be copied to be changed.
  private mutating func change(
    at moment: Moment, into effects: inout [EngineEffect],
    _ body: (inout ReminderEngine, inout [EngineEffect]) throws(ReminderCompileError) -> Void
  ) throws(ReminderCompileError) {
    let renumberings = names.renumberings
    names = StoreNames(reminders: [], types: [])
    defer {
      names = matching.program.storeNames
      if names.renumberings != renumberings { deciding.rank(by: names) }
    }
    var done: [EngineEffect] = []
    try body(&matching, &done)
    let first = effects.count
    // What a process does that cannot read its store yet it does when it can.
    for effect in done where !isClosed { pass(effect, at: moment, since: first, into: &effects) }
  }
}
