public import ReminderMatching
public import TriggerModel

/// Adds, replaces and removes reminders without compiling the others.
///
/// The engine behaves as if the declarations had been part of its program from the beginning. A new process
/// compiles the app's current declarations, and the stored state refers to them by name.
///
/// Copies of an engine share its program. The first change copies the program. Later changes copy it only if
/// it is shared again.
extension ReminderEngine {
  /// Adds a reminder and starts evaluating it immediately.
  ///
  /// - Parameters:
  ///   - declaration: A declaration that uses only places, apps, facts and types among the program's names.
  ///     Its id is new or that of a removed reminder, whose number and request count it continues. If
  ///     ``ReminderMatching/ReminderDeclaration/isCreatedLater`` is set, the reminder is evaluated only after
  ///     its creation.
  ///   - moment: The current reading of the clocks.
  ///   - effects: The array to which effects are appended, as in ``process(_:into:)``.
  /// - Returns: The unique number that names the reminder in events and requests.
  /// - Throws: A compile error, in which case nothing has changed.
  /// - Complexity: O(1) on average in the number of reminders, except for sorted lists with four bytes for
  ///   each reminder.
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

  /// Replaces the declaration of a reminder, and any edit in force, and withdraws its pending requests.
  ///
  /// The new declaration has the same name. Its state starts over, as after an edit, but its request count
  /// continues.
  ///
  /// - Throws: A compile error, in which case nothing has changed.
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
  /// Its number is not reused because the system may still name one of its requests.
  public mutating func remove(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !program.isRemoved(reminder) else { return }
    process(ObservedEvent(.cancel, subject: reminder.rawValue, at: moment), into: &effects)
    undeclare(reminder, into: &effects)
  }

  // MARK: In parts, for an engine of two halves

  /// Compiles a reminder as one that has not been created yet.
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

  /// Compiles another declaration of a reminder, which must then be created again.
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
    // This cannot fail, because the declaration was compiled before.
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
    askHeld(into: &effects)
    let places = watchedPlaces
    let result = try changeProgram(body)
    held.apart = []
    // The change may reorder the names.
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
