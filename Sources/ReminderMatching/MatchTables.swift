import CivilTime
import TriggerModel

/// The tables that matching reads, in plain memory. They belong to a ``ReminderProgram`` and live as long
/// as it does.
struct MatchTables: Sendable {
  /// By the raw value of an event kind.
  let bucketsOfKind: PlainTable<BucketRange>
  let buckets: PlainTable<TriggerBucket>
  /// The declaration of each entry, bucket after bucket: 64 for each word of the program.
  var declarations: PlainTable<UInt32>
  /// The reminder of each declaration from ``firstCount`` on; before, both have one number.
  var later: PlainTable<UInt32>
  let firstCount: UInt32
  /// Immutable rows, bucket after bucket; see ``TriggerBucket/row(_:)``.
  var rows: PlainTable<UInt64>
  var regionRows: PlainTable<RegionRow>
  /// Window edges of a bucket sorted by minute; see ``Edge``.
  var edges: PlainTable<UInt32>
  var facts: FactTables
  /// By word and ``TriggerModel/Bucket``: the entries whose requests of one instant are alike but for reminder and
  /// type. See ``CompiledReminder/asksAlike``.
  var alike: PlainTable<UInt64>
  /// The windows of a bucket's entries, for the hours in which a fold makes edges ambiguous.
  var windows: PlainTable<EntryWindow>

  init(
    bucketsOfKind: PlainTable<BucketRange>, buckets: PlainTable<TriggerBucket>,
    declarations: PlainTable<UInt32>, later: PlainTable<UInt32>, firstCount: UInt32,
    rows: PlainTable<UInt64>, regionRows: PlainTable<RegionRow>, edges: PlainTable<UInt32>,
    facts: FactTables, alike: PlainTable<UInt64>, windows: PlainTable<EntryWindow>
  ) {
    self.bucketsOfKind = bucketsOfKind
    self.buckets = buckets
    self.declarations = declarations
    self.later = later
    self.firstCount = firstCount
    self.rows = rows
    self.regionRows = regionRows
    self.edges = edges
    self.facts = facts
    self.alike = alike
    self.windows = windows
  }

  init(copying other: MatchTables) {
    self.init(
      bucketsOfKind: PlainTable(copying: other.bucketsOfKind), buckets: PlainTable(copying: other.buckets),
      declarations: PlainTable(copying: other.declarations), later: PlainTable(copying: other.later),
      firstCount: other.firstCount, rows: PlainTable(copying: other.rows),
      regionRows: PlainTable(copying: other.regionRows), edges: PlainTable(copying: other.edges),
      facts: FactTables(copying: other.facts), alike: PlainTable(copying: other.alike),
      windows: PlainTable(copying: other.windows))
  }

  /// How many of ``TriggerModel/Bucket`` there are.
  static let bucketCount = 3

  func deallocate() {
    bucketsOfKind.deallocate()
    buckets.deallocate()
    declarations.deallocate()
    later.deallocate()
    rows.deallocate()
    regionRows.deallocate()
    edges.deallocate()
    windows.deallocate()
    alike.deallocate()
    facts.deallocate()
  }

  /// Bytes of the tables that every look reads: not of those that say what asks alike.
  var bytes: Int {
    bucketsOfKind.bytes + buckets.bytes + declarations.bytes + later.bytes + rows.bytes + regionRows.bytes
      + edges.bytes + windows.bytes + facts.bytes
  }

  /// The bucket that listens to this kind and subject, if any reminder does.
  @inline(__always)
  func bucket(of kind: ObservedEvent.Kind, _ subject: UInt32) -> Int? {
    let range = bucketsOfKind[Int(kind.rawValue)]
    guard subject < range.count else { return nil }
    let index = Int(range.first + subject)
    return buckets[index].entryCount > 0 ? index : nil
  }

  /// The reminder that a declaration is of.
  @inline(__always)
  func reminder(of declaration: UInt32) -> ReminderID {
    ReminderID(declaration < firstCount ? declaration : later[Int(declaration - firstCount)])
  }
}

/// The buckets of one event kind, one for each subject.
struct BucketRange: Sendable, BitwiseCopyable {
  var first: UInt32
  var count: UInt32
}

/// The entries that one event kind and parameter wakes, and where their rows are.
struct TriggerBucket: Sendable, BitwiseCopyable {
  /// Into ``MatchTables/declarations``.
  var firstEntry: Int32
  var entryCount: Int32
  /// Words of each row that have entries.
  var wordCount: Int32
  /// From row to row: the words that have entries, and room for more.
  var stride: Int32
  /// Into the state words; rows in the order of ``StateRow``.
  var stateOffset: Int32
  /// Into the rows of failing fact conditions: for each word one for each reason, in the order of
  /// ``FactOutcome``. Negative if no entry has such conditions.
  var factOffset: Int32
  /// Into ``MatchTables/rows``; rows in the order of ``FixedRow``, then one per region asked about.
  var rowOffset: Int32
  var firstEdge: Int32
  var endOfEdges: Int32
  var edgeRoom: Int32
  var firstWindow: Int32
  var endOfWindows: Int32
  var windowRoom: Int32
  var firstRegionRow: Int32
  var endOfRegionRows: Int32
  /// Bit *r*: some entry asks about region *r*.
  var regions: UInt32

  @inline(__always)
  package func state(_ row: StateRow) -> Int { Int(stateOffset) + row.rawValue * Int(stride) }

  /// The number of its first word among those of the program.
  @inline(__always)
  var firstWord: Int { Int(stateOffset) / StateRow.count }

  @inline(__always)
  func row(_ row: Int) -> Int { Int(rowOffset) + row * Int(stride) }
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

  static let count = 5
}

/// The rows that never change, in their order within a bucket's rows.
enum FixedRow {
  /// Seven rows, Monday first: the weekday is one of those asked for.
  static let weekday = 0
  /// Two rows, not charging and charging: the condition on charging holds.
  static let charging = 7
  /// Entries that fire at every match.
  static let always = 9
  /// Entries that fire once, and once a week and month; none of these and not always: once a day.
  static let once = 10
  static let weekly = 11
  static let monthly = 12
  /// Something is left to be looked at when all rows say yes.
  static let residual = 13
  /// The reminder has entries in other buckets too.
  static let shared = 14
  static let count = 15
}

/// One region that entries of a bucket ask about.
struct RegionRow: Sendable, BitwiseCopyable {
  var region: UInt8
  /// The index of its row within the bucket's rows: the entries whose condition is about it.
  var row: UInt16
}

/// The window of one entry.
struct EntryWindow: Sendable, BitwiseCopyable {
  var entry: UInt32
  var from: UInt16
  var to: UInt16

  var window: DailyWindow { DailyWindow(from: Int(from), to: Int(to)) }
}

/// Where an entry stands.
struct EntryPlace: Sendable, BitwiseCopyable {
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
