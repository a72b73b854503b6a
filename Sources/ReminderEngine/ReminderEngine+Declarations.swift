public import ReminderMatching
public import TriggerModel

/// Adds, replaces and removes reminders without compiling the others again.
///
/// The engine behaves as if the declarations had been in its program from the start. A new process compiles
/// the app's current declarations, and the stored state refers to them by name.
///
/// Copies of an engine share its program. The first change copies the program. A later change copies it only
/// if it is shared again.
extension ReminderEngine {
  /// Adds a reminder and starts evaluating it immediately.
  ///
  /// - Parameters:
  ///   - declaration: A declaration whose places, apps, facts and types are among the program's names. Its id
  ///     is either new or that of a removed reminder. In the second case it continues that reminder's number
  ///     and request count. If ``ReminderMatching/ReminderDeclaration/isCreatedLater`` is set, the reminder
  ///     is evaluated only after its creation.
  ///   - moment: The current reading of the clocks.
  ///   - effects: The array to which effects are appended, as in ``process(_:into:)``.
  /// - Returns: The unique number that identifies the reminder in events and requests.
  /// - Throws: A compile error. The engine is then unchanged.
  /// - Complexity: O(1) on average in the number of reminders, except for the update of sorted lists with
  ///   four bytes per reminder.
  @discardableResult
  public mutating func add(
    _ declaration: ReminderDeclaration, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    let reminder = try declare(declaration, into: &effects)
    if !declaration.isCreatedLater {
      process(ObservedEvent(.create, subject: reminder.rawValue, at: moment), into: &effects)
    }
    return reminder
  }

  /// Replaces a reminder's declaration, including any edit in force, and withdraws its pending requests.
  ///
  /// The new declaration has the same name. As after an edit, the reminder starts with a new state, but its
  /// request count continues.
  ///
  /// - Throws: A compile error. The engine is then unchanged.
  public mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try redeclare(reminder, declaration, into: &effects)
    if !declaration.isCreatedLater {
      process(ObservedEvent(.create, subject: reminder.rawValue, at: moment), into: &effects)
    }
  }

  /// Removes a reminder and cancels its pending requests.
  ///
  /// Its number is not reused, because the system may still refer to one of its requests.
  public mutating func remove(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !program.isRemoved(reminder) else { return }
    process(ObservedEvent(.cancel, subject: reminder.rawValue, at: moment), into: &effects)
    undeclare(reminder, into: &effects)
  }

  // MARK: Steps for an engine of two halves

  /// Compiles a reminder that is not created yet.
  @discardableResult
  package mutating func declare(
    _ declaration: ReminderDeclaration, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    try change(into: &effects) { (engine) throws(ReminderCompileError) in
      let reminder = try engine.matcher.declare(declaration)
      engine.persisted.cancelled.insert(reminder)
      return reminder
    }
  }

  /// Compiles another declaration of a reminder. The reminder must then be created again.
  package mutating func redeclare(
    _ reminder: ReminderID, _ declaration: ReminderDeclaration, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    let before = isKnown(reminder) ? declarationInForce(reminder) : 0
    try change(into: &effects) { (engine) throws(ReminderCompileError) in
      try engine.matcher.redeclare(reminder, declaration)
      engine.matcher.setWaiting(before, live: false, armed: false)
      engine.persisted.edits[reminder] = nil
      engine.persisted.cancelled.insert(reminder)
    }
    effects.append(.withdraw(reminder, .superseded))
    effects.append(.removeShown(reminder))
  }

  /// Removes the declaration of a cancelled reminder.
  package mutating func undeclare(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    // This cannot fail, because the declaration compiled before.
    try? change(into: &effects) { (engine) throws(ReminderCompileError) in
      engine.persisted.edits[reminder] = nil
      engine.persisted.forget(reminder)
      engine.matcher.forgetMatches(of: reminder)
      engine.matcher.undeclare(reminder)
    }
    finish(into: &effects)
  }

  /// Changes the program and registers the regions that it names.
  private mutating func change<Result>(
    into effects: inout [EngineEffect],
    _ body: (inout ReminderEngine) throws(ReminderCompileError) -> Result
  ) throws(ReminderCompileError) -> Result {
    requestHeld(into: &effects)
    let places = watchedPlaces
    let result = try changeProgram(body)
    held.apart = []
    // The change may affect the order of names.
    memory.leftOutOrder.forget()
    if try changeProgram({ (engine) throws(ReminderCompileError) in try engine.matcher.compact() }) {
      persisted.deadlines = DeadlineQueue()
      insertExpiries()
      for reminder in ledgers.reminders(.snoozed) {
        guard let end = ledgers[reminder].snooze?.until else { continue }
        persisted.deadlines.insert(Deadline(at: end, reminder: reminder, kind: .snoozeEnd))
      }
    }
    watchOthers(than: places, into: &effects)
    return result
  }

  /// Releases the engine's reference to the program, so that the matcher can change it without a copy.
  private mutating func changeProgram<Result>(
    _ body: (inout ReminderEngine) throws(ReminderCompileError) -> Result
  ) throws(ReminderCompileError) -> Result {
    program = .none
    defer { program = matcher.program }
    return try body(&self)
  }
}
