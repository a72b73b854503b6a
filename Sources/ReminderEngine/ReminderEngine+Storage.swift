public import CivilTime
public import ReminderMatching
public import TriggerModel

/// What must be remembered, as bytes: `StoredState.md` describes them.
///
/// Nothing in them is a position in a program. A later version of the app declares other reminders: they
/// are found again by id, new ones begin, and those that are gone are ``endedReminders``. What follows from
/// the rest is not stored: which reminders wait, and when snoozes end.
extension ReminderEngine {
  /// What must be stored, at every ``TriggerModel/EngineEffect/persist``. A process that starts with it goes
  /// on as this one would, but for what it is still to be told: whether the phone is on its charger.
  ///
  /// Equal states have equal bytes, whatever the order of the declarations.
  ///
  /// - Complexity: O(*n* log *n*) in the reminders that ever did anything
  public func storedState() -> [UInt8] {
    var used = UsedNames()
    collectNames(into: &used)
    var writer = StateWriter(used)
    write(to: &writer)
    return writer.sealed()
  }

  /// Goes on from what was stored. A state that a ``NotificationGateway`` has stored beside it is passed
  /// over.
  ///
  /// - Parameters:
  ///   - program: that of this version of the app.
  ///   - bytes: what ``storedState()`` gave.
  ///   - zones: every zone that an event's moment may name.
  ///   - zone: the phone's zone at the start.
  ///   - explainsMisses: tell each miss apart as an effect, not only count them.
  /// - Throws: why the bytes cannot be used. Begin with a fresh engine then.
  public init(
    program: ReminderProgram, stored bytes: [UInt8], zones: ZoneTable, zone: ZoneID,
    explainsMisses: Bool = false
  ) throws(StoreProblem) {
    self.init(program: program, zones: zones, zone: zone, explainsMisses: explainsMisses)
    try adopt(StoredState(bytes))
  }

  /// The reminders of which something was stored and that are declared no longer, with the requests that
  /// the system may still hold. The app withdraws them; the engine has forgotten them.
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
    // Of those that were not made yet there is nothing to remember, and of those that were that they are there.
    insert(persisted.cancelled.filter { !program.isCreatedLater($0) })
    insert(program.createdLater.filter { !persisted.cancelled.contains($0) })
    insert(persisted.expired.keys)
    insert(ledgers.reminders)
    insert(persisted.openMatches.reminders)
    if let zone = persisted.plannedZone { used.insert(zone: zones[zone].identifier) }
    for (_, _, moment) in facts.known { used.insert(zone: zones[moment.zone].identifier) }
  }

  /// Writes the reminders' part. The writer knows the names.
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

  /// In the form stands a number of which earlier engines made use.
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
    stored.ledger = ledgers[reminder]
    stored.edit = persisted.edits[reminder].map { program.number(ofEdit: $0) }
    stored.expired = persisted.expired[reminder]
    stored.planMark = ledgers[reminder].outdatedMark ?? program.plans[Int(declarationInForce(reminder))].mark
    return stored
  }

  // MARK: Reading

  /// Begins as a fresh installation, in a process that has not been told anything yet.
  package mutating func beginAnew(in zone: ZoneID) {
    enter(zone)
    memory = Memory(zone: zone, of: zones, explainsMisses: explainsMisses)
    forgetState()
  }

  /// Remembers nothing. What the system told this process stays.
  package mutating func forgetState() {
    matcher = EngineState(of: program).matcher(of: program, zone: matcher.zone)
    persisted = PersistedState(of: program)
    memory.ended = []
    memory.leftOutOrder.forget()
    memory.staged = nil
    matcher.hasChanged = false
    mustPersist = false
  }

  /// Goes on from what was stored; without a part of its own in it as a fresh installation.
  ///
  /// Whatever it throws, the engine is to be thrown away.
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
    // What is stored of a reminder that was not made yet would be that it was taken back.
    if stored.isCancelled {
      persisted.cancelled.insert(reminder)
    } else {
      persisted.cancelled.remove(reminder)
    }
    ledgers[reminder] = stored.ledger
    if let snooze = stored.ledger.snooze {
      persisted.deadlines.insert(Deadline(at: snooze.until, reminder: reminder, kind: .snoozeEnd))
    }
    // An update may have put its end off.
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

  /// The expiries that are still to come, of all reminders.
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
  /// The how-manieth edit of its reminder a declaration is.
  fileprivate func number(ofEdit declaration: UInt32) -> UInt32 {
    let reminder = plans[Int(declaration)].reminder
    return UInt32(plans[initialCount..<Int(declaration)].count { $0.reminder == reminder })
  }

  /// The n-th edit of a reminder, from 0; nil when there are fewer.
  fileprivate func edit(_ number: UInt32, of reminder: ReminderID) -> UInt32? {
    let edits = (initialCount..<initialCount + editCount).filter { plans[$0].reminder == reminder }
    return number < edits.count ? UInt32(edits[Int(number)]) : nil
  }
}
