package import CivilTime
public import TriggerModel

/// Reminders compiled into packed tables, shared by everyone who has these reminders.
///
/// Each trigger of a reminder is an *entry* in the bucket of its trigger kind and parameter. Entry *i*
/// of a bucket is bit `i % 64` of word `i / 64` in each of the bucket's rows: one row per weekday, per
/// region that is asked about, and so on. Matching combines rows word by word, so 64 reminders cost
/// what one costs.
///
/// It never changes for anybody who can see it: a `Matcher` that adds to its reminders takes a copy first, unless
/// nobody else has the program.
// Unchecked: it has variables, and no two threads ever share a program of which one is changed.
public final class ReminderProgram: @unchecked Sendable {
  /// What the author wrote: the reminders in order, edits after those that they replace, and what was added since.
  @exclusivity(unchecked) public package(set) var declarations: [ReminderDeclaration]
  /// How many reminders there are: those of the beginning, and those that were added since.
  public var reminderCount: Int { ownDeclarations.count }
  /// Of the first so many of ``declarations`` each is that of the reminder of the same number.
  package let firstCount: Int
  /// So many of ``declarations`` after these are edits.
  package let editCount: Int
  /// What was given to compile it, and the types that reminders have added.
  public let names: EngineNames
  /// By what the state of an engine is found again.
  @exclusivity(unchecked) public package(set) var storeNames: StoreNames

  // Other modules reach what the hot path asks for through accessors that are inlined there: of a stored property that
  // they reach themselves every access is checked at run time, whatever its attribute says.
  package var plans: [Plan] {
    @inlinable _read { yield storedPlans }
    @inlinable _modify { yield &storedPlans }
  }
  /// By reminder: its declaration, as long as no edit replaces it.
  package var ownDeclarations: [UInt32] {
    @inlinable _read { yield storedOwnDeclarations }
    @inlinable _modify { yield &storedOwnDeclarations }
  }
  @exclusivity(unchecked) @usableFromInline package var storedPlans: [Plan]
  @exclusivity(unchecked) @usableFromInline package var storedOwnDeclarations: [UInt32]
  @exclusivity(unchecked) package var tables: MatchTables
  /// What is remembered before anything happened: the template of every engine's own.
  @exclusivity(unchecked) package var template: MatcherState
  /// Where each declaration's entries are: `entriesOfDeclaration[d]..<[d + 1]` in ``entryPlaces``.
  @exclusivity(unchecked) package var entriesOfDeclaration: [UInt32]
  @exclusivity(unchecked) package var entryPlaces: [EntryPlace]
  /// Words of all rows of failing fact conditions.
  @exclusivity(unchecked) package var factWords: Int
  /// By declaration: its place in the order in which requests that are made for the same instant are decided.
  @exclusivity(unchecked) package var order: [DecisionOrder]
  /// The declarations that ask alike, by type: `typeStarts[t]..<[t + 1]` in ``declarationsByType``.
  package let typeStarts: [UInt32]
  package let declarationsByType: [UInt32]
  /// Those that were added since.
  @exclusivity(unchecked) package var addedByType: [TypeID: [UInt32]] = [:]
  /// The reminders with a schedule, of their own or an edit's.
  @exclusivity(unchecked) package var scheduled: [ReminderID]
  /// The reminders that are planned by lapses, of their own or an edit's.
  @exclusivity(unchecked) package var lapsing: [ReminderID]
  /// The reminders that the system repeats, of their own or an edit's.
  @exclusivity(unchecked) package var repeating: [ReminderID]
  /// The reminders that do not exist until the person makes them, and those that were removed.
  @exclusivity(unchecked) package var madeLater: [ReminderID]
  /// No more requests for later than this are made by schedules, lapses and what the system repeats.
  @exclusivity(unchecked) package var mostPending: Int
  /// By fact: the reminders whose reason its value may end.
  @exclusivity(unchecked) package var withdrawing: [[ReminderID]]
  /// By fact: the reminders that count their days from it.
  @exclusivity(unchecked) package var countingFrom: [[ReminderID]]
  /// By fact: the reminders that hand over beforehand what conditions on its value allow.
  @exclusivity(unchecked) package var foreseeing: [[ReminderID]]
  /// The reminders that hand over beforehand what conditions on charger and place allow.
  @exclusivity(unchecked) package var foreseeingState: [ReminderID]
  /// The regions that a trigger or a condition names, in order.
  @exclusivity(unchecked) package var regions: [RegionID]
  /// What decides which of them are watched.
  @exclusivity(unchecked) package var places: PlaceTable
  package let weekStart: Weekday
  /// Those of ``declarations`` that nothing can bring into force any more.
  @exclusivity(unchecked) package var replaced: Set<UInt32> = []
  /// How many since all were compiled.
  @exclusivity(unchecked) package var replacedSince = 0
  /// By region: how many declarations name it.
  @exclusivity(unchecked) package var regionUses: [Int]

  package init(
    layout: ProgramLayout, declarations: [ReminderDeclaration], ownDeclarations: [UInt32], firstCount: Int,
    editCount: Int, names: EngineNames, storeNames: StoreNames, weekStart: Weekday
  ) {
    self.declarations = declarations
    storedOwnDeclarations = ownDeclarations
    self.firstCount = firstCount
    self.editCount = editCount
    self.names = names
    self.storeNames = storeNames
    self.weekStart = weekStart
    storedPlans = layout.plans
    mostPending = layout.plans.reduce(0) { $0 + $1.mostPending }
    (tables, template) = layout.tables(
      firstCount: firstCount, reminderCount: ownDeclarations.count, dayEnds: names.dayEnds)
    entriesOfDeclaration = layout.entriesOfDeclaration
    entryPlaces = layout.entryPlaces
    factWords = layout.factWords
    order = layout.plans.map { DecisionOrder($0, rank: storeNames.ranks[$0.reminder.index]) }
    (typeStarts, declarationsByType) = layout.declarationsByType(names.types.count)
    scheduled = Set(layout.plans.filter { $0.schedule != nil }.map(\.reminder)).sorted()
    lapsing = Set(layout.plans.filter { $0.lapse != nil }.map(\.reminder)).sorted()
    repeating = Set(layout.plans.filter { $0.repetition != nil }.map(\.reminder)).sorted()
    madeLater = ownDeclarations.indices.filter { layout.plans[Int(ownDeclarations[$0])].isMadeLater }
      .map { ReminderID($0) }
    let factCount = names.facts.count
    withdrawing = Self.byFact(layout.plans, factCount, facts: \.withdrawingFacts)
    countingFrom = Self.byFact(layout.plans, factCount) { $0.countsFrom.map { [$0] } ?? [] }
    foreseeing = Self.byFact(layout.plans, factCount, facts: \.foreseenFacts)
    foreseeingState = Set(layout.plans.filter(\.foreseesState).map(\.reminder)).sorted()
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

  /// For one who is to change it.
  package init(copying other: ReminderProgram) {
    (declarations, storedOwnDeclarations) = (other.declarations, other.ownDeclarations)
    (firstCount, editCount) = (other.firstCount, other.editCount)
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
    madeLater = other.madeLater
    mostPending = other.mostPending
    (withdrawing, countingFrom) = (other.withdrawing, other.countingFrom)
    (foreseeing, foreseeingState) = (other.foreseeing, other.foreseeingState)
    (regions, regionUses) = (other.regions, other.regionUses)
    places = other.places
    weekStart = other.weekStart
    (replaced, replacedSince) = (other.replaced, other.replacedSince)
  }

  deinit { tables.deallocate() }

  /// The reminders of the plans by the facts that `facts` names in each.
  private static func byFact(_ plans: [Plan], _ factCount: Int, facts: (Plan) -> [FactID]) -> [[ReminderID]] {
    var reminders: [Set<ReminderID>] = Array(repeating: [], count: factCount)
    for plan in plans {
      for fact in facts(plan) { reminders[fact.index].insert(plan.reminder) }
    }
    return reminders.map { $0.sorted() }
  }

  /// The declaration with that id among the reminders.
  public func reminder(named name: String) -> ReminderID? {
    storeNames.reminder(name)
  }

  /// A number that is in the order of the names.
  package func rank(of reminder: ReminderID) -> UInt32 { storeNames.ranks[reminder.index] }

  /// Whether a reminder does not exist until the person makes it, or was removed.
  package func isMadeLater(_ reminder: ReminderID) -> Bool {
    plans[Int(ownDeclarations[reminder.index])].isMadeLater
  }

  /// So many declarations have a state of failing facts: all, or none where none has fact conditions.
  package var failingCount: Int { tables.facts.firstPlace.count == 0 ? 0 : plans.count }

  /// Where a declaration's entries are, one per trigger.
  package func places(of declaration: UInt32) -> ArraySlice<EntryPlace> {
    entryPlaces[Int(entriesOfDeclaration[Int(declaration)])..<Int(entriesOfDeclaration[Int(declaration) + 1])]
  }

  /// Bytes of the tables that matching reads; every engine of this program shares them.
  public var tableBytes: Int { tables.bytes }
}

/// What a declaration asks for beyond the rows: read when it fires, not when it is looked at.
@usableFromInline package struct Plan: Sendable {
  package var reminder: ReminderID
  package var type: TypeID
  package var bucket: Bucket
  /// When there are any and all hold, the request is in the critical bucket instead.
  package var criticalConditions: [CompiledFactCondition] = []
  package var priority: UInt8
  package var copies: UInt8
  package var repeats: Repeat
  package var usefulFor: TimeSpan?
  package var expires: Instant
  /// It does not exist from the start.
  package var isMadeLater: Bool
  /// All conditions, as declared.
  package var conditions: [CompiledCondition] = []
  /// Those that have no row: facts, and the second of a kind.
  package var residual: [CompiledCondition] = []
  package var schedule: Schedule?
  /// The fact from which the schedule counts its days; nil: it is one of the calendar.
  package var countsFrom: FactID?
  package var lapse: Lapse?
  package var repetition: RepeatingSchedule?
  /// Differs when what is handed over beforehand differs: see ``Plan/markOfPlan()``.
  package var mark: UInt32 = 0
  /// What ends the reminder's reason.
  package var withdrawals: [CompiledFactCondition] = []

  /// Of ``residual``, the fact conditions that have terms.
  package var factsInRows: [CompiledFactCondition] = []

  /// No more requests for later than this are made of it.
  package var mostPending: Int {
    (schedule?.ahead ?? 0) + (lapse?.days.count ?? 0) + (repetition?.patterns.count ?? 0)
  }

  /// The facts whose values may end its reason.
  package var withdrawingFacts: [FactID] { withdrawals.flatMap(\.facts) }

  /// The facts on whose values it depends what is handed over beforehand.
  package var foreseenFacts: [FactID] { handsOver ? conditions.flatMap(\.facts) + withdrawingFacts : [] }

  package func foresees(_ fact: FactID) -> Bool {
    handsOver
      && (conditions.contains { $0.facts.contains(fact) } || withdrawals.contains { $0.facts.contains(fact) })
  }

  /// Whether charger or place decide what is handed over beforehand.
  package var foreseesState: Bool { handsOver && conditions.contains(where: \.isOfState) }

  /// Whether it asks for notifications before their time.
  package var handsOver: Bool { lapse != nil || repetition != nil || schedule.map { $0.ahead > 0 } ?? false }
}

extension Plan {
  /// What is left of it when nothing can bring it into force any more.
  package var emptied: Plan {
    var plan = Plan(
      reminder: reminder, type: type, bucket: bucket, priority: priority, copies: 0, repeats: repeats,
      expires: .distantFuture, isMadeLater: true)
    // The rows go on following the facts.
    plan.factsInRows = factsInRows
    return plan
  }
}
