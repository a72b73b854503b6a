package import TriggerModel

/// What a matcher remembers, in tables that one matcher owns. A matcher that shares its state with a copy
/// of itself takes a copy of the state before it changes anything.
package final class MatcherState: Sendable {
  /// The rows that change, bucket after bucket; see ``TriggerBucket/state(_:)``.
  package let words: PlainTable<UInt64>
  package let buckets: PlainTable<BucketState>
  package let memories: PlainTable<ReminderMemory>
  /// By bucket, word and reason: the entries of which a fact condition fails.
  package let factRows: PlainTable<UInt64>
  /// By declaration; empty where none has fact conditions.
  package let failing: PlainTable<FailingFacts>
  package let series: PlainTable<SeriesState>

  /// The state before anything happened.
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

  /// A copy with room for what was added to the program, and for more.
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
  /// Nobody else has it where it is unpacked.
  package func pack(in parcel: inout Parcel) {
    words.pack(in: &parcel)
    buckets.pack(in: &parcel)
    memories.pack(in: &parcel)
  }
}

/// How far a bucket's rows are brought up to date. Buckets that nothing looks at cost nothing: each
/// catches up when its trigger comes.
package struct BucketState: Hashable, Sendable, BitwiseCopyable {
  /// The ``WindowTime/slot(hasMinutes:)`` for which the open row holds; ``unknown`` when it must be made anew.
  package var slot = Self.unknown
  /// The local day for which the live row holds.
  package var day = Self.unknown
  /// The latest local day for which it ever held: that or a later one.
  package var latestDay = Self.unknown
  /// The ``PlainView/key(regions:)`` for which the eligible row holds; or one of ``RowKey``.
  package var key = RowKey.none
  /// The regions for which the row of failing region conditions holds.
  package var inside: UInt32 = 0

  // Live entries, and those among them that fail, by the first kind of condition that does: for the rest while the key
  // holds.
  package var live: Int32 = 0
  package var failedCharging: Int32 = 0
  package var failedWeekdays: Int32 = 0
  package var failedRegion: Int32 = 0
  package var failedTimeWindow: Int32 = 0

  init(isHeard: Bool) { if !isHeard { key = RowKey.unheard } }

  package static let unknown = Int32.min

  /// Whether a day is that of the rows, or comes after all that they ever held for.
  @inline(__always)
  func isNext(_ day: Int32) -> Bool { self.day == latestDay && day >= latestDay }

  /// So many of the live ones are eligible.
  @inline(__always)
  var eligible: Int32 { live &- failedCharging &- failedWeekdays &- failedRegion }
}
