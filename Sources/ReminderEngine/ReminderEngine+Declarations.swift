public import ReminderMatching
public import TriggerModel

/// Reminders that an app's person makes, changes and deletes, without compiling the others.
///
/// What stands in the declarations is compiled as if it had been there from the beginning, and the engine does from
/// then on exactly what one would whose program had it. A process that starts compiles what the app then has: what
/// is stored is found again by name.
///
/// The program of an engine is shared with its copies, and with whoever compiled it. The first change takes a copy
/// of it; the next ones do not.
extension ReminderEngine {
  /// Takes up a reminder, which waits from now on.
  ///
  /// - Parameters:
  ///   - declaration: Its places, apps, facts and type are among the program's names. It has a name of its own, or
  ///     that of a reminder that was removed, and goes on with its number then: its requests go on being counted.
  ///     One that is ``ReminderMatching/ReminderDeclaration/isCreatedLater`` waits when it is made.
  ///   - moment: What the clocks read now.
  ///   - effects: Takes up what is to be done, as with ``process(_:into:)``.
  /// - Returns: The number by which events and requests name it, which is that of no other reminder.
  /// - Throws: Why it cannot be compiled; nothing has changed then.
  /// - Complexity: O(1) in the number of reminders on average, but for lists of four bytes a reminder that are kept in
  ///   order.
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

  /// Puts another declaration in place of a reminder's own, and of an edit's: it waits anew, as after an edit, and
  /// what is pending of it is taken back. Its requests go on being counted. The declaration has the same name.
  ///
  /// - Throws: Why it cannot be compiled; nothing has changed then.
  public mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try redeclare(reminder, declaration, into: &effects)
    if !declaration.isCreatedLater {
      process(ObservedEvent(.create, subject: reminder.rawValue, at: moment), into: &effects)
    }
  }

  /// Takes a reminder back for good, with everything of it that is pending. Its number stays its own, as the system
  /// may still name a request of it.
  public mutating func remove(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !program.isRemoved(reminder) else { return }
    process(ObservedEvent(.cancel, subject: reminder.rawValue, at: moment), into: &effects)
    undeclare(reminder, into: &effects)
  }

  // MARK: In parts, for an engine of two halves

  /// Compiles a reminder and takes it up as one that is still to be made.
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

  /// Compiles another declaration of a reminder, which is still to be made again.
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
  }

  /// What has been taken back is declared no longer.
  package mutating func undeclare(_ reminder: ReminderID, into effects: inout [EngineEffect]) {
    // What is replaced and cannot be compiled again was compiled before.
    try? change(into: &effects) { (engine) throws(ReminderCompileError) in
      engine.persisted.edits[reminder] = nil
      engine.persisted.forget(reminder)
      engine.matcher.forgetMatches(of: reminder)
      engine.matcher.undeclare(reminder)
    }
    finish(into: &effects)
  }

  /// Changes the program, and has watched what it names.
  private mutating func change<Result>(
    into effects: inout [EngineEffect],
    _ body: (inout ReminderEngine) throws(ReminderCompileError) -> Result
  ) throws(ReminderCompileError) -> Result {
    askHeld(into: &effects)
    let places = watchedPlaces
    let result = try changeProgram(body)
    held.apart = []
    // Of the order of names.
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

  /// Lets go of the program, so that the matcher is the only one to have it if nobody else has.
  private mutating func changeProgram<Result>(
    _ body: (inout ReminderEngine) throws(ReminderCompileError) -> Result
  ) throws(ReminderCompileError) -> Result {
    program = .none
    defer { program = matcher.program }
    return try body(&self)
  }
}
