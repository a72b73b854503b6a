import CivilTime
package import TriggerModel

/// Adds a declaration without recompiling the others.
///
/// A contiguous part of a table, such as the entries of a bucket, has a capacity. If a part exceeds its
/// capacity, it moves to the end of the table and gets twice the capacity, so that an entry moves less than
/// once on average. The caller must be the only owner of the program and pass the state that belongs to it.
extension ReminderProgram {
  /// Compiles a declaration without changing the program.
  func compiled(
    _ declaration: ReminderDeclaration, as reminder: ReminderID
  ) throws(ReminderCompileError) -> CompiledReminder {
    let type = declaration.notification.type
    // Caps are compiled by type, so a new type is an error.
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

  /// Adds a compiled declaration, either for a new reminder or to replace a reminder's own declaration. Its
  /// entries do not wait yet.
  func append(
    _ declaration: ReminderDeclaration, _ compiled: CompiledReminder, _ state: inout MatcherState
  ) {
    let number = UInt32(plans.count)
    let reminder = compiled.plan.reminder
    if reminder.index == reminderCount {
      ownDeclarations.append(number)
      let renumberings = storeNames.renumberings
      storeNames.append(declaration.id)
      if storeNames.renumberings != renumberings { recomputeOrder() }
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
    if compiled.isInterchangeable { addedByType[compiled.plan.type, default: []].append(number) }
    list(number)
  }

  private func recomputeOrder() {
    for (number, plan) in plans.enumerated() {
      order[number] = DecisionOrder(plan, rank: storeNames.ranks[plan.reminder.index])
    }
  }

  private func bucket(of trigger: CompiledTrigger) -> Int {
    Int(tables.bucketsOfKind[Int(trigger.kind.rawValue)].first + trigger.subject)
  }

  /// Enlarges the states to the size of the tables.
  func fit(_ state: inout MatcherState) {
    if !template.fits(self) { template = MatcherState(copying: template, fitting: self) }
    if !state.fits(self) { state = MatcherState(copying: state, fitting: self) }
  }

  // MARK: Entries

  /// Adds an entry to a bucket.
  ///
  /// - Returns: The position of the entry.
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
    if compiled.isInterchangeable {
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
    if !compiled.plan.isCreatedLater { template.setWaiting(entry, of: bucket) }
    return entry
  }

  /// Moves the entries of a bucket to a place with twice the capacity.
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

  /// Adds a row for conditions on a region to a bucket.
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
    // Insert in the order of the regions.
    let before = (old.regions & (1 << region.rawValue - 1)).nonzeroBitCount
    tables.regionRows.insert(row, at: first + before, before: first + count)
    (new.firstRegionRow, new.endOfRegionRows) = (Int32(first), Int32(first + count + 1))
    new.regions |= 1 << region.rawValue
    tables.buckets[index] = new
  }

  /// Adds rows for windows that start or end between quarters of an hour to a bucket.
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
  /// Returns whether the state is large enough for a program.
  fileprivate func fits(_ program: ReminderProgram) -> Bool {
    words.count >= program.wordCount * StateRow.count && buckets.count >= program.tables.buckets.count
      && memories.count >= program.reminderCount && factRows.count >= program.factWords
      && failing.count >= program.failingCount && series.count >= program.tables.facts.series.count
  }

  /// Copies the rows of a bucket to its new location.
  fileprivate func move(_ old: TriggerBucket, to new: TriggerBucket) {
    for row in StateRow.allCases {
      words.copy(Int(old.wordCount), from: old.state(row), to: new.state(row))
    }
    if old.factOffset >= 0 {
      factRows.copy(
        Int(old.wordCount) * FactOutcome.rows, from: Int(old.factOffset), to: Int(new.factOffset))
    }
  }

  /// Initializes the bit of a new entry for its region condition, according to the bucket's current regions.
  /// The entry does not wait yet.
  fileprivate func begin(_ entry: Int, _ compiled: CompiledReminder, in index: Int, of bucket: TriggerBucket)
  {
    let current = buckets[index]
    if let region = compiled.region {
      let isInside = current.inside >> region.id.rawValue & 1 == 1
      if isInside != region.inside { set(.regionFails, entry, of: bucket) }
    }
    buckets[index].key = RowKey.none
  }

  /// Marks a new entry as waiting.
  fileprivate func setWaiting(_ entry: Int, of bucket: TriggerBucket) {
    set(.live, entry, of: bucket)
    set(.armed, entry, of: bucket)
  }

  private func set(_ row: StateRow, _ entry: Int, of bucket: TriggerBucket) {
    words[bucket.state(row) + entry / 64] |= 1 << UInt64(entry % 64)
  }
}

/// Adds the fact conditions of a declaration without recompiling the others.
extension ReminderProgram {
  /// Adds the fact conditions of the last declaration, which must already have its entries.
  func appendFacts(of declaration: UInt32, _ state: inout MatcherState) {
    let conditions = plans[Int(declaration)].factsInRows
    if tables.facts.firstPlace.count == 0 {
      if conditions.isEmpty { return }
      tables.facts.firstPlace.append(repeating: 0, count: Int(declaration) + 1)
    }
    for (place, condition) in conditions.enumerated() {
      let number = series(of: condition.quantity)
      tables.facts.places.append(FactPlace(condition, series: number))
      let isEquality = condition.isEquality
      for constant in condition.constants {
        let term = FactTerm(condition, constant, place: place, of: declaration)
        var series = tables.facts.series[number]
        if isEquality {
          tables.facts.insert(term, into: &series.equal)
        } else {
          tables.facts.insert(term, into: &series.ordered)
        }
        tables.facts.series[number] = series
      }
    }
    tables.facts.firstPlace.append(UInt32(tables.facts.places.count))
    if conditions.isEmpty { return }
    let places = places(of: declaration)
    for place in places where tables.buckets[Int(place.bucket)].factOffset < 0 {
      tables.buckets[Int(place.bucket)].factOffset = newFactRows(
        Int(tables.buckets[Int(place.bucket)].wordCount))
    }
    fit(&state)
    var failing = FailingFacts()
    if places.count > 1 {
      failing.hasSeveralBits = true
      failing.bit = UInt32(tables.facts.severalBits.count)
      tables.facts.severalBits.append(UInt32(places.count))
      tables.facts.severalBits.append(repeating: 0, count: places.count)
    }
    for state in [template, state] { state.failing[Int(declaration)] = failing }
    setFactBits(of: declaration, state)
  }

  /// Adds rows of failing fact conditions for the given number of words.
  ///
  /// - Returns: The start of the rows.
  func newFactRows(_ words: Int) -> Int32 {
    defer { factWords += FactOutcome.rows * words }
    return Int32(factWords)
  }

  /// Stores which bits a declaration has in the rows of failing fact conditions.
  func setFactBits(of declaration: UInt32, _ state: MatcherState) {
    let bits = places(of: declaration).map { place in
      UInt32(tables.buckets[Int(place.bucket)].factOffset) / UInt32(FactOutcome.rows) * 64 + place.entry
    }
    let failing = template.failing[Int(declaration)]
    if failing.hasSeveralBits {
      for (position, bit) in bits.enumerated() {
        tables.facts.severalBits[Int(failing.bit) + 1 + position] = bit
      }
    } else {
      for state in [template, state] { state.failing[Int(declaration)].bit = bits[0] }
    }
  }

  private func series(of quantity: CompiledFactCondition.Quantity) -> Int {
    let facts = Set(quantity.facts).sorted()
    let known = tables.facts.firstSeries[facts[0].index]..<tables.facts.firstSeries[facts[0].index + 1]
    for position in known {
      let number = Int(tables.facts.seriesOfFacts[Int(position)])
      if tables.facts.series[number].quantity == quantity { return number }
    }
    let number = tables.facts.series.count
    let series = FactSeries(quantity, names.dayEnds)
    tables.facts.series.append(series)
    if series.isTimed { tables.facts.timed.append(UInt32(number)) }
    for fact in facts {
      let end = tables.facts.seriesOfFacts.count
      tables.facts.seriesOfFacts.append(0)
      let position = Int(tables.facts.firstSeries[fact.index + 1])
      tables.facts.seriesOfFacts.insert(UInt32(number), at: position, before: end)
      for later in fact.index + 1..<tables.facts.firstSeries.count { tables.facts.firstSeries[later] += 1 }
    }
    return number
  }
}

extension FactTables {
  /// Inserts a term after all terms with the same constant. Its declaration must be the last one in the
  /// program.
  fileprivate mutating func insert(_ term: FactTerm, into list: inout TermList) {
    let count = list.range.end - list.range.start
    if count == list.room {
      let first = UInt32(terms.count)
      list.room = max(4, 2 * list.room)
      terms.append(repeating: term, count: Int(list.room))
      terms.copy(Int(count), from: Int(list.range.start), to: Int(first))
      list.range = Range32(start: first, end: first + count)
    }
    var (low, high) = (Int(list.range.start), Int(list.range.end))
    while low < high {
      let middle = (low + high) / 2
      if terms[middle].constant <= term.constant { low = middle + 1 } else { high = middle }
    }
    terms.insert(term, at: low, before: Int(list.range.end))
    list.range.end += 1
  }
}

/// Maintains the lists of reminders with schedules, lapses, repetitions and facts, and removes replaced
/// declarations.
extension ReminderProgram {
  /// Adds a reminder to the lists that apply to its declaration.
  func list(_ number: UInt32) {
    let plan = plans[Int(number)]
    let reminder = plan.reminder
    if plan.schedule != nil { scheduled.insertSorted(reminder) }
    if plan.lapse != nil { lapsing.insertSorted(reminder) }
    if plan.repetition != nil { repeating.insertSorted(reminder) }
    if plan.isCreatedLater {
      createdLater.insertSorted(reminder)
    } else {
      createdLater.removeSorted(reminder)
    }
    maximumPending += plan.maximumPending
    for fact in plan.withdrawingFacts { withdrawing[fact.index].insertSorted(reminder) }
    if let fact = plan.countsFrom { countingFrom[fact.index].insertSorted(reminder) }
    for fact in plan.prescheduleFacts { prescheduledByFact[fact.index].insertSorted(reminder) }
    if plan.prescheduleDependsOnState { prescheduledByState.insertSorted(reminder) }
    for region in Set(declarations[Int(number)].regions.compactMap { names.region($0) }).sorted() {
      regions.insertSorted(region)
      places.insert(number, region, names) { storeNames.ranks[plans[Int($0)].reminder.index] }
      regionUses[region.index] += 1
    }
  }

  /// Removes a declaration that can never be in force again. The lists may still contain its reminder until
  /// the next compaction.
  func retire(_ number: UInt32) {
    let plan = plans[Int(number)]
    replaced.insert(number)
    replacedSince += 1
    maximumPending -= plan.maximumPending
    for name in Set(declarations[Int(number)].regions) {
      guard let region = names.region(name) else { continue }
      regionUses[region.index] -= 1
      if regionUses[region.index] == 0 { regions.removeSorted(region) }
      places.remove(number, region)
    }
    plans[Int(number)] = plan.emptied
    declarations[Int(number)] = declarations[Int(number)].emptied
    for place in places(of: number) { template.setNotWaiting(place, tables) }
  }

  /// Whether the lists may contain reminders that no longer belong in them.
  package var hasReplaced: Bool { !replaced.isEmpty }

  /// Returns whether a reminder was removed.
  package func isRemoved(_ reminder: ReminderID) -> Bool {
    replaced.contains(ownDeclarations[reminder.index])
  }
}

extension ReminderDeclaration {
  /// An empty declaration that replaces a removed one. The id is kept because requests may still refer to it.
  fileprivate var emptied: ReminderDeclaration {
    ReminderDeclaration(
      id: id, triggers: [], isCreatedLater: true,
      notification: NotificationDeclaration(type: notification.type, bucket: notification.bucket))
  }
}

extension MatcherState {
  fileprivate func setNotWaiting(_ place: EntryPlace, _ tables: MatchTables) {
    let bucket = tables.buckets[Int(place.bucket)]
    for row in [StateRow.live, .armed] {
      words[bucket.state(row) + Int(place.entry) / 64] &= ~(1 << UInt64(place.entry % 64))
    }
  }
}

extension ReminderProgram {
  /// Whether more than half of all declarations have been replaced since the last compilation.
  var needsCompaction: Bool { replacedSince > 64 && replacedSince > plans.count / 2 }

  /// Returns a program without the replaced declarations.
  ///
  /// Reminders keep their numbers, because requests refer to them. Initial declarations and edits also keep
  /// their numbers. Those that were replaced become empty.
  ///
  /// - Returns: The program, and for each former declaration its new number, or `nil` if it was removed.
  func compacted() throws(ReminderCompileError) -> (program: ReminderProgram, numbers: [UInt32?]) {
    var numbers: [UInt32?] = []
    var kept: [Int] = []
    for number in plans.indices {
      let isKept = number < initialCount + editCount || !replaced.contains(UInt32(number))
      numbers.append(isKept ? UInt32(kept.count) : nil)
      if isKept { kept.append(number) }
    }
    // A removed reminder keeps an empty declaration.
    var own = ownDeclarations
    for reminder in own.indices {
      if let number = numbers[Int(own[reminder])] {
        own[reminder] = number
      } else {
        numbers[Int(own[reminder])] = UInt32(kept.count)
        kept.append(Int(own[reminder]))
        own[reminder] = UInt32(kept.count - 1)
      }
    }
    var resolver = NameResolver(names: names, weekStart: weekStart)
    var compiled: [CompiledReminder] = []
    for number in kept {
      let plan = plans[number]
      compiled.append(
        replaced.contains(UInt32(number))
          ? CompiledReminder(plan: plan, triggers: [])
          : try resolver.compile(declarations[number], as: plan.reminder))
    }
    let layout = try ProgramLayout(
      compiled, waiting: { own[compiled[$0].plan.reminder.index] == $0 && !compiled[$0].plan.isCreatedLater },
      names: names)
    let program = ReminderProgram(
      layout: layout, declarations: kept.map { declarations[$0] }, ownDeclarations: own,
      initialCount: initialCount, editCount: editCount, names: names, storeNames: storeNames,
      weekStart: weekStart)
    program.replaced = Set(kept.indices.filter { replaced.contains(UInt32(kept[$0])) }.map(UInt32.init))
    return (program, numbers)
  }
}

/// Operations on arrays that are in ascending order and have no duplicates.
extension Array where Element: Comparable {
  /// Inserts an element at its sorted position, unless the array already contains it.
  mutating func insertSorted(_ element: Element) {
    let position = partition { $0 < element }
    if position == count || self[position] != element { insert(element, at: position) }
  }

  mutating func removeSorted(_ element: Element) {
    let position = partition { $0 < element }
    if position < count, self[position] == element { remove(at: position) }
  }
}
