package import TriggerModel

/// The state of a matcher, in tables with a single owner.
///
/// If copies of a matcher share the state, a matcher copies it before changing it.
package final class MatcherState: Sendable {
  /// The mutable rows, bucket after bucket. See ``TriggerBucket/state(_:)``.
  package let words: PlainTable<UInt64>
  package let buckets: PlainTable<BucketState>
  package let memories: PlainTable<ReminderMemory>
  /// The entries for which a fact condition fails, by bucket, word and reason.
  package let factRows: PlainTable<UInt64>
  /// The failing fact conditions of each declaration. The table is empty if no declaration has fact
  /// conditions.
  package let failing: PlainTable<FailingFacts>
  package let series: PlainTable<SeriesState>

  /// Creates the initial state of a program.
  package convenience init(of program: ReminderProgram) { self.init(copying: program.template) }

  package init(
    words: [UInt64], buckets: [BucketState], reminderCount: Int, factWords: Int, failing: [FailingFacts],
    seriesCount: Int
  ) {
    self.words = PlainTable(words)
    self.buckets = PlainTable(buckets)
    memories = PlainTable(repeatElement(ReminderMemory(), count: reminderCount))
    factRows = PlainTable(repeatElement(0, count: factWords))
    self.failing = PlainTable(failing)
    series = PlainTable(repeatElement(SeriesState(), count: seriesCount))
  }

  /// Creates a copy with capacity for the reminders that were added to the program, and for more.
  package init(copying other: MatcherState, fitting program: ReminderProgram) {
    words = PlainTable(
      copying: other.words, atLeast: program.wordCount * StateRow.count, filling: 0)
    buckets = PlainTable(copying: other.buckets)
    memories = PlainTable(
      copying: other.memories, atLeast: program.reminderCount, filling: ReminderMemory())
    factRows = PlainTable(copying: other.factRows, atLeast: program.factWords, filling: 0)
    failing = PlainTable(
      copying: other.failing, atLeast: program.failingCount, filling: FailingFacts())
    series = PlainTable(
      copying: other.series, atLeast: program.tables.facts.series.count, filling: SeriesState())
  }

  package init(copying other: MatcherState) {
    words = PlainTable(copying: other.words)
    buckets = PlainTable(copying: other.buckets)
    memories = PlainTable(copying: other.memories)
    factRows = PlainTable(copying: other.factRows)
    failing = PlainTable(copying: other.failing)
    series = PlainTable(copying: other.series)
  }

  deinit {
    words.deallocate()
    buckets.deallocate()
    memories.deallocate()
    factRows.deallocate()
    failing.deallocate()
    series.deallocate()
  }

  package var bytes: Int {
    words.bytes + buckets.bytes + memories.bytes + factRows.bytes + failing.bytes
      + series.bytes
  }
}

extension MatcherState {
  /// Packs or unpacks the state. The caller must own the state to unpack it.
  package func pack(in parcel: inout Parcel) {
    words.pack(in: &parcel)
    buckets.pack(in: &parcel)
    memories.pack(in: &parcel)
  }
}

/// The values for which the rows of a bucket are valid. A bucket is updated only when its trigger occurs.
package struct BucketState: Hashable, Sendable, BitwiseCopyable {
  /// The slot for which the open row is valid, or ``unknown`` if the row must be recomputed. See
  /// ``WindowTime/slot(hasMinutes:)``.
  package var slot = Self.unknown
  /// The local day for which the live row is valid.
  package var day = Self.unknown
  /// The latest local day for which the live row has been valid.
  package var latestDay = Self.unknown
  /// The key for which the eligible row is valid, or a value of ``RowKey``. See ``PlainView/key(regions:)``.
  package var key = RowKey.none
  /// The regions for which the row of failing region conditions is valid.
  package var inside: UInt32 = 0

  // The number of live entries, and for each condition the number of those for which it is the first to fail.
  // They are valid while the key is valid.
  package var live: Int32 = 0
  package var failedCharging: Int32 = 0
  package var failedWeekdays: Int32 = 0
  package var failedRegion: Int32 = 0
  package var failedTimeWindow: Int32 = 0

  init(hasEntries: Bool) { if !hasEntries { key = RowKey.unheard } }

  package static let unknown = Int32.min

  /// Returns whether the rows are valid for the latest day so far, and `day` is that day or a later one.
  @inline(__always)
  func isNext(_ day: Int32) -> Bool { self.day == latestDay && day >= latestDay }

  /// The number of eligible entries.
  @inline(__always)
  var eligible: Int32 { live &- failedCharging &- failedWeekdays &- failedRegion }
}
