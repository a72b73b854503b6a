public import CivilTime
public import ReminderMatching
public import TriggerModel

/// Encodes the persisted state. `StoredState.md` describes the format.
///
/// The bytes contain no indices of a program, because a later version of the app may declare other reminders.
/// Reminders are identified by id. New reminders start with a new state, and removed ones are listed in
/// ``endedReminders``. Derived values are not stored, such as which reminders are waiting and when snoozes
/// end.
extension ReminderEngine {
  /// Returns the encoded state. Store it at every ``TriggerModel/EngineEffect/persist``.
  ///
  /// A process that starts with these bytes continues as this process would. Only the phone's state, such as
  /// whether it is charging, must be reported again. Equal states have equal bytes, regardless of the order
  /// of the declarations.
  ///
  /// - Complexity: O(*n* log *n*) in the number of reminders that were ever active.
  public func storedState() -> [UInt8] {
    var used = UsedNames()
    collectNames(into: &used)
    var writer = StateWriter(used)
    write(to: &writer)
    return writer.sealed()
  }

  /// Restores an engine from its stored state. The part that a ``NotificationGateway`` stored is ignored.
  ///
  /// - Parameters:
  ///   - program: The program of this version of the app.
  ///   - bytes: The result of ``storedState()``.
  ///   - zones: All zones to which the moments of events may refer.
  ///   - zone: The phone's zone at the start.
  ///   - explainsMisses: Whether each miss is reported as an effect, in addition to being counted.
  /// - Throws: An error if the bytes are unusable. In that case, create an engine with a new state.
  public init(
    program: ReminderProgram, stored bytes: [UInt8], zones: ZoneTable, zone: ZoneID,
    explainsMisses: Bool = false
  ) throws(StoreProblem) {
    self.init(program: program, zones: zones, zone: zone, explainsMisses: explainsMisses)
    try adopt(StoredState(bytes))
  }

  /// The stored reminders that are no longer declared, with the requests that the system may still hold.
  ///
  /// The app withdraws these requests. The engine has discarded the reminders.
  public var endedReminders: [EndedReminder] { memory.ended }

  // MARK: Writing

  package func collectNames(into used: inout UsedNames) {
    let names = program.storeNames.reminders
    func insert(_ reminders: some Sequence<ReminderID>) {
      for reminder in reminders { used.insert(reminder, names[reminder.index]) }
    }
    for (index, name) in names.enumerated() where matcher.memory(of: ReminderID(index)) != ReminderMemory() {
      used.insert(ReminderID(index), name)
    }
    insert(matcher.turns.keys)
    insert(persisted.edits.keys)
    // A reminder that is created later is cancelled until it exists, so its existence is stored instead.
    insert(persisted.cancelled.filter { !program.isCreatedLater($0) })
    insert(program.createdLater.filter { !persisted.cancelled.contains($0) })
    insert(persisted.expectingEnter)
    insert(persisted.expired.keys)
    insert(ledgers.reminders)
    insert(persisted.openMatches.reminders)
    if let zone = persisted.plannedZone { used.insert(zone: zones[zone].identifier) }
    for (_, _, moment) in facts.known { used.insert(zone: zones[moment.zone].identifier) }
  }

  /// Encodes the part of the state that concerns reminders. The writer must already contain the names.
  package func write(to writer: inout StateWriter) {
    let openMatches = persisted.openMatches.sorted
    writer.part(.reminders) { writer in
      writer.optional(persisted.plannedZone) { $0.zone(zones[$1].identifier) }
      let regions = program.names.regions.enumerated().filter { isInside(RegionID($0.offset)) }
      writer.list(regions.map(\.element).sorted()) { $0.text($1) }
      let names = program.names.facts
      writer.list(facts.known.sorted { names[$0.fact.index] < names[$1.fact.index] }) { writer, known in
        writer.text(names[known.fact.index])
        writer.fact(known.value)
        writer.moment(known.setAt, zone: zones[known.setAt.zone].identifier)
      }
      writer.number(Self.formerLimit)
      for reminder in writer.reminders {
        var stored = isKnown(reminder) ? stored(reminder) : StoredReminder()
        stored.openMatches = openMatches[reminder] ?? []
        stored.write(to: &writer)
      }
      writeChoice(to: &writer)
    }
  }

  /// A field that only earlier versions of the engine used.
  private static let formerLimit: UInt32 = 16

  private func stored(_ reminder: ReminderID) -> StoredReminder {
    var stored = StoredReminder()
    let memory = matcher.memory(of: reminder)
    stored.occurrences = memory.occurrences
    if memory.lastDay != ReminderMemory.never { stored.lastDay = memory.lastDay }
    stored.earlier = memory.earlier
    stored.shown = matcher.shown(of: reminder)
    stored.turns = matcher.turns[reminder] ?? []
    stored.isCancelled = persisted.cancelled.contains(reminder)
    stored.expectsEnter = persisted.expectingEnter.contains(reminder)
    stored.ledger = ledgers[reminder]
    stored.edit = persisted.edits[reminder].map { program.number(ofEdit: $0) }
    stored.expired = persisted.expired[reminder]
    stored.planMark = ledgers[reminder].outdatedMark ?? program.plans[Int(declarationInForce(reminder))].mark
    return stored
  }

  // MARK: Reading

  /// Starts with the state of a fresh installation, in a process that has not observed anything yet.
  package mutating func restart(in zone: ZoneID) {
    enter(zone)
    memory = Memory(zone: zone, of: zones, explainsMisses: explainsMisses)
    forgetState()
  }

  /// Discards the persisted state, but keeps the facts that the system reported to this process.
  package mutating func forgetState() {
    matcher = EngineState(of: program).matcher(of: program, zone: matcher.zone)
    persisted = PersistedState(of: program)
    memory.ended = []
    memory.leftOutOrder.forget()
    memory.staged = nil
    matcher.hasChanged = false
    mustPersist = false
  }

  /// Adopts a stored state, or the state of a fresh installation if the stored state has no part for
  /// reminders.
  ///
  /// If this method throws, the engine is unusable.
  package mutating func adopt(_ state: StoredState) throws(StoreProblem) {
    let names = program.storeNames
    let ids = state.zones.map { try? zones.intern($0) }
    forgetState()
    if var reader = state.reader(of: .reminders, names: names, zones: ids) {
      persisted.deadlines = DeadlineQueue()
      let ended = state.endedReminders(names)
      try read(&reader, ended: ended)
      try reader.finish()
      insertExpiries()
    }
    matcher.hasChanged = false
    mustPersist = false
  }

  private mutating func read(_ reader: inout StateReader, ended: [String]) throws(StoreProblem) {
    persisted.plannedZone =
      try reader.optional {
        (reader: inout StateReader) throws(StoreProblem) in try reader.zone()
      } ?? nil
    let regions = try reader.list(each: 1) {
      (reader: inout StateReader) throws(StoreProblem) in try reader.text()
    }
    for region in regions.compactMap({ program.names.region($0) }) { setInside(region, true) }
    let known = try reader.list(each: 6) {
      (reader: inout StateReader) throws(StoreProblem) in
      (name: try reader.text(), value: try reader.fact(), setAt: try reader.moment())
    }
    for fact in known {
      guard let id = program.names.fact(fact.name) else { continue }
      matcher.set(id, fact.value, at: fact.setAt, zones[fact.setAt.zone])
    }
    _ = try reader.number32()
    var openMatches: [OpenMatches.Entry] = []
    for reminder in reader.reminders {
      let stored = try StoredReminder(of: reminder, from: &reader)
      if stored.earlier >> ReminderMemory.earlierBits != 0 { throw .contradictory }
      if isKnown(reminder) {
        openMatches += stored.openMatches
        adopt(stored, of: reminder)
      } else if !stored.openRequests.isEmpty {
        let name = ended[reminder.index - program.reminderCount]
        memory.ended.append(EndedReminder(name: name, requests: stored.openRequests))
      }
    }
    persisted.openMatches = OpenMatches(openMatches)
    try readChoice(from: &reader)
  }

  private mutating func adopt(_ stored: StoredReminder, of reminder: ReminderID) {
    matcher.adopt(
      ReminderMemory(
        lastDay: stored.lastDay ?? ReminderMemory.never, earlier: stored.earlier,
        occurrences: stored.occurrences),
      turns: stored.turns, of: reminder)
    if let number = stored.edit, let edit = program.edit(number, of: reminder) {
      matcher.setWaiting(declarationInForce(reminder), live: false, armed: false)
      persisted.edits[reminder] = edit
    }
    matcher.setShown(stored.shown, of: reminder)
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    // A stored reminder that is created later exists, unless it is marked as cancelled.
    if stored.isCancelled {
      persisted.cancelled.insert(reminder)
    } else {
      persisted.cancelled.remove(reminder)
    }
    if stored.expectsEnter { persisted.expectingEnter.insert(reminder) }
    ledgers[reminder] = stored.ledger
    if let snooze = stored.ledger.snooze {
      persisted.deadlines.insert(Deadline(at: snooze.until, reminder: reminder, kind: .snoozeEnd))
    }
    // An update of the app may have postponed the expiry.
    if stored.expired == plan.expires { persisted.expired[reminder] = stored.expired }
    let hasPlans =
      stored.ledger.lapse != nil || stored.ledger.occurrences != nil || stored.ledger.repetitions != nil
    if hasPlans, stored.planMark != plan.mark { ledgers[reminder].outdatedMark = stored.planMark }
    let isSpent = plan.repeats == .once && stored.lastDay != nil
    let waits =
      !isSpent && !stored.isCancelled && stored.ledger.snooze == nil && persisted.expired[reminder] == nil
    matcher.setWaiting(declaration, live: waits, armed: waits)
    matcher.adoptLatestMatchDay(declaration)
  }

  /// Inserts the future expiries of all reminders.
  mutating func insertExpiries() {
    for index in 0..<program.reminderCount {
      let reminder = ReminderID(index)
      let expires = program.plans[Int(declarationInForce(reminder))].expires
      if expires == .distantFuture || persisted.expired[reminder] != nil { continue }
      persisted.deadlines.insert(Deadline(at: expires, reminder: reminder, kind: .expiry))
    }
  }
}

extension ReminderProgram {
  /// Returns the index of a declaration among the edits of its reminder, starting at 0.
  fileprivate func number(ofEdit declaration: UInt32) -> UInt32 {
    let reminder = plans[Int(declaration)].reminder
    return UInt32(plans[initialCount..<Int(declaration)].count { $0.reminder == reminder })
  }

  /// Returns a reminder's edit at an index, starting at 0, or `nil` if there are fewer edits.
  fileprivate func edit(_ number: UInt32, of reminder: ReminderID) -> UInt32? {
    let edits = (initialCount..<initialCount + editCount).filter { plans[$0].reminder == reminder }
    return number < edits.count ? UInt32(edits[Int(number)]) : nil
  }
}
