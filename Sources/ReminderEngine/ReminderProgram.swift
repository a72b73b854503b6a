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

  let plans: [Plan]
  let buckets: [TriggerBucket]
  /// The first bucket of each event kind, by raw value, and how many there are; see ``bucket(of:_:)``.
  let bucketsOfKind: [Range<Int32>]
  /// The declaration of each entry, bucket after bucket.
  let entryDeclarations: [UInt32]
  /// Immutable rows, bucket after bucket; see ``TriggerBucket/row(_:)``.
  let rows: [UInt64]
  /// The state words before anything happened: the template of every engine's own.
  let initialState: [UInt64]
  let regionRows: [RegionRow]
  /// Window edges of a bucket sorted by minute: `minute << 21 | entry`.
  let edges: [UInt32]
  /// The windows of a bucket's entries, for the hours in which a fold makes edges ambiguous.
  let windows: [EntryWindow]
  /// Where each declaration's entries are: `entriesOfDeclaration[d]..<[d + 1]` in ``entryPlaces``.
  let entriesOfDeclaration: [UInt32]
  let entryPlaces: [EntryPlace]
  /// The reminders with a schedule, of their own or an edit's.
  let scheduled: [ReminderID]
  let weekStart: Weekday

  init(
    tables: ProgramTables, declarations: [ReminderDeclaration], reminderCount: Int, names: EngineNames,
    weekStart: Weekday
  ) {
    self.declarations = declarations
    self.reminderCount = reminderCount
    self.names = names
    self.weekStart = weekStart
    plans = tables.plans
    buckets = tables.buckets
    bucketsOfKind = tables.bucketsOfKind
    entryDeclarations = tables.entryDeclarations
    rows = tables.rows
    initialState = tables.initialState
    regionRows = tables.regionRows
    edges = tables.edges
    windows = tables.windows
    entriesOfDeclaration = tables.entriesOfDeclaration
    entryPlaces = tables.entryPlaces
    scheduled = Set(tables.plans.filter { $0.schedule != nil }.map(\.reminder)).sorted()
  }

  /// The bucket that listens to this kind and subject, if any reminder does.
  @inline(__always)
  func bucket(of kind: ObservedEvent.Kind, _ subject: UInt32) -> Int? {
    let range = bucketsOfKind[Int(kind.rawValue)]
    guard subject < UInt32(range.count) else { return nil }
    return Int(range.lowerBound) + Int(subject)
  }

  /// The declaration with that id among the reminders.
  public func reminder(named name: String) -> ReminderID? {
    declarations.prefix(reminderCount).firstIndex { $0.id == name }.map { ReminderID($0) }
  }

  /// Bytes of the tables that matching reads, for the benchmark's bytes per reminder.
  public var hotTableBytes: Int {
    rows.count * 8 + entryDeclarations.count * 4 + edges.count * 4 + buckets.count
      * MemoryLayout<TriggerBucket>.stride
      + regionRows.count * MemoryLayout<RegionRow>.stride
  }
}

/// What a declaration asks for beyond the rows: read when it fires, not when it is looked at.
struct Plan: Sendable {
  var reminder: ReminderID
  var type: TypeID
  var bucket: Bucket
  var priority: UInt8
  var copies: UInt8
  var repeats: Repeat
  var usefulFor: TimeSpan?
  var expires: Instant
  /// All conditions, as declared.
  var conditions: [CompiledCondition] = []
  /// Those that have no row: facts, and the second of a kind.
  var residual: [CompiledCondition] = []
  var schedule: Schedule?
}

/// A condition with identifiers in place of names.
enum CompiledCondition: Hashable, Sendable {
  case timeWindow(DailyWindow)
  case weekdays(WeekdaySet)
  case inside(RegionID)
  case outside(RegionID)
  case charging(Bool)
  case fact(CompiledFactCondition)

  var kinds: ConditionKinds {
    switch self {
    case .timeWindow: .timeWindow
    case .weekdays: .weekdays
    case .inside, .outside: .region
    case .charging: .charging
    case .fact: .fact
    }
  }
}

/// The entries that one event kind and parameter wakes, and where their rows are.
struct TriggerBucket: Sendable {
  /// Into ``ReminderProgram/entryDeclarations``.
  var firstEntry: Int32
  var entryCount: Int32
  /// Words in each row.
  var wordCount: Int32
  /// Into the state words; rows in the order of ``StateRow``.
  var stateOffset: Int32
  /// Into ``ReminderProgram/rows``; rows in the order of ``FixedRow``, then one per region asked about.
  var rowOffset: Int32
  var edges: Range<Int32>
  var windows: Range<Int32>
  var regionRows: Range<Int32>

  @inline(__always)
  func state(_ row: StateRow) -> Int { Int(stateOffset) + row.rawValue * Int(wordCount) }

  @inline(__always)
  func row(_ row: Int) -> Int { Int(rowOffset) + row * Int(wordCount) }
}

/// The rows that change, in their order within a bucket's state words.
enum StateRow: Int, CaseIterable {
  /// Live, and every condition with a row holds but the time window.
  case eligible
  /// The time window is open, or there is none.
  case window
  /// Waiting: a trigger now would be a match.
  case live
  /// Not taken back, used up, expired or snoozed: the re-arming makes it live again.
  case armed
  /// The region condition does not hold.
  case regionFails
}

/// The rows that never change, in their order within a bucket's rows.
enum FixedRow {
  /// Seven rows, Monday first: the weekday is one of those asked for.
  static let weekday = 0
  /// Two rows, not charging and charging: the condition on charging holds.
  static let charging = 7
  /// Entries that fire once, and once a day, week and month; none of them: at every match.
  static let once = 9
  static let daily = 10
  static let weekly = 11
  static let monthly = 12
  /// Something is left to be looked at when all rows say yes.
  static let residual = 13
  /// The reminder has entries in other buckets too.
  static let shared = 14
  static let count = 15
}

/// One region that entries of a bucket ask about.
struct RegionRow: Sendable {
  var region: UInt8
  /// The index of its row within the bucket's rows: the entries whose condition is about it.
  var row: UInt16
}

/// The window of one entry.
struct EntryWindow: Sendable {
  var entry: UInt32
  var window: DailyWindow
}

/// Where an entry stands.
struct EntryPlace: Sendable {
  var bucket: UInt32
  var entry: UInt32
}

/// A window edge in four bytes.
enum Edge {
  /// Entries of one bucket that an edge can name.
  static let entryLimit = 1 << 21

  @inline(__always)
  static func packed(minute: Int, entry: Int) -> UInt32 { UInt32(minute) << 21 | UInt32(entry) }

  @inline(__always)
  static func minute(_ edge: UInt32) -> Int { Int(edge >> 21) }

  @inline(__always)
  static func entry(_ edge: UInt32) -> Int { Int(edge & 0x1F_FFFF) }
}
