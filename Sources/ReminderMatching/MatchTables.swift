package import TriggerModel

/// The tables that matching reads, in plain memory. They belong to a ``ReminderProgram`` and live as long
/// as it does.
package struct MatchTables: Sendable {
  /// By the raw value of an event kind.
  package let bucketsOfKind: PlainTable<BucketRange>
  package let buckets: PlainTable<TriggerBucket>
  /// The declaration of each entry, bucket after bucket.
  package var declarations: PlainTable<UInt32>
  /// The reminder of each declaration from ``firstCount`` on; before, both have one number.
  package var later: PlainTable<UInt32>
  package let firstCount: UInt32
  /// Immutable rows, bucket after bucket; see ``TriggerBucket/row(_:)``.
  package var rows: PlainTable<UInt64>
  package var regionRows: PlainTable<RegionRow>
  package var facts: FactTables
  /// By word: its first entry.
  package var firstEntries: PlainTable<UInt32>
  /// By bucket: how many entries may come to stand in it before it must move.
  package let rooms: PlainTable<Int32>
  /// By word and ``TriggerModel/Bucket``: the entries whose requests of one instant are alike but for reminder and
  /// type. See ``CompiledReminder/asksAlike``.
  package var alike: PlainTable<UInt64>

  /// How many of ``TriggerModel/Bucket`` there are.
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

  /// Bytes of the tables that every look reads: not of those that say what asks alike,
  /// or how more is added.
  package var bytes: Int {
    bucketsOfKind.bytes + buckets.bytes + declarations.bytes + later.bytes + rows.bytes + regionRows.bytes
      + facts.bytes
  }

  /// The bucket that listens to this kind and subject, if any reminder does.
  @inline(__always)
  package func bucket(of kind: ObservedEvent.Kind, _ subject: UInt32) -> Int? {
    let range = bucketsOfKind[Int(kind.rawValue)]
    guard subject < range.count else { return nil }
    let index = Int(range.first + subject)
    return buckets[index].entryCount > 0 ? index : nil
  }

  /// The row of the entries that ask about a region; some do.
  @inline(__always)
  package func row(ofRegion region: UInt32, in bucket: UnsafePointer<TriggerBucket>) -> Int {
    let before = (bucket.pointee.regions & (1 &<< region &- 1)).nonzeroBitCount
    return Int(regionRows.base[Int(bucket.pointee.firstRegionRow) &+ before].row)
  }

  /// The reminder that a declaration is of.
  @inline(__always)
  package func reminder(of declaration: UInt32) -> ReminderID {
    ReminderID(declaration < firstCount ? declaration : later[Int(declaration - firstCount)])
  }
}

extension MatchTables {
  package init(copying other: MatchTables) {
    self.init(
      bucketsOfKind: PlainTable(copying: other.bucketsOfKind), buckets: PlainTable(copying: other.buckets),
      declarations: PlainTable(copying: other.declarations), later: PlainTable(copying: other.later),
      firstCount: other.firstCount, rows: PlainTable(copying: other.rows),
      regionRows: PlainTable(copying: other.regionRows),
      facts: FactTables(copying: other.facts), firstEntries: PlainTable(copying: other.firstEntries),
      rooms: PlainTable(copying: other.rooms), alike: PlainTable(copying: other.alike))
  }
}

/// The buckets of one event kind, one for each subject.
package struct BucketRange: Sendable, BitwiseCopyable {
  package let first: UInt32
  package let count: UInt32
  /// The rows of each were one word when the program was made. A guess, which is at hand earlier than the buckets: what
  /// is of one word and what is of more is done by other code.
  package private(set) var isOfSingleWords = false
  package let news: KindNews

  package init(first: UInt32, count: UInt32, of kind: ObservedEvent.Kind) {
    (self.first, self.count, news) = (first, count, KindNews(of: kind))
  }

  /// As this, with a guess by the buckets of all kinds.
  func guessing(by buckets: [TriggerBucket]) -> BucketRange {
    var range = self
    range.isOfSingleWords = buckets[Int(first)..<Int(first + count)].allSatisfy { $0.wordCount <= 1 }
    return range
  }
}

/// The entries that one event kind and parameter wakes, and where their rows are.
package struct TriggerBucket: Sendable, BitwiseCopyable {
  /// Into ``MatchTables/declarations``.
  package var firstEntry: Int32
  package var entryCount: Int32
  /// Words in each row; the last of them may have no entries yet.
  package var wordCount: Int32 { didSet { settle() } }
  /// Into the state words; rows in the order of ``StateRow``.
  package var stateOffset: Int32
  /// Into the rows of failing fact conditions: for each word one for each reason, in the order of
  /// ``FactOutcome``. Negative if no entry has such conditions.
  package var factOffset: Int32 { didSet { settle() } }
  /// Into ``MatchTables/rows``; rows in the order of ``FixedRow``, then one per region asked about, and
  /// those of minutes.
  package var rowOffset: Int32
  /// Some entry fires neither once nor once a day, is one of several of its reminder, or has conditions without a row.
  package var hasSpecials: Bool { didSet { settle() } }
  /// The first of the rows of minutes within a quarter of an hour; 0: there are none, and ``noWindows`` where no
  /// entry has a window either. See ``WindowDigits``.
  package var minuteRow: Int16 { didSet { settle() } }
  package var firstRegionRow: Int32
  package var endOfRegionRows: Int32
  /// Bit *r*: some entry asks about region *r*.
  package var regions: UInt32

  package static let noWindows: Int16 = -1
  /// So many entries a bucket can have.
  package static let entryLimit = 1 << 21

  @inline(__always)
  package func state(_ row: StateRow) -> Int { Int(stateOffset) + row.rawValue * Int(wordCount) }

  /// All entries fire once, or once a day, and their windows begin and end with quarters of an hour.
  @inline(__always)
  var isPlain: Bool { !hasSpecials && minuteRow <= 0 }

  /// How it is looked at, as far as that follows from its entries: one question in place of four.
  private(set) var look = Look.closely

  enum Look: UInt8 {
    case closely
    /// ``isPlain``, without fact conditions, in rows of one word,
    case word
    /// or of more.
    case rows
  }

  /// Whoever makes a bucket does so.
  mutating func settle() {
    look = !isPlain || factOffset >= 0 ? .closely : wordCount == 1 ? .word : .rows
  }

  /// The number of its first word among those of the program.
  @inline(__always)
  package var firstWord: Int { Int(stateOffset) / StateRow.count }

  @inline(__always)
  package func row(_ row: Int) -> Int { Int(rowOffset) + row * Int(wordCount) }

  /// How many rows it has.
  package var rowCount: Int {
    FixedRow.count + Int(endOfRegionRows - firstRegionRow) + (minuteRow > 0 ? WindowDigits.minuteCount : 0)
  }
}

/// The rows that change, in their order within a bucket's state words.
package enum StateRow: Int, CaseIterable {
  /// Live, and every condition with a row holds but the time window.
  case eligible
  /// Eligible, and the time window is open, or there is none: what matches now.
  case open
  /// Waiting: a trigger now would be a match.
  case live
  /// Not taken back, used up, expired or snoozed: the re-arming makes it live again.
  case armed
  /// The region condition does not hold.
  case regionFails

  package static let count = 5
}

/// The rows that never change, in their order within a bucket's rows.
package enum FixedRow {
  /// Seven rows, Monday first: the weekday is one of those asked for.
  package static let weekday = 0
  /// Two rows, not charging and charging: the condition on charging holds.
  package static let charging = 7
  /// Entries that fire at every match.
  package static let always = 9
  /// Entries that fire once, and once a week and month; none of these and not always: once a day.
  package static let once = 10
  package static let weekly = 11
  package static let monthly = 12
  /// Something is left to be looked at when all rows say yes.
  package static let residual = 13
  /// The reminder has entries in other buckets too.
  package static let shared = 14
  /// The quarters of an hour at which windows begin and end: see ``WindowDigits``.
  package static let windows = 15
  package static let count = windows + WindowDigits.count
}
