import CivilTime
public import TriggerModel

/// Reminders compiled into packed, immutable tables, shared by everyone who has these reminders.
///
/// Each trigger of a reminder is an *entry* in the bucket of its trigger kind and parameter. Entry *i*
/// of a bucket is bit `i % 64` of word `i / 64` in each of the bucket's rows: one row per weekday, per
/// region that is asked about, and so on. Matching combines rows word by word, so 64 reminders cost
/// what one costs.
public final class ReminderProgram: Sendable {
  /// What the author wrote, in order; edits follow the reminders that they replace.
  public let declarations: [ReminderDeclaration]
  /// How many of ``declarations`` are reminders; the rest are edits.
  public let reminderCount: Int
  public let names: EngineNames
  /// By what the state of an engine is found again.
  public let storeNames: StoreNames

  package let plans: [Plan]
  let tables: MatchTables
  /// The state words before anything happened: the template of every engine's own.
  let initialState: [UInt64]
  let initialBuckets: [BucketState]
  /// Where each declaration's entries are: `entriesOfDeclaration[d]..<[d + 1]` in ``entryPlaces``.
  let entriesOfDeclaration: [UInt32]
  let entryPlaces: [EntryPlace]
  /// Words of all rows of failing fact conditions.
  let factWords: Int
  /// By declaration: its place in the order in which requests that are made for the same instant are decided.
  package let order: [UInt32]
  /// The entries that ask alike, by type: `typeStarts[t]..<[t + 1]` in ``typePlaces``.
  let typeStarts: [UInt32]
  let typePlaces: [TypePlace]
  /// The reminders with a schedule, of their own or an edit's.
  package let scheduled: [ReminderID]
  /// The reminders that are planned by lapses, of their own or an edit's.
  package let lapsing: [ReminderID]
  /// The reminders that the system repeats, of their own or an edit's.
  package let repeating: [ReminderID]
  /// The reminders that do not exist until the person makes them.
  package let madeLater: [ReminderID]
  /// No more requests for later than this are made by schedules, lapses and what the system repeats.
  package let mostPending: Int
  /// By fact: the reminders whose reason its value may end.
  package let withdrawing: [[ReminderID]]
  /// By fact: the reminders that count their days from it.
  package let countingFrom: [[ReminderID]]
  /// By fact: the reminders that hand over beforehand what conditions on its value allow.
  package let foreseeing: [[ReminderID]]
  /// The reminders that hand over beforehand what conditions on charger and place allow.
  package let foreseeingState: [ReminderID]
  /// The regions that a trigger or a condition names, in order.
  package let regions: [RegionID]
  /// What decides which of them are watched.
  package let places: PlaceTable
  let weekStart: Weekday

  init(
    layout: ProgramLayout, declarations: [ReminderDeclaration], reminderCount: Int, names: EngineNames,
    weekStart: Weekday
  ) {
    self.declarations = declarations
    self.reminderCount = reminderCount
    self.names = names
    storeNames = StoreNames(
      reminders: declarations.prefix(reminderCount).map(\.id), types: names.types)
    self.weekStart = weekStart
    plans = layout.plans
    mostPending = plans.reduce(0) {
      $0 + ($1.schedule?.ahead ?? 0) + ($1.lapse?.days.count ?? 0) + ($1.repetition?.patterns.count ?? 0)
    }
    tables = layout.tables(reminderCount: reminderCount, dayEnds: names.dayEnds)
    initialState = layout.initialState
    initialBuckets = layout.initialBuckets
    entriesOfDeclaration = layout.entriesOfDeclaration
    entryPlaces = layout.entryPlaces
    factWords = layout.factWords
    order = layout.order
    (typeStarts, typePlaces) = layout.placesByType(names.types.count)
    scheduled = Set(layout.plans.filter { $0.schedule != nil }.map(\.reminder)).sorted()
    lapsing = Set(layout.plans.filter { $0.lapse != nil }.map(\.reminder)).sorted()
    repeating = Set(layout.plans.filter { $0.repetition != nil }.map(\.reminder)).sorted()
    madeLater = declarations.prefix(reminderCount).indices.filter { declarations[$0].isMadeLater }
      .map { ReminderID($0) }
    let factCount = names.facts.count
    withdrawing = Self.byFact(layout.plans, factCount) { $0.withdrawals.flatMap(\.facts) }
    countingFrom = Self.byFact(layout.plans, factCount) { $0.countsFrom.map { [$0] } ?? [] }
    foreseeing = Self.byFact(layout.plans, factCount) { plan in
      plan.handsOver ? (plan.conditions.flatMap(\.facts) + plan.withdrawals.flatMap(\.facts)) : []
    }
    foreseeingState = Set(
      layout.plans.filter { $0.handsOver && $0.conditions.contains(where: \.isOfState) }.map(\.reminder)
    ).sorted()
    regions = Set(declarations.flatMap(\.regions).compactMap { names.region($0) }).sorted()
    places = PlaceTable(
      of: declarations, ranks: layout.plans.map { ($0.reminder, $0.rank) }, regions: regions, names)
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

  /// Where a declaration's entries are, one per trigger.
  func places(of declaration: UInt32) -> ArraySlice<EntryPlace> {
    entryPlaces[Int(entriesOfDeclaration[Int(declaration)])..<Int(entriesOfDeclaration[Int(declaration) + 1])]
  }

  /// Bytes of the tables that matching reads; every engine of this program shares them.
  public var tableBytes: Int { tables.bytes }
}

/// What a declaration asks for beyond the rows: read when it fires, not when it is looked at.
package struct Plan: Sendable {
  package var reminder: ReminderID
  /// Its place among all in the order of their names.
  package var rank: UInt32
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
  var residual: [CompiledCondition] = []
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
  var factsInRows: [CompiledFactCondition] = []

  /// Whether it asks for notifications before their time.
  package var handsOver: Bool { lapse != nil || repetition != nil || schedule.map { $0.ahead > 0 } ?? false }
}
