package import CivilTime
public import TriggerModel

/// The compiled form of reminders: packed tables, which all engines with these reminders share.
///
/// Each trigger of a reminder is an *entry* in the bucket for its event kind and subject. Entry *i* of a
/// bucket is bit `i % 64` of word `i / 64` in each of the bucket's rows. There is one row per weekday, one
/// per region with a condition, and so on. Matching combines rows word by word, so it processes 64 reminders
/// at a time.
///
/// A program never changes while it is shared. Unless a `Matcher` is the only owner, it copies the program
/// before it adds reminders.
// The conformance is unchecked because the class has variables. A program is changed only while a single
// thread owns it.
public final class ReminderProgram: @unchecked Sendable {
  /// The declarations as the caller passed them: first the initial reminders, then edits, then added
  /// reminders.
  @exclusivity(unchecked) public package(set) var declarations: [ReminderDeclaration]
  /// The number of reminders, including added ones.
  public var reminderCount: Int { ownDeclarations.count }
  /// The number of initial reminders. Each of them has the same number as its declaration.
  package let initialCount: Int
  /// The number of edits, which follow the initial declarations.
  package let editCount: Int
  /// The names that were passed to the compiler.
  public let names: EngineNames
  /// The names under which the state of an engine is stored.
  @exclusivity(unchecked) public package(set) var storeNames: StoreNames

  // Other modules access these properties through inlined accessors. Despite the attribute, direct accesses
  // from another module would be checked for exclusivity at run time.
  package var plans: [Plan] {
    @inlinable _read { yield storedPlans }
    @inlinable _modify { yield &storedPlans }
  }
  /// For each reminder, the declaration that is in force when no edit is.
  package var ownDeclarations: [UInt32] {
    @inlinable _read { yield storedOwnDeclarations }
    @inlinable _modify { yield &storedOwnDeclarations }
  }
  @exclusivity(unchecked) @usableFromInline package var storedPlans: [Plan]
  @exclusivity(unchecked) @usableFromInline package var storedOwnDeclarations: [UInt32]
  @exclusivity(unchecked) package var tables: MatchTables
  /// The initial state, which every engine copies.
  @exclusivity(unchecked) package var template: MatcherState
  /// The start of each declaration's entries in ``entryPlaces``. The entries of declaration `d` are at
  /// `entriesOfDeclaration[d]..<entriesOfDeclaration[d + 1]`.
  @exclusivity(unchecked) package var entriesOfDeclaration: [UInt32]
  @exclusivity(unchecked) package var entryPlaces: [EntryPlace]
  /// The total number of words in the rows of failing fact conditions.
  @exclusivity(unchecked) package var factWords: Int
  /// The sort key of each declaration, which determines the order in which the requests of one instant are
  /// decided.
  @exclusivity(unchecked) package var order: [DecisionOrder]
  /// The start of each type in ``declarationsByType``, which has the declarations with interchangeable
  /// requests. Those of type `t` are at `typeStarts[t]..<typeStarts[t + 1]`.
  package let typeStarts: [UInt32]
  package let declarationsByType: [UInt32]
  /// For each type, the declarations with interchangeable requests that were added later.
  @exclusivity(unchecked) package var addedByType: [TypeID: [UInt32]] = [:]
  /// The reminders with a schedule in their own declaration or in an edit.
  @exclusivity(unchecked) package var scheduled: [ReminderID]
  /// The reminders with a lapse trigger in their own declaration or in an edit.
  @exclusivity(unchecked) package var lapsing: [ReminderID]
  /// The reminders with a repeating trigger in their own declaration or in an edit.
  @exclusivity(unchecked) package var repeating: [ReminderID]
  /// The reminders that do not exist until the person creates them, and the removed reminders.
  @exclusivity(unchecked) package var createdLater: [ReminderID]
  /// The maximum number of pending requests that schedules, lapses and repetitions can have.
  @exclusivity(unchecked) package var maximumPending: Int
  /// For each fact, the reminders with a withdrawal condition on it.
  @exclusivity(unchecked) package var withdrawing: [[ReminderID]]
  /// For each fact, the reminders with a schedule that counts from it.
  @exclusivity(unchecked) package var countingFrom: [[ReminderID]]
  /// For each fact, the reminders whose prescheduled requests depend on it.
  @exclusivity(unchecked) package var prescheduledByFact: [[ReminderID]]
  /// The reminders whose prescheduled requests depend on charging or regions.
  @exclusivity(unchecked) package var prescheduledByState: [ReminderID]
  /// The regions that triggers and conditions name, in ascending order.
  @exclusivity(unchecked) package var regions: [RegionID]
  /// The locations of the regions, which are needed to choose the regions to monitor.
  @exclusivity(unchecked) package var places: PlaceTable
  package let weekStart: Weekday
  /// The declarations that can never be in force again.
  @exclusivity(unchecked) package var replaced: Set<UInt32> = []
  /// The number of declarations that were replaced since the last compilation.
  @exclusivity(unchecked) package var replacedSince = 0
  /// For each region, the number of declarations that name it.
  @exclusivity(unchecked) package var regionUses: [Int]

  package init(
    layout: ProgramLayout, declarations: [ReminderDeclaration], ownDeclarations: [UInt32], initialCount: Int,
    editCount: Int, names: EngineNames, storeNames: StoreNames, weekStart: Weekday
  ) {
    self.declarations = declarations
    storedOwnDeclarations = ownDeclarations
    self.initialCount = initialCount
    self.editCount = editCount
    self.names = names
    self.storeNames = storeNames
    self.weekStart = weekStart
    storedPlans = layout.plans
    maximumPending = layout.plans.reduce(0) { $0 + $1.maximumPending }
    (tables, template) = layout.tables(
      initialCount: initialCount, reminderCount: ownDeclarations.count, dayEnds: names.dayEnds)
    entriesOfDeclaration = layout.entriesOfDeclaration
    entryPlaces = layout.entryPlaces
    factWords = layout.factWords
    order = layout.plans.map { DecisionOrder($0, rank: storeNames.ranks[$0.reminder.index]) }
    (typeStarts, declarationsByType) = layout.declarationsByType(names.types.count)
    scheduled = Set(layout.plans.filter { $0.schedule != nil }.map(\.reminder)).sorted()
    lapsing = Set(layout.plans.filter { $0.lapse != nil }.map(\.reminder)).sorted()
    repeating = Set(layout.plans.filter { $0.repetition != nil }.map(\.reminder)).sorted()
    createdLater = ownDeclarations.indices.filter { layout.plans[Int(ownDeclarations[$0])].isCreatedLater }
      .map { ReminderID($0) }
    let factCount = names.facts.count
    withdrawing = Self.byFact(layout.plans, factCount, facts: \.withdrawingFacts)
    countingFrom = Self.byFact(layout.plans, factCount) { $0.countsFrom.map { [$0] } ?? [] }
    prescheduledByFact = Self.byFact(layout.plans, factCount, facts: \.prescheduleFacts)
    prescheduledByState = Set(layout.plans.filter(\.prescheduleDependsOnState).map(\.reminder)).sorted()
    regions = Set(declarations.flatMap(\.regions).compactMap { names.region($0) }).sorted()
    regionUses = Array(repeating: 0, count: names.regions.count)
    for declaration in declarations {
      for name in Set(declaration.regions) {
        if let region = names.region(name) { regionUses[region.index] += 1 }
      }
    }
    places = PlaceTable(
      of: declarations, ranks: layout.plans.map { storeNames.ranks[$0.reminder.index] }, regions: regions,
      names)
  }

  /// Creates a copy that the caller will change.
  package init(copying other: ReminderProgram) {
    (declarations, storedOwnDeclarations) = (other.declarations, other.ownDeclarations)
    (initialCount, editCount) = (other.initialCount, other.editCount)
    (names, storeNames) = (other.names, other.storeNames)
    storedPlans = other.plans
    tables = MatchTables(copying: other.tables)
    template = MatcherState(copying: other.template)
    (entriesOfDeclaration, entryPlaces) = (other.entriesOfDeclaration, other.entryPlaces)
    factWords = other.factWords
    order = other.order
    (typeStarts, declarationsByType) = (other.typeStarts, other.declarationsByType)
    addedByType = other.addedByType
    (scheduled, lapsing, repeating) = (other.scheduled, other.lapsing, other.repeating)
    createdLater = other.createdLater
    maximumPending = other.maximumPending
    (withdrawing, countingFrom) = (other.withdrawing, other.countingFrom)
    (prescheduledByFact, prescheduledByState) = (other.prescheduledByFact, other.prescheduledByState)
    (regions, regionUses) = (other.regions, other.regionUses)
    places = other.places
    weekStart = other.weekStart
    (replaced, replacedSince) = (other.replaced, other.replacedSince)
  }

  deinit { tables.deallocate() }

  /// Groups the reminders of plans by the facts that `facts` returns for the plan.
  private static func byFact(_ plans: [Plan], _ factCount: Int, facts: (Plan) -> [FactID]) -> [[ReminderID]] {
    var reminders: [Set<ReminderID>] = Array(repeating: [], count: factCount)
    for plan in plans {
      for fact in facts(plan) { reminders[fact.index].insert(plan.reminder) }
    }
    return reminders.map { $0.sorted() }
  }

  /// Returns the reminder with an id, or `nil` if there is none.
  public func reminder(named name: String) -> ReminderID? {
    storeNames.reminder(name)
  }

  /// Returns the position of a reminder in the order of names.
  package func rank(of reminder: ReminderID) -> UInt32 { storeNames.ranks[reminder.index] }

  /// Returns whether a reminder does not exist until the person creates it, or was removed.
  package func isCreatedLater(_ reminder: ReminderID) -> Bool {
    plans[Int(ownDeclarations[reminder.index])].isCreatedLater
  }

  /// The number of declarations for which failing fact conditions are tracked. These are all declarations, or
  /// none if no declaration has fact conditions.
  package var failingCount: Int { tables.facts.firstPlace.count == 0 ? 0 : plans.count }

  /// Returns the places of a declaration's entries, one for each trigger.
  package func places(of declaration: UInt32) -> ArraySlice<EntryPlace> {
    entryPlaces[Int(entriesOfDeclaration[Int(declaration)])..<Int(entriesOfDeclaration[Int(declaration) + 1])]
  }

  /// The size in bytes of the tables for matching, which all engines of this program share.
  public var tableBytes: Int { tables.bytes }
}

/// The part of a declaration that is needed when its reminder fires, but not to evaluate it.
@usableFromInline package struct Plan: Sendable {
  package var reminder: ReminderID
  package var type: TypeID
  package var bucket: Bucket
  /// The conditions that move the request to the critical bucket if all of them hold. If there are none, the
  /// request is never moved.
  package var criticalConditions: [CompiledFactCondition] = []
  package var priority: UInt8
  package var copies: UInt8
  package var repeats: Repeat
  package var usefulFor: TimeSpan?
  package var expires: Instant
  /// Whether the reminder does not exist initially.
  package var isCreatedLater: Bool
  /// All conditions, in the order of declaration.
  package var conditions: [CompiledCondition] = []
  /// The conditions without a row of their kind: fact conditions, and further conditions of a kind that
  /// already has one.
  package var residual: [CompiledCondition] = []
  package var schedule: Schedule?
  /// The fact from which the schedule counts, or `nil` for a calendar schedule.
  package var countsFrom: FactID?
  package var lapse: Lapse?
  package var repetition: RepeatingSchedule?
  /// A checksum that changes if the prescheduled requests change. See ``Plan/scheduleChecksum()``.
  package var mark: UInt32 = 0
  /// The conditions that withdraw the reminder's requests.
  package var withdrawals: [CompiledFactCondition] = []

  /// The fact conditions of ``residual`` that have terms.
  package var factsInRows: [CompiledFactCondition] = []

  /// The maximum number of pending requests.
  package var maximumPending: Int {
    (schedule?.ahead ?? 0) + (lapse?.days.count ?? 0) + (repetition?.patterns.count ?? 0)
  }

  /// The facts of the withdrawal conditions.
  package var withdrawingFacts: [FactID] { withdrawals.flatMap(\.facts) }

  /// The facts that prescheduled requests depend on.
  package var prescheduleFacts: [FactID] {
    preschedules ? conditions.flatMap(\.facts) + withdrawingFacts : []
  }

  package func prescheduleDependsOn(_ fact: FactID) -> Bool {
    preschedules
      && (conditions.contains { $0.facts.contains(fact) } || withdrawals.contains { $0.facts.contains(fact) })
  }

  /// Whether prescheduled requests depend on charging or regions.
  package var prescheduleDependsOnState: Bool {
    preschedules && conditions.contains(where: \.dependsOnDeviceState)
  }

  /// Whether the plan requests notifications before their time.
  package var preschedules: Bool {
    lapse != nil || repetition != nil || schedule.map { $0.ahead > 0 } ?? false
  }
}

extension Plan {
  /// The plan of a declaration that can never be in force again, without the content that is no longer
  /// needed.
  package var emptied: Plan {
    var plan = Plan(
      reminder: reminder, type: type, bucket: bucket, priority: priority, copies: 0, repeats: repeats,
      expires: .distantFuture, isCreatedLater: true)
    // Keep these, because the rows are still updated when facts change.
    plan.factsInRows = factsInRows
    return plan
  }
}

extension Plan {
  /// Returns a checksum of everything that determines when a reminder is due, or 0 if nothing is
  /// prescheduled.
  ///
  /// It is stored with prescheduled requests, so that a new process can detect that an update of the app has
  /// changed them.
  func scheduleChecksum() -> UInt32 {
    if schedule == nil && lapse == nil && repetition == nil { return 0 }
    var writer = StateWriter(UsedNames())
    writer.optional(schedule) { writer, schedule in
      writer.flag(schedule.ahead > 0)
      switch schedule.dates {
      case .recurring(let recurrence): recurrence.write(to: &writer)
      case .relative(let days): days.write(to: &writer)
      case .elapsed(let spans):
        writer.text(spans.fact)
        writer.list(spans.spans) { $0.signed($1.milliseconds) }
      }
    }
    writer.optional(lapse) { writer, lapse in
      writer.list(lapse.days) { $0.signed(Int64($1)) }
      writer.signed(Int64(lapse.minute))
    }
    if let repetition { writer.list(repetition.patterns) { $0.pattern($1) } }
    return writer.checksum
  }
}
