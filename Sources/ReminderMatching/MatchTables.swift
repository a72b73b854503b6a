package import TriggerModel

/// The tables for matching, in plain memory. They belong to a ``ReminderProgram``, which deallocates them.
package struct MatchTables: Sendable {
  /// The buckets of each event kind, indexed by the raw value of the kind.
  package let bucketsOfKind: PlainTable<BucketRange>
  package let buckets: PlainTable<TriggerBucket>
  /// The declaration of each entry, bucket after bucket.
  package var declarations: PlainTable<UInt32>
  /// The reminder of each declaration from ``initialCount`` on. An initial declaration has the same number as
  /// its reminder.
  package var later: PlainTable<UInt32>
  package let initialCount: UInt32
  /// The immutable rows, bucket after bucket. See ``TriggerBucket/row(_:)``.
  package var rows: PlainTable<UInt64>
  package var regionRows: PlainTable<RegionRow>
  package var facts: FactTables
  /// The first entry of each word.
  package var firstEntries: PlainTable<UInt32>
  /// The capacity of each bucket in entries. A bucket that grows beyond it must move.
  package let rooms: PlainTable<Int32>
  /// The entries with interchangeable requests, by word and then by ``TriggerModel/Bucket``. At one instant,
  /// such requests differ only in reminder and type. See ``CompiledReminder/isInterchangeable``.
  package var alike: PlainTable<UInt64>

  /// The number of cases of ``TriggerModel/Bucket``.
  package static let bucketCount = 3

  package func deallocate() {
    bucketsOfKind.deallocate()
    buckets.deallocate()
    declarations.deallocate()
    later.deallocate()
    rows.deallocate()
    regionRows.deallocate()
    firstEntries.deallocate()
    rooms.deallocate()
    alike.deallocate()
    facts.deallocate()
  }

  /// The size in bytes of the tables that every evaluation reads.
  package var bytes: Int {
    bucketsOfKind.bytes + buckets.bytes + declarations.bytes + later.bytes + rows.bytes + regionRows.bytes
      + facts.bytes
  }

  /// Returns the bucket of an event kind and subject, or `nil` if no reminder listens to it.
  @inline(__always)
  package func bucket(of kind: ObservedEvent.Kind, _ subject: UInt32) -> Int? {
    let range = bucketsOfKind[Int(kind.rawValue)]
    guard subject < range.count else { return nil }
    let index = Int(range.first + subject)
    return buckets[index].entryCount > 0 ? index : nil
  }

  /// Returns the row of the entries that have a condition on a region. The bucket must have such an entry.
  @inline(__always)
  package func row(ofRegion region: UInt32, in bucket: UnsafePointer<TriggerBucket>) -> Int {
    let before = (bucket.pointee.regions & (1 &<< region &- 1)).nonzeroBitCount
    return Int(regionRows.base[Int(bucket.pointee.firstRegionRow) &+ before].row)
  }

  /// Returns the reminder of a declaration.
  @inline(__always)
  package func reminder(of declaration: UInt32) -> ReminderID {
    ReminderID(declaration < initialCount ? declaration : later[Int(declaration - initialCount)])
  }
}

extension MatchTables {
  package init(copying other: MatchTables) {
    self.init(
      bucketsOfKind: PlainTable(copying: other.bucketsOfKind), buckets: PlainTable(copying: other.buckets),
      declarations: PlainTable(copying: other.declarations), later: PlainTable(copying: other.later),
      initialCount: other.initialCount, rows: PlainTable(copying: other.rows),
      regionRows: PlainTable(copying: other.regionRows),
      facts: FactTables(copying: other.facts), firstEntries: PlainTable(copying: other.firstEntries),
      rooms: PlainTable(copying: other.rooms), alike: PlainTable(copying: other.alike))
  }
}

/// The buckets of one event kind, one for each subject.
package struct BucketRange: Sendable, BitwiseCopyable {
  package let first: UInt32
  package let count: UInt32
  /// Whether all buckets had rows of one word when the program was compiled.
  ///
  /// It is a hint that is available before the buckets are read. There are different code paths for rows of
  /// one word and for longer rows.
  package private(set) var hasSingleWordRows = false
  package let news: EventKindEffect

  package init(first: UInt32, count: UInt32, of kind: ObservedEvent.Kind) {
    (self.first, self.count, news) = (first, count, EventKindEffect(of: kind))
  }

  /// Returns a copy with the hint set for the given buckets.
  func withHint(from buckets: [TriggerBucket]) -> BucketRange {
    var range = self
    range.hasSingleWordRows = buckets[Int(first)..<Int(first + count)].allSatisfy { $0.wordCount <= 1 }
    return range
  }
}

/// The entries that listen to one event kind and subject, and the positions of their rows.
package struct TriggerBucket: Sendable, BitwiseCopyable {
  /// The position of the first entry in ``MatchTables/declarations``.
  package var firstEntry: Int32
  package var entryCount: Int32
  /// The number of words in each row. The last words may be empty.
  package var wordCount: Int32 { didSet { updateEvaluation() } }
  /// The position of the bucket's rows in the state words. The rows are in the order of ``StateRow``.
  package var stateOffset: Int32
  /// The position of the bucket's words in the rows of failing fact conditions, or a negative number if no
  /// entry has fact conditions.
  ///
  /// For each word of entries, there is one word per reason, in the order of ``FactOutcome``.
  package var factOffset: Int32 { didSet { updateEvaluation() } }
  /// The position of the bucket's rows in ``MatchTables/rows``. They are in the order of ``FixedRow``,
  /// followed by one row per region and the minute rows.
  package var rowOffset: Int32
  /// Whether any entry needs special treatment, because it fires neither once nor daily, has several
  /// triggers, or has conditions without a row.
  package var hasSpecials: Bool { didSet { updateEvaluation() } }
  /// The first row of minutes within a quarter of an hour. It is 0 if there are none, or ``noWindows`` if no
  /// entry has a window. See ``WindowDigits``.
  package var minuteRow: Int16 { didSet { updateEvaluation() } }
  package var firstRegionRow: Int32
  package var endOfRegionRows: Int32
  /// Bit *r* is set if an entry has a condition on region *r*.
  package var regions: UInt32

  package static let noWindows: Int16 = -1
  /// The maximum number of entries of a bucket.
  package static let entryLimit = 1 << 21

  @inline(__always)
  package func state(_ row: StateRow) -> Int { Int(stateOffset) + row.rawValue * Int(wordCount) }

  /// Whether all entries fire once or daily, and all windows start and end at quarters of an hour.
  @inline(__always)
  var isPlain: Bool { !hasSpecials && minuteRow <= 0 }

  /// The code path that the entries of the bucket allow. Testing this value replaces four comparisons.
  private(set) var evaluation = Evaluation.general

  enum Evaluation: UInt8 {
    case general
    /// For ``isPlain`` buckets without fact conditions and with rows of one word.
    case word
    /// For ``isPlain`` buckets without fact conditions and with rows of several words.
    case rows
  }

  /// Updates ``evaluation``. Call it after creating a bucket.
  mutating func updateEvaluation() {
    evaluation = !isPlain || factOffset >= 0 ? .general : wordCount == 1 ? .word : .rows
  }

  /// The index of the bucket's first word in the program.
  @inline(__always)
  package var firstWord: Int { Int(stateOffset) / StateRow.count }

  @inline(__always)
  package func row(_ row: Int) -> Int { Int(rowOffset) + row * Int(wordCount) }

  /// The number of rows.
  package var rowCount: Int {
    FixedRow.count + Int(endOfRegionRows - firstRegionRow) + (minuteRow > 0 ? WindowDigits.minuteCount : 0)
  }
}

/// The mutable rows, in their order within a bucket's state words.
package enum StateRow: Int, CaseIterable {
  /// The live entries that fulfil all conditions with a row, except the time window.
  case eligible
  /// The eligible entries that have an open time window or none. They match now.
  case open
  /// The waiting entries. When the trigger occurs, each of them matches or misses.
  case live
  /// The entries that become live in the next period. Their reminders are not cancelled, used up, expired or
  /// snoozed.
  case armed
  /// The entries whose region condition fails.
  case regionFails

  package static let count = 5
}

/// The immutable rows, in their order within a bucket's rows.
package enum FixedRow {
  /// Seven rows, from Monday: the entries whose weekday condition is fulfilled on that day.
  package static let weekday = 0
  /// Two rows, for not charging and charging: the entries whose charging condition is fulfilled in that
  /// state.
  package static let charging = 7
  /// The entries that fire at every match.
  package static let always = 9
  /// The entries that fire once, weekly or monthly. Entries that are neither in these rows nor in ``always``
  /// fire daily.
  package static let once = 10
  package static let weekly = 11
  package static let monthly = 12
  /// The entries that have conditions without a row.
  package static let residual = 13
  /// The entries of reminders that have entries in several buckets.
  package static let shared = 14
  /// The quarters of an hour at which windows start and end. See ``WindowDigits``.
  package static let windows = 15
  package static let count = windows + WindowDigits.count
}

/// The place of an entry.
public struct EntryPlace: Sendable, BitwiseCopyable {
  /// The bucket of its trigger.
  public var bucket: UInt32
  /// The bit in the rows of the bucket.
  public var entry: UInt32
}

/// The row, within a bucket, of a region that conditions of its entries name.
public struct RegionRow: Sendable, BitwiseCopyable {
  /// The raw value of the region's identifier.
  public var region: UInt8
  /// The index of the row within the bucket's rows.
  public var row: UInt16
}
