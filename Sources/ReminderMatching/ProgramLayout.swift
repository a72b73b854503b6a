import CivilTime
import TriggerModel

/// Lays the entries of all reminders out in buckets and rows.
struct ProgramLayout {
  var plans: [Plan] = []
  var buckets: [TriggerBucket] = []
  var bucketsOfKind: [BucketRange] = []
  var entryDeclarations: [UInt32] = []
  var rows: [UInt64] = []
  var initialState: [UInt64] = []
  var initialBuckets: [BucketState] = []
  var regionRows: [RegionRow] = []
  var edges: [UInt32] = []
  var windows: [EntryWindow] = []
  /// Words of all rows of failing fact conditions.
  var factWords = 0
  /// See ``MatchTables/firstEntries``.
  var firstEntries: [UInt32] = []
  /// See ``MatchTables/alike``.
  var alike: [UInt64] = []
  var entriesOfDeclaration: [UInt32] = [0]
  var entryPlaces: [EntryPlace] = []

  init(_ reminders: [CompiledReminder], reminderCount: Int, names: EngineNames) throws(ReminderCompileError) {
    plans = reminders.map(\.plan)
    var members = makeBuckets(of: reminders, names: names)
    for (position, reminder) in reminders.enumerated() {
      for trigger in reminder.triggers {
        let bucket = Int(bucketsOfKind[Int(trigger.kind.rawValue)].first + trigger.subject)
        members[bucket].append(UInt32(position))
      }
    }
    var places: [[EntryPlace]] = Array(repeating: [], count: reminders.count)
    for (bucket, declarations) in members.enumerated() {
      if declarations.count > Edge.entryLimit {
        throw ReminderCompileError(code: .tooManyReminders, reminder: "", subject: "\(Edge.entryLimit)")
      }
      for (entry, declaration) in declarations.enumerated() {
        places[Int(declaration)].append(EntryPlace(bucket: UInt32(bucket), entry: UInt32(entry)))
      }
      appendBucket(declarations, of: reminders, reminderCount: reminderCount)
    }
    for list in places {
      entryPlaces += list
      entriesOfDeclaration.append(UInt32(entryPlaces.count))
    }
  }

  /// One empty list of members for each event kind and subject that a trigger can name.
  private mutating func makeBuckets(of reminders: [CompiledReminder], names: EngineNames) -> [[UInt32]] {
    let named = Set(reminders.flatMap { $0.triggers.map(\.kind) })
    var count: UInt32 = 0
    for kind in ObservedEvent.Kind.allCases {
      let subjects =
        switch kind {
        case .appOpened: names.apps.count
        case .regionEntered, .regionExited: names.regions.count
        case .factChanged: names.facts.count
        case .unlock, .lock, .chargingStarted, .chargingStopped, .batteryLevel, .opened, .backgrounded,
          .regionFailed, .zoneChanged, .clockChanged, .permissionChanged, .launched, .storeAvailable,
          .reinstalled, .woken, .addFailed, .pendingDropped, .delivered, .tapped, .dismissed, .snooze,
          .cancel, .edit, .cancelAll, .factFound, .preferencesChanged, .located, .create:
          named.contains(kind) ? 1 : 0
        }
      bucketsOfKind.append(BucketRange(first: count, count: UInt32(subjects)))
      count += UInt32(subjects)
    }
    return Array(repeating: [], count: Int(count))
  }

  /// The part that matching reads, in memory of its own that the caller frees.
  func tables(reminderCount: Int, dayEnds: [FactValue?]) -> MatchTables {
    MatchTables(
      bucketsOfKind: PlainTable(bucketsOfKind), buckets: PlainTable(buckets),
      declarations: PlainTable(entryDeclarations),
      edited: PlainTable(plans.dropFirst(reminderCount).map(\.reminder.rawValue)),
      reminderCount: UInt32(reminderCount), rows: PlainTable(rows), regionRows: PlainTable(regionRows),
      edges: PlainTable(edges), facts: FactTablesBuilder(plans, dayEnds: dayEnds).tables(bits: factBits),
      firstEntries: PlainTable(firstEntries), alike: PlainTable(alike), windows: PlainTable(windows))
  }

  /// The bits of each declaration in the rows of failing fact conditions.
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
    _ declarations: [UInt32], of reminders: [CompiledReminder], reminderCount: Int
  ) {
    let words = (declarations.count + 63) / 64
    let regions = Set(declarations.compactMap { reminders[Int($0)].region?.id.rawValue }).sorted()
    let firstEdge = edges.count
    let firstWindow = windows.count
    let firstRegion = regionRows.count
    for (position, region) in regions.enumerated() {
      regionRows.append(RegionRow(region: UInt8(region), row: UInt16(FixedRow.count + position)))
    }
    var fixed = BitRows(count: FixedRow.count + regions.count, words: words)
    var state = BitRows(count: StateRow.allCases.count, words: words)
    for (entry, declaration) in declarations.enumerated() {
      let reminder = reminders[Int(declaration)]
      fill(&fixed, entry, reminder, regions: regions)
      if Int(declaration) < reminderCount, !reminder.plan.isMadeLater {
        state.set(StateRow.live.rawValue, entry)
        state.set(StateRow.armed.rawValue, entry)
      }
      if reminder.region?.inside == true { state.set(StateRow.regionFails.rawValue, entry) }
      guard let window = reminder.window else {
        state.set(StateRow.window.rawValue, entry)
        continue
      }
      windows.append(
        EntryWindow(entry: UInt32(entry), from: UInt16(window.from), to: UInt16(window.to)))
      if !window.isEmpty {
        edges.append(Edge.packed(minute: window.from, entry: entry))
        edges.append(Edge.packed(minute: window.to, entry: entry))
      }
      if window.contains(WindowHands(start: 0, end: 0)) { state.set(StateRow.window.rawValue, entry) }
    }
    edges[firstEdge...].sort()
    let afterMidnight = edges[firstEdge...].firstIndex { Edge.minute($0) > 0 } ?? edges.count
    initialBuckets.append(BucketState(nextEdge: Int32(afterMidnight)))
    let hasFacts = declarations.contains { !reminders[Int($0)].plan.factsInRows.isEmpty }
    defer { if hasFacts { factWords += FactOutcome.rows * words } }
    buckets.append(
      TriggerBucket(
        firstEntry: Int32(entryDeclarations.count), entryCount: Int32(declarations.count),
        wordCount: Int32(words), stateOffset: Int32(initialState.count),
        factOffset: hasFacts ? Int32(factWords) : -1,
        rowOffset: Int32(rows.count),
        firstEdge: Int32(firstEdge), endOfEdges: Int32(edges.count),
        firstWindow: Int32(firstWindow), endOfWindows: Int32(windows.count),
        firstRegionRow: Int32(firstRegion), endOfRegionRows: Int32(regionRows.count),
        regions: regions.reduce(0) { $0 | 1 << $1 }))
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
        if Self.asksAlike(reminder) { words[Int(reminder.plan.bucket.rawValue)] |= 1 << UInt64(bit) }
      }
      alike += words
    }
  }

  /// Whether what a reminder's match leads to follows from its bucket and type alone: it has one trigger, nothing
  /// that is handed over beforehand, and no bucket that depends on facts.
  private static func asksAlike(_ reminder: CompiledReminder) -> Bool {
    let plan = reminder.plan
    return reminder.triggers.count == 1 && plan.residual.count == plan.factsInRows.count
      && plan.schedule == nil && plan.lapse == nil && plan.repetition == nil
      && plan.criticalConditions.isEmpty
  }

  private func fill(_ rows: inout BitRows, _ entry: Int, _ reminder: CompiledReminder, regions: [UInt32]) {
    for day in Weekday.allCases where reminder.weekdays.contains(day) {
      rows.set(FixedRow.weekday + Int(day.rawValue), entry)
    }
    for state in 0..<2 where reminder.charging >> UInt8(state) & 1 == 1 {
      rows.set(FixedRow.charging + state, entry)
    }
    switch reminder.plan.repeats {
    case .once: rows.set(FixedRow.once, entry)
    case .daily: break
    case .weekly: rows.set(FixedRow.weekly, entry)
    case .monthly: rows.set(FixedRow.monthly, entry)
    case .always: rows.set(FixedRow.always, entry)
    }
    if reminder.plan.residual.count > reminder.plan.factsInRows.count { rows.set(FixedRow.residual, entry) }
    if reminder.triggers.count > 1 { rows.set(FixedRow.shared, entry) }
    if let region = reminder.region, let position = regions.firstIndex(of: region.id.rawValue) {
      rows.set(FixedRow.count + position, entry)
    }
  }
}

/// Where an entry stands among the words of the program.
struct TypePlace: Sendable, BitwiseCopyable {
  var word: UInt32
  var bit: UInt8
}

extension ProgramLayout {
  /// See ``ReminderProgram/order``.
  var order: [UInt32] {
    // That of ``NotificationRequest/isDecidedBefore(_:_:)``, where both are scheduled for the same instant.
    let sorted = plans.indices.sorted { first, second in
      let (a, b) = (plans[first], plans[second])
      if a.bucket != b.bucket { return a.bucket.rawValue < b.bucket.rawValue }
      if a.priority != b.priority { return a.priority < b.priority }
      if a.type != b.type { return a.type < b.type }
      return (a.rank, a.reminder) < (b.rank, b.reminder)
    }
    var order = [UInt32](repeating: 0, count: plans.count)
    for (place, declaration) in sorted.enumerated() { order[declaration] = UInt32(place) }
    return order
  }

  /// See ``ReminderProgram/typeStarts``.
  func placesByType(_ typeCount: Int) -> (starts: [UInt32], places: [TypePlace]) {
    var places: [(type: Int, place: TypePlace)] = []
    for word in firstEntries.indices {
      let bits = alike[word * MatchTables.bucketCount..<(word + 1) * MatchTables.bucketCount].reduce(0, |)
      for bit in Bits(bits) {
        let plan = Int(entryDeclarations[Int(firstEntries[word]) + bit])
        places.append((plans[plan].type.index, TypePlace(word: UInt32(word), bit: UInt8(bit))))
      }
    }
    var starts = [UInt32](repeating: 0, count: typeCount + 1)
    for (type, _) in places { starts[type + 1] += 1 }
    for type in 0..<typeCount { starts[type + 1] += starts[type] }
    var next = starts
    var sorted = [TypePlace](repeating: TypePlace(word: 0, bit: 0), count: places.count)
    for (type, place) in places {
      sorted[Int(next[type])] = place
      next[type] += 1
    }
    return (starts, sorted)
  }
}

/// Rows of bits of one length, one after another.
struct BitRows {
  private(set) var words: [UInt64]
  private let wordCount: Int

  init(count: Int, words: Int) {
    self.words = Array(repeating: 0, count: count * words)
    wordCount = words
  }

  package mutating func set(_ row: Int, _ bit: Int) {
    words[row * wordCount + bit / 64] |= 1 << UInt64(bit % 64)
  }
}
