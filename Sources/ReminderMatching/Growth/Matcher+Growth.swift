import CivilTime
package import TriggerModel

/// Adds, changes and removes reminders while an engine runs.
extension Matcher {
  /// Adds the declaration of a reminder that is new or was removed. The reminder does not wait yet.
  ///
  /// - Throws: ``ReminderCompileError``, in which case nothing has changed.
  package mutating func declare(
    _ declaration: ReminderDeclaration
  ) throws(ReminderCompileError) -> ReminderID {
    let known = program.reminder(named: declaration.id)
    if let known, !program.isRemoved(known) {
      throw ReminderCompileError(code: .duplicateID, reminder: declaration.id, subject: "")
    }
    return try take(declaration, inPlaceOf: known)
  }

  /// Replaces the declaration of a reminder with another one that has the same id. The reminder does not wait
  /// yet.
  ///
  /// - Throws: ``ReminderCompileError``, in which case nothing has changed.
  package mutating func redeclare(
    _ reminder: ReminderID, _ declaration: ReminderDeclaration
  ) throws(ReminderCompileError) {
    guard program.reminder(named: declaration.id) == reminder else {
      throw ReminderCompileError(code: .unknownName, reminder: declaration.id, subject: declaration.id)
    }
    _ = try take(declaration, inPlaceOf: reminder)
  }

  private mutating func take(
    _ declaration: ReminderDeclaration, inPlaceOf known: ReminderID?
  ) throws(ReminderCompileError) -> ReminderID {
    let reminder = known ?? ReminderID(program.reminderCount)
    let compiled = try program.compiled(declaration, as: reminder)
    let before = known.map { program.ownDeclarations[$0.index] }
    own()
    ownProgram()
    let changed = program
    var grown = state
    changed.append(declaration, compiled, &grown)
    if let before, !changed.replaced.contains(before) { changed.retire(before) }
    use(changed, grown)
    if let number = program.declarations.indices.last { updateFacts(of: UInt32(number)) }
    hasChanged = true
    return reminder
  }

  /// Removes the declaration of a reminder. Its number is not reused for another reminder.
  package mutating func undeclare(_ reminder: ReminderID) {
    own()
    ownProgram()
    program.retire(program.ownDeclarations[reminder.index])
    program.createdLater.insertSorted(reminder)
    use(program, state)
    hasChanged = true
  }

  /// Recompiles the program without replaced declarations if most declarations have been replaced.
  ///
  /// - Returns: Whether the program was recompiled.
  package mutating func compact() throws(ReminderCompileError) -> Bool {
    guard program.needsCompaction else { return false }
    flushRequestCounts()
    let (before, old) = (program, state)
    let (after, numbers) = try before.compacted()
    let new = MatcherState(of: after)
    for index in 0..<before.reminderCount { new.memories[index] = old.memories[index] }
    for index in 0..<before.tables.buckets.count {
      new.buckets[index].day = old.buckets[index].day
      new.buckets[index].latestDay = old.buckets[index].latestDay
    }
    use(after, new)
    for (number, renumbered) in numbers.enumerated() {
      guard let renumbered else { continue }
      for (then, now) in zip(before.places(of: UInt32(number)), after.places(of: renumbered)) {
        for row in [StateRow.live, .armed] {
          setBit(row, now, old.bit(row, then, before.tables))
        }
      }
    }
    factSync.forget()
    return true
  }

  // MARK: Facts

  /// Evaluates the fact conditions of a declaration with the quantities that are already known.
  private mutating func updateFacts(of declaration: UInt32) {
    let facts = tables.facts
    if facts.firstPlace.count == 0 || !facts.hasTerms(declaration) { return }
    let first = Int(facts.firstPlace[Int(declaration)])
    let before = state.failing[Int(declaration)]
    var after = before
    for (place, condition) in program.plans[Int(declaration)].factsInRows.enumerated() {
      let number = Int(facts.places[first + place].series)
      let found = state.series[number]
      if !found.isMeasured {
        // Have the quantity measured, as if its facts had changed.
        for fact in condition.facts { factSync.changed(fact) }
        continue
      }
      if facts.series[number].isTimed { state.series[number].next = .distantPast }
      if found.isKnown {
        state.series[number].ordered = passed(facts.series[number].ordered.range, found.measured)
        state.series[number].equal = passed(facts.series[number].equal.range, found.measured)
        if condition.holds(found.measured) { continue }
      }
      after.places |= 1 << UInt16(place)
      if after.outcome == .holds {
        let reasons = facts.places[first + place]
        after.outcome = found.isKnown ? reasons.fails : reasons.ifUnknown
      }
    }
    state.failing[Int(declaration)] = after
    if after.outcome != before.outcome { moveEntries(before, to: after.outcome) }
    factSync.requireUpdate()
  }
}

extension MatcherState {
  fileprivate func bit(_ row: StateRow, _ place: EntryPlace, _ tables: MatchTables) -> Bool {
    let bucket = tables.buckets[Int(place.bucket)]
    return words[bucket.state(row) + Int(place.entry) / 64] >> UInt64(place.entry % 64) & 1 == 1
  }
}

extension ReminderProgram {
  /// A program without reminders.
  package static let none: ReminderProgram = {
    do {
      return try ReminderProgram(compiling: [], names: EngineNames())
    } catch {
      preconditionFailure("no reminders are always compiled: \(error)")
    }
  }()
}
