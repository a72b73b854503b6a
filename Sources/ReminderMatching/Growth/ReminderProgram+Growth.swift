import CivilTime
import TriggerModel

/// How a program takes up one more declaration without compiling the others.
///
/// Whatever stands side by side in the tables, such as the entries of a bucket, has a room of its own. What outgrows
/// its room moves to the end of its table, to twice the room: on average an entry is moved less than once. Whoever
/// calls this is the only one to have the program, and brings the state that is to follow it.
extension ReminderProgram {
  /// Compiles a declaration, and changes nothing.
  func compiled(
    _ declaration: ReminderDeclaration, as reminder: ReminderID
  ) throws(ReminderCompileError) -> CompiledReminder {
    let type = declaration.notification.type
    // Caps are compiled by type.
    if names.type(type) == nil {
      throw ReminderCompileError(code: .unknownName, reminder: declaration.id, subject: type)
    }
    var resolver = NameResolver(names: names, weekStart: weekStart)
    let compiled = try resolver.compile(declaration, as: reminder)
    for trigger in compiled.triggers
    where tables.buckets[bucket(of: trigger)].entryCount == TriggerBucket.entryLimit {
      throw ReminderCompileError(
        code: .tooManyReminders, reminder: "", subject: "\(TriggerBucket.entryLimit)")
    }
    return compiled
  }

  /// Takes up what a declaration compiled to, of a new reminder or in place of a reminder's own. In the state nobody
  /// waits by it yet.
  func append(
    _ declaration: ReminderDeclaration, _ compiled: CompiledReminder, _ state: inout MatcherState
  ) {
    let number = UInt32(plans.count)
    let reminder = compiled.plan.reminder
    if reminder.index == reminderCount {
      ownDeclarations.append(number)
      let renumberings = storeNames.renumberings
      storeNames.append(declaration.id)
      if storeNames.renumberings != renumberings { orderAnew() }
    } else {
      ownDeclarations[reminder.index] = number
    }
    declarations.append(declaration)
    plans.append(compiled.plan)
    order.append(DecisionOrder(compiled.plan, rank: storeNames.ranks[reminder.index]))
    tables.later.append(reminder.rawValue)
    for trigger in compiled.triggers {
      let bucket = bucket(of: trigger)
      let entry = place(number, compiled, in: bucket, &state)
      entryPlaces.append(EntryPlace(bucket: UInt32(bucket), entry: UInt32(entry)))
    }
    entriesOfDeclaration.append(UInt32(entryPlaces.count))
    appendFacts(of: number, &state)
    fit(&state)
    if compiled.asksAlike { addedByType[compiled.plan.type, default: []].append(number) }
    list(number)
  }

  private func orderAnew() {
    for (number, plan) in plans.enumerated() {
      order[number] = DecisionOrder(plan, rank: storeNames.ranks[plan.reminder.index])
    }
  }

  private func bucket(of trigger: CompiledTrigger) -> Int {
    Int(tables.bucketsOfKind[Int(trigger.kind.rawValue)].first + trigger.subject)
  }

  /// Gives the states room for all that the tables speak of.
  func fit(_ state: inout MatcherState) {
    if !template.fits(self) { template = MatcherState(copying: template, fitting: self) }
    if !state.fits(self) { state = MatcherState(copying: state, fitting: self) }
  }

  // MARK: Entries

  /// - Returns: The entry.
  private func place(
    _ declaration: UInt32, _ compiled: CompiledReminder, in index: Int, _ state: inout MatcherState
  ) -> Int {
    if tables.buckets[index].entryCount == tables.rooms[index] { move(index, &state) }
    if let region = compiled.region { addRow(of: region.id, to: index) }
    if !compiled.windowDigits.minuteRows.isEmpty { addMinuteRows(to: index) }
    let entry = Int(tables.buckets[index].entryCount)
    let (word, bit) = (entry / 64, entry % 64)
    tables.buckets[index].entryCount += 1
    if compiled.window != nil {
      tables.buckets[index].minuteRow = max(0, tables.buckets[index].minuteRow)
    }
    if compiled.isSpecial { tables.buckets[index].hasSpecials = true }
    let bucket = tables.buckets[index]
    tables.declarations[Int(bucket.firstEntry) + entry] = declaration
    if compiled.asksAlike {
      let row = (bucket.firstWord + word) * MatchTables.bucketCount + Int(compiled.plan.bucket.rawValue)
      tables.alike[row] |= 1 << UInt64(bit)
    }
    var rows = BitRows(count: bucket.rowCount, words: 1)
    rows.fill(
      bit, compiled,
      regionRow: compiled.region.map { tables.row(ofRegion: $0.id.rawValue, in: tables.buckets.base + index) }
        ?? 0,
      minuteRow: Int(bucket.minuteRow))
    for row in 0..<bucket.rowCount { tables.rows[bucket.row(row) + word] |= rows.words[row] }
    for state in [template, state] { state.begin(entry, compiled, in: index, of: bucket) }
    if !compiled.plan.isMadeLater { template.setWaiting(entry, of: bucket) }
    return entry
  }

  /// Moves the entries of a bucket to twice the room.
  private func move(_ index: Int, _ state: inout MatcherState) {
    let old = tables.buckets[index]
    let (entries, words) = (Int(old.entryCount), Int(old.wordCount))
    let (stride, firstWord) = (max(1, 2 * words), wordCount)
    var new = old
    new.wordCount = Int32(stride)
    tables.rooms[index] = Int32(64 * stride)
    new.stateOffset = Int32(firstWord * StateRow.count)
    new.firstEntry = Int32(tables.declarations.count)
    tables.declarations.append(repeating: 0, count: 64 * stride)
    tables.declarations.copy(entries, from: Int(old.firstEntry), to: Int(new.firstEntry))
    for word in 0..<stride { tables.firstEntries.append(UInt32(Int(new.firstEntry) + 64 * word)) }
    let alike = MatchTables.bucketCount
    tables.alike.append(repeating: 0, count: alike * stride)
    tables.alike.copy(alike * words, from: alike * old.firstWord, to: alike * firstWord)
    moveRows(old, &new)
    if old.factOffset >= 0 { new.factOffset = newFactRows(stride) }
    tables.buckets[index] = new
    fit(&state)
    for state in [template, state] { state.move(old, to: new) }
    if new.factOffset < 0 { return }
    for entry in 0..<entries {
      let declaration = tables.declarations[Int(new.firstEntry) + entry]
      if tables.facts.hasTerms(declaration) { setFactBits(of: declaration, state) }
    }
  }

  private func moveRows(_ old: TriggerBucket, _ new: inout TriggerBucket, more: Int = 0) {
    new.rowOffset = Int32(tables.rows.count)
    tables.rows.append(repeating: 0, count: (old.rowCount + more) * Int(new.wordCount))
    for row in 0..<old.rowCount {
      tables.rows.copy(Int(old.wordCount), from: old.row(row), to: new.row(row))
    }
  }

  /// Entries of a bucket ask about a region.
  private func addRow(of region: RegionID, to index: Int) {
    let old = tables.buckets[index]
    if old.regions >> region.rawValue & 1 == 1 { return }
    var new = old
    let count = Int(old.endOfRegionRows - old.firstRegionRow)
    moveRows(old, &new, more: 1)
    let first = tables.regionRows.count
    let row = RegionRow(region: UInt8(region.rawValue), row: UInt16(old.rowCount))
    tables.regionRows.append(repeating: row, count: count + 1)
    tables.regionRows.copy(count, from: Int(old.firstRegionRow), to: first)
    // In the order of the regions.
    let before = (old.regions & (1 << region.rawValue - 1)).nonzeroBitCount
    tables.regionRows.insert(row, at: first + before, before: first + count)
    (new.firstRegionRow, new.endOfRegionRows) = (Int32(first), Int32(first + count + 1))
    new.regions |= 1 << region.rawValue
    tables.buckets[index] = new
  }

  /// Windows of entries of a bucket begin or end between quarters of an hour.
  private func addMinuteRows(to index: Int) {
    let old = tables.buckets[index]
    if old.minuteRow > 0 { return }
    var new = old
    moveRows(old, &new, more: WindowDigits.minuteCount)
    new.minuteRow = Int16(old.rowCount)
    tables.buckets[index] = new
  }
}

extension MatcherState {
  /// Whether it has room for all that a program remembers.
  fileprivate func fits(_ program: ReminderProgram) -> Bool {
    words.count >= program.wordCount * StateRow.count && buckets.count >= program.tables.buckets.count
      && memories.count >= program.reminderCount && factRows.count >= program.factWords
      && failing.count >= program.failingCount && series.count >= program.tables.facts.series.count
  }

  /// The rows of a bucket's entries come to stand elsewhere.
  fileprivate func move(_ old: TriggerBucket, to new: TriggerBucket) {
    for row in StateRow.allCases {
      words.copy(Int(old.wordCount), from: old.state(row), to: new.state(row))
    }
    if old.factOffset >= 0 {
      factRows.copy(
        Int(old.wordCount) * FactOutcome.rows, from: Int(old.factOffset), to: Int(new.factOffset))
    }
  }

  /// A new entry follows the phone's place as the others of its bucket do; it does not wait.
  fileprivate func begin(_ entry: Int, _ compiled: CompiledReminder, in index: Int, of bucket: TriggerBucket)
  {
    let current = buckets[index]
    if let region = compiled.region {
      let isInside = current.inside >> region.id.rawValue & 1 == 1
      if isInside != region.inside { set(.regionFails, entry, of: bucket) }
    }
    buckets[index].key = RowKey.none
  }

  /// A new entry waits.
  fileprivate func setWaiting(_ entry: Int, of bucket: TriggerBucket) {
    set(.live, entry, of: bucket)
    set(.armed, entry, of: bucket)
  }

  private func set(_ row: StateRow, _ entry: Int, of bucket: TriggerBucket) {
    words[bucket.state(row) + entry / 64] |= 1 << UInt64(entry % 64)
  }
}
