import CivilTime
package import TriggerModel

/// Arranges the entries of all reminders in buckets and rows.
package struct ProgramLayout {
  package var plans: [Plan] = []
  package var buckets: [TriggerBucket] = []
  package var bucketsOfKind: [BucketRange] = []
  package var entryDeclarations: [UInt32] = []
  package var rows: [UInt64] = []
  package var initialState: [UInt64] = []
  package var initialBuckets: [BucketState] = []
  package var regionRows: [RegionRow] = []
  /// The total number of words in the rows of failing fact conditions.
  package var factWords = 0
  /// See ``MatchTables/firstEntries``.
  package var firstEntries: [UInt32] = []
  package var rooms: [Int32] = []
  /// See ``MatchTables/alike``.
  package var alike: [UInt64] = []
  package var entriesOfDeclaration: [UInt32] = [0]
  package var entryPlaces: [EntryPlace] = []

  /// - Parameter waiting: Returns whether a declaration waits initially.
  package init(
    _ reminders: [CompiledReminder], waiting: (Int) -> Bool, names: EngineNames
  ) throws(ReminderCompileError) {
    plans = reminders.map(\.plan)
    var members = makeBuckets(names)
    for (position, reminder) in reminders.enumerated() {
      for trigger in reminder.triggers {
        let range = bucketsOfKind[Int(trigger.kind.rawValue)]
        precondition(trigger.subject < range.count, "no trigger is known to wait for \(trigger.kind)")
        members[Int(range.first + trigger.subject)].append(UInt32(position))
      }
    }
    var places: [[EntryPlace]] = Array(repeating: [], count: reminders.count)
    for (bucket, declarations) in members.enumerated() {
      if declarations.count > TriggerBucket.entryLimit {
        throw ReminderCompileError(
          code: .tooManyReminders, reminder: "", subject: "\(TriggerBucket.entryLimit)")
      }
      for (entry, declaration) in declarations.enumerated() {
        places[Int(declaration)].append(EntryPlace(bucket: UInt32(bucket), entry: UInt32(entry)))
      }
      appendBucket(declarations, of: reminders, waiting: waiting)
    }
    for list in places {
      entryPlaces += list
      entriesOfDeclaration.append(UInt32(entryPlaces.count))
    }
  }

  /// Creates the buckets of all event kinds and subjects, and returns an empty list of members for each.
  private mutating func makeBuckets(_ names: EngineNames) -> [[UInt32]] {
    var count: UInt32 = 0
    for kind in ObservedEvent.Kind.allCases {
      let subjects =
        switch kind {
        case .appOpened: names.apps.count
        case .regionEntered, .regionExited: names.regions.count
        case .factChanged: names.facts.count
        default: CompiledTrigger.kindsWithoutSubject.contains(kind) ? 1 : 0
        }
      bucketsOfKind.append(BucketRange(first: count, count: UInt32(subjects), of: kind))
      count += UInt32(subjects)
    }
    return Array(repeating: [], count: Int(count))
  }

  /// Creates the tables and the initial state, which the caller must deallocate.
  package func tables(initialCount: Int, reminderCount: Int, dayEnds: [FactValue?]) -> (
    MatchTables, MatcherState
  ) {
    let (facts, failing) = FactTablesBuilder(plans, dayEnds: dayEnds).tables(bits: factBits)
    let tables = MatchTables(
      bucketsOfKind: PlainTable(bucketsOfKind.map { $0.withHint(from: buckets) }),
      buckets: PlainTable(buckets),
      declarations: PlainTable(entryDeclarations),
      later: PlainTable(plans.dropFirst(initialCount).map(\.reminder.rawValue)),
      initialCount: UInt32(initialCount), rows: PlainTable(rows), regionRows: PlainTable(regionRows),
      facts: facts, firstEntries: PlainTable(firstEntries), rooms: PlainTable(rooms),
      alike: PlainTable(alike))
    let state = MatcherState(
      words: initialState, buckets: initialBuckets, reminderCount: reminderCount, factWords: factWords,
      failing: failing, seriesCount: facts.series.count)
    return (tables, state)
  }

  /// For each declaration, its bits in the rows of failing fact conditions.
  private var factBits: [[UInt32]] {
    plans.indices.map { declaration in
      if plans[declaration].factsInRows.isEmpty { return [] }
      let places = entryPlaces[
        Int(entriesOfDeclaration[declaration])..<Int(entriesOfDeclaration[declaration + 1])]
      return places.map { place in
        UInt32(buckets[Int(place.bucket)].factOffset) / UInt32(FactOutcome.rows) * 64 + place.entry
      }
    }
  }

  private mutating func appendBucket(
    _ declarations: [UInt32], of reminders: [CompiledReminder], waiting: (Int) -> Bool
  ) {
    let words = (declarations.count + 63) / 64
    let regions = Set(declarations.compactMap { reminders[Int($0)].region?.id.rawValue }).sorted()
    let firstRegion = regionRows.count
    for (position, region) in regions.enumerated() {
      regionRows.append(RegionRow(region: UInt8(region), row: UInt16(FixedRow.count + position)))
    }
    let hasWindows = declarations.contains { reminders[Int($0)].window != nil }
    let hasMinutes = declarations.contains { !reminders[Int($0)].windowDigits.minuteRows.isEmpty }
    let minuteRow =
      hasMinutes ? FixedRow.count + regions.count : hasWindows ? 0 : Int(TriggerBucket.noWindows)
    let rowCount = FixedRow.count + regions.count + (hasMinutes ? WindowDigits.minuteCount : 0)
    var fixed = BitRows(count: rowCount, words: words)
    var state = BitRows(count: StateRow.allCases.count, words: words)
    for (entry, declaration) in declarations.enumerated() {
      let reminder = reminders[Int(declaration)]
      let position = reminder.region.flatMap { regions.firstIndex(of: $0.id.rawValue) }
      fixed.fill(entry, reminder, regionRow: FixedRow.count + (position ?? 0), minuteRow: minuteRow)
      if waiting(Int(declaration)) {
        state.set(StateRow.live.rawValue, entry)
        state.set(StateRow.armed.rawValue, entry)
      }
      if reminder.region?.inside == true { state.set(StateRow.regionFails.rawValue, entry) }
    }
    initialBuckets.append(BucketState(hasEntries: !declarations.isEmpty))
    let hasFacts = declarations.contains { !reminders[Int($0)].plan.factsInRows.isEmpty }
    defer { if hasFacts { factWords += FactOutcome.rows * words } }
    rooms.append(Int32(declarations.count))
    buckets.append(
      TriggerBucket(
        firstEntry: Int32(entryDeclarations.count), entryCount: Int32(declarations.count),
        wordCount: Int32(words), stateOffset: Int32(initialState.count),
        factOffset: hasFacts ? Int32(factWords) : -1,
        rowOffset: Int32(rows.count),
        hasSpecials: declarations.contains { reminders[Int($0)].isSpecial }, minuteRow: Int16(minuteRow),
        firstRegionRow: Int32(firstRegion), endOfRegionRows: Int32(regionRows.count),
        regions: regions.reduce(0) { $0 | 1 << $1 }))
    buckets[buckets.count - 1].updateEvaluation()
    appendWords(declarations, of: reminders)
    entryDeclarations += declarations
    rows += fixed.words
    initialState += state.words
  }

  private mutating func appendWords(_ declarations: [UInt32], of reminders: [CompiledReminder]) {
    for first in stride(from: 0, to: declarations.count, by: 64) {
      firstEntries.append(UInt32(entryDeclarations.count + first))
      var words = [UInt64](repeating: 0, count: MatchTables.bucketCount)
      for (bit, declaration) in declarations[first..<min(first + 64, declarations.count)].enumerated() {
        let reminder = reminders[Int(declaration)]
        if reminder.isInterchangeable { words[Int(reminder.plan.bucket.rawValue)] |= 1 << UInt64(bit) }
      }
      alike += words
    }
  }
}

extension CompiledReminder {
  package var windowDigits: WindowDigits { WindowDigits(window) }

  /// Whether only the bucket and the type of a request affect the decision about it. For this, the reminder
  /// must have one trigger, no prescheduled requests and no critical conditions.
  package var isInterchangeable: Bool {
    triggers.count == 1 && !hasResidual && plan.schedule == nil && plan.lapse == nil && plan.repetition == nil
      && plan.criticalConditions.isEmpty
  }

  /// See ``TriggerBucket/hasSpecials``.
  package var isSpecial: Bool {
    hasResidual || triggers.count > 1 || plan.repeats != .once && plan.repeats != .daily
  }

  /// Whether the reminder has conditions without a row.
  package var hasResidual: Bool { plan.residual.count > plan.factsInRows.count }
}

extension BitRows {
  /// Sets the bits of an entry in the immutable rows.
  ///
  /// - Parameters:
  ///   - regionRow: The row of the entry's region. It is ignored if there is no region condition.
  ///   - minuteRow: See ``TriggerBucket/minuteRow``.
  package mutating func fill(_ entry: Int, _ reminder: CompiledReminder, regionRow: Int, minuteRow: Int) {
    for day in Weekday.allCases where reminder.weekdays.contains(day) {
      set(FixedRow.weekday + Int(day.rawValue), entry)
    }
    for state in 0..<2 where reminder.charging >> UInt8(state) & 1 == 1 {
      set(FixedRow.charging + state, entry)
    }
    switch reminder.plan.repeats {
    case .once: set(FixedRow.once, entry)
    case .daily: break
    case .weekly: set(FixedRow.weekly, entry)
    case .monthly: set(FixedRow.monthly, entry)
    case .always: set(FixedRow.always, entry)
    }
    if reminder.hasResidual { set(FixedRow.residual, entry) }
    if reminder.triggers.count > 1 { set(FixedRow.shared, entry) }
    for row in reminder.windowDigits.rows { set(FixedRow.windows + row, entry) }
    for row in reminder.windowDigits.minuteRows { set(minuteRow + row, entry) }
    if reminder.region != nil { set(regionRow, entry) }
  }
}

/// The sort key of a declaration, which determines the order in which the requests of one instant are
/// decided.
///
/// For requests that are scheduled for the same instant, this is the order of
/// ``TriggerModel/NotificationRequest/isDecidedBefore(_:_:)``.
package struct DecisionOrder: Hashable, Comparable, Sendable, BitwiseCopyable {
  private var high: UInt64
  private var low: UInt64

  package init(_ plan: Plan, rank: UInt32) {
    high = UInt64(plan.bucket.rawValue) << 40 | UInt64(plan.priority) << 32 | UInt64(plan.type.rawValue)
    low = UInt64(rank) << 32 | UInt64(plan.reminder.rawValue)
  }

  package static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension ProgramLayout {
  /// See ``ReminderProgram/typeStarts``.
  package func declarationsByType(_ typeCount: Int) -> (starts: [UInt32], declarations: [UInt32]) {
    var found: [(type: Int, declaration: UInt32)] = []
    for word in firstEntries.indices {
      let bits = alike[word * MatchTables.bucketCount..<(word + 1) * MatchTables.bucketCount].reduce(0, |)
      for bit in Bits(bits) {
        let declaration = entryDeclarations[Int(firstEntries[word]) + bit]
        found.append((plans[Int(declaration)].type.index, declaration))
      }
    }
    var starts = [UInt32](repeating: 0, count: typeCount + 1)
    for (type, _) in found { starts[type + 1] += 1 }
    for type in 0..<typeCount { starts[type + 1] += starts[type] }
    var next = starts
    var sorted = [UInt32](repeating: 0, count: found.count)
    for (type, declaration) in found {
      sorted[Int(next[type])] = declaration
      next[type] += 1
    }
    return (starts, sorted)
  }
}
